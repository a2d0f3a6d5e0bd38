#include "tui/words.h"

#include "unit/unit.h"

static char text[1024];

static const monotime NOW = 1000000;
static const walltime WALL = INT64_C(1796049005000); /* 2026-11-30 14:30:05 UTC */

static const char *failure(struct event_failed failed)
{
    words_failure(&failed, "NHTSA", NOW, WALL, 0, text, sizeof text);
    return text;
}

static const char *origin(struct wait wait)
{
    words_origin(&wait, "NHTSA", 0, text, sizeof text);
    return text;
}

static const char *problem(const char *vin)
{
    struct vin_check check;
    vin_check(vin, strlen(vin), 2026, &check);
    words_problem(&check, text, sizeof text);
    return text;
}

static void test_origins(void)
{
    CHECK_TEXT(origin((struct wait){.origin = ORIGIN_RETRY_AFTER, .asked_ms = 30000}), "Retry-After 30 s");
    CHECK_TEXT(origin((struct wait){.origin = ORIGIN_RETRY_AFTER, .asked_ms = 3600000}), "Retry-After 3600 s");
    CHECK_TEXT(origin((struct wait){.origin = ORIGIN_RETRY_AFTER, .asked_ms = 1500}), "Retry-After 1.5 s");
    CHECK_TEXT(origin((struct wait){.origin = ORIGIN_RETRY_AFTER_DATE, .until_wall = WALL + 25000}),
               "Retry-After until 14:30:30");
    CHECK_TEXT(origin((struct wait){.origin = ORIGIN_RATELIMIT_RESET}), "RateLimit reset");
    CHECK_TEXT(origin((struct wait){.origin = ORIGIN_X_RATELIMIT_RESET}), "X-RateLimit reset");
    CHECK_TEXT(origin((struct wait){.origin = ORIGIN_BODY}), "answer body");
    CHECK_TEXT(origin((struct wait){.origin = ORIGIN_BACKOFF}), "our own back-off");
    CHECK_TEXT(origin((struct wait){.origin = ORIGIN_COURTESY_RATE}), "our own courtesy rate");
    CHECK_TEXT(origin((struct wait){.origin = ORIGIN_BREAKER}), "circuit breaker");
    CHECK_TEXT(origin((struct wait){.origin = ORIGIN_COOL_DOWN, .asked_ms = 30000}),
               "NHTSA gave no time; we wait 30 s");
    CHECK_TEXT(origin((struct wait){.origin = ORIGIN_NONE}), "");
}

static void test_local_time(void)
{
    struct wait wait = {.origin = ORIGIN_RETRY_AFTER_DATE, .until_wall = WALL};
    words_origin(&wait, "NHTSA", INT64_C(-5) * 3600 * 1000, text, sizeof text);
    CHECK_TEXT(text, "Retry-After until 09:30:05");
}

