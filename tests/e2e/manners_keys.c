#include "tests/e2e/drive.h"

#include <signal.h>

/* What the keyboard sends, and what comes of it. */

static struct terminal *start_with(const char *variable)
{
    const char *environment[] = {variable, NULL};
    return drive_start(&(struct drive){.environment = environment});
}

/* Whether the hardware cursor stands in a column of the VIN's line; -1: in any. The column is kept. */
static bool stands(struct terminal *terminal, void *column)
{
    int row, found, *wanted = column;
    bool visible;
    terminal_cursor(terminal, &row, &found, &visible);
    bool there = visible && strstr(terminal_row(terminal, row), "VIN ") != NULL && (*wanted < 0 || found == *wanted);
    *wanted = there ? found : *wanted;
    return there;
}

static void expect_column(struct terminal *terminal, int column)
{
    char what[64];
    snprintf(what, sizeof what, "the cursor stands in column %d", column);
    CHECK(terminal_wait(terminal, stands, &column, what, 1000));
}

static int cursor_column(struct terminal *terminal)
{
    int column = -1;
    terminal_settle(terminal, 40);
    CHECK(terminal_wait(terminal, stands, &column, "the cursor stands in the VIN", 1000));
    return column;
}

/* T15 */
static void expect_home_and_end(const char *term)
{
    static const char *const homes[] = {"\033[1~", "\033[H", "\033OH", "\033[7~"};
    static const char *const ends[] = {"\033[4~", "\033[F", "\033OF", "\033[8~"};
    struct terminal *terminal = start_with(term);
    if (terminal == NULL) {
        return;
    }
    int start = cursor_column(terminal);
    int end = start + 3;
    terminal_send(terminal, "1HG");
    expect_column(terminal, end);
    for (size_t i = 0; i < 4; i++) {
        terminal_send(terminal, homes[i]);
        expect_column(terminal, start);
        terminal_send(terminal, ends[i]);
        expect_column(terminal, end);
    }
    CHECK(terminal_shows(terminal, "VIN 1HG "));
    drive_leave(terminal);
}

static void test_home_and_end(void)
{
    expect_home_and_end("TERM=xterm-256color");
    expect_home_and_end("TERM=screen");
    expect_home_and_end("TERM=linux");
    expect_home_and_end("TERM=vt100");
}

/* T70: the hardware cursor is where the typing goes, after each key. */
static void test_cursor_follows(void)
{
    struct terminal *terminal = drive_start_calm();
    if (terminal != NULL) {
        int start = cursor_column(terminal);
        for (int i = 0; i < VIN_TYPED; i++) {
            terminal_send_bytes(terminal, &GOOD_VIN[i], 1);
            expect_column(terminal, start + i + 1);
        }
        drive_leave(terminal);
    }
}

/* T34: a line end inside a paste submits nothing, and what follows it is no command. */
static void test_paste(void)
{
    struct terminal *terminal = drive_start_calm();
    if (terminal != NULL) {
        CHECK(terminal_mode(terminal, 2004));
        terminal_send(terminal, "\033[200~" GOOD_VIN "\r\n\033[201~");
        CHECK(terminal_wait_text(terminal, "Ready", 1000));
        CHECK(terminal_shows(terminal, "VIN " GOOD_VIN " "));
        terminal_send(terminal, "\025\033[200~" GOOD_VIN "\nq\n\033[201~"); /* Ctrl-U before */
        terminal_settle(terminal, 100);
        CHECK(!terminal_shows(terminal, "Decoding"));
        CHECK(!terminal_shows(terminal, "Decoded"));
        drive_leave(terminal);
    }
}

/* T36: an end bracket in the text, with commands behind it. */
static void test_paste_with_end_inside(void)
{
    struct terminal *terminal = drive_start_calm();
    if (terminal != NULL) {
        terminal_send(terminal, "\033[200~" GOOD_VIN "\033[201~\r\x11\033[201~");
        terminal_settle(terminal, 100);
        CHECK(!terminal_shows(terminal, "Decoding"));
        CHECK(!terminal_shows(terminal, "Decoded"));
        CHECK(terminal_shows(terminal, "VIN "));
        drive_leave(terminal);
    }
}

