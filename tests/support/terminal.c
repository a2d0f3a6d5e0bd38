#include "tests/support/terminal.h"

#include "tests/support/pty.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>
#include <vterm.h>

enum { USUAL_ROWS = 24, USUAL_COLUMNS = 80, LOOK_AGAIN_MS = 20 };

struct terminal {
    struct pty pty;
    VTerm *vterm;
    VTermScreen *screen;
    int rows, columns;
    VTermPos cursor;
    bool cursor_visible, alternate;
    char *output; /* everything that was written */
    size_t output_length, output_capacity;
    size_t answers;
    double last_output_ms;
    char *text, *row; /* what terminal_text() and terminal_row() return */
    char left_behind[512];
};

int terminal_slowness(void)
{
    const char *text = getenv("TEST_SLOWNESS");
    int slowness = text ? atoi(text) : 1;
    return slowness > 0 ? slowness : 1;
}

double terminal_clock_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

double terminal_last_output_ms(const struct terminal *terminal)
{
    return terminal->last_output_ms;
}

/* What libvterm tells */

static int on_cursor(VTermPos position, VTermPos before, int visible, void *user)
{
    struct terminal *terminal = user;
    (void)before;
    terminal->cursor = position;
    terminal->cursor_visible = visible != 0;
    return 1;
}

static int on_property(VTermProp property, VTermValue *value, void *user)
{
    struct terminal *terminal = user;
    if (property == VTERM_PROP_CURSORVISIBLE) {
        terminal->cursor_visible = value->boolean != 0;
    } else if (property == VTERM_PROP_ALTSCREEN) {
        terminal->alternate = value->boolean != 0;
    }
    return 1;
}

static const VTermScreenCallbacks callbacks = {.movecursor = on_cursor, .settermprop = on_property};

static void fit_texts(struct terminal *terminal)
{
    size_t cells = (size_t)terminal->rows * (size_t)(terminal->columns + 1);
    terminal->text = realloc(terminal->text, cells * 6 * 4 + 1);
    terminal->row = realloc(terminal->row, (size_t)terminal->columns * 6 * 4 + 1);
    if (terminal->text == NULL || terminal->row == NULL) {
        abort();
    }
}

struct terminal *terminal_start(const struct terminal_options *options)
{
    struct terminal *terminal = calloc(1, sizeof *terminal);
    if (terminal == NULL) {
        abort();
    }
    terminal->rows = options->rows > 0 ? options->rows : USUAL_ROWS;
    terminal->columns = options->columns > 0 ? options->columns : USUAL_COLUMNS;
    terminal->vterm = vterm_new(terminal->rows, terminal->columns);
    vterm_set_utf8(terminal->vterm, 1);
    terminal->screen = vterm_obtain_screen(terminal->vterm);
    vterm_screen_enable_altscreen(terminal->screen, 1);
    vterm_screen_set_callbacks(terminal->screen, &callbacks, terminal);
    vterm_screen_reset(terminal->screen, 1);
    terminal->cursor_visible = true;
    fit_texts(terminal);
    pty_start(&terminal->pty, options);
    return terminal;
}

void terminal_end(struct terminal *terminal)
{
    pty_end(&terminal->pty);
    vterm_free(terminal->vterm);
    free(terminal->output);
    free(terminal->text);
    free(terminal->row);
    free(terminal);
}

pid_t terminal_pid(const struct terminal *terminal)
{
    return terminal->pty.pid;
}

/* Reading */

static void keep_output(struct terminal *terminal, const char *bytes, size_t length)
{
    if (terminal->output_length + length + 1 > terminal->output_capacity) {
        terminal->output_capacity = 2 * (terminal->output_length + length + 1);
        terminal->output = realloc(terminal->output, terminal->output_capacity);
        if (terminal->output == NULL) {
            abort();
        }
    }
    memcpy(terminal->output + terminal->output_length, bytes, length);
    terminal->output_length += length;
    terminal->output[terminal->output_length] = '\0';
}

