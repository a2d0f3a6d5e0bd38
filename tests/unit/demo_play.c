#include "tui/demo/play.h"

#include "core/base/text.h"
#include "tui/demo/demo.h"
#include "tui/demo/placeholder.h"

#include "unit/unit.h"

/* A scenario in play on virtual clocks: the wall clock is that of WALL_AT_START (a whole second) and `skew` when the
 * monotonic one is 0. */
enum { HEADERS_KEPT = 24, WALL_AT_START = 1796040000 };

struct stage {
    struct scenario *scenario;
    struct play play;
    monotime now;
    int64_t skew;
    struct arrival arrival;
    struct turn turn;
    char names[HEADERS_KEPT][48], values[HEADERS_KEPT][80];
    size_t header_count;
};

static walltime wall_of(const struct stage *stage)
{
    return stage->now + INT64_C(1000) * WALL_AT_START + stage->skew;
}

static void stage_open(struct stage *stage, struct scenario *scenario)
{
    *stage = (struct stage){.scenario = scenario, .arrival = {1, 200}};
    play_init(&stage->play, scenario);
}

static void stage_embedded(struct stage *stage, const char *name)
{
    char why[512] = "";
    struct scenario *scenario = scenario_open(name, why, sizeof why);
    CHECK_TEXT(why, "");
    stage_open(stage, scenario);
}

static void stage_text(struct stage *stage, const char *members)
{
    char text[2048], why[512] = "";
    snprintf(text, sizeof text, "{\"name\":\"n\",\"description\":\"d\",%s}", members);
    struct scenario *scenario = scenario_read(text, strlen(text), "test", why, sizeof why);
    CHECK_TEXT(why, "");
    stage_open(stage, scenario);
}

static void stage_close(struct stage *stage)
{
    play_clear(&stage->play);
    scenario_free(stage->scenario);
}

static void keep(void *context, const char *name, const char *value)
{
    struct stage *stage = context;
    if (stage->header_count < HEADERS_KEPT) {
        snprintf(stage->names[stage->header_count], sizeof stage->names[0], "%s", name);
        snprintf(stage->values[stage->header_count++], sizeof stage->values[0], "%s", value);
    }
}

static const char *header(const struct stage *stage, const char *name)
{
    for (size_t i = 0; i < stage->header_count; i++) {
        if (text_compare(stage->names[i], name) == 0) {
            return stage->values[i];
        }
    }
    return "(none)";
}

/* A call at `at` that is answered at once. Returns the status. */
static int call(struct stage *stage, monotime at)
{
    stage->now = at;
    stage->header_count = 0;
    play_arrive(&stage->play, &stage->arrival, at, wall_of(stage), &stage->turn);
    play_depart(&stage->play, &stage->arrival, &stage->turn, at, wall_of(stage), keep, stage);
    return stage->turn.status;
}

static void a_fixed_window_lies_on_a_grid_from_the_first_call(void)
{
    struct stage stage;
    stage_text(&stage, "\"quota\":{\"calls\":3,\"window_ms\":1000},\"phases\":[{\"answers\":[{}]}]");
    CHECK_INT(call(&stage, 700), 200);
    CHECK_INT(call(&stage, 700), 200);
    CHECK_INT(call(&stage, 1699), 200);
    CHECK_INT(call(&stage, 1699), 429);
    CHECK_INT(call(&stage, 1700), 200);
    CHECK_INT(call(&stage, 2699), 200);
    CHECK_INT(call(&stage, 5600), 200); /* windows went by */
    CHECK_INT(call(&stage, 5600), 200);
    CHECK_INT(call(&stage, 5600), 200);
    CHECK_INT(call(&stage, 5699), 429);
    CHECK_INT(call(&stage, 5700), 200);
    stage_close(&stage);
}

static void a_window_can_begin_with_a_second_of_the_wall_clock(void)
{
    struct stage stage;
    stage_text(&stage, "\"quota\":{\"calls\":1,\"window_ms\":2000,\"starts\":\"wall-second\"},"
                       "\"phases\":[{\"answers\":[{}]}]");
    stage.skew = 300; /* 10,000 on our clock is 300 ms behind a whole second */
    CHECK_INT(call(&stage, 10000), 200);
    CHECK_INT(call(&stage, 11699), 429);
    CHECK_INT(call(&stage, 11700), 200);
    stage_close(&stage);
}

