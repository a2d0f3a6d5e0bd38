#include "unit/engine_world.h"

/* The gates before an attempt (planner.md 5.3), list and person, caches, --no-wait. */

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

static const struct wait *waiting(uint64_t ticket)
{
    static const struct wait none = {0};
    const struct event *event = last(ticket, EVENT_WAITING);
    CHECK(event != NULL);
    return event != NULL ? &event->as.waiting.wait : &none;
}

static void submit_past_caches(uint64_t ticket, const char *vin)
{
    struct submission submission = {.ticket = ticket, .past_caches = true};
    snprintf(submission.key.vin, sizeof submission.key.vin, "%s", vin);
    world_submit_as(&world, &submission);
}

/* Opens the breaker with failures of `count` tickets from `ticket` on. */
static void open_breaker(uint64_t ticket)
{
    size_t first = world.call_count;
    for (unsigned i = 0; i < 3; i++) {
        world_submit(&world, ticket + i, world_vin(900 + (unsigned)ticket + i));
    }
    for (size_t i = first; world.host.breaker != BREAKER_OPEN && i < first + 9; i++) {
        world_fail(&world, i, TRANSFER_RESET);
        if (world.host.breaker != BREAKER_OPEN) {
            world_pass(&world, i % 3 == 2 ? 1000 : 0);
        }
    }
    CHECK_INT(world.host.breaker, BREAKER_OPEN);
    for (size_t i = first; i < world.call_count; i++) {
        if (world.calls[i].open) {
            world_fail(&world, i, TRANSFER_RESET);
        }
    }
}

/* --- G2 and G3 --- */

static void g2_from_the_cache(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    world_answer_well(&world, 0, "");
    monotime answered_at = world.now;
    world_pass(&world, 15 * 60000 - 1);
    world_submit(&world, 2, VIN_A);
    const struct event_decoded *decoded = &last(2, EVENT_DECODED)->as.decoded;
    CHECK_INT(decoded->from_cache, true);
    CHECK_INT(decoded->answered_at, answered_at);
    CHECK_INT(decoded->attempts, 0);
    CHECK_INT(decoded->status, 200);
    world_pass(&world, 1);
    world_submit(&world, 3, VIN_A);
    CHECK_CALLS(&world, 2);
    CHECK_INT(engine_meter(world.engine, world.now).cache_hit, 1);
    end();
}

static void g2_key_is_vin_and_year(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    world_answer_well(&world, 0, "");
    world_submit_as(&world, &(struct submission){.ticket = 2, .key = {VIN_A, 2003}});
    CHECK_CALLS(&world, 2);
    CHECK(strstr(world.calls[1].url, "&modelyear=2003") != NULL);
    end();
}

static void g2_least_recently_used_goes(void)
{
    struct engine_options options = world_options();
    options.policy.success_entries = 3;
    begin_with(options);
    uint64_t ticket = 0;
    for (unsigned i = 0; i < 3; i++) {
        world_submit(&world, ++ticket, world_vin(i));
        world_answer_well(&world, i, "");
    }
    world_submit(&world, ++ticket, world_vin(0)); /* used again: 1 is the oldest now */
    world_submit(&world, ++ticket, world_vin(3));
    world_answer_well(&world, 3, "");
    world_submit(&world, ++ticket, world_vin(0));
    world_submit(&world, ++ticket, world_vin(2));
    CHECK_CALLS(&world, 4);
    world_submit(&world, ++ticket, world_vin(1));
    CHECK_CALLS(&world, 5);
    end();
}

static void g2_no_cache(void)
{
    struct engine_options options = world_options();
    options.cache = false;
    begin_with(options);
    world_submit(&world, 1, VIN_A);
    world_answer_well(&world, 0, "");
    world_submit(&world, 2, VIN_A);
    CHECK_CALLS(&world, 2);
    for (size_t i = 1; i < 5; i++) {
        world_answer(&world, i, 502, "", "");
        world_pass(&world, 1000);
    }
    CHECK_FAILED(&world, 2, "exhausted", "attempts", "T38");
    CHECK_INT(last(2, EVENT_FAILED)->as.failed.resting, false);
    world_submit(&world, 3, VIN_A);
    CHECK_CALLS(&world, 6);
    end();
}

