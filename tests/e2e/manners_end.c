#include "tests/e2e/drive.h"

#include <signal.h>
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
    {"leaving while a wait runs", test_leave_while_waiting},
};

UNIT_MAIN("manners: the end", tests)