static void a_rolling_window_forgets_call_by_call(void)
{
    struct stage stage;
    stage_text(&stage, "\"quota\":{\"calls\":2,\"window_ms\":1000,\"window\":\"rolling\",\"announce\":\"ratelimit\"},"
                       "\"phases\":[{\"answers\":[{}]}]");
    CHECK_INT(call(&stage, 0), 200);
    CHECK_INT(call(&stage, 600), 200);
    CHECK_TEXT(header(&stage, "RateLimit-Remaining"), "0");
    CHECK_TEXT(header(&stage, "RateLimit-Reset"), "1");
    CHECK_INT(call(&stage, 999), 429);
    CHECK_INT(call(&stage, 1000), 200);
    CHECK_INT(call(&stage, 1599), 429);
    CHECK_INT(call(&stage, 1600), 200);
    CHECK_INT(call(&stage, 1601), 429);
    stage_close(&stage);
}

static void each_family_announces_in_its_own_words(void)
{
    static const struct {
        const char *family;
        const char *headers[4][2];
    } rows[] = {
        {"ratelimit", {{"RateLimit-Limit", "9"}, {"RateLimit-Remaining", "8"}, {"RateLimit-Reset", "5"}}},
        {"ratelimit-structured", {{"RateLimit-Policy", "\"default\";q=9;w=5"}, {"RateLimit", "\"default\";r=8;t=5"}}},
        {"x-ratelimit-epoch",
         {{"X-RateLimit-Limit", "9"}, {"X-RateLimit-Remaining", "8"}, {"X-RateLimit-Reset", "1796040006"}}},
        {"x-ratelimit-seconds",
         {{"X-RateLimit-Limit", "9"}, {"X-RateLimit-Remaining", "8"}, {"X-RateLimit-Reset", "5"}}},
        {"x-rate-limit", {{"X-Rate-Limit-Limit", "9"}, {"X-Rate-Limit-Remaining", "8"}, {"X-Rate-Limit-Reset", "5"}}},
        {"retry-after", {{NULL}}},
        {"none", {{NULL}}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct stage stage;
        char members[256];
        snprintf(members, sizeof members,
                 "\"quota\":{\"calls\":9,\"window_ms\":4800,\"announce\":\"%s\"},\"phases\":[{\"answers\":[{}]}]",
                 rows[i].family);
        stage_text(&stage, members);
        CHECK_INT(call(&stage, 500), 200);
        size_t count = 0;
        for (; count < 4 && rows[i].headers[count][0] != NULL; count++) {
            CHECK_TEXT(header(&stage, rows[i].headers[count][0]), rows[i].headers[count][1]);
        }
        CHECK_INT(stage.header_count, count);
        stage_close(&stage);
    }
}

static void what_is_exceeded_is_refused_as_the_rule_says(void)
{
    struct stage stage;
    stage_text(&stage, "\"quota\":{\"calls\":1,\"window_ms\":4200,\"announce\":\"retry-after\"},"
                       "\"phases\":[{\"answers\":[{}]}]");
    call(&stage, 0);
    CHECK_INT(call(&stage, 100), 429);
    CHECK_INT(stage.turn.verdict, VERDICT_REJECTED);
    CHECK_TEXT(header(&stage, "Retry-After"), "5");
    stage_close(&stage);
    stage_text(&stage, "\"quota\":{\"calls\":1,\"window_ms\":4200,\"exceeded\":{\"status\":403}},"
                       "\"phases\":[{\"answers\":[{}]}]");
    call(&stage, 0);
    CHECK_INT(call(&stage, 100), 403);
    CHECK_INT(stage.header_count, 0);
    stage_close(&stage);
}

static void placeholders_are_filled_when_the_answer_leaves(void)
{
    struct moment moment = {.now = 5000,
                            .wall = INT64_C(1796040000) * 1000 + 1,
                            .phase_ends = 6001,
                            .resets = 7500,
                            .limit = 20,
                            .remaining = 3,
                            .window_ms = 4001};
    static const struct {
        const char *value, *filled;
        int64_t named;
    } rows[] = {
        {"plain", "plain", MONOTIME_NEVER},
        {"{date}", "Mon, 30 Nov 2026 12:00:01 GMT", 5999},
        {"{date+30s}", "Mon, 30 Nov 2026 12:00:31 GMT", 35999},
        {"{date-61s}", "Mon, 30 Nov 2026 11:59:00 GMT", -55001},
        {"{epoch+5s}", "1796040006", 10999},
        {"a {limit} b {remaining} c", "a 20 b 3 c", MONOTIME_NEVER},
        {"{reset_s} {reset_ms} {window_s}", "3 2500 5", MONOTIME_NEVER},
        {"{reset_epoch}", "1796040003", 7999},
        {"{reset_date}", "Mon, 30 Nov 2026 12:00:03 GMT", 7999},
        {"{phase_left_s} {phase_left_ms}", "2 1001", MONOTIME_NEVER},
        {"{phase_end_epoch}", "1796040002", 6999},
        {"{phase_end_date}", "Mon, 30 Nov 2026 12:00:02 GMT", 6999},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct buffer out;
        buffer_init(&out, 200);
        char unknown[32];
        CHECK(placeholder_check(rows[i].value, unknown, sizeof unknown));
        monotime named = placeholder_fill(rows[i].value, &moment, &out);
        CHECK_TEXT(out.data, rows[i].filled);
        CHECK_INT(named, rows[i].named);
        buffer_clear(&out);
    }
    moment.phase_ends = moment.resets = 4000; /* over */
    struct buffer out;
    buffer_init(&out, 200);
    placeholder_fill("{phase_left_s} {reset_ms}", &moment, &out);
    CHECK_TEXT(out.data, "0 0");
    buffer_clear(&out);
    char unknown[32];
    static const char *const bad[] = {"{", "{}", "{dat}", "{date+s}", "{date+5}", "{date+5m}", "{limit+5s}", "x{date"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK(!placeholder_check(bad[i], unknown, sizeof unknown));
    }
}

static void phases_end_by_time_by_calls_and_by_a_wait_that_is_over(void)
{
    struct stage stage;
    stage_text(&stage,
               "\"repeat\":true,\"phases\":["
               "{\"for_ms\":1000,\"answers\":[{\"status\":500}]},{\"for_ms\":500,\"answers\":[{\"status\":501}]},"
               "{\"for_calls\":2,\"answers\":[{\"status\":502}]},"
               "{\"until\":\"wait_over\",\"answers\":[{},{\"status\":429,\"headers\":{\"Retry-After\":\"2\"}},{}]},"
               "{\"for_calls\":1,\"answers\":[{\"status\":505}]}]");
    CHECK_INT(call(&stage, 5000), 500);
    CHECK_INT(call(&stage, 5999), 500);
    CHECK_INT(call(&stage, 6000), 501);
    CHECK_INT(call(&stage, 6499), 501);
    CHECK_INT(call(&stage, 6500), 502);
    CHECK_INT(call(&stage, 60000), 502);
    CHECK_INT(call(&stage, 60001), 200);
    CHECK_INT(call(&stage, 70000), 429);
    CHECK_INT(call(&stage, 71999), 200);
    CHECK_INT(call(&stage, 72000), 505);
    CHECK_INT(call(&stage, 90000), 500); /* from the beginning, which begins now */
    CHECK_INT(call(&stage, 90999), 500);
    CHECK_INT(call(&stage, 91400), 501);
    CHECK_INT(call(&stage, 900000), 502);
    stage_close(&stage);
}

static void answers_take_turns_or_are_drawn(void)
{
    struct stage stage;
    stage_text(&stage, "\"phases\":[{\"answers\":[{\"times\":2},{\"status\":500,\"delay_ms\":7},{\"status\":501}]}]");
    static const int wanted[] = {200, 200, 500, 501, 200, 200, 500};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        CHECK_INT(call(&stage, (monotime)i), wanted[i]);
        CHECK_INT(stage.turn.delay_ms, wanted[i] == 500 ? 7 : 0);
    }
    stage_close(&stage);
    int statuses[2][200], good = 0;
    for (size_t round = 0; round < 2; round++) {
        stage_text(&stage, "\"seed\":3,\"phases\":[{\"order\":\"random\",\"answers\":"
                           "[{\"times\":3,\"delay_ms\":[10,12]},{\"status\":500,\"delay_ms\":[10,12]}]}]");
        for (size_t i = 0; i < 200; i++) {
            statuses[round][i] = call(&stage, (monotime)i);
            good += statuses[round][i] == 200 ? 1 : 0;
            CHECK(stage.turn.delay_ms >= 10 && stage.turn.delay_ms <= 12);
        }
        stage_close(&stage);
    }
    CHECK(memcmp(statuses[0], statuses[1], sizeof statuses[0]) == 0);
    CHECK(good / 2 > 120 && good / 2 < 180); /* 150 are expected */
}

