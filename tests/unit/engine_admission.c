#include "unit/engine_world.h"

/* The gates before an attempt from G5 on (planner.md 5.3), list and person, --no-wait. */

static struct world world;

#define VIN_A "1HGCM82633A004352"
#define VIN_B "5YJ3E1EA1KF131548"

static void begin(void)
{
    struct engine_options options = world_options_single();
    world_init(&world, &options, 1);
}

static void begin_with(struct engine_options options)
{
    world_init(&world, &options, 1);
}

static void end(void)
{
    world_clear(&world);
}

static const struct event *last(uint64_t ticket, enum event_kind kind)
{
    return world_last(&world, ticket, kind);
}

static void g5_no_time_left(void)
{
    begin();
    world_submit_as(&world, &(struct submission){.ticket = 1, .key = {VIN_A, 0}, .deadline = world.now + 1499});
    CHECK_FAILED(&world, 1, "deadline", "deadline", "G5");
    CHECK_CALLS(&world, 0);
    world_submit_as(&world, &(struct submission){.ticket = 2, .key = {VIN_A, 0}, .deadline = world.now + 1500});
    CHECK_CALLS(&world, 1);
    end();
}

static void g6_a_person_is_refused(void)
{
    begin();
    world_open_breaker(&world, 1);
    monotime until = world.host.breaker_wait.until;
    CHECK(until >= world.now + 30000 && until <= world.now + 33000);
    world_submit(&world, 9, VIN_A);
    CHECK_FAILED(&world, 9, "circuit_open", "circuit_open", "G6");
    CHECK_INT(last(9, EVENT_FAILED)->as.failed.again.until, until);
    CHECK_INT(last(9, EVENT_FAILED)->as.failed.again.origin, ORIGIN_BREAKER);
    size_t calls = world.call_count;
    world_pass(&world, until - world.now);
    CHECK_INT(world.host.breaker, BREAKER_HALF_OPEN);
    CHECK_CALLS(&world, calls);
    world_submit(&world, 10, VIN_A);
    CHECK_CALLS(&world, calls + 1);
    world_submit(&world, 11, VIN_B); /* the probe is out */
    CHECK_FAILED(&world, 11, "circuit_open", "circuit_open", "G6");
    world_answer_well(&world, calls, "");
    CHECK_INT(world.host.breaker, BREAKER_CLOSED);
    world_submit(&world, 12, VIN_B);
    CHECK_CALLS(&world, calls + 2);
    CHECK_INT(engine_meter(world.engine, world.now).probe, 1);
    end();
}

static void g6_open_time_doubles(void)
{
    begin();
    world_open_breaker(&world, 1);
    int64_t step = 30000;
    for (unsigned i = 0; i < 6; i++) {
        int64_t left = world.host.breaker_wait.until - world.now;
        CHECK(left >= step && left <= step + step / 10);
        world_pass(&world, left);
        world_submit(&world, 20 + i, world_vin(50 + i));
        world_fail(&world, world.call_count - 1, TRANSFER_RESET);
        CHECK_FAILED(&world, 20 + i, "circuit_open", "circuit_open", "T50");
        step = step * 2 > 300000 ? 300000 : step * 2;
    }
    end();
}

/* A list's VINs wait for the breaker as they wait for the gate, and one of them is the probe. */
static void g6_a_list_waits(void)
{
    begin();
    world_open_breaker(&world, 1);
    size_t calls = world.call_count;
    for (unsigned i = 0; i < 5; i++) {
        world_submit_list(&world, 20 + i, world_vin(i));
        CHECK_INT(world_waiting(&world, 20 + i)->origin, ORIGIN_BREAKER);
        CHECK_INT(world_waiting(&world, 20 + i)->until, world.host.breaker_wait.until);
    }
    world_pass(&world, world.host.breaker_wait.until - world.now);
    CHECK_CALLS(&world, calls + 1);
    world_answer_well(&world, calls, "");
    CHECK_CALLS(&world, calls + 3);
    end();
}

