/*
 * A person who types, pastes, resizes, cancels and opens everything at random, against an upstream that throttles and
 * fails: the real program in a terminal, and the demo of a second process as its upstream.
 *
 *     e2e_random_screen [--seed N] [--events N]
 *
 * After each event, when the program has fallen silent, the screen is held against what must be true of every frame;
 * every byte that it wrote against what may reach a terminal; and at the end its log and the upstream's account against
 * each other (random_calls.c). A seed plays the same events again; the answers come when they come.
 */
#include "core/vin/vin.h"
#include "tests/e2e/random_run.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    USUAL_EVENTS = 600,
    ALL_STATES_EVENTS = 10000, /* so many must have met each state but Resting */
    QUIET_MS = 2,
    SURE_MS = 3000,
    SURE_STEP_MS = 20,
    ANSWER_MS = 600,
    PATIENT_MS = 4000,
    A_WHILE_MS = 120,
    LEAVING_MS = 40,
    MOST_FAILURES = 5
};

/* Everything that is saved lands in a folder of our own. */
static char folder[] = "/tmp/vindecode-random-XXXXXX";

static size_t below(struct run *run, size_t count)
{
    return (size_t)random_below(&run->random, count);
}

void run_complain(struct run *run, const char *what, const char *found)
{
    printf("seed %llu, event %zu (%s): %s\n    %s\n%s\n", (unsigned long long)run->seed, run->event, run->doing, what,
           found, run->terminal != NULL ? terminal_text(run->terminal) : "");
    run->failures++;
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

/* Looks on while NHTSA is being asked, so that answers are seen, too; now and then for as long as it takes. */
static void await_answer(struct run *run)
{
    bool patient = below(run, 20) == 0;
    double until = terminal_clock_ms() + (patient ? PATIENT_MS : ANSWER_MS);
    terminal_settle(run->terminal, QUIET_MS);
    while ((terminal_shows(run->terminal, "Decoding ") || (patient && terminal_shows(run->terminal, "Waiting "))) &&
           terminal_clock_ms() < until) {
        terminal_watch(run->terminal, SURE_STEP_MS);
    }
}

/* Typed where the focus is, or scanned: a paste goes to the field from everywhere. */
static void type_vin(struct run *run)
{
    bool scanned = below(run, 4) != 0;
    (void)snprintf(run->doing, sizeof run->doing, scanned ? "a VIN scanned" : "a VIN typed");
    send_text(run, scanned ? "\033[200~x\033[201~\005\025" : below(run, 4) == 0 ? "" : "\005\025");
    send_text(run, draw_vin(run));
    bool asked = below(run, 4) != 0, looks_on = below(run, 2) == 0;
    send_text(run, asked ? "\r" : "");
    if (asked && looks_on) {
        await_answer(run);
    }
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

/* A list that runs, alone or behind all else. */
static void start_list(struct run *run)
{
    (void)snprintf(run->doing, sizeof run->doing, "a list");
    send_text(run, "\033[200~");
    for (size_t count = 2 + below(run, 8); count > 0; count--) {
        send_text(run, draw_vin(run));
        send_text(run, "\n");
    }
    send_text(run, "\033[201~");
    terminal_settle(run->terminal, QUIET_MS);
    send_text(run, "x");
}

static void resize(struct run *run)
{
    static const int sizes[][2] = {
        {24, 80}, {24, 80}, {12, 40}, {40, 120}, {16, 60},
        {11, 39}, {1, 2},   {50, 40}, {12, 120}}; /* libvterm 0.1.4 dies of a wide character in a single column */
    const int *size = sizes[below(run, sizeof sizes / sizeof sizes[0])];
    (void)snprintf(run->doing, sizeof run->doing, "a resize to %dx%d", size[1], size[0]);
    run->sizes[run->resizes % SIZES_KEPT][0] = run->rows;
    run->sizes[run->resizes++ % SIZES_KEPT][1] = run->columns;
    run->rows = size[0];
    run->columns = size[1];
    terminal_resize(run->terminal, run->rows, run->columns);
}

static void press(struct run *run)
{
    const char *key = keys[below(run, KEYS)];
    (void)snprintf(run->doing, sizeof run->doing, "the key");
    for (const char *c = key; *c != '\0'; c++) {
        size_t used = strlen(run->doing);
        (void)snprintf(run->doing + used, sizeof run->doing - used, " %02x", (unsigned char)*c);
    }
    send_text(run, key);
}

/* Closes what lies on top, stops the list, says that its answers are not saved: and leaves. */
static void leave(struct run *run)
{
    (void)snprintf(run->doing, sizeof run->doing, "Ctrl-C until it leaves");
    for (int i = 0; i < 5 && !terminal_has_ended(run->terminal); i++) {
        send_text(run, "\003");
        terminal_watch(run->terminal, LEAVING_MS * terminal_slowness());
    }
}

static bool names_a_file(struct run *run)
{
    return terminal_shows(run->terminal, "Save as:") || terminal_shows(run->terminal, "File of VINs:");
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
        if (below(run, 3) == 0) {
            start_list(run);
        } else {
            paste(run);
        }
        break;
    case 4:
        resize(run);
        break;
    case 5:
        if (terminal_shows(run->terminal, "Esc cancel")) {
            (void)snprintf(run->doing, sizeof run->doing, "Ctrl-C");
            send_text(run, "\003");
        } else if (below(run, 20) == 0) {
            leave(run);
        }
        break;
    case 6:
        (void)snprintf(run->doing, sizeof run->doing, "a while");
        terminal_watch(run->terminal, (int)below(run, A_WHILE_MS));
        break;
    case 7:
    case 8:
    case 9:
    case 10:
        text[0] = letters[below(run, sizeof letters - 1)];
        if (text[0] == '/' && names_a_file(run)) {
            text[0] = 'x'; /* what is saved stays in our folder */
        }
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
    const char *arguments[] = {VINDECODE_PROGRAM,
                               "--upstream",
                               run->url,
                               "--max-wait",
                               "5",
                               "--max-attempts",
                               "2",
                               "--rate",
                               "20/1:20",
                               "--log",
                               run->log,
                               "--log-full-vin",
                               run->starts % 2 == 0 ? "--no-batch"
                                                    : NULL, /* a call for each VIN of a list, or one for all */
                               NULL};
    struct terminal_options options = {.rows = 24, .columns = 80, .arguments = arguments};
    run->rows = 24;
    run->columns = 80;
    memset(run->sizes, 0, sizeof run->sizes);
    run->seen = 0;
    run->starts++;
    run->copied = false;
    (void)snprintf(run->log, sizeof run->log, "%s/log-%zu", folder, run->starts);
    run->terminal = terminal_start(&options);
    (void)terminal_wait_text(run->terminal, "Type", 5000);
}

static void end_program(struct run *run, struct upstream *upstream)
{
    judge_output(run);
    if (terminal_has_ended(run->terminal) && terminal_left_behind(run->terminal)[0] != '\0') {
        run_complain(run, "something is left behind", terminal_left_behind(run->terminal));
    }
    terminal_end(run->terminal);
    run->terminal = NULL;
    judge_log(run, upstream);
    upstream_forgotten(upstream);
}

/* Ctrl-C with nothing open leaves: then a new one is started. False when it ended otherwise. */
static bool is_alive(struct run *run, struct upstream *upstream)
{
    int status;
    if (!terminal_has_ended(run->terminal)) {
        return true;
    }
    if (!terminal_wait_exit(run->terminal, &status, 5000) || !WIFEXITED(status) || WEXITSTATUS(status) != 130) {
        char found[80];
        (void)snprintf(found, sizeof found, "exit status %d, signal %d", WIFEXITED(status) ? WEXITSTATUS(status) : -1,
                       WIFSIGNALED(status) ? WTERMSIG(status) : 0);
        run_complain(run, "the program ended", found);
        run->event = run->events; /* there is nothing more to do it to */
        return false;
    }
    end_program(run, upstream);
    start_program(run);
    return true;
}

static void check(struct run *run, struct upstream *upstream)
{
    terminal_settle(run->terminal, QUIET_MS);
    if (!is_alive(run, upstream)) {
        return;
    }
    judge_output(run);
    const char *wrong = judge_screen(run), *still = wrong;
    /* A frame of more bytes than the terminal takes at once is seen in part, and a busy machine draws it late; the
     * whole of it must be right. */
    for (int waited = 0; still != NULL && waited < SURE_MS * terminal_slowness(); waited += SURE_STEP_MS) {
        terminal_watch(run->terminal, SURE_STEP_MS);
        if (!is_alive(run, upstream)) {
            return;
        }
        still = judge_screen(run);
    }
    if (still != NULL) {
        run_complain(run, still, "");
    } else if (wrong != NULL) {
        run->in_part++;
        printf("event %zu (%s), for a moment: %s\n", run->event, run->doing, wrong);
    }
    judge_output(run);
}

/* How often each state was met. Failures of one VIN without a key in between are not to be had every time, and on a
 * slow machine the upstream plays on for longer than a person types. */
static void count_states(struct run *run)
{
    for (int word = STATE_DECODING; word <= STATE_READY; word++) {
        const char *name = state_word_name((enum state_word)word);
        printf("%s %zu%s", name, run->states[word], word < STATE_READY ? ", " : "\n");
        if (run->events >= ALL_STATES_EVENTS && terminal_slowness() == 1 && run->states[word] == 0 &&
            word != STATE_RESTING) {
            run_complain(run, "a state was never met", name);
        }
    }
}

static void remove_folder(void)
{
    DIR *files = opendir(folder);
    for (struct dirent *file = files != NULL ? readdir(files) : NULL; file != NULL; file = readdir(files)) {
        (void)unlinkat(dirfd(files), file->d_name, 0);
    }
    if (files != NULL) {
        (void)closedir(files);
    }
    (void)rmdir(folder);
}

static void read_arguments(int count, char **arguments, struct run *run)
{
    for (int i = 1; i + 1 < count; i += 2) {
        uint64_t number = strtoull(arguments[i + 1], NULL, 10);
        if (strcmp(arguments[i], "--seed") == 0) {
            run->seed = number;
        } else if (strcmp(arguments[i], "--events") == 0) {
            run->events = (size_t)number;
        }
    }
}

int main(int count, char **arguments)
{
    struct run run = {.seed = 1, .events = USUAL_EVENTS};
    struct upstream upstream = {0};
    read_arguments(count, arguments, &run);
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    if (mkdtemp(folder) == NULL || chdir(folder) != 0 || !upstream_start(&upstream, run.url, sizeof run.url)) {
        printf("the upstream did not start\n");
        return 1;
    }
    run.random = random_from_seed(run.seed);
    start_program(&run);
    for (run.event = 1; run.event <= run.events && run.failures < MOST_FAILURES; run.event++) {
        do_something(&run);
        check(&run, &upstream);
        upstream_hear(&upstream);
    }
    end_program(&run, &upstream);
    upstream_stop(&upstream);
    judge_early(&run, &upstream);
    count_states(&run);
    printf("seed %llu: %zu events, %zu starts, %zu frames seen in part, %zu failures; the upstream: %s, %zu excused\n",
           (unsigned long long)run.seed, run.event - 1, run.starts, run.in_part, run.failures, upstream.summary,
           upstream.early.count);
    upstream_free(&upstream);
    remove_folder();
    return run.failures == 0 ? 0 : 1;
}