static void test_countdown(void)
{
    static const struct {
        int64_t ms;
        const char *text;
    } cases[] = {{27000, "0:27"},      {26001, "0:27"},
                 {1, "0:01"},          {0, "0:00"},
                 {-5, "0:00"},         {60000, "1:00"},
                 {725000, "12:05"},    {3600000, "1:00:00"},
                 {3723000, "1:02:03"}, {DURATION_MAX_MS, "277777777:46:40"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        words_countdown(cases[i].ms, text, sizeof text);
        CHECK_TEXT(text, cases[i].text);
    }
}

static void test_duration(void)
{
    static const struct {
        int64_t ms;
        const char *text;
    } cases[] = {{1, "1 s"},
                 {60000, "60 s"},
                 {119000, "119 s"},
                 {120000, "2 min"},
                 {125000, "2 min 5 s"},
                 {3600000, "1 h"},
                 {3660000, "1 h 1 min"},
                 {INT64_C(200000000), "3 days"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        words_duration(cases[i].ms, text, sizeof text);
        CHECK_TEXT(text, cases[i].text);
    }
}

static void test_throttled(void)
{
    CHECK_TEXT(failure((struct event_failed){.code = CODE_UPSTREAM_THROTTLE,
                                             .reason = REASON_OVER_CAP_RETRY_AFTER,
                                             .status = 429,
                                             .attempts = 1,
                                             .told_ms = 125000,
                                             .again = {.until = NOW + 125000, .origin = ORIGIN_RETRY_AFTER}}),
               "NHTSA asked us to wait 2 min 5 s, too long to try again by itself. Next try possible at 14:32:10 (in 2 "
               "min 5 s).");
    CHECK_TEXT(failure((struct event_failed){.code = CODE_UPSTREAM_THROTTLE,
                                             .reason = REASON_THROTTLED_WITHOUT_HINT,
                                             .status = 429,
                                             .again = {.until = NOW + 30000, .origin = ORIGIN_COOL_DOWN}}),
               "NHTSA refused (429) and gave no time. Next try possible at 14:30:35 (in 30 s).");
    CHECK_TEXT(failure((struct event_failed){
                   .code = CODE_UPSTREAM_THROTTLE, .reason = REASON_REJECTED_REPEATEDLY, .status = 403}),
               "NHTSA refused several requests in a row (403), perhaps throttled or blocked.");
}

static struct event_failed given_up(int transfer, int status, int attempts)
{
    return (struct event_failed){.code = CODE_EXHAUSTED,
                                 .reason = REASON_ATTEMPTS,
                                 .transfer = transfer,
                                 .status = status,
                                 .attempts = attempts,
                                 .resting = true,
                                 .again = {.until = NOW + 60000}};
}

static void test_exhausted(void)
{
    CHECK_TEXT(failure(given_up(TRANSFER_TIMEOUT, 0, 4)), "NHTSA did not answer in 4 tries. Not tried again for 60 s.");
    CHECK_TEXT(failure(given_up(TRANSFER_REFUSED, 0, 4)),
               "NHTSA refused the connection in 4 tries. Not tried again for 60 s.");
    CHECK_TEXT(failure(given_up(TRANSFER_UNREACHABLE, 0, 1)), "NHTSA could not be reached. Not tried again for 60 s.");
    CHECK_TEXT(failure(given_up(TRANSFER_DNS_FAILED, 0, 4)),
               "The address of NHTSA could not be looked up (DNS) in 4 tries. Not tried again for 60 s.");
    CHECK_TEXT(failure(given_up(TRANSFER_ANSWERED, 503, 4)),
               "NHTSA is under maintenance or overloaded (503), 4 times. Not tried again for 60 s.");
}

static void test_unavailable(void)
{
    struct event_failed failed = {.code = CODE_UPSTREAM_UNAVAILABLE, .attempts = 1};
    failed.status = 500;
    CHECK_TEXT(failure(failed), "NHTSA had an internal error (500). Try again in a minute.");
    failed.status = 503;
    CHECK_TEXT(failure(failed), "NHTSA is under maintenance or overloaded (503). Try again in a minute.");
    failed.status = 0;
    failed.transfer = TRANSFER_CERTIFICATE;
    CHECK_TEXT(failure(failed), "The certificate of NHTSA cannot be trusted.");
    failed.transfer = TRANSFER_NO_SUCH_HOST;
    CHECK_TEXT(failure(failed), "There is no address for NHTSA (DNS).");
    failed.transfer = TRANSFER_UNSUPPORTED;
    CHECK_TEXT(failure(failed), "The address of NHTSA names a protocol that is not supported.");
}

static void test_bad_response(void)
{
    static const struct {
        enum answer_kind kind;
        const char *text;
    } cases[] = {{ANSWER_EMPTY, "NHTSA sent an empty answer."},
                 {ANSWER_HTML, "NHTSA sent a web page (HTML), not JSON."},
                 {ANSWER_XML, "NHTSA sent XML, not JSON."},
                 {ANSWER_NOT_JSON, "NHTSA sent an answer that could not be read."},
                 {ANSWER_TRUNCATED, "The answer of NHTSA was cut short."},
                 {ANSWER_NO_RESULTS, "NHTSA gave no result."}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK_TEXT(failure((struct event_failed){
                       .code = CODE_BAD_RESPONSE, .reason = REASON_BAD_BODY, .status = 200, .answer = cases[i].kind}),
                   cases[i].text);
    }
    CHECK_TEXT(failure((struct event_failed){.code = CODE_BAD_RESPONSE, .reason = REASON_WRONG_VIN, .status = 200}),
               "NHTSA answered for another VIN; that answer is not shown.");
    CHECK_TEXT(failure((struct event_failed){
                   .code = CODE_BAD_RESPONSE, .reason = REASON_TOO_LARGE, .transfer = TRANSFER_TOO_LARGE}),
               "The answer of NHTSA was larger than 8 MiB.");
    CHECK_TEXT(failure((struct event_failed){.code = CODE_BAD_RESPONSE, .transfer = TRANSFER_NOT_HTTP}),
               "What NHTSA sent is not HTTP.");
    CHECK_TEXT(
        failure((struct event_failed){.code = CODE_BAD_RESPONSE, .reason = REASON_UNEXPECTED_STATUS, .status = 302}),
        "NHTSA sent us elsewhere (302); redirects are not followed.");
}

static void test_b28_the_year_before_1981_is_explained(void)
{
    struct event_failed failed = {.code = CODE_BAD_RESPONSE, .status = 200, .answer = ANSWER_NO_RESULTS};
    (void)snprintf(failed.message, sizeof failed.message,
                   "ERROR: Invalid Year Submitted \xe2\x80\x93 Pre-1981 Year Decode Attempt");
    CHECK(strstr(failure(failed), "Pre-1981 Year Decode Attempt") != NULL);
    CHECK(strstr(failure(failed), "since 1981") != NULL);
}

static void test_rejected(void)
{
    struct event_failed failed = {.code = CODE_BAD_REQUEST, .status = 403};
    CHECK_TEXT(failure(failed), "NHTSA refused the request (403), perhaps throttled or blocked.");
    failed.status = 404;
    CHECK_TEXT(failure(failed), "NHTSA does not know this address (404); is the upstream right?");
    failed.status = 400;
    CHECK_TEXT(failure(failed), "NHTSA rejected the request (400).");
}

static void test_breaker_and_deadline(void)
{
    CHECK_TEXT(failure((struct event_failed){.code = CODE_CIRCUIT_OPEN, .again.until = NOW + 25000}),
               "NHTSA failed repeatedly. Next test call in 25 s.");
    CHECK_TEXT(failure((struct event_failed){.code = CODE_DEADLINE, .elapsed_ms = 90000, .attempts = 3}),
               "No answer within 90 s. The VIN was not checked.");
    CHECK_TEXT(failure((struct event_failed){.code = CODE_DEADLINE}),
               "Nothing was sent: the time for this VIN would be over before a call may leave.");
    CHECK_TEXT(failure((struct event_failed){.code = CODE_CANCELLED}), "");
}

/* Every code, reason, transfer and status gives one sentence that fits, and none calls the VIN invalid. */
static void test_never_invalid(void)
{
    static const int statuses[] = {0, 200, 204, 302, 400, 403, 404, 408, 429, 500, 502, 503, 504, 599};
    for (int code = CODE_NONE + 1; code < CODE_CANCELLED; code++) {
        for (int reason = 0; reason < REASON_COUNT; reason++) {
            for (int transfer = TRANSFER_ANSWERED; transfer <= TRANSFER_ABORTED; transfer++) {
                for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
                    const char *said = failure((struct event_failed){.code = (enum code)code,
                                                                     .reason = (enum reason)reason,
                                                                     .transfer = transfer,
                                                                     .status = statuses[i],
                                                                     .attempts = 4,
                                                                     .told_ms = 40000,
                                                                     .again.until = NOW + 40000});
                    size_t length = strlen(said);
                    CU_ASSERT_FATAL(length > 10 && length < 200 && said[length - 1] != ' ');
                    CU_ASSERT_FATAL(strstr(said, "nvalid") == NULL && strstr(said, "0:00") == NULL);
                }
            }
        }
    }
}

static void test_buffers(void)
{
    char small[12];
    struct event_failed failed = given_up(TRANSFER_TIMEOUT, 0, 4);
    words_failure(&failed, "NHTSA", NOW, WALL, 0, small, sizeof small);
    CHECK_TEXT(small, "NHTSA did n");
    words_failure(&failed, "NHTSA", NOW, WALL, 0, small, 1);
    CHECK_TEXT(small, "");
}

static void test_problems(void)
{
    CHECK_TEXT(problem(""), "Nothing is typed yet");
    CHECK_TEXT(problem("1HGCM8263"), "9 of 17 characters");
    CHECK_TEXT(problem("tacos"), "O stands at position 4, a VIN never holds I, O or Q; 5 of 17 characters");
    CHECK_TEXT(problem("NT8Q9DQASR0M09679"), "Q at positions 4 and 7, a VIN never holds I, O or Q");
    CHECK_TEXT(problem("1HGCM826/3A004352"), "/ stands at position 9: never sent, a VIN has A-Z and 0-9");
    CHECK_TEXT(problem("1HGCM826\xc3\x9c"
                       "3A004352"),
               "\xc3\x9c (U+00DC) stands at position 9: never sent, a VIN has A-Z and 0-9");
    CHECK_TEXT(problem("1HGCM82633A0043521"), "18 characters, a VIN has 17");
    CHECK_TEXT(problem("1HGCM826*3A004352"), "* stands at position 9 for a character that is not known");
    CHECK_TEXT(problem("1HGCM82643A004352"), "Position 9 holds check digit 4, expected 3");
    CHECK_TEXT(problem("1HGCM82633A004352"), "");
}

static void test_waiting(void)
{
    struct event_waiting waiting = {.reason = REASON_RETRY_AFTER_SECONDS, .status = 429};
    words_waiting(&waiting, "NHTSA", text, sizeof text);
    CHECK_TEXT(text, "NHTSA asked us to wait (429); the next try leaves by itself");
    waiting = (struct event_waiting){.wait.origin = ORIGIN_COURTESY_RATE};
    words_waiting(&waiting, "NHTSA", text, sizeof text);
    CHECK_TEXT(text, "We keep to our own pace; the call leaves by itself");
    waiting = (struct event_waiting){.reason = REASON_BACKOFF, .status = 503};
    words_waiting(&waiting, "localhost", text, sizeof text);
    CHECK_TEXT(text, "localhost is under maintenance or overloaded (503); the next try leaves by itself");
}

static void test_numbers_are_rounded(void)
{
    static const char *const cases[][2] = {
        {"3211.864544", "3,211.9"},
        {"2998.832712", "2,998.8"},
        {"146.45698582735", "146.5"},
        {"2400.0", "2,400"},
        {"279.6375", "279.6"},
        {"3.0", "3"},
        {"1.456", "1.46"},
        {"0.5", "0.5"},
        {"100.0", "100"},
        {"1234567.25", "1,234,567.2"},
        {"99.999", "100"},
        {"7.", "7"},
    };
    static const char *const others[] = {"",
                                         "3",
                                         "1e3",
                                         "1.2.3",
                                         ".5",
                                         "-1.5",
                                         "1.5x",
                                         "1.5 ",
                                         "9999999999999999.5",
                                         "1.000000000000000000000000000000000001"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK(words_number(cases[i][0], strlen(cases[i][0]), text, sizeof text));
        CHECK_TEXT(text, cases[i][1]);
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        CHECK(!words_number(others[i], strlen(others[i]), text, sizeof text));
    }
}

/* A letter of another script looks like one of ours: its name tells. */
static void test_foreign_letters_are_named(void)
{
    CHECK_TEXT(problem("1HG\xd0\xa1"
                       "M82633A004352"),
               "Cyrillic \xd0\xa1 (U+0421) stands at position 4: never sent, a VIN has A-Z and 0-9");
    CHECK_TEXT(
        problem("\xce\x91HGCM82633\xef\xbc\xa1"
                "00435\xc3\x9c"),
        "Greek \xce\x91 (U+0391), full-width \xef\xbc\xa1 (U+FF21), \xc3\x9c (U+00DC) at positions 1, 11 and 17: "
        "never sent, a VIN has A-Z and 0-9");
    CHECK_TEXT(problem("1HGCM82633A00435\xff"),
               "a byte that is no UTF-8 stands at position 17: never sent, a VIN has A-Z and 0-9");
    CHECK_TEXT(problem("1HGCM826/3A004352"), "/ stands at position 9: never sent, a VIN has A-Z and 0-9");
}

static const struct unit_test tests[] = {
    {"foreign letters are named", test_foreign_letters_are_named},
    {"numbers are rounded", test_numbers_are_rounded},
    {"origins", test_origins},
    {"local time", test_local_time},
    {"the countdown", test_countdown},
    {"durations", test_duration},
    {"throttled", test_throttled},
    {"exhausted", test_exhausted},
    {"unavailable", test_unavailable},
    {"answers that cannot be read", test_bad_response},
    {"B28: the year before 1981 is explained", test_b28_the_year_before_1981_is_explained},
    {"rejected", test_rejected},
    {"breaker and deadline", test_breaker_and_deadline},
    {"never an invalid VIN", test_never_invalid},
    {"buffers", test_buffers},
    {"problems of a VIN", test_problems},
    {"what is waited for", test_waiting},
};

UNIT_MAIN("words", tests)