static int verdict_at(struct stage *stage, monotime at, uint64_t client)
{
    stage->arrival.client = client;
    call(stage, at);
    return (int)stage->turn.verdict;
}

static void early_is_before_the_end_of_an_announced_wait(void)
{
    struct stage stage;
    stage_text(&stage,
               "\"phases\":[{\"for_calls\":1,\"answers\":[{\"status\":429,\"headers\":{\"retry-after\":\"3\"}}]},"
               "{\"answers\":[{}]}]");
    CHECK_INT(verdict_at(&stage, 10000, 1), VERDICT_REJECTED);
    CHECK_INT(verdict_at(&stage, 10100, 1), VERDICT_ALLOWED); /* it may have been under way */
    CHECK_INT(verdict_at(&stage, 10101, 1), VERDICT_EARLY);
    CHECK_INT(verdict_at(&stage, 10101, 2), VERDICT_ALLOWED); /* nobody told this client */
    CHECK_INT(verdict_at(&stage, 12999, 1), VERDICT_EARLY);
    CHECK_INT(verdict_at(&stage, 13000, 1), VERDICT_ALLOWED);
    stage_close(&stage);
}

/* What one answer announces: the wait in ms, found by trying; 0 for none. */
static int64_t announced(const char *answer, int64_t skew)
{
    char members[512];
    snprintf(members, sizeof members,
             "\"under_way_ms\":0,\"phases\":[{\"for_calls\":1,\"answers\":[%s]},{\"answers\":[{}]}]", answer);
    int64_t low = 0, high = 100000;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        struct stage stage;
        stage_text(&stage, members);
        stage.skew = skew;
        call(&stage, 0);
        bool early = verdict_at(&stage, middle, 1) == VERDICT_EARLY;
        stage_close(&stage);
        low = early ? middle + 1 : low;
        high = early ? high : middle;
    }
    return low;
}