/* Reads once, at most `limit_ms`; returns the bytes that came. */
static size_t take_output(struct terminal *terminal, double limit_ms)
{
    char bytes[65536], answer[256];
    size_t length = pty_read(&terminal->pty, bytes, sizeof bytes, limit_ms < 0 ? 0 : (int)limit_ms + 1);
    if (length > 0) {
        terminal->last_output_ms = terminal_clock_ms();
        keep_output(terminal, bytes, length);
        vterm_input_write(terminal->vterm, bytes, length);
        size_t answered;
        while ((answered = vterm_output_read(terminal->vterm, answer, sizeof answer)) > 0) {
            terminal->answers += answered;
        }
    }
    return length;
}

bool terminal_wait(struct terminal *terminal, terminal_condition *condition, void *context, const char *what,
                   int limit_ms)
{
    double until = terminal_clock_ms() + (double)limit_ms * terminal_slowness();
    for (;;) {
        if (condition(terminal, context)) {
            return true;
        }
        double left = until - terminal_clock_ms();
        left = left < LOOK_AGAIN_MS ? left : LOOK_AGAIN_MS; /* not everything that is waited for is told by output */
        if (left <= 0 || (take_output(terminal, left) == 0 && terminal->pty.ended)) {
            break;
        }
    }
    if (condition(terminal, context)) {
        return true;
    }
    printf("\nnot within %d ms: %s%s; the screen is\n%s\n", limit_ms, what,
           terminal->pty.ended ? " (the program has ended)" : "", terminal_text(terminal));
    return false;
}

static bool shows(struct terminal *terminal, void *text)
{
    return terminal_shows(terminal, text);
}

static bool shows_not(struct terminal *terminal, void *text)
{
    return !terminal_shows(terminal, text);
}

bool terminal_wait_text(struct terminal *terminal, const char *text, int limit_ms)
{
    char what[256], copy[256];
    snprintf(copy, sizeof copy, "%s", text);
    snprintf(what, sizeof what, "\"%s\" appears", text);
    return terminal_wait(terminal, shows, copy, what, limit_ms);
}

bool terminal_wait_no_text(struct terminal *terminal, const char *text, int limit_ms)
{
    char what[256], copy[256];
    snprintf(copy, sizeof copy, "%s", text);
    snprintf(what, sizeof what, "\"%s\" goes away", text);
    return terminal_wait(terminal, shows_not, copy, what, limit_ms);
}

size_t terminal_settle(struct terminal *terminal, int gap_ms)
{
    size_t total = 0, length;
    while ((length = take_output(terminal, gap_ms * terminal_slowness())) > 0) {
        total += length;
    }
    return total;
}

size_t terminal_watch(struct terminal *terminal, int ms)
{
    double until = terminal_clock_ms() + ms;
    size_t total = 0;
    for (double left = ms; left > 0; left = until - terminal_clock_ms()) {
        total += take_output(terminal, left);
    }
    return total;
}

static bool has_ended(struct terminal *terminal, void *unused)
{
    (void)unused;
    return terminal->pty.ended;
}

bool terminal_wait_exit(struct terminal *terminal, int *status, int limit_ms)
{
    bool ended = terminal_wait(terminal, has_ended, NULL, "the program ends", limit_ms);
    while (take_output(terminal, 0) > 0) { /* what it wrote last */
    }
    *status = terminal->pty.status;
    return ended;
}

bool terminal_has_ended(struct terminal *terminal)
{
    while (take_output(terminal, 0) > 0) {
    }
    return pty_reap(&terminal->pty);
}

/* What the user does */

void terminal_send_bytes(struct terminal *terminal, const char *bytes, size_t length)
{
    pty_write(&terminal->pty, bytes, length);
}

void terminal_send(struct terminal *terminal, const char *keys)
{
    terminal_send_bytes(terminal, keys, strlen(keys));
}

void terminal_resize(struct terminal *terminal, int rows, int columns)
{
    terminal->rows = rows;
    terminal->columns = columns;
    vterm_set_size(terminal->vterm, rows, columns);
    fit_texts(terminal);
    pty_resize(&terminal->pty, rows, columns);
}

void terminal_lose_size(struct terminal *terminal)
{
    pty_resize(&terminal->pty, 0, 0);
}