static void g6_a_list_waits_ten_minutes(void)
{
    begin();
    world_open_breaker(&world, 1);
    for (unsigned i = 0; i < 10; i++) {
        world_submit_list(&world, 20 + i, world_vin(i));
    }
    monotime from = world.now;
    size_t answered = world.call_count;
    while (world.now < from + 1200000 && world_count(&world, 29, EVENT_FAILED) == 0) {
        world_pass(&world, 1000);
        if (world.call_count > answered) {
            world_fail(&world, answered++, TRANSFER_RESET);
        }
    }
    CHECK_FAILED(&world, 29, "circuit_open", "circuit_open", "G6");
    CHECK(world.now - from <= 600000);
    end();
}

static void g6_a_retry_is_refused_when_the_breaker_opens(void)
{
    begin();
    for (unsigned i = 0; i < 3; i++) {
        world_submit_list(&world, 1 + i, world_vin(i));
    }
    for (size_t i = 0; world.host.breaker != BREAKER_OPEN && i < 12; i++) {
        world_fail(&world, i, TRANSFER_RESET);
        world_pass(&world, world.open_calls == 0 ? 3000 : 0);
    }
    CHECK_INT(world.host.breaker, BREAKER_OPEN);
    size_t failed = 0;
    for (uint64_t ticket = 1; ticket <= 3; ticket++) {
        failed += world_count(&world, ticket, EVENT_FAILED);
    }
    CHECK(failed >= 2);
    end();
}

static void g7_a_person_waits_for_less_than_a_minute(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    world_answer(&world, 0, 429, "Retry-After: 59", "");
    world_submit(&world, 2, VIN_B);
    CHECK_INT(world_waiting(&world, 2)->until, world.host.gate.until);
    CHECK_INT(world_waiting(&world, 2)->asked_ms, 59000);
    CHECK_INT(last(2, EVENT_WAITING)->as.waiting.attempt, 1);
    CHECK_INT(last(2, EVENT_WAITING)->as.waiting.reason, REASON_NONE);
    world_submit_as(&world,
                    &(struct submission){.ticket = 3, .key = {"1FTFW1ET5DFC10312", 0}, .deadline = world.now + 60000});
    CHECK_FAILED(&world, 3, "upstream_throttle", "gate_closed", "G7");
    CHECK_INT(last(3, EVENT_FAILED)->as.failed.told_ms, 59000);
    CHECK_INT(last(3, EVENT_FAILED)->as.failed.hint_source, HINT_RETRY_AFTER_SECONDS);
    CHECK_INT(last(3, EVENT_FAILED)->as.failed.again.until, world.host.gate.until);
    CHECK_INT(last(3, EVENT_FAILED)->as.failed.attempts, 0);
    end();
}

/* A list waits ten minutes, and a VIN's budget starts when it is let past the gate. */
static void g7_a_list_waits(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    world_answer(&world, 0, 429, "Retry-After: 3600", "");
    world_submit_list(&world, 2, VIN_B);
    monotime until = world.host.gate.until;
    CHECK_INT(world_waiting(&world, 2)->until, until);
    world_pass(&world, until - world.now);
    CHECK_CALLS(&world, 2);
    world_answer(&world, 1, 429, "Retry-After: 50", "");
    CHECK(last(2, EVENT_FAILED) == NULL);
    world_pass(&world, 55000);
    CHECK_CALLS(&world, 3);
    world_answer(&world, 2, 429, "Retry-After: 60", "");
    CHECK_FAILED(&world, 2, "upstream_throttle", "over_cap_retry_after", "T19");
    end();
}

static void g7_spread_is_drawn_once(void)
{
    int64_t least = INT64_MAX, most = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct engine_options options = world_options();
        world_init(&world, &options, seed);
        world_submit(&world, 1, VIN_A);
        world_submit(&world, 2, VIN_B);
        world_answer(&world, 0, 429, "Retry-After: 10", "");
        monotime until = world.host.gate.until;
        CHECK_INT(world_waiting(&world, 1)->until, until);
        world_submit(&world, 3, "1FTFW1ET5DFC10312");
        CHECK_INT(world_waiting(&world, 3)->until, until);
        least = until - world.now < least ? until - world.now : least;
        most = until - world.now > most ? until - world.now : most;
        world_clear(&world);
    }
    CHECK(least >= 10000 && least < 10300);
    CHECK(most <= 11000 && most > 10700);
}