static void only_what_is_meant_as_a_wait_announces_one(void)
{
#define RETRY_AFTER "\"headers\":{\"Retry-After\":\"30\"}"
    CHECK_INT(announced("{\"status\":429," RETRY_AFTER "}", 0), 30000);
    CHECK_INT(announced("{\"status\":503," RETRY_AFTER "}", 0), 30000);
    CHECK_INT(announced("{\"status\":403," RETRY_AFTER "}", 0), 30000);
    CHECK_INT(announced("{\"status\":400," RETRY_AFTER "}", 0), 0);
    CHECK_INT(announced("{\"status\":500," RETRY_AFTER "}", 0), 0);
    CHECK_INT(announced("{\"status\":200," RETRY_AFTER "}", 0), 0);
    CHECK_INT(announced("{\"status\":429}", 0), 0);
    CHECK_INT(announced("{\"status\":429,\"headers\":{\"Retry-After\":\"soon\"}}", 0), 0);
    CHECK_INT(announced("{\"status\":429,\"ending\":\"drop\"," RETRY_AFTER "}", 0), 0);
    CHECK_INT(announced("{\"status\":429,\"headers\":[[\"Retry-After\",\"3\"],[\"Retry-After\",\"5\"]]}", 0), 5000);
    CHECK_INT(announced("{\"status\":429,\"headers\":{\"Retry-After\":\"{date+5s}\"}}", 400), 5600);
    CHECK_INT(announced("{\"status\":429,\"headers\":{\"Retry-After\":\"{epoch+5s}\"}}", 999), 5001);
    CHECK_INT(announced("{\"status\":429,\"headers\":{\"Retry-After\":\"{date-5s}\"}}", 0), 0);
    CHECK_INT(announced("{\"status\":429,\"body\":\"retry_after_ms\",\"retry_after_ms\":1500}", 0), 1500);
    CHECK_INT(announced("{\"status\":429,\"body\":\"retry_after_ms\",\"retry_after_ms\":1500," RETRY_AFTER "}", 0),
              30000);
    CHECK_INT(announced("{\"body\":\"retry_after_ms\",\"retry_after_ms\":1500}", 0), 0);
}