void terminal_hang_up(struct terminal *terminal)
{
    close(terminal->pty.master);
    terminal->pty.master = -1;
}

void terminal_stall(struct terminal *terminal, bool stalled)
{
    tcflow(terminal->pty.slave, stalled ? TCOOFF : TCOON);
}

int terminal_unread(const struct terminal *terminal)
{
    int count = 0;
    ioctl(terminal->pty.slave, FIONREAD, &count);
    return count;
}

/* The screen */

static size_t put_character(char *out, uint32_t code)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = length; i-- > 1; code >>= 6) {
        out[i] = (char)(0x80u | (code & 0x3fu));
    }
    out[0] = (char)(leads[length] | code);
    return length;
}

static size_t put_row(const struct terminal *terminal, int row, char *out)
{
    size_t length = 0, used = 0;
    for (int column = 0; column < terminal->columns; column++) {
        VTermScreenCell cell;
        vterm_screen_get_cell(terminal->screen, (VTermPos){.row = row, .col = column}, &cell);
        if (cell.chars[0] == (uint32_t)-1) {
            continue; /* the right half of a wide character */
        }
        if (cell.chars[0] == 0) {
            out[length++] = ' ';
            continue;
        }
        for (size_t i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i] != 0; i++) {
            length += put_character(out + length, cell.chars[i]);
        }
        used = cell.chars[0] == ' ' ? used : length;
    }
    return used;
}

const char *terminal_row(struct terminal *terminal, int row)
{
    terminal->row[put_row(terminal, row, terminal->row)] = '\0';
    return terminal->row;
}

const char *terminal_text(struct terminal *terminal)
{
    size_t length = 0;
    for (int row = 0; row < terminal->rows; row++) {
        length += put_row(terminal, row, terminal->text + length);
        terminal->text[length++] = '\n';
    }
    terminal->text[length] = '\0';
    return terminal->text;
}

bool terminal_shows(struct terminal *terminal, const char *text)
{
    return strstr(terminal_text(terminal), text) != NULL;
}

void terminal_cursor(const struct terminal *terminal, int *row, int *column, bool *visible)
{
    *row = terminal->cursor.row;
    *column = terminal->cursor.col;
    *visible = terminal->cursor_visible;
}

bool terminal_alternate_screen(const struct terminal *terminal)
{
    return terminal->alternate;
}

/* What was written */

const char *terminal_output(const struct terminal *terminal, size_t *length)
{
    *length = terminal->output_length;
    return terminal->output ? terminal->output : "";
}

size_t terminal_answers(const struct terminal *terminal)
{
    return terminal->answers;
}

/* Reads "\033[?1;25h" at `at`: whether it sets or resets `mode`. 1: on, 0: off, -1: neither. */
static int mode_change(const char *at, int mode)
{
    if (strncmp(at, "\033[?", 3) != 0) {
        return -1;
    }
    bool named = false;
    at += 3;
    for (;;) {
        char *end;
        long number = strtol(at, &end, 10);
        named = named || (end != at && number == mode);
        if (*end != ';') {
            return !named ? -1 : *end == 'h' ? 1 : *end == 'l' ? 0 : -1;
        }
        at = end + 1;
    }
}

bool terminal_mode(const struct terminal *terminal, int mode)
{
    int on = 0;
    for (size_t i = 0; i < terminal->output_length; i++) {
        if (terminal->output[i] == '\033') {
            int change = mode_change(terminal->output + i, mode);
            on = change >= 0 ? change : on;
        }
    }
    return on == 1;
}

static bool same_termios(const struct termios *a, const struct termios *b)
{
    return a->c_iflag == b->c_iflag && a->c_oflag == b->c_oflag && a->c_cflag == b->c_cflag &&
           a->c_lflag == b->c_lflag && memcmp(a->c_cc, b->c_cc, sizeof a->c_cc) == 0;
}