/* After a gate one request goes first, alone; then the rest. */
static void g7_one_goes_first(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    world_answer(&world, 0, 429, "Retry-After: 20", "");
    for (unsigned i = 0; i < 4; i++) {
        world_submit(&world, 2 + i, world_vin(i));
    }
    world_pass(&world, world.host.gate.until - world.now);
    CHECK_CALLS(&world, 2);
    CHECK_INT(world_waiting(&world, 2)->origin, ORIGIN_COURTESY_RATE);
    CHECK_INT(world_waiting(&world, 2)->until, MONOTIME_NEVER);
    world_pass(&world, 200);
    world_answer_well(&world, 1, "");
    CHECK_CALLS(&world, 5);
    end();
}

/* The first one is lost: its lease is its time-out and a second. */
static void g7_the_first_ones_lease(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    world_answer(&world, 0, 429, "Retry-After: 20", "");
    world_submit(&world, 2, VIN_B);
    world_pass(&world, world.host.gate.until - world.now);
    CHECK_CALLS(&world, 2);
    world_pass(&world, 4999);
    CHECK_CALLS(&world, 2);
    world_pass(&world, 1);
    CHECK_CALLS(&world, 3);
    end();
}

/* An answer of the same round extends the gate, and those that wait hear of it; the cool-down does not double. */
static void g7_rounds(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    world_submit(&world, 2, VIN_B);
    world_pass(&world, 1);
    world_answer(&world, 0, 429, "", "");
    CHECK_INT(world.host.gate.asked_ms, 30000);
    world_pass(&world, 3500);
    world_answer(&world, 1, 429, "", "");
    CHECK_INT(world.host.gate.asked_ms, 30000);
    CHECK(world.host.gate.until >= world.now + 30000 && world.host.gate.until <= world.now + 32000);
    end();
}

static void g8_own_rate(void)
{
    struct engine_options options = engine_options_default();
    begin_with(options);
    for (unsigned i = 0; i < 8; i++) {
        world_submit(&world, 1 + i, world_vin(i));
        if (i < 5) {
            CHECK_CALLS(&world, i + 1);
            world_answer_well(&world, i, "");
        }
    }
    CHECK_CALLS(&world, 5);
    CHECK_INT(world_waiting(&world, 6)->origin, ORIGIN_COURTESY_RATE);
    CHECK_INT(world_waiting(&world, 6)->until, world.now + 500);
    CHECK_INT(world_waiting(&world, 7)->until, MONOTIME_NEVER);
    world_pass(&world, 500);
    CHECK_CALLS(&world, 6);
    CHECK_INT(world_waiting(&world, 7)->until, world.now + 500);
    CHECK_INT(engine_meter(world.engine, world.now).bucket_wait_ms, 500);
    CHECK_INT(engine_meter(world.engine, world.now).queued, 2);
    CHECK_INT(engine_meter(world.engine, world.now).in_flight, 1);
    end();
}

static void g8_every_attempt_takes_a_token(void)
{
    struct engine_options options = world_options();
    options.policy.profile[PROFILE_INTERACTIVE].bucket_count = 1;
    options.policy.profile[PROFILE_INTERACTIVE].bucket_per_ms = 5000;
    options.policy.profile[PROFILE_INTERACTIVE].bucket_burst = 1;
    begin_with(options);
    world_submit(&world, 1, VIN_A);
    world_fail(&world, 0, TRANSFER_RESET);
    world_pass(&world, 4999);
    CHECK_CALLS(&world, 1);
    CHECK_INT(world_waiting(&world, 1)->origin, ORIGIN_COURTESY_RATE);
    world_pass(&world, 1);
    CHECK_CALLS(&world, 2);
    end();
}

