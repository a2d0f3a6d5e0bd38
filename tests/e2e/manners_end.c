#include "tests/e2e/drive.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

/* However it ends, the terminal is whole, the status says why, and it is quick (terminal.md; T40, T45, T46). */

enum { LEAVE_MS = 50, HANG_UP_MS = 100 };

static void test_key_f10(void)
{
    struct terminal *terminal = drive_start_calm();
    if (terminal != NULL) {
        terminal_send(terminal, "\033[21~");
        drive_expect_exit(terminal, 0, LEAVE_MS);
    }
}

static void test_key_ctrl_q(void)
{
    struct terminal *terminal = drive_start_calm();
    if (terminal != NULL) {
        terminal_send(terminal, "\x11");
        drive_expect_exit(terminal, 0, LEAVE_MS);
    }
}

static void test_key_q_outside_the_field(void)
{
    struct terminal *terminal = drive_start_calm();
    if (terminal != NULL) {
        terminal_send(terminal, GOOD_VIN "\r");
        CHECK(terminal_wait_text(terminal, "Vehicle " GOOD_VIN, 3000));
        terminal_send(terminal, "\t");
        terminal_settle(terminal, 20);
        terminal_send(terminal, "q");
        drive_expect_exit(terminal, 0, LEAVE_MS);
    }
}

static void test_key_ctrl_c(void)
{
    struct terminal *terminal = drive_start_calm();
    if (terminal != NULL) {
        terminal_send(terminal, "\x03");
        drive_expect_exit(terminal, 128 + SIGINT, LEAVE_MS);
    }
}

static void expect_signal_leaves(int number)
{
    struct terminal *terminal = drive_start_calm();
    if (terminal != NULL) {
        kill(terminal_pid(terminal), number);
        drive_expect_exit(terminal, 128 + number, LEAVE_MS);
    }
}

static void test_sigint(void)
{
    expect_signal_leaves(SIGINT);
}

static void test_sigterm(void)
{
    expect_signal_leaves(SIGTERM);
}

static void test_sigquit(void)
{
    expect_signal_leaves(SIGQUIT);
}

static void test_sighup(void)
{
    expect_signal_leaves(SIGHUP);
}

static void expect_signal_kills(int number)
{
    struct terminal *terminal = drive_start_calm();
    if (terminal != NULL) {
        kill(terminal_pid(terminal), number);
        drive_expect_death(terminal, number, 500);
    }
}

static void test_sigsegv(void)
{
    expect_signal_kills(SIGSEGV);
}

static void test_sigabrt(void)
{
    expect_signal_kills(SIGABRT);
}

static void test_sigbus(void)
{
    expect_signal_kills(SIGBUS);
}

static void test_sigfpe(void)
{
    expect_signal_kills(SIGFPE);
}

static void test_sigill(void)
{
    expect_signal_kills(SIGILL);
}

static bool has_read_all(struct terminal *terminal, void *context)
{
    (void)context;
    return terminal_unread(terminal) == 0;
}

/* A line that stalls: nothing can be written, so only the modes of the terminal can be given back. */
static void expect_end_on_a_stalled_line(struct terminal *terminal, int number)
{
    int status = 0;
    double from = terminal_clock_ms();
    kill(terminal_pid(terminal), number);
    CHECK(terminal_wait_exit(terminal, &status, HANG_UP_MS));
    printf("(%.1f ms) ", terminal_clock_ms() - from);
    CHECK(WIFEXITED(status));
    CHECK_INT(WEXITSTATUS(status), 128 + number);
    CHECK(strstr(terminal_left_behind(terminal), "termios") == NULL);
    terminal_end(terminal);
}

static void expect_stalled_leaves(struct terminal *terminal, int number, const char *keys)
{
    if (terminal != NULL && !sanitized_breaks_off()) {
        terminal_end(terminal);
    } else if (terminal != NULL) {
        terminal_stall(terminal, true);
        terminal_send(terminal, keys);
        CHECK(terminal_wait(terminal, has_read_all, NULL, "the key is read", 3000));
        terminal_watch(terminal, 50);
        expect_end_on_a_stalled_line(terminal, number);
    }
}

static void test_stalled_while_drawing(void)
{
    expect_stalled_leaves(drive_start_calm(), SIGTERM, "1");
}

static void test_stalled_at_rest(void)
{
    expect_stalled_leaves(drive_start_calm(), SIGTERM, "");
}

static void test_stalled_closed_window(void)
{
    expect_stalled_leaves(drive_start_calm(), SIGHUP, "1");
}

