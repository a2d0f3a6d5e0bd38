/* Name lookups that hang or fail. getaddrinfo() is the one of tests/support/slow_getaddrinfo.c, linked into this
 * program, so libcurl's resolver threads and the name checks both call it. */

#include "core/net/call.h"
#include "core/net/name_check.h"
#include "tests/support/slow_getaddrinfo.h"
#include "tests/unit/net_session.h"
#include "tests/unit/unit.h"

#include <poll.h>

enum { HANG_MS = 3000 };

static const char base[] = "http://upstream.invalid/api";

/* The answer to a name check, after waiting for it. */
static enum name_check_answer wait_for_check(int check)
{
    struct pollfd waiting = {.fd = check, .events = POLLIN};
    poll(&waiting, 1, PATIENCE_MS);
    return name_check_answer(check);
}

static void test_check(void)
{
    const struct {
        const char *host;
        enum slow_getaddrinfo_error error;
        enum name_check_answer answer;
    } cases[] = {
        {"upstream.invalid", SLOW_GETADDRINFO_NONAME, NAME_CHECK_DENIED},
        {"upstream.invalid", SLOW_GETADDRINFO_AGAIN, NAME_CHECK_UNSURE},
        {"127.0.0.1", SLOW_GETADDRINFO_NONAME, NAME_CHECK_UNSURE}, /* found */
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        slow_getaddrinfo_set(0, 30, cases[i].error);
        int check = name_check_open(cases[i].host);
        CHECK(check >= 0);
        CHECK_INT(wait_for_check(check), cases[i].answer);
        name_check_close(check);
    }
    slow_getaddrinfo_set(0, 100, SLOW_GETADDRINFO_NONAME);
    int check = name_check_open("upstream.invalid");
    CHECK_INT(name_check_answer(check), NAME_CHECK_PENDING);
    name_check_close(check); /* nobody listens when the answer comes */
    poll(NULL, 0, 200);
}

/* T05: a name that does not exist ends the ticket; nothing is tried again. */
static void test_no_such_host(void)
{
    slow_getaddrinfo_set(0, 0, SLOW_GETADDRINFO_NONAME);
    struct session session;
    session_open(&session, base, NULL);
    session_submit(&session, 1, 0);
    struct network_news *news = session_wait(&session, EVENT_FAILED, PATIENCE_MS);
    CHECK(news != NULL);
    if (news != NULL) {
        CHECK_INT(news->event.as.failed.transfer, TRANSFER_NO_SUCH_HOST);
        CHECK_INT(news->event.as.failed.code, CODE_UPSTREAM_UNAVAILABLE);
        CHECK_INT(news->event.as.failed.attempts, 1);
        network_news_free(news);
    }
    CHECK_AT_ONCE(session_close(&session));
}

/* T42: a lookup that failed is tried again. */
static void test_lookup_fails(void)
{
    slow_getaddrinfo_set(0, 0, SLOW_GETADDRINFO_AGAIN);
    struct session session;
    session_open(&session, base, NULL);
    session_submit(&session, 1, 0);
    struct network_news *news = session_wait(&session, EVENT_WAITING, PATIENCE_MS);
    CHECK(news != NULL);
    if (news != NULL) {
        CHECK_INT(news->event.as.waiting.attempt, 2);
        CHECK_INT(news->event.as.waiting.reason, REASON_TRANSPORT);
        network_news_free(news);
    }
    CHECK_AT_ONCE(session_close(&session));
}

/* The call's time-out counts the lookup, and nobody waits for the lookup after it. */
static void test_lookup_hangs_past_the_timeout(void)
{
    enum { TIMEOUT_MS = 200 };
    struct call_settings settings;
    CHECK(call_settings_init(&settings, NULL));
    slow_getaddrinfo_set(0, HANG_MS, SLOW_GETADDRINFO_AGAIN);
    monotime before = clock_now();
    struct call *call = call_new(&settings);
    struct response response;
    call_prepare(call, base, NULL, TIMEOUT_MS);
    call_response(call, curl_easy_perform(call->easy), 0, &response);
    CHECK_INT(response.transfer, TRANSFER_TIMEOUT);
    call_free(call);
    CHECK(clock_now() - before < TIMEOUT_MS + 1000);
    call_settings_clear(&settings);
}

static void submit_and_wait_for_lookups(struct session *session, int lookups)
{
    int before = slow_getaddrinfo_count();
    session_open(session, base, NULL);
    session_submit(session, 1, 0);
    for (int i = 0; i < PATIENCE_MS && slow_getaddrinfo_count() < before + lookups; i++) {
        poll(NULL, 0, 1);
    }
    CHECK_INT(slow_getaddrinfo_count(), before + lookups);
}

static void cancel_and_close(struct session *session, bool cancel)
{
    if (cancel) {
        size_t in_flight = 99;
        monotime before = clock_now();
        network_cancel(session->network, 1);
        CHECK(session_in_flight(session, &in_flight));
        CHECK_INT(in_flight, 0);
        CHECK_AT_ONCE(clock_now() - before);
        struct network_news *news = session_wait(session, EVENT_FAILED, 50);
        CHECK(news == NULL);
    }
    CHECK_AT_ONCE(session_close(session));
}

/* libcurl's own lookup hangs. */
static void test_lookup_hangs(void)
{
    for (int cancel = 0; cancel < 2; cancel++) {
        struct session session;
        slow_getaddrinfo_set(0, HANG_MS, SLOW_GETADDRINFO_AGAIN);
        submit_and_wait_for_lookups(&session, 1);
        cancel_and_close(&session, cancel);
    }
}

/* libcurl's lookup has failed, and the name check hangs. */
static void test_check_hangs(void)
{
    for (int cancel = 0; cancel < 2; cancel++) {
        struct session session;
        slow_getaddrinfo_set(1, HANG_MS, SLOW_GETADDRINFO_AGAIN);
        submit_and_wait_for_lookups(&session, 2);
        cancel_and_close(&session, cancel);
    }
}

/* A name check ends with the time of its call, and the call with it. */
static void test_check_hangs_past_the_timeout(void)
{
    enum { TIMEOUT_MS = 300 };
    struct network_options options = {.engine = engine_options_default(), .seed = 1};
    options.engine.base = base;
    options.engine.policy.latency[CALL_SINGLE].default_ms = TIMEOUT_MS;
    slow_getaddrinfo_set(1, HANG_MS, SLOW_GETADDRINFO_AGAIN);
    struct session session;
    session_open_with(&session, &options);
    monotime before = clock_now();
    session_submit(&session, 1, 0);
    struct network_news *news = session_wait(&session, EVENT_WAITING, PATIENCE_MS);
    int64_t took_ms = clock_now() - before;
    CHECK(news != NULL);
    CHECK(took_ms >= TIMEOUT_MS && took_ms < TIMEOUT_MS + 1000);
    if (news != NULL) {
        CHECK_INT(news->event.as.waiting.reason, REASON_TRANSPORT);
        network_news_free(news);
    }
    CHECK_AT_ONCE(session_close(&session));
}

static const struct unit_test tests[] = {
    {"a name check", test_check},
    {"no such host", test_no_such_host},
    {"a lookup that fails", test_lookup_fails},
    {"a lookup that hangs past the time-out", test_lookup_hangs_past_the_timeout},
    {"a lookup that hangs", test_lookup_hangs},
    {"a name check that hangs", test_check_hangs},
    {"a name check that hangs past the time-out", test_check_hangs_past_the_timeout},
};

int main(void)
{
    session_prepare();
    return unit_run("net_names", tests, sizeof(tests) / sizeof(tests[0]));
}