static void g8_too_late_is_known_before_the_sleep(void)
{
    struct engine_options options = world_options();
    options.policy.profile[PROFILE_INTERACTIVE].bucket_count = 1;
    options.policy.profile[PROFILE_INTERACTIVE].bucket_per_ms = 60000;
    options.policy.profile[PROFILE_INTERACTIVE].bucket_burst = 1;
    begin_with(options);
    world_submit(&world, 1, VIN_A);
    world_submit_as(&world, &(struct submission){.ticket = 2, .key = {VIN_B, 0}, .deadline = world.now + 61000});
    CHECK_FAILED(&world, 2, "deadline", "deadline", "T53");
    end();
}

static void g9_permits(void)
{
    begin();
    for (unsigned i = 0; i < 5; i++) {
        world_submit(&world, 1 + i, world_vin(i));
    }
    CHECK_CALLS(&world, 3);
    CHECK_INT(world_waiting(&world, 4)->until, MONOTIME_NEVER);
    world_fail(&world, 0, TRANSFER_RESET); /* its permit is free while it sleeps */
    CHECK_CALLS(&world, 4);
    world_pass(&world, 1000);
    CHECK_CALLS(&world, 4);
    CHECK_INT(world_waiting(&world, 1)->origin, ORIGIN_COURTESY_RATE);
    CHECK_INT(last(1, EVENT_WAITING)->as.waiting.reason, REASON_TRANSPORT);
    world_answer_well(&world, 1, "");
    CHECK_CALLS(&world, 5); /* the retry is older than ticket 5 */
    CHECK_INT(last(1, EVENT_CALLING)->as.calling.attempt, 2);
    end();
}

static void g9_a_list_has_two_and_a_person_comes_first(void)
{
    begin();
    for (unsigned i = 0; i < 4; i++) {
        world_submit_list(&world, 1 + i, world_vin(i));
    }
    CHECK_CALLS(&world, 2);
    world_submit(&world, 9, VIN_A);
    CHECK_CALLS(&world, 3);
    world_submit(&world, 10, VIN_B);
    CHECK_CALLS(&world, 3);
    world_answer_well(&world, 0, "");
    CHECK_CALLS(&world, 4);
    CHECK(last(10, EVENT_CALLING) != NULL);
    end();
}

/* The 600 s of a VIN do not run while it stands in the queue of a long list. */
static void budget_starts_at_the_head_of_the_queue(void)
{
    struct engine_options options = engine_options_default();
    options.group_calls = false;
    begin_with(options);
    world.quiet = true;
    enum { COUNT = 900 };
    for (unsigned i = 0; i < COUNT; i++) {
        world_submit_list(&world, 1 + i, world_vin(i));
    }
    for (size_t i = 0; i < COUNT; i++) {
        while (world.call_count <= i) {
            world_pass(&world, 100);
        }
        world_answer_well(&world, i, "");
    }
    CHECK_INT(engine_meter(world.engine, world.now).success, COUNT);
    CHECK(world.now - 1000000 > 800000);
    end();
}

static void a_list_has_ten_minutes_for_each_vin(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    world_answer(&world, 0, 429, "Retry-After: 300", "");
    world_submit_list(&world, 2, VIN_B);
    world_pass(&world, world.host.gate.until - world.now);
    CHECK_CALLS(&world, 2);
    monotime left_at = world.calls[1].at;
    world_pass(&world, 599999);
    CHECK(last(2, EVENT_FAILED) == NULL);
    world_pass(&world, 1);
    CHECK_FAILED(&world, 2, "deadline", "deadline", "T02");
    CHECK_INT(last(2, EVENT_FAILED)->at, left_at + 600000);
    end();
}

