#include "tests/e2e/drive.h"
#include "tests/support/raw_responder.h"

#include <signal.h>

/* In whatever state a request is, Esc gives it up and Ctrl-Q leaves at once (terminal.md: 50 ms even with name lookup
 * stuck). */

enum { AT_ONCE_MS = 50, LIMIT_MS = 5000 };

/* Starts the program against `upstream` ("--demo=..." or "--upstream=..."), sends a VIN and waits for the state word.
 */
static struct terminal *start_request(const char *upstream, const char *rate, const char *word)
{
    const char *arguments[] = {VINDECODE_PROGRAM, upstream, rate, NULL};
    const char *environment[] = {"LD_PRELOAD=" SLOW_LOOKUP_LIBRARY, "SLOW_GETADDRINFO_MS=60000", NULL};
    const bool looks_up = strstr(upstream, "http://slow.") != NULL;
    struct terminal *terminal = terminal_start(&(struct terminal_options){
        .rows = 24, .columns = 80, .arguments = arguments, .environment = looks_up ? environment : NULL});
    CHECK(terminal_wait_text(terminal, "No answer yet", LIMIT_MS));
    terminal_settle(terminal, 30);
    terminal_send(terminal, GOOD_VIN "\r");
    CHECK(terminal_wait_text(terminal, word, LIMIT_MS));
    terminal_watch(terminal, 100); /* so that the call is well under way */
    return terminal;
}

static void expect_quick_leave(const char *upstream)
{
    struct terminal *terminal = start_request(upstream, NULL, "Decoding");
    terminal_send(terminal, "\x11"); /* Ctrl-Q */
    drive_expect_exit(terminal, 0, AT_ONCE_MS);
    terminal = start_request(upstream, NULL, "Decoding");
    kill(terminal_pid(terminal), SIGTERM);
    drive_expect_exit(terminal, 128 + SIGTERM, AT_ONCE_MS);
}

/* Esc takes 25 ms by itself, because a sequence could begin with it. */
static void expect_quick_cancel(const char *upstream)
{
    struct terminal *terminal = start_request(upstream, NULL, "Decoding");
    double from = terminal_clock_ms();
    terminal_send(terminal, "\033");
    CHECK(terminal_wait_no_text(terminal, "Decoding", LIMIT_MS));
    double took = terminal_clock_ms() - from;
    printf("(%.1f ms) ", took);
    CHECK(took < (25 + AT_ONCE_MS) * terminal_slowness());
    drive_leave(terminal);
}

static void test_lookup(void)
{
    expect_quick_leave("--upstream=http://slow.example/api");
    expect_quick_cancel("--upstream=http://slow.example/api");
}

static void test_answer(void)
{
    expect_quick_leave("--demo=" E2E_FOLDER "/hanging.json");
    expect_quick_cancel("--demo=" E2E_FOLDER "/hanging.json");
}

static void expect_quick(struct raw_responder *responder)
{
    char upstream[128];
    CHECK(responder != NULL);
    if (responder != NULL) {
        snprintf(upstream, sizeof upstream, "--upstream=%s/api", raw_responder_url(responder));
        expect_quick_leave(upstream);
        expect_quick_cancel(upstream);
        raw_responder_stop(responder);
    }
}

static void test_connect(void)
{
    expect_quick(raw_responder_start_deaf());
}

/* Half of the body has come, and no more of it does. */
static void test_body(void)
{
    const struct raw_reply half = {.bytes = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                                            "Content-Length: 5000\r\n\r\n{\"Count\":1,\"Results\":[{\"Make\":\"HON",
                                   .ending = RAW_HANG};
    expect_quick(raw_responder_start(&half, 1));
}

/* Our own courtesy rate holds the second VIN back. */
static void test_queue(void)
{
    struct terminal *terminal = start_request("--demo=calm", "--rate=1/30:1", "Decoded");
    terminal_send(terminal, "\0255YJ3E1EA7KF317000"); /* Ctrl-U; any other VIN */
    terminal_settle(terminal, 30);
    terminal_send(terminal, "\r\r"); /* its check digit is asked about */
    CHECK(terminal_wait_text(terminal, "Waiting", LIMIT_MS));
    terminal_settle(terminal, 30);
    CHECK(terminal_shows(terminal, "our own courtesy rate"));
    terminal_send(terminal, "\x11");
    drive_expect_exit(terminal, 0, AT_ONCE_MS);
}

static void test_wait(void)
{
    struct terminal *terminal = start_request("--demo=" E2E_FOLDER "/long.json", NULL, "Waiting");
    double from = terminal_clock_ms();
    terminal_send(terminal, "\033");
    CHECK(terminal_wait_no_text(terminal, "Waiting", LIMIT_MS));
    CHECK(terminal_clock_ms() - from < (25 + AT_ONCE_MS) * terminal_slowness());
    CHECK(terminal_shows(terminal, "Throttled")); /* the gate stays */
    terminal_send(terminal, "\x11");
    drive_expect_exit(terminal, 0, AT_ONCE_MS);
}

static const struct unit_test tests[] = {
    {"a name lookup that hangs", test_lookup},
    {"a connection that hangs", test_connect},
    {"an answer that does not come", test_answer},
    {"a body that does not go on", test_body},
    {"our own queue", test_queue},
    {"a wait", test_wait},
};

UNIT_MAIN("manners: every state", tests)