/* T31 */
static void test_escape_is_quick(void)
{
    struct terminal *terminal = drive_start_calm();
    if (terminal != NULL) {
        const char *before = terminal_row(terminal, 0);
        CHECK(before[0] != '\0');
        terminal_send(terminal, "\033OP"); /* F1 */
        CHECK(terminal_wait_no_text(terminal, "No answer yet", 1000));
        terminal_settle(terminal, 30);
        double from = terminal_clock_ms();
        terminal_send(terminal, "\033");
        CHECK(terminal_wait_text(terminal, "No answer yet", 1000));
        double took = terminal_clock_ms() - from;
        printf("(%.1f ms) ", took);
        CHECK(took < 40.0 * terminal_slowness());
        drive_leave(terminal);
    }
}

/* T33: over SSH the two bytes of Alt-Enter may come apart; together they are no Esc, and the wait goes on. ESCDELAY
 * says it itself, also over SSH. */
static void expect_split_alt(const char *variable, int apart_ms)
{
    const char *environment[] = {"SSH_TTY=/dev/pts/9", variable, NULL};
    struct terminal *terminal = drive_start(&(struct drive){.demo = "throttle.json", .environment = environment});
    if (terminal != NULL) {
        terminal_send(terminal, GOOD_VIN "\r");
        CHECK(terminal_wait_text(terminal, "Waiting", 3000));
        terminal_send(terminal, "\033");
        terminal_watch(terminal, apart_ms);
        terminal_send(terminal, "\r");
        terminal_watch(terminal, 300);
        CHECK(terminal_shows(terminal, "Waiting"));
        terminal_send(terminal, "\033"); /* and Esc alone cancels it */
        CHECK(terminal_wait_no_text(terminal, "Waiting", 1000));
        drive_leave(terminal);
    }
}

static void test_split_alt_over_ssh(void)
{
    expect_split_alt("SSH_CONNECTION", 50);
    expect_split_alt("ESCDELAY=700", 350);
}

static void test_split_function_key_over_ssh(void)
{
    static const char *const environment[] = {"SSH_CONNECTION=192.0.2.1 4000 192.0.2.2 22", NULL};
    struct terminal *terminal = drive_start(&(struct drive){.environment = environment});
    if (terminal != NULL) {
        terminal_send(terminal, "\033");
        terminal_watch(terminal, 50);
        terminal_send(terminal, "OP"); /* the rest of F1 */
        CHECK(terminal_wait_text(terminal, "Help", 1000));
        CHECK(terminal_wait_no_text(terminal, "No answer yet", 1000));
        drive_leave(terminal);
    }
}

/* T72: no key stops the terminal. */
static void test_flow_control(void)
{
    struct terminal *terminal = drive_start_calm();
    if (terminal != NULL) {
        terminal_send(terminal, "\x13\x16\x0f" GOOD_VIN); /* ^S ^V ^O */
        CHECK(terminal_wait_text(terminal, "Ready", 1000));
        CHECK(terminal_shows(terminal, "VIN " GOOD_VIN " "));
        drive_leave(terminal);
    }
}

/* CR, LF and CRLF end a scan once; all keys that are pending make one frame. */
static void test_scanner(void)
{
    static const char *const ends[] = {"\r", "\n", "\r\n"};
    for (size_t i = 0; i < 3; i++) {
        struct terminal *terminal = drive_start_calm();
        if (terminal != NULL) {
            char scan[64];
            snprintf(scan, sizeof scan, "%s%s", GOOD_VIN, ends[i]);
            terminal_send(terminal, scan);
            CHECK(terminal_wait_text(terminal, "Vehicle " GOOD_VIN, 3000));
            drive_leave(terminal);
        }
    }
}

/* Keys that no terminal description names reach nothing. */
static void test_unknown_sequences(void)
{
    struct terminal *terminal = drive_start_calm();
    if (terminal != NULL) {
        terminal_send(terminal, "1\033[27;5;9~H\033[?997;1nG\033[1;99ZC\033]11;rgb:ffff/ffff/ffff\007M");
        terminal_settle(terminal, 100);
        CHECK(terminal_shows(terminal, "VIN 1HGCM "));
        drive_leave(terminal);
    }
}

static bool has_keys_below(struct terminal *terminal, void *context)
{
    (void)context;
    return strstr(terminal_row(terminal, 29), "F10 ") != NULL;
}