static void test_stalled_without_a_screen(void)
{
    static const char *const arguments[] = {VINDECODE_PROGRAM, "--demo=calm", "--plain", NULL};
    struct terminal *terminal =
        terminal_start(&(struct terminal_options){.rows = 24, .columns = 80, .arguments = arguments});
    CHECK(terminal_wait_text(terminal, "Ctrl-D leaves", 5000));
    expect_stalled_leaves(terminal, SIGTERM, GOOD_VIN "\r");
}

/* The clipboard's sequence and the mouse's are written between two frames. */
static void test_stalled_while_copying(void)
{
    struct terminal *terminal = drive_start_calm();
    if (terminal != NULL) {
        terminal_send(terminal, GOOD_VIN "\r");
        CHECK(terminal_wait_text(terminal, "Vehicle " GOOD_VIN, 3000));
        terminal_send(terminal, "\t");
        terminal_settle(terminal, 30);
        expect_stalled_leaves(terminal, SIGTERM, "y");
    }
}

static void test_stalled_mouse(void)
{
    expect_stalled_leaves(drive_start_calm(), SIGTERM, "\033[20~"); /* F9 */
}

/* ^Z under a shell: the terminal is given back before the program stops. */
static void test_stalled_while_suspending(void)
{
    static const char *const environment[] = {"PS1=shell% ", "HISTFILE", "INPUTRC=/dev/null", NULL};
    const char *arguments[] = {"bash", "--norc", "--noprofile", "-i", NULL};
    struct terminal *terminal = terminal_start(
        &(struct terminal_options){.rows = 24, .columns = 80, .arguments = arguments, .environment = environment});
    size_t length;
    CHECK(terminal_wait_text(terminal, "shell%", 3000));
    terminal_send(terminal, VINDECODE_PROGRAM " --demo=calm & echo process=$!; fg >/dev/null; echo status=$?\r");
    CHECK(terminal_wait_text(terminal, "DEMO", 5000));
    const char *number = strstr(terminal_output(terminal, &length), "\nprocess=");
    pid_t pid = number != NULL ? (pid_t)strtol(number + strlen("\nprocess="), NULL, 10) : 0;
    CHECK(pid > 0);
    terminal_settle(terminal, 30);
    if (pid > 0 && sanitized_breaks_off()) {
        terminal_stall(terminal, true);
        terminal_send(terminal, "\x1a");
        CHECK(terminal_wait(terminal, has_read_all, NULL, "the key is read", 3000));
        terminal_watch(terminal, 50);
        kill(pid, SIGTERM);
        terminal_watch(terminal, HANG_UP_MS * terminal_slowness());
        CHECK(kill(pid, 0) != 0); /* the shell has seen its end */
        terminal_stall(terminal, false);
        CHECK(terminal_wait_text(terminal, "status=143", 2000));
    }
    terminal_end(terminal);
}

/* A crash waits for the line, to give the whole terminal back, but not for longer than anybody wants. */
static void test_stalled_crash(void)
{
    struct terminal *terminal = drive_start_calm();
    if (terminal != NULL && sanitized_breaks_off()) {
        terminal_stall(terminal, true);
        kill(terminal_pid(terminal), SIGSEGV);
        terminal_watch(terminal, 50);
        CHECK(!terminal_has_ended(terminal));
        CHECK(strstr(terminal_left_behind(terminal), "termios") == NULL);
        expect_end_on_a_stalled_line(terminal, SIGTERM);
    } else if (terminal != NULL) {
        terminal_end(terminal);
    }
}

static void test_stalled_crash_that_goes_on(void)
{
    struct terminal *terminal = drive_start_calm();
    if (terminal != NULL) {
        terminal_stall(terminal, true);
        kill(terminal_pid(terminal), SIGSEGV);
        terminal_watch(terminal, 50);
        terminal_stall(terminal, false);
        drive_expect_death(terminal, SIGSEGV, 500);
    }
}

/* From the moment on at which the program takes signals itself, however early that is. */
static void test_stalled_at_the_start(void)
{
    static const int after_ms[] = {0, 1, 2, 4, 8, 16, 50, 200};
    const char *arguments[] = {VINDECODE_PROGRAM, "--demo=calm", NULL};
    for (size_t i = 0; i < sizeof after_ms / sizeof after_ms[0] && sanitized_breaks_off(); i++) {
        struct terminal *terminal = terminal_start(
            &(struct terminal_options){.rows = 24, .columns = 80, .arguments = arguments, .stalled = true});
        double until = terminal_clock_ms() + 5000;
        while (!terminal_catches(terminal, SIGTERM) && terminal_clock_ms() < until) {
        }
        terminal_watch(terminal, after_ms[i]);
        expect_end_on_a_stalled_line(terminal, SIGTERM);
    }
}