static bool has_attributes(const struct terminal *terminal)
{
    VTermState *state = vterm_obtain_state(terminal->vterm);
    static const VTermAttr attributes[] = {VTERM_ATTR_BOLD, VTERM_ATTR_UNDERLINE, VTERM_ATTR_REVERSE};
    for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++) {
        VTermValue value = {0};
        if (vterm_state_get_penattr(state, attributes[i], &value) != 0 && value.number != 0) {
            return true;
        }
    }
    VTermValue colour = {0};
    return vterm_state_get_penattr(state, VTERM_ATTR_FOREGROUND, &colour) != 0 &&
           !VTERM_COLOR_IS_DEFAULT_FG(&colour.color);
}

const char *terminal_left_behind(struct terminal *terminal)
{
    char *out = terminal->left_behind;
    size_t size = sizeof terminal->left_behind, used = 0;
    out[0] = '\0';
    static const int modes[] = {1, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 1049, 47, 1047, 2004, 2026};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (terminal_mode(terminal, modes[i])) {
            used += (size_t)snprintf(out + used, size - used, "mode %d is on; ", modes[i]);
        }
    }
    struct termios termios;
    if (tcgetattr(terminal->pty.slave, &termios) == 0 && !same_termios(&termios, &terminal->pty.termios_before)) {
        used += (size_t)snprintf(out + used, size - used, "termios differs; ");
    }
    if (!terminal->cursor_visible) {
        used += (size_t)snprintf(out + used, size - used, "the cursor is hidden; ");
    }
    if (terminal->alternate) {
        used += (size_t)snprintf(out + used, size - used, "the alternate screen is on; ");
    }
    if (has_attributes(terminal)) {
        used += (size_t)snprintf(out + used, size - used, "an attribute or a colour is on; ");
    }
    if (fcntl(terminal->pty.slave, F_GETFL) != terminal->pty.flags_before) {
        snprintf(out + used, size - used, "the flags of the open file differ; ");
    }
    return out;
}

/* Effort, by /proc */

/* The value of a line of /proc/PID/status, read as `format` says; 0 where nobody tells. */
static unsigned long long status_of(const struct terminal *terminal, const char *format)
{
    char path[64], line[128];
    unsigned long long value = 0;
    snprintf(path, sizeof path, "/proc/%ld/status", (long)terminal->pty.pid);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        (void)sscanf(line, format, &value);
    }
    if (file != NULL) {
        fclose(file);
    }
    return value;
}

bool terminal_catches(const struct terminal *terminal, int number)
{
    return (status_of(terminal, "SigCgt: %llx") >> (number - 1) & 1) != 0;
}

long terminal_most_memory(const struct terminal *terminal)
{
    return (long)status_of(terminal, "VmHWM: %llu");
}

static void add_task(const char *pid, const char *task, long *ticks, long *wake_ups)
{
    char path[128], line[512];
    snprintf(path, sizeof path, "/proc/%s/task/%.16s/stat", pid, task);
    FILE *file = fopen(path, "r");
    if (file != NULL) {
        long user = 0, system = 0;
        if (fgets(line, sizeof line, file) != NULL && strrchr(line, ')') != NULL &&
            sscanf(strrchr(line, ')') + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %ld %ld", &user, &system) ==
                2) {
            *ticks += user + system;
        }
        fclose(file);
    }
    snprintf(path, sizeof path, "/proc/%s/task/%.16s/status", pid, task);
    file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        long count;
        if (sscanf(line, "voluntary_ctxt_switches: %ld", &count) == 1) {
            *wake_ups += count;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
}

void terminal_effort(const struct terminal *terminal, double *cpu_ms, long *wake_ups)
{
    char pid[32], path[64];
    snprintf(pid, sizeof pid, "%ld", (long)terminal->pty.pid);
    snprintf(path, sizeof path, "/proc/%s/task", pid);
    long ticks = 0;
    *wake_ups = 0;
    DIR *tasks = opendir(path);
    for (struct dirent *entry; tasks != NULL && (entry = readdir(tasks)) != NULL;) {
        if (entry->d_name[0] != '.') {
            add_task(pid, entry->d_name, &ticks, wake_ups);
        }
    }
    if (tasks != NULL) {
        closedir(tasks);
    }
    *cpu_ms = (double)ticks * 1000.0 / (double)sysconf(_SC_CLK_TCK);
}
