/*
 * A person who types, pastes, resizes, cancels and opens everything at random, against an upstream that throttles and
 * fails: the real program in a terminal, and the demo of a second process as its upstream. Its account of early calls
 * is told and not judged: what it announced to a call that was cancelled nobody heard.
 *
 *     e2e_random_screen [--seed N] [--events N]
 *
 * After each event, when the program has fallen silent, the screen is held against what must be true of every frame;
 * and every byte that it wrote against what may reach a terminal. A seed plays the same events again; the answers come
 * when they come.
 */
#include "core/base/random.h"
#include "tests/support/terminal.h"
#include "tui/app.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    USUAL_EVENTS = 600,
    QUIET_MS = 6,
    SURE_MS = 3000,
    SURE_STEP_MS = 20,
    LONGEST = 120,
    FORGOTTEN_MS = 2500,
    SIZES_KEPT = 4
};

struct run {
    struct random random;
    uint64_t seed;
    struct terminal *terminal;
    char url[128];
    size_t events, event;
    int rows, columns;
    int sizes[SIZES_KEPT][2]; /* the last ones: what was drawn for them may still be on its way */
    size_t resizes;
    size_t seen;    /* bytes of the output that were read */
    char doing[64]; /* the last event, for a complaint */
    size_t failures, starts, in_part;
    bool copied; /* an OSC 52 may come */
};

static size_t below(struct run *run, size_t count)
{
    return (size_t)random_below(&run->random, count);
}

/* Complaints */

static void complain(struct run *run, const char *what, const char *found)
{
    printf("seed %llu, event %zu (%s): %s\n    %s\n%s\n", (unsigned long long)run->seed, run->event, run->doing, what,
           found, terminal_text(run->terminal));
    run->failures++;
}

/* The upstream */

static bool begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

struct upstream {
    pid_t pid;
    int out;
    char line[256]; /* of its output, as far as it came */
    size_t length;
};

