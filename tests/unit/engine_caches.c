#include "unit/engine_world.h"

/* G2 and G3: what is answered from memory (planner.md 5.3, D27). */

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

static void submit_past_caches(uint64_t ticket, const char *vin)
{
    struct submission submission = {.ticket = ticket, .past_caches = true};
    snprintf(submission.key.vin, sizeof submission.key.vin, "%s", vin);
    world_submit_as(&world, &submission);
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

/* An answer ends the rest for good, also when the answer itself has left the cache. */
static void g3_an_answer_ends_the_rest(void)
{
    struct engine_options options = world_options();
    options.policy.success_entries = 1;
    begin_with(options);
    exhaust(1, VIN_A, "");
    submit_past_caches(2, VIN_A);
    world_answer_well(&world, world.call_count - 1, "");
    world_submit(&world, 3, VIN_B);
    world_answer_well(&world, world.call_count - 1, "");
    size_t calls = world.call_count;
    world_submit(&world, 4, VIN_A);
    CHECK_CALLS(&world, calls + 1);
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
    world_open_breaker(&world, 1);
    submit_past_caches(9, VIN_A);
    CHECK_FAILED(&world, 9, "circuit_open", "circuit_open", "G6");
    end();
}

static const struct unit_test tests[] = {
    {"G2 from the cache", g2_from_the_cache},
    {"G2 the key is VIN and year", g2_key_is_vin_and_year},
    {"G2 the least recently used goes", g2_least_recently_used_goes},
    {"G2 --no-cache", g2_no_cache},
    {"G2 no entries", g2_no_entries},
    {"G3 negative entry", g3_negative_entry},
    {"G3 F5", g3_f5},
    {"G3 an answer ends the rest", g3_an_answer_ends_the_rest},
    {"G3 the rest follows the hint", g3_rest_follows_the_hint},
    {"F5 never skips gate or breaker", f5_never_skips_gate_or_breaker},
};

UNIT_MAIN("engine_caches", tests)