/* T39: suspended by a shell, with a resize meanwhile, and continued. */
static void expect_suspend(bool by_signal)
{
    static const char *const environment[] = {"PS1=shell% ", "HISTFILE", "INPUTRC=/dev/null", NULL};
    const char *arguments[] = {"bash", "--norc", "--noprofile", "-i", NULL};
    struct terminal *terminal = terminal_start(
        &(struct terminal_options){.rows = 24, .columns = 80, .arguments = arguments, .environment = environment});
    CHECK(terminal_wait_text(terminal, "shell%", 3000));
    terminal_send(terminal, VINDECODE_PROGRAM " --demo=calm & echo process=$!; fg >/dev/null\r");
    CHECK(terminal_wait_text(terminal, "DEMO", 5000));
    terminal_send(terminal, GOOD_VIN);
    CHECK(terminal_wait_text(terminal, "Ready", 1000));
    size_t length;
    const char *number = strstr(terminal_output(terminal, &length), "\nprocess=");
    CHECK(number != NULL);
    if (!by_signal) {
        terminal_send(terminal, "\x1a"); /* ^Z */
    } else if (number != NULL) {
        kill((pid_t)strtol(number + strlen("\nprocess="), NULL, 10), SIGTSTP);
    }
    CHECK(terminal_wait_text(terminal, "Stopped", 2000));
    CHECK(!terminal_alternate_screen(terminal));
    terminal_send(terminal, "echo one${x}two\r");
    CHECK(terminal_wait_text(terminal, "onetwo", 2000));
    terminal_resize(terminal, 30, 100);
    terminal_send(terminal, "fg\r");
    CHECK(terminal_wait_text(terminal, "VIN " GOOD_VIN, 2000));
    CHECK(terminal_wait(terminal, has_keys_below, NULL, "the keys stand in the last of 30 rows", 2000));
    CHECK(terminal_alternate_screen(terminal));
    CHECK(terminal_mode(terminal, 2004));
    CHECK(!terminal_shows(terminal, "onetwo"));
    terminal_send(terminal, "\r");
    CHECK(terminal_wait_text(terminal, "Vehicle " GOOD_VIN, 3000));
    terminal_send(terminal, "\x11");
    CHECK(terminal_wait_text(terminal, "shell%", 2000));
    terminal_settle(terminal, 50);
    CHECK(!terminal_alternate_screen(terminal));
    terminal_send(terminal, "exit 0\r");
    drive_expect_exit(terminal, 0, 2000);
}

static void test_suspend_by_key(void)
{
    expect_suspend(false);
}

static void test_suspend_by_signal(void)
{
    expect_suspend(true);
}

/* Stopped from outside, when nothing can be given back before: what comes after is the same. */
static void test_resize_while_stopped(void)
{
    struct terminal *terminal = drive_start_calm();
    if (terminal != NULL) {
        kill(terminal_pid(terminal), SIGSTOP);
        terminal_resize(terminal, 30, 100);
        terminal_send(terminal, GOOD_VIN);
        CHECK_INT(terminal_watch(terminal, 50), 0);
        kill(terminal_pid(terminal), SIGCONT);
        CHECK(terminal_wait_text(terminal, "Ready", 2000));
        CHECK(terminal_wait(terminal, has_keys_below, NULL, "the keys stand in the last of 30 rows", 2000));
        CHECK(terminal_alternate_screen(terminal) && terminal_mode(terminal, 2004));
        drive_leave(terminal);
    }
}

/* Without a shell nobody could continue it: ^Z does nothing. */
static void test_suspend_without_shell(void)
{
    struct terminal *terminal = drive_start_calm();
    if (terminal != NULL) {
        terminal_send(terminal, "\x1a" GOOD_VIN);
        kill(terminal_pid(terminal), SIGTSTP);
        CHECK(terminal_wait_text(terminal, "Ready", 1000));
        drive_leave(terminal);
    }
}

static const struct unit_test tests[] = {
    {"T15: Home and End", test_home_and_end},
    {"T70: the cursor follows", test_cursor_follows},
    {"T34: a paste with line ends", test_paste},
    {"T36: a paste with an end inside", test_paste_with_end_inside},
    {"T31: Esc is quick", test_escape_is_quick},
    {"T33: Alt in two pieces over SSH", test_split_alt_over_ssh},
    {"F1 in two pieces over SSH", test_split_function_key_over_ssh},
    {"T72: ^S ^V ^O are keys", test_flow_control},
    {"CR, LF and CRLF end a scan", test_scanner},
    {"unknown sequences do nothing", test_unknown_sequences},
    {"T39: ^Z, a resize and fg", test_suspend_by_key},
    {"T39: the same with SIGTSTP", test_suspend_by_signal},
    {"a resize while it is stopped", test_resize_while_stopped},
    {"^Z without a shell", test_suspend_without_shell},
};

UNIT_MAIN("manners: keys", tests)
