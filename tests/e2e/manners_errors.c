#include "tests/e2e/drive.h"

#include <signal.h>

/* What a library writes to standard error does not spoil the picture, and is not lost: it is shown when the terminal
 * has been given back. */

static const char noise[] = "noise from a library";
static const char *const environment[] = {"LD_PRELOAD=" NOISY_LIBRARY, NULL};

static struct terminal *start_noisy(void)
{
    struct terminal *terminal = drive_start(&(struct drive){.environment = environment});
    if (terminal != NULL) {
        terminal_send(terminal, GOOD_VIN "\r");
        CHECK(terminal_wait_text(terminal, "Vehicle " GOOD_VIN, 3000));
        size_t length;
        CHECK(strstr(terminal_output(terminal, &length), noise) == NULL);
    }
    return terminal;
}

/* The noise stands behind the last sequence that leaves the alternate screen. */
static void expect_noise(struct terminal *terminal)
{
    size_t length;
    int status;
    CHECK(terminal_wait_exit(terminal, &status, 2000));
    const char *output = terminal_output(terminal, &length), *left = strstr(output, "\033[?1049l");
    CHECK(left != NULL && strstr(left, noise) != NULL);
    CHECK(terminal_shows(terminal, noise));
    CHECK_TEXT(terminal_left_behind(terminal), "");
    terminal_end(terminal);
}

static void test_after_a_key(void)
{
    struct terminal *terminal = start_noisy();
    if (terminal != NULL) {
        terminal_send(terminal, "\x11");
        expect_noise(terminal);
    }
}

static void test_after_a_signal(void)
{
    struct terminal *terminal = start_noisy();
    if (terminal != NULL) {
        kill(terminal_pid(terminal), SIGTERM);
        expect_noise(terminal);
    }
}

static void test_after_a_crash(void)
{
    struct terminal *terminal = start_noisy();
    if (terminal != NULL) {
        kill(terminal_pid(terminal), SIGSEGV);
        expect_noise(terminal);
    }
}

/* Where nothing can be kept, nothing is lost: it comes at once, and everything goes on. */
static void test_nowhere_to_keep_it(void)
{
    static const char *const nowhere[] = {"LD_PRELOAD=" NOISY_LIBRARY, "NOISY_NO_FILE=1", NULL};
    struct terminal *terminal = drive_start(&(struct drive){.environment = nowhere});
    if (terminal != NULL) {
        size_t length;
        terminal_send(terminal, GOOD_VIN "\r");
        CHECK(terminal_wait_text(terminal, "Vehicle " GOOD_VIN, 3000));
        CHECK(strstr(terminal_output(terminal, &length), noise) != NULL);
        terminal_send(terminal, "\014"); /* Ctrl-L: the whole screen again */
        CHECK(terminal_wait_no_text(terminal, noise, 1000));
        CHECK(terminal_shows(terminal, "DEMO") && terminal_shows(terminal, "Vehicle " GOOD_VIN));
        drive_leave(terminal);
    }
}

static const struct unit_test tests[] = {
    {"shown after a key", test_after_a_key},
    {"shown after a signal", test_after_a_signal},
    {"shown after a crash", test_after_a_crash},
    {"nowhere to keep it", test_nowhere_to_keep_it},
};

UNIT_MAIN("manners: standard error", tests)