static void the_announcement_stands_from_the_departure(void)
{
    struct stage stage;
    stage_text(&stage, "\"quota\":{\"calls\":1,\"window_ms\":1000,\"announce\":\"ratelimit\"},"
                       "\"phases\":[{\"answers\":[{\"delay_ms\":300}]}]");
    struct arrival first = {1, 200}, second = {1, 200};
    struct turn turn, other;
    play_arrive(&stage.play, &first, 0, 0, &turn);
    play_arrive(&stage.play, &second, 200, 200, &other);
    CHECK_INT(other.status, 429);
    CHECK_INT(other.verdict, VERDICT_REJECTED); /* nothing was announced yet */
    stage.now = 300;
    play_depart(&stage.play, &first, &turn, 300, 300, keep, &stage);
    CHECK_TEXT(header(&stage, "RateLimit-Reset"), "1"); /* 700 ms, rounded up */
    play_arrive(&stage.play, &first, 1299, 1299, &turn);
    CHECK_INT(turn.verdict, VERDICT_EARLY);
    play_arrive(&stage.play, &first, 1300, 1300, &turn);
    CHECK_INT(turn.status, 429); /* the call at 1299 used the window up */
    CHECK_INT(turn.verdict, VERDICT_REJECTED);
    stage_close(&stage);
}

/* How long the last answer asks to wait, as a plain reader of the one header that its family has. */
static int64_t asked_wait(const struct stage *stage)
{
    static const char *const remaining[] = {"RateLimit-Remaining", "X-RateLimit-Remaining"};
    long long r = -1, t = 0;
    if (sscanf(header(stage, "RateLimit"), "\"default\";r=%lld;t=%lld", &r, &t) == 2) {
        return r == 0 ? t * 1000 : 0;
    }
    for (size_t i = 0; i < 2; i++) {
        if (strcmp(header(stage, remaining[i]), "0") == 0) {
            t = strtoll(header(stage, i == 0 ? "RateLimit-Reset" : "X-RateLimit-Reset"), NULL, 10);
            return t > 1000000000 ? t * 1000 - wall_of(stage) : t * 1000;
        }
    }
    return stage->turn.status == 429 ? strtoll(header(stage, "Retry-After"), NULL, 10) * 1000 : 0;
}

/* A client that waits exactly as long as it is asked to, to the millisecond, meets no refusal and is never early. It is
 * tried at each tenth of the second in which the server may have started. */