/* A signal that comes during a write which the terminal does take is like any other: the terminal is whole. */
static void test_stalled_line_that_goes_on(void)
{
    struct terminal *terminal = drive_start_calm();
    if (terminal != NULL) {
        terminal_stall(terminal, true);
        terminal_send(terminal, "1");
        CHECK(terminal_wait(terminal, has_read_all, NULL, "the key is read", 3000));
        terminal_watch(terminal, 50);
        terminal_stall(terminal, false);
        kill(terminal_pid(terminal), SIGTERM);
        drive_expect_exit(terminal, 128 + SIGTERM, LEAVE_MS);
    }
}

/* A reader that goes away, and ulimit -f: they are told about where they are met, and do not kill. */
static void test_sigpipe_and_sigxfsz(void)
{
    struct terminal *terminal = drive_start_calm();
    if (terminal != NULL) {
        kill(terminal_pid(terminal), SIGPIPE);
        kill(terminal_pid(terminal), SIGXFSZ);
        terminal_send(terminal, "1");
        CHECK(terminal_wait_text(terminal, "1/17", 3000));
        drive_leave(terminal);
    }
}

static void expect_hang_up(bool ignored, const char *keys)
{
    struct terminal *terminal = drive_start(&(struct drive){.ignore_hangup = ignored});
    int status = 0;
    if (terminal != NULL) {
        double cpu_ms;
        long wake_ups;
        terminal_send(terminal, keys);
        terminal_settle(terminal, 20);
        terminal_effort(terminal, &cpu_ms, &wake_ups);
        double from = terminal_clock_ms();
        terminal_hang_up(terminal);
        CHECK(terminal_wait_exit(terminal, &status, HANG_UP_MS));
        printf("(%.1f ms) ", terminal_clock_ms() - from);
        CHECK(WIFEXITED(status));
        CHECK_INT(WEXITSTATUS(status), 128 + SIGHUP);
        terminal_end(terminal);
    }
}

static void test_closed_terminal(void)
{
    expect_hang_up(false, "");
}

static void test_closed_terminal_while_ignored(void)
{
    expect_hang_up(true, "");
}

static void test_closed_terminal_while_decoding(void)
{
    expect_hang_up(true, GOOD_VIN "\r");
}

static void test_leave_while_waiting(void)
{
    struct terminal *terminal = drive_start(&(struct drive){.demo = "throttle.json"});
    if (terminal != NULL) {
        terminal_send(terminal, GOOD_VIN "\r");
        CHECK(terminal_wait_text(terminal, "Waiting", 3000));
        terminal_send(terminal, "\x11");
        drive_expect_exit(terminal, 0, LEAVE_MS);
    }
}

static const struct unit_test tests[] = {
    {"F10", test_key_f10},
    {"Ctrl-Q", test_key_ctrl_q},
    {"q outside the field", test_key_q_outside_the_field},
    {"Ctrl-C with nothing open", test_key_ctrl_c},
    {"T45: SIGINT", test_sigint},
    {"T45: SIGTERM", test_sigterm},
    {"T45: SIGQUIT", test_sigquit},
    {"T45: SIGHUP", test_sighup},
    {"T46: SIGSEGV", test_sigsegv},
    {"T46: SIGABRT", test_sigabrt},
    {"T46: SIGBUS", test_sigbus},
    {"T46: SIGFPE", test_sigfpe},
    {"T46: SIGILL", test_sigill},
    {"T40: the terminal is closed", test_closed_terminal},
    {"T40: the same with SIGHUP ignored", test_closed_terminal_while_ignored},
    {"T40: the same with a call under way", test_closed_terminal_while_decoding},
    {"SIGTERM while the line stalls and a frame is written", test_stalled_while_drawing},
    {"SIGTERM while the line stalls, at rest", test_stalled_at_rest},
    {"SIGHUP while the line stalls and a frame is written", test_stalled_closed_window},
    {"SIGTERM while the line stalls, in lines", test_stalled_without_a_screen},
    {"SIGTERM while the line stalls and the clipboard is written", test_stalled_while_copying},
    {"SIGTERM while the line stalls and the mouse is asked for", test_stalled_mouse},
    {"SIGTERM while the line stalls and ^Z gives the terminal back", test_stalled_while_suspending},
    {"SIGTERM while the line stalls and a crash gives the terminal back", test_stalled_crash},
    {"a crash on a line that stalled and goes on", test_stalled_crash_that_goes_on},
    {"SIGTERM while the line stalls and the program starts", test_stalled_at_the_start},
    {"SIGTERM after a line that stalled goes on", test_stalled_line_that_goes_on},
    {"SIGPIPE and SIGXFSZ do nothing", test_sigpipe_and_sigxfsz},
    {"leaving while a wait runs", test_leave_while_waiting},
};

UNIT_MAIN("manners: the end", tests)