static void g2_no_entries(void)
{
    struct engine_options options = world_options();
    options.policy.success_entries = 0;
    begin_with(options);
    world_submit(&world, 1, VIN_A);
    world_answer_well(&world, 0, "");
    world_submit(&world, 2, VIN_A);
    CHECK_CALLS(&world, 2);
    for (size_t i = 1; i < 5; i++) {
        world_answer(&world, i, 502, "", "");
        world_pass(&world, 1000);
    }
    world_submit(&world, 3, VIN_A);
    CHECK_CALLS(&world, 6);
    end();
}

static void exhaust(uint64_t ticket, const char *vin, const char *headers)
{
    submit_past_caches(ticket, vin);
    for (unsigned i = 0; i < 4; i++) {
        world_answer(&world, world.call_count - 1, 502, headers, "");
        world_pass(&world, 2000);
    }
    CHECK(last(ticket, EVENT_FAILED) != NULL);
}

static void g3_negative_entry(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    for (size_t i = 0; i < 4; i++) {
        world_answer(&world, i, 502, "", "");
        if (i < 3) {
            world_pass(&world, 2000);
        }
    }
    monotime until = world.now + 60000;
    CHECK_INT(last(1, EVENT_FAILED)->as.failed.again.until, until);
    world_pass(&world, 59999);
    world_submit(&world, 2, VIN_A);
    const struct event_failed *failed = &last(2, EVENT_FAILED)->as.failed;
    CHECK_FAILED(&world, 2, "exhausted", "attempts", "T38");
    CHECK_INT(failed->from_negative_cache, true);
    CHECK_INT(failed->resting, true);
    CHECK_INT(failed->again.until, until);
    CHECK_INT(failed->attempts, 0);
    CHECK_INT(failed->status, 502);
    CHECK_CALLS(&world, 4);
    world_pass(&world, 1);
    world_submit(&world, 3, VIN_A);
    CHECK_CALLS(&world, 5);
    CHECK_INT(engine_meter(world.engine, world.now).negative_hit, 1);
    end();
}

/* F5 skips both caches once; a failure never takes the place of a live answer; an answer ends the rest. */
static void g3_f5(void)
{
    begin();
    exhaust(1, VIN_A, "");
    submit_past_caches(2, VIN_A);
    world_answer_well(&world, world.call_count - 1, "");
    CHECK_DECODED(&world, 2);
    size_t calls = world.call_count;
    world_submit(&world, 3, VIN_A);
    CHECK_INT(last(3, EVENT_DECODED)->as.decoded.from_cache, true);
    exhaust(4, VIN_A, "");
    CHECK_INT(last(4, EVENT_FAILED)->as.failed.resting, false);
    world_submit(&world, 5, VIN_A);
    CHECK_INT(last(5, EVENT_DECODED)->as.decoded.from_cache, true);
    CHECK_CALLS(&world, calls + 4);
    end();
}

static void g3_rest_follows_the_hint(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    for (size_t i = 0; i < 4; i++) {
        world_answer(&world, i, 502, i == 3 ? "Retry-After: 45" : "", "");
        if (i < 3) {
            world_pass(&world, 2000);
        }
    }
    CHECK_INT(last(1, EVENT_FAILED)->as.failed.again.until, world.now + 45000);
    end();
    begin();
    world_submit(&world, 1, VIN_A);
    for (size_t i = 0; i < 4; i++) {
        world_answer(&world, i, 503, "Retry-After: 2", "");
        if (i < 3) {
            world_pass(&world, 3000);
        }
    }
    CHECK_INT(last(1, EVENT_FAILED)->as.failed.again.until, world.now + 30000);
    end();
}