static void who_obeys_is_never_early(void)
{
    static const struct {
        const char *scenario;
        int rejected;
    } rows[] = {{"quota-ratelimit", 0}, {"quota-structured", 0}, {"quota-epoch", 0}, {"quota-retry-after", 4}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (int64_t skew = 0; skew < 1000; skew += 100) {
            struct stage stage;
            stage_embedded(&stage, rows[i].scenario);
            stage.skew = skew + 7;
            monotime at = 0;
            int good = 0, rejected = 0, early = 0;
            for (; good<100; at += asked_wait(&stage)> 0 ? asked_wait(&stage) : 1) {
                int status = call(&stage, at);
                good += status == 200 ? 1 : 0;
                rejected += status == 200 ? 0 : 1;
                early += stage.turn.verdict == VERDICT_EARLY ? 1 : 0;
            }
            CHECK_INT(rejected, rows[i].rejected);
            CHECK_INT(early, 0);
            CHECK(stage.now >= 18000 && stage.now <= 22000); /* 20 s for five windows, and at most a tenth more */
            stage_close(&stage);
        }
    }
}

static void retry_after_asks_for_thirty_seconds_once(void)
{
    struct stage stage;
    stage_embedded(&stage, "retry-after");
    CHECK_INT(call(&stage, 1000), 429);
    CHECK_TEXT(header(&stage, "Retry-After"), "30");
    CHECK_INT(call(&stage, 11001), 429);
    CHECK_TEXT(header(&stage, "Retry-After"), "20");
    CHECK_INT(stage.turn.verdict, VERDICT_EARLY);
    CHECK_INT(call(&stage, 31001), 200);
    CHECK_INT(stage.turn.verdict, VERDICT_ALLOWED);
    stage_close(&stage);
}

static void the_tour_tells_its_story(void)
{
    struct stage stage;
    stage_embedded(&stage, "tour");
    static const char *const remaining[] = {"3", "2", "1", "0"};
    for (size_t i = 0; i < 4; i++) {
        CHECK_INT(call(&stage, (monotime)i * 5000), 200);
        CHECK_TEXT(header(&stage, "RateLimit-Remaining"), remaining[i]);
    }
    CHECK_TEXT(header(&stage, "RateLimit-Reset"), "30");
    for (size_t i = 0; i < 5; i++) {
        CHECK_INT(call(&stage, 45000 + (monotime)i * 300), 503);
    }
    CHECK_INT(call(&stage, 80000), 200);
    CHECK_INT(stage.turn.verdict, VERDICT_ALLOWED);
    stage_close(&stage);
}

static void a_route_that_the_service_lacks_stays_unknown(void)
{
    struct stage stage;
    stage_text(&stage, "\"phases\":[{\"answers\":[{},{\"body\":\"html\"},{\"status\":503}]}]");
    stage.arrival.service_status = 404;
    CHECK_INT(call(&stage, 0), 404);
    CHECK_INT(stage.turn.verdict, VERDICT_REJECTED);
    CHECK_INT(call(&stage, 0), 200);
    CHECK_INT(call(&stage, 0), 503);
    stage_close(&stage);
}

static const struct unit_test tests[] = {
    {"a fixed window lies on a grid from the first call", a_fixed_window_lies_on_a_grid_from_the_first_call},
    {"a window can begin with a second of the wall clock", a_window_can_begin_with_a_second_of_the_wall_clock},
    {"a rolling window forgets call by call", a_rolling_window_forgets_call_by_call},
    {"each family announces in its own words", each_family_announces_in_its_own_words},
    {"what is exceeded is refused as the rule says", what_is_exceeded_is_refused_as_the_rule_says},
    {"placeholders are filled when the answer leaves", placeholders_are_filled_when_the_answer_leaves},
    {"phases end by time, by calls, by a wait that is over", phases_end_by_time_by_calls_and_by_a_wait_that_is_over},
    {"answers take turns or are drawn", answers_take_turns_or_are_drawn},
    {"early is before the end of an announced wait", early_is_before_the_end_of_an_announced_wait},
    {"only what is meant as a wait announces one", only_what_is_meant_as_a_wait_announces_one},
    {"the announcement stands from the departure", the_announcement_stands_from_the_departure},
    {"who obeys is never early", who_obeys_is_never_early},
    {"retry-after asks for thirty seconds once", retry_after_asks_for_thirty_seconds_once},
    {"the tour tells its story", the_tour_tells_its_story},
    {"a route that the service lacks stays unknown", a_route_that_the_service_lacks_stays_unknown},
};

UNIT_MAIN("demo play", tests)