static void g10_time_out_follows_the_latencies(void)
{
    struct engine_options options = world_options();
    options.cache = false;
    begin_with(options);
    for (unsigned i = 0; i < 20; i++) {
        world_submit(&world, 1 + i, VIN_A);
        CHECK_INT(world.calls[i].timeout_ms, 4000);
        world_pass(&world, 2000);
        world_answer_well(&world, i, "");
    }
    world_submit(&world, 30, VIN_A);
    CHECK_INT(world.calls[20].timeout_ms, 2500);
    CHECK_INT(last(30, EVENT_CALLING)->as.calling.timeout_ms, 2500);
    struct meter meter = engine_meter(world.engine, world.now);
    CHECK_INT(meter.timeout[CALL_SINGLE].from_p95, true);
    CHECK_INT(meter.timeout_samples[CALL_SINGLE], 20);
    end();
}

static void no_wait(void)
{
    struct engine_options options = world_options_single();
    options.no_wait = true;
    static const struct {
        int status;
        const char *headers, *code, *row;
    } cases[] = {{429, "Retry-After: 5", "upstream_throttle", "T24"},
                 {503, "", "upstream_unavailable", "T16"},
                 {503, "Retry-After: 5", "upstream_throttle", "T24"},
                 {502, "", "upstream_unavailable", "T34"},
                 {200, "", "bad_response", "T44"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        begin_with(options);
        world_submit_list(&world, 1, VIN_A);
        world_answer(&world, 0, cases[i].status, cases[i].headers, "");
        CHECK_FAILED(&world, 1, cases[i].code, "no_wait", cases[i].row);
        end();
    }
    begin_with(options);
    world_submit_list(&world, 1, VIN_A);
    world_submit_list(&world, 2, VIN_B);
    world_submit_list(&world, 3, world_vin(1));
    world_answer(&world, 0, 429, "Retry-After: 5", "");
    CHECK_FAILED(&world, 3, "upstream_throttle", "no_wait", "G7");
    CHECK_INT(last(3, EVENT_FAILED)->as.failed.again.until, world.host.gate.until);
    CHECK_INT(last(3, EVENT_FAILED)->as.failed.told_ms, 5000);
    world_submit_list(&world, 4, world_vin(2));
    CHECK_FAILED(&world, 4, "upstream_throttle", "no_wait", "G7");
    end();
    begin_with(options);
    for (unsigned i = 0; i < 6 && world.host.breaker != BREAKER_OPEN; i++) {
        world_submit_list(&world, 1 + i, world_vin(i));
        world_fail(&world, i, TRANSFER_REFUSED);
    }
    world_submit_list(&world, 9, VIN_A);
    CHECK_FAILED(&world, 9, "circuit_open", "no_wait", "G6");
    end();
}

static const struct unit_test tests[] = {
    {"G5 no time left", g5_no_time_left},
    {"G6 a person is refused", g6_a_person_is_refused},
    {"G6 the open time doubles", g6_open_time_doubles},
    {"G6 a list waits", g6_a_list_waits},
    {"G6 a list waits ten minutes", g6_a_list_waits_ten_minutes},
    {"G6 a retry is refused", g6_a_retry_is_refused_when_the_breaker_opens},
    {"G7 a person waits for less than a minute", g7_a_person_waits_for_less_than_a_minute},
    {"G7 a list waits", g7_a_list_waits},
    {"G7 the spread is drawn once", g7_spread_is_drawn_once},
    {"G7 one goes first", g7_one_goes_first},
    {"G7 the first one's lease", g7_the_first_ones_lease},
    {"G7 rounds", g7_rounds},
    {"G8 own rate", g8_own_rate},
    {"G8 every attempt takes a token", g8_every_attempt_takes_a_token},
    {"G8 too late is known before the sleep", g8_too_late_is_known_before_the_sleep},
    {"G9 permits", g9_permits},
    {"G9 a list has two, a person comes first", g9_a_list_has_two_and_a_person_comes_first},
    {"budgets start at the head of the queue", budget_starts_at_the_head_of_the_queue},
    {"a list has ten minutes for each VIN", a_list_has_ten_minutes_for_each_vin},
    {"G10 the time-out follows the latencies", g10_time_out_follows_the_latencies},
    {"--no-wait", no_wait},
};

UNIT_MAIN("engine_admission", tests)