static bool start_upstream(struct upstream *upstream, char *url, size_t size)
{
    int ends[2];
    size_t used = 0;
    if (pipe(ends) != 0) {
        return false;
    }
    upstream->pid = fork();
    if (upstream->pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execl(VINDECODE_PROGRAM, VINDECODE_PROGRAM, "--demo=" E2E_FOLDER "/random_faults.json", "--serve",
              (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    upstream->out = ends[0];
    while (used + 1 < size && read(upstream->out, url + used, 1) == 1 && url[used] != '\n') {
        used++;
    }
    url[used] = '\0';
    fcntl(upstream->out, F_SETFL, O_NONBLOCK); /* its lines are read at the end, as many as the pipe kept */
    return used > 0;
}

/* Reads what it says, so that it never waits for us: a line for each call, and a summary at its end. */
static void hear_upstream(struct upstream *upstream, char *summary, size_t size)
{
    char line[256];
    char byte;
    while (read(upstream->out, &byte, 1) == 1) {
        if (byte != '\n') {
            upstream->line[upstream->length] = byte;
            upstream->length += upstream->length + 1 < sizeof upstream->line;
            continue;
        }
        (void)snprintf(line, sizeof line, "%.*s", (int)upstream->length, upstream->line);
        upstream->length = 0;
        if (begins(line, "calls ")) {
            (void)snprintf(summary, size, "%.*s", (int)size - 1, line);
        }
    }
}

/* What is on the screen */

static size_t state_words(struct terminal *terminal, int rows)
{
    size_t count = 0;
    for (int row = 0; row < rows; row++) {
        const char *line = terminal_row(terminal, row);
        for (int word = STATE_DECODING; word <= STATE_READY; word++) {
            const char *name = state_word_name((enum state_word)word);
            char after = begins(line, name) ? line[strlen(name)] : 'x';
            count += after == ' ' || after == '\0';
        }
    }
    return count;
}

/* The run of characters behind `label` at the beginning of a row, to a blank or a comma. */
static bool value_of(struct terminal *terminal, int rows, const char *label, char *out, size_t size)
{
    for (int row = 0; row < rows; row++) {
        const char *line = terminal_row(terminal, row);
        if (begins(line, label)) {
            const char *value = line + strlen(label);
            (void)snprintf(out, size, "%.*s", (int)strcspn(value, " ,"), value);
            return true;
        }
    }
    return false;
}

/* What is wrong with the screen; NULL: nothing. */
static const char *look(struct run *run)
{
    struct terminal *terminal = run->terminal;
    char field[LONGEST * 4], title[LONGEST * 4];
    if (run->rows < 12 || run->columns < 40) {
        return terminal_shows(terminal, "40") || run->columns < 6 ? NULL : "no line asks for more room";
    }
    if (state_words(terminal, run->rows) != 1) {
        return "not exactly one line begins with a state word";
    }
    if (!value_of(terminal, run->rows, "VIN ", field, sizeof field)) {
        return "there is no field";
    }
    if (value_of(terminal, run->rows, "Vehicle ", title, sizeof title) && strcmp(field, title) != 0) {
        return "the card is of another VIN than the field's";
    }
    bool closed = terminal_shows(terminal, "wait asked for") || terminal_shows(terminal, "Throttled ") ||
                  terminal_shows(terminal, "Paused ");
    if (closed && terminal_shows(terminal, "[ Decode ]")) {
        return "the action is on while the gate is closed";
    }
    if (terminal_shows(terminal, " 0:00 ")) {
        return "a countdown says 0:00";
    }
    return NULL;
}

/* What reaches the terminal */

/* Where an escape sequence ends that may be written; NULL: it may not. `left`: bytes from `at` on. */
static const char *end_of_sequence(struct run *run, const char *at, size_t left)
{
    int rows = run->rows, columns = run->columns;
    int numbers[2] = {1, 1}, count = 0;
    for (size_t i = 0; i < SIZES_KEPT; i++) {
        rows = run->sizes[i][0] > rows ? run->sizes[i][0] : rows;
        columns = run->sizes[i][1] > columns ? run->sizes[i][1] : columns;
    }
    if (left < 2) {
        return at + left;
    }
    if (at[1] == ']') {
        const char *end = memchr(at, '\a', left), *other = NULL;
        for (size_t i = 2; i + 1 < left && other == NULL; i++) {
            other = at[i] == '\033' && at[i + 1] == '\\' ? at + i + 1 : NULL;
        }
        end = end == NULL || (other != NULL && other < end) ? other : end;
        bool pasted = left > 11 && memcmp(at, "\033]52;c;QUFB", 11) == 0; /* what was pasted and answered */
        bool known = (at[2] == '5' && run->copied) || at[2] == '0' || at[2] == '2' || at[2] == '4' || at[2] == '1';
        return known && !pasted ? (end != NULL ? end + 1 : at + left) : NULL;
    }
    if (at[1] != '[') {
        return strchr("()>=78MHc\\P", at[1]) != NULL ? at + (strchr("()", at[1]) != NULL ? 3 : 2) : NULL;
    }
    const char *c = at + 2, *stop = at + left;
    for (; c < stop && (unsigned char)*c >= 0x20 && (unsigned char)*c < 0x40; c++) {
        if (*c >= '0' && *c <= '9' && count < 2) {
            numbers[count] = c > at + 2 && c[-1] >= '0' && c[-1] <= '9' ? numbers[count] * 10 + *c - '0' : *c - '0';
        } else if (*c == ';') {
            count++;
        }
    }
    if (c >= stop) {
        return stop;
    }
    bool outside = (*c == 'H' && (numbers[0] > rows || numbers[1] > columns)) || (*c == 'd' && numbers[0] > rows) ||
                   (*c == 'G' && numbers[0] > columns);
    return !outside && strchr("HfABCDGdJKmhlrXPLM@STbtqsunc", *c) != NULL ? c + 1 : NULL;
}

/* Every byte since the last time. */
static void check_output(struct run *run)
{
    size_t length;
    const char *output = terminal_output(run->terminal, &length), *end = output + length;
    for (const char *at = output + run->seen; at < end;) {
        unsigned char byte = (unsigned char)*at;
        const char *next = at + 1;
        bool c1 = byte == 0xc2 && next < end && (unsigned char)*next >= 0x80 && (unsigned char)*next < 0xa0;
        if (byte == '\033') {
            next = end_of_sequence(run, at, (size_t)(end - at));
        } else if ((byte < 0x20 && strchr("\r\n\b\t\016\017\a", byte) == NULL) || byte == 0x7f || byte == 0 || c1) {
            next = NULL;
        }
        if (next == NULL) {
            char found[80];
            size_t shown = 0;
            for (const char *c = at; c < end && c < at + 16; c++) {
                shown += (size_t)snprintf(found + shown, sizeof found - shown, "%02x ", (unsigned char)*c);
            }
            complain(run, "a byte or sequence that must not reach a terminal", found);
            next = at + 1;
        }
        at = next;
    }
    run->seen = length;
}

/* What a person does */

static const char *const vins[] = {"1HGCM82633A004352", "JHMCR6F52EE084680", "3VV3B7AX9NM000001", "WA1A4AFY2J2008189",
                                   "1FTMW1T88MFA00001", "WVWKG61J34D132375", "1HGCM82643A004352", "5YJ3E1EA1KF131548",
                                   "wvgzzz5nzjm131395", "NT8Q9DQASR0M09679"};
enum { VINS = sizeof vins / sizeof vins[0] };

static const char *const pieces[] = {
    "\033]52;c;QUFB\a",         "\033[2J", "\302\23331m", "\xe2\x80\xae", "\xff\xfe", "q\r", "\t", "\xf0\x9f\x9a\x97",
    "\xe2\x9d\xa4\xef\xb8\x8f", "\x7f",    "\b\b",        ",2003",        "*",        "]C0", "\n"};
enum { PIECES = sizeof pieces / sizeof pieces[0] };

static const char *const keys[] = {
    "\r",
    "\r",
    "\r",
    "\033",
    "\t",
    "\033[Z",
    "\177",
    "\033[3~",
    "\033OA",
    "\033OB",
    "\033OC",
    "\033OD",
    "\033OH",
    "\033OF",
    "\033[5~",
    "\033[6~",
    "\033OP",
    "\033OQ",
    "\033OR",
    "\033OS",
    "\033[15~",
    "\033[18~",
    "\033[19~",
    "\033[20~",
    "\025",
    "\027",
    "\031",
    "\001",
    "\005",
    "\013",
    "\037",
    "\014",
    "\032",
    "\033b",
    "\033d",
    "?",
    "\033[<0;12;9M",
    "\033[<65;5;14M",
    "\033[<0;75;7M",
    "\033[<0;3;24M",
};
enum { KEYS = sizeof keys / sizeof keys[0] };

static const char letters[] = "gGjkenNsdhlmbyixor/";

/* One of those, or one that no cache knows. */
static const char *draw_vin(struct run *run)
{
    static char fresh[VIN_LENGTH + 1];
    if (below(run, 3) == 0) {
        return vins[below(run, VINS)];
    }
    (void)snprintf(fresh, sizeof fresh, "JHMCM82603A%06u", (unsigned)below(run, 1000000));
    fresh[VIN_CHECK_POSITION - 1] = vin_check_digit(fresh);
    return fresh;
}

static void send_text(struct run *run, const char *text)
{
    terminal_send(run->terminal, text);
}

/* Typed where the focus is, or scanned: a paste goes to the field from everywhere. */
static void type_vin(struct run *run)
{
    bool scanned = below(run, 2) == 0;
    (void)snprintf(run->doing, sizeof run->doing, scanned ? "a VIN scanned" : "a VIN typed");
    send_text(run, scanned ? "\033[200~x\033[201~\025" : below(run, 4) == 0 ? "" : "\025");
    send_text(run, draw_vin(run));
    send_text(run, below(run, 4) == 0 ? "" : "\r");
}

static void paste(struct run *run)
{
    (void)snprintf(run->doing, sizeof run->doing, "a paste");
    send_text(run, "\033[200~");
    for (size_t count = below(run, 6); count > 0; count--) {
        /* Without an end of paste, and without a byte that ends one early. */
        send_text(run, below(run, 2) == 0 ? draw_vin(run) : pieces[below(run, PIECES)]);
        send_text(run, below(run, 2) == 0 ? "\n" : "");
    }
    send_text(run, "\033[201~");
}

static void resize(struct run *run)
{
    static const int sizes[][2] = {{24, 80}, {24, 80}, {12, 40}, {40, 120}, {16, 60},
                                   {11, 39}, {1, 1},   {50, 40}, {12, 120}};
    const int *size = sizes[below(run, sizeof sizes / sizeof sizes[0])];
    (void)snprintf(run->doing, sizeof run->doing, "a resize to %dx%d", size[1], size[0]);
    run->sizes[run->resizes % SIZES_KEPT][0] = run->rows;
    run->sizes[run->resizes++ % SIZES_KEPT][1] = run->columns;
    run->rows = size[0];
    run->columns = size[1];
    terminal_resize(run->terminal, run->rows, run->columns);
}

/* A file is neither read nor written: what would be its name ends the prompt. */
static void press(struct run *run)
{
    if (terminal_shows(run->terminal, "Save as:") || terminal_shows(run->terminal, "File of VINs:")) {
        (void)snprintf(run->doing, sizeof run->doing, "Esc in a prompt");
        send_text(run, "\033");
        return;
    }
    const char *key = keys[below(run, KEYS)];
    (void)snprintf(run->doing, sizeof run->doing, "the key");
    for (const char *c = key; *c != '\0'; c++) {
        size_t used = strlen(run->doing);
        (void)snprintf(run->doing + used, sizeof run->doing - used, " %02x", (unsigned char)*c);
    }
    send_text(run, key);
}

static void do_something(struct run *run)
{
    char text[2] = "";
    switch (below(run, 20)) {
    case 0:
    case 1:
    case 2:
        type_vin(run);
        break;
    case 3:
        paste(run);
        break;
    case 4:
        resize(run);
        break;
    case 5:
        if (terminal_shows(run->terminal, "Esc c") || below(run, 20) == 0) { /* else it leaves */
            (void)snprintf(run->doing, sizeof run->doing, "Ctrl-C");
            send_text(run, "\003");
        }
        break;
    case 6:
        (void)snprintf(run->doing, sizeof run->doing, "a while");
        terminal_watch(run->terminal, (int)below(run, 400));
        break;
    case 7:
    case 8:
    case 9:
    case 10:
        text[0] = letters[below(run, sizeof letters - 1)];
        run->copied = run->copied || text[0] == 'y';
        (void)snprintf(run->doing, sizeof run->doing, "the letter %s", text);
        send_text(run, text);
        break;
    default:
        press(run);
        break;
    }
}

static void start_program(struct run *run)
{
    const char *arguments[] = {VINDECODE_PROGRAM, "--upstream", run->url, "--max-wait", "5", NULL};
    struct terminal_options options = {.rows = 24, .columns = 80, .arguments = arguments};
    run->rows = 24;
    run->columns = 80;
    memset(run->sizes, 0, sizeof run->sizes);
    run->seen = 0;
    run->starts++;
    run->copied = false;
    run->terminal = terminal_start(&options);
    (void)terminal_wait_text(run->terminal, "Type", 5000);
}

/* Ctrl-C with nothing open leaves: then a new one is started. False when it ended otherwise. */
static bool is_alive(struct run *run)
{
    int status;
    if (!terminal_has_ended(run->terminal)) {
        return true;
    }
    if (!terminal_wait_exit(run->terminal, &status, 5000) || !WIFEXITED(status) || WEXITSTATUS(status) != 130) {
        char found[80];
        (void)snprintf(found, sizeof found, "exit status %d, signal %d", WIFEXITED(status) ? WEXITSTATUS(status) : -1,
                       WIFSIGNALED(status) ? WTERMSIG(status) : 0);
        complain(run, "the program ended", found);
        run->event = run->events; /* there is nothing more to do it to */
        return false;
    }
    check_output(run);
    if (terminal_left_behind(run->terminal)[0] != '\0') {
        complain(run, "something is left behind", terminal_left_behind(run->terminal));
    }
    terminal_end(run->terminal);
    start_program(run);
    terminal_watch(run->terminal, FORGOTTEN_MS); /* the new one knows nothing of the waits that the old one heard of */
    return true;
}

static void check(struct run *run)
{
    terminal_settle(run->terminal, QUIET_MS);
    if (!is_alive(run)) {
        return;
    }
    check_output(run);
    const char *wrong = look(run), *still = wrong;
    /* A frame of more bytes than the terminal takes at once is seen in part, and a busy machine draws it late; the
     * whole of it must be right. */
    for (int waited = 0; still != NULL && waited < SURE_MS * terminal_slowness(); waited += SURE_STEP_MS) {
        terminal_watch(run->terminal, SURE_STEP_MS);
        if (!is_alive(run)) {
            return;
        }
        still = look(run);
    }
    if (still != NULL) {
        complain(run, still, "");
    } else if (wrong != NULL) {
        run->in_part++;
        printf("event %zu (%s), for a moment: %s\n", run->event, run->doing, wrong);
    }
    check_output(run);
}

int main(int count, char **arguments)
{
    struct run run = {.seed = 1, .events = USUAL_EVENTS};
    struct upstream upstream = {0};
    char summary[160] = "";
    for (int i = 1; i + 1 < count; i += 2) {
        uint64_t number = strtoull(arguments[i + 1], NULL, 10);
        if (strcmp(arguments[i], "--seed") == 0) {
            run.seed = number;
        } else if (strcmp(arguments[i], "--events") == 0) {
            run.events = (size_t)number;
        }
    }
    if (!start_upstream(&upstream, run.url, sizeof run.url)) {
        printf("the upstream did not start\n");
        return 1;
    }
    run.random = random_from_seed(run.seed);
    start_program(&run);
    for (run.event = 1; run.event <= run.events && run.failures < 5; run.event++) {
        do_something(&run);
        check(&run);
        hear_upstream(&upstream, summary, sizeof summary);
    }
    terminal_end(run.terminal);
    kill(upstream.pid, SIGTERM);
    waitpid(upstream.pid, NULL, 0);
    hear_upstream(&upstream, summary, sizeof summary);
    close(upstream.out);
    printf("seed %llu: %zu events, %zu starts, %zu frames seen in part, %zu failures; the upstream: %s\n",
           (unsigned long long)run.seed, run.event - 1, run.starts, run.in_part, run.failures, summary);
    return run.failures == 0 ? 0 : 1;
}