static void f5_never_skips_gate_or_breaker(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    world_answer(&world, 0, 429, "Retry-After: 100", "");
    submit_past_caches(2, VIN_A);
    CHECK_FAILED(&world, 2, "upstream_throttle", "gate_closed", "G7");
    end();
    begin();
    open_breaker(1);
    submit_past_caches(9, VIN_A);
    CHECK_FAILED(&world, 9, "circuit_open", "circuit_open", "G6");
    end();
}

/* --- G5, G6, G7 --- */

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
    open_breaker(1);
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
    open_breaker(1);
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
    open_breaker(1);
    size_t calls = world.call_count;
    for (unsigned i = 0; i < 5; i++) {
        world_submit_list(&world, 20 + i, world_vin(i));
        CHECK_INT(waiting(20 + i)->origin, ORIGIN_BREAKER);
        CHECK_INT(waiting(20 + i)->until, world.host.breaker_wait.until);
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
    open_breaker(1);
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
    CHECK_INT(waiting(2)->until, world.host.gate.until);
    CHECK_INT(waiting(2)->asked_ms, 59000);
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
    CHECK_INT(waiting(2)->until, until);
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
        CHECK_INT(waiting(1)->until, until);
        world_submit(&world, 3, "1FTFW1ET5DFC10312");
        CHECK_INT(waiting(3)->until, until);
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
    CHECK_INT(waiting(2)->origin, ORIGIN_COURTESY_RATE);
    CHECK_INT(waiting(2)->until, MONOTIME_NEVER);
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

/* --- G8 and G9 --- */

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
    CHECK_INT(waiting(6)->origin, ORIGIN_COURTESY_RATE);
    CHECK_INT(waiting(6)->until, world.now + 500);
    CHECK_INT(waiting(7)->until, MONOTIME_NEVER);
    world_pass(&world, 500);
    CHECK_CALLS(&world, 6);
    CHECK_INT(waiting(7)->until, world.now + 500);
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
    CHECK_INT(waiting(1)->origin, ORIGIN_COURTESY_RATE);
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
    CHECK_INT(waiting(4)->until, MONOTIME_NEVER);
    world_fail(&world, 0, TRANSFER_RESET); /* its permit is free while it sleeps */
    CHECK_CALLS(&world, 4);
    world_pass(&world, 1000);
    CHECK_CALLS(&world, 4);
    CHECK_INT(waiting(1)->origin, ORIGIN_COURTESY_RATE);
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

static void samples_start_anew_when_the_breaker_closes(void)
{
    begin();
    for (unsigned i = 0; i < 5; i++) {
        world_submit(&world, 1 + i, world_vin(i));
        world_answer_well(&world, i, "");
    }
    CHECK_INT(engine_meter(world.engine, world.now).timeout_samples[CALL_SINGLE], 5);
    open_breaker(10);
    world_pass(&world, 33001);
    world_submit(&world, 20, VIN_A);
    world_answer_well(&world, world.call_count - 1, "");
    CHECK_INT(world.host.breaker, BREAKER_CLOSED);
    CHECK_INT(engine_meter(world.engine, world.now).timeout_samples[CALL_SINGLE], 1);
    end();
}

/* --- --no-wait --- */

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

/* --- the alert, the log --- */

static void alert_at_eleven_of_fifty(void)
{
    struct engine_options options = world_options();
    options.record = true;
    begin_with(options);
    unsigned n = 0;
    for (; n < 39; n++) { /* each meets a 429 first, which a retry mends */
        world_submit(&world, 1 + n, world_vin(n));
        world_answer(&world, world.call_count - 1, 429, "Retry-After: 2", "");
        world_pass(&world, 3000);
        world_answer_well(&world, world.call_count - 1, "");
    }
    CHECK_INT(world.host.alert, false);
    for (; n < 50; n++) {
        CHECK_INT(world.host.alert, false);
        world_submit(&world, 1 + n, world_vin(n));
        world_answer(&world, world.call_count - 1, 500, "", "");
        world_pass(&world, 400000); /* the breaker, if it opened */
    }
    CHECK_INT(world.host.alert, true);
    struct meter meter = engine_meter(world.engine, world.now);
    CHECK_INT(meter.give_up, 11);
    CHECK_INT(meter.success, 39);
    CHECK_INT(meter.flights_finished, 50);
    CHECK_INT(meter.host.alert, true);
    CHECK_INT(meter.retry, 39);
    CHECK_INT(meter.attempt, 89);
    CHECK_INT(meter.hints[HINT_RETRY_AFTER_SECONDS], 39);
    CHECK_INT(meter.status_429, 39);
    CHECK_INT(meter.statuses[2], 39);
    CHECK_INT(meter.statuses[5], 11);
    for (; n < 90; n++) {
        world_submit(&world, 1 + n, world_vin(n));
        world_answer_well(&world, world.call_count - 1, "");
    }
    CHECK_INT(world.host.alert, false);
    end();
}

static size_t decisions(const char *what, const char *row)
{
    size_t count = 0;
    for (size_t i = 0; i < world.event_count; i++) {
        const struct event *event = &world.events[i];
        count += event->kind == EVENT_DECISION && strcmp(event->as.decision.what, what) == 0 &&
                 strcmp(event->as.decision.row, row) == 0;
    }
    return count;
}

static void decisions_name_their_row(void)
{
    struct engine_options options = world_options();
    options.record = true;
    begin_with(options);
    world_submit(&world, 1, VIN_A);
    CHECK_INT(decisions("attempt", ""), 1);
    world_answer(&world, 0, 429, "Retry-After: 100", "");
    CHECK_INT(decisions("plan", "T19"), 1);
    CHECK_INT(decisions("gate", "T19"), 1);
    world_submit(&world, 2, VIN_B);
    CHECK_INT(decisions("admission", "G7"), 1);
    world_pass(&world, 103000);
    world_submit(&world, 3, VIN_B);
    world_answer_well(&world, 1, "");
    CHECK_INT(decisions("plan", "T07"), 1);
    world_submit(&world, 4, VIN_B);
    CHECK_INT(decisions("cache", "G2"), 1);
    open_breaker(10);
    CHECK_INT(decisions("breaker", ""), 1);
    end();
}

static void names(void)
{
    CHECK_TEXT(transfer_name(TRANSFER_REFUSED), "refused");
    CHECK_TEXT(transfer_name(TRANSFER_NOT_HTTP), "not_http");
    CHECK_TEXT(wait_origin_name(ORIGIN_X_RATELIMIT_RESET), "x_ratelimit_reset");
    for (int i = TRANSFER_ANSWERED; i <= TRANSFER_ABORTED; i++) {
        for (int n = TRANSFER_ANSWERED; n < i; n++) {
            CHECK(strcmp(transfer_name((enum transfer)i), transfer_name((enum transfer)n)) != 0);
        }
    }
    for (int i = ORIGIN_NONE; i <= ORIGIN_COOL_DOWN; i++) {
        CHECK(strcmp(wait_origin_name((enum wait_origin)i), "unknown") != 0);
    }
    CHECK_TEXT(transfer_name((enum transfer)99), "unknown");
    CHECK_TEXT(wait_origin_name((enum wait_origin)99), "unknown");
}

static void odd_tickets_are_ignored(void)
{
    begin();
    engine_submit(world.engine, world.now, &(struct submission){.ticket = 0, .key = {VIN_A, 0}});
    world_drain(&world);
    CHECK_CALLS(&world, 0);
    world_submit(&world, 1, VIN_A);
    engine_submit(world.engine, world.now, &(struct submission){.ticket = 1, .key = {VIN_B, 0}});
    engine_cancel(world.engine, world.now, 77);
    world_drain(&world);
    CHECK_CALLS(&world, 1);
    end();
}

static void meter_tells_hints_and_quota(void)
{
    static const char *const headers[] = {"Content-Type: application/json",
                                          "RateLimit-Remaining: 0\nRateLimit-Reset: 2", "Retry-After-Ms: 1500"};
    begin();
    world_submit(&world, 1, VIN_A);
    for (size_t i = 0; i < 3; i++) {
        world_answer(&world, i, 503, headers[i], i == 0 ? "{\"retryAfterMs\":1500}" : "");
        CHECK_INT(engine_meter(world.engine, world.now).waiting, 1);
        world_pass(&world, 4000);
    }
    world_answer_well(&world, 3, "RateLimit-Remaining: 7\nRateLimit-Reset: 20");
    struct meter meter = engine_meter(world.engine, world.now);
    CHECK_INT(meter.hint_body, 1);
    CHECK_INT(meter.hint_reset, 1);
    CHECK_INT(meter.hints[HINT_RETRY_AFTER_MS], 1);
    CHECK_INT(meter.hint_backoff, 0);
    CHECK_INT(meter.status_503, 3);
    CHECK_INT(meter.quota_announced, true);
    CHECK_INT(meter.quota_allowance, 7);
    CHECK_INT(meter.quota_reset_at, world.now + 20000);
    CHECK(meter.gate_wait_ms >= 1500 + 2000 + 1500 && meter.gate_wait_ms <= 6000);
    end();
}

static void meter_keeps_sixty_latencies(void)
{
    struct engine_options options = world_options();
    options.cache = false;
    begin_with(options);
    for (unsigned i = 0; i < 70; i++) {
        world_submit(&world, 1 + i, VIN_A);
        world_pass(&world, 10 + i);
        world_answer_well(&world, i, "");
    }
    struct meter meter = engine_meter(world.engine, world.now);
    CHECK_INT(meter.latency_count, METER_LATENCIES);
    CHECK_INT(meter.latencies[0], 20);
    CHECK_INT(meter.latencies[METER_LATENCIES - 1], 79);
    end();
}

/* Freed in the middle of everything, with actions that nobody took. */
static void freed_while_busy(void)
{
    struct engine_options options = world_options_single();
    struct engine *engine = engine_new(&options, 1);
    struct submission submission = {.ticket = 1, .key = {VIN_A, 0}};
    engine_submit(engine, 1000, &submission);
    struct action action;
    uint64_t call = 0;
    while (engine_next_action(engine, &action)) {
        call = action.kind == ACTION_START ? action.call : call;
    }
    const char *body = world_body(VIN_A);
    engine_finished(
        engine, 1100, call,
        &(struct response){.transfer = TRANSFER_ANSWERED, .status = 200, .body = body, .body_length = strlen(body)});
    for (uint64_t ticket = 2; ticket < 9; ticket++) {
        submission.ticket = ticket;
        snprintf(submission.key.vin, sizeof submission.key.vin, "%s", world_vin((unsigned)ticket));
        engine_submit(engine, 1200, &submission);
    }
    engine_free(engine);
}

static const struct unit_test tests[] = {
    {"G2 from the cache", g2_from_the_cache},
    {"G2 the key is VIN and year", g2_key_is_vin_and_year},
    {"G2 the least recently used goes", g2_least_recently_used_goes},
    {"G2 --no-cache", g2_no_cache},
    {"G2 no entries", g2_no_entries},
    {"G3 negative entry", g3_negative_entry},
    {"G3 F5", g3_f5},
    {"G3 the rest follows the hint", g3_rest_follows_the_hint},
    {"F5 never skips gate or breaker", f5_never_skips_gate_or_breaker},
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
    {"samples start anew when the breaker closes", samples_start_anew_when_the_breaker_closes},
    {"--no-wait", no_wait},
    {"alert at eleven of fifty", alert_at_eleven_of_fifty},
    {"decisions name their row", decisions_name_their_row},
    {"names", names},
    {"odd tickets are ignored", odd_tickets_are_ignored},
    {"the meter tells hints and quota", meter_tells_hints_and_quota},
    {"the meter keeps sixty latencies", meter_keeps_sixty_latencies},
    {"freed while busy", freed_while_busy},
};

UNIT_MAIN("engine_admission", tests)
