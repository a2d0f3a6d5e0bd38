#include "unit/engine_world.h"

/* Faults that others had, tried on ours (the numbers are those of the collection of reports: budgets, breaker, caches).
 */

static struct world world;

#define VIN_A "1HGCM82633A004352"
#define VIN_B "5YJ3E1EA1KF131548"
#define VIN_C "1FTFW1ET5DFC10312"

static void begin(void)
{
    struct engine_options options = world_options_single();
    world_init(&world, &options, 7);
}

static void end(void)
{
    world_clear(&world);
}

static const struct event *last(uint64_t ticket, enum event_kind kind)
{
    return world_last(&world, ticket, kind);
}

static void submit_until(uint64_t ticket, const char *vin, int64_t ms)
{
    struct submission submission = {.ticket = ticket, .deadline = world.now + ms};
    snprintf(submission.key.vin, sizeof submission.key.vin, "%s", vin);
    world_submit_as(&world, &submission);
}

static void half_open(void)
{
    world_open_breaker(&world, 500);
    world_pass(&world, world.host.breaker_wait.until - world.now);
    CHECK_INT(world.host.breaker, BREAKER_HALF_OPEN);
}

static void ten_thousand_403s(bool group_calls, size_t concurrency)
{
    struct engine_options options = world_options();
    options.group_calls = group_calls;
    options.policy.profile[PROFILE_LIST].concurrency = concurrency;
    world_init(&world, &options, 7);
    world.quiet = true;
    size_t answered = 0, submitted = 0;
    while (submitted < 10000) {
        for (unsigned i = 0; i < 400 && submitted < 10000; i++) {
            submitted++;
            world_submit_list(&world, submitted, world_vin((unsigned)submitted));
        }
        for (int n = 0; n < 20; n++) {
            world_pass(&world, 50);
            for (; answered < world.call_count; answered++) {
                world_answer(&world, answered, 403, "", "<html>Access Denied</html>");
            }
        }
    }
    CHECK(world.call_count <= 5);
    size_t over = 0;
    for (size_t i = 1; i <= 10000; i++) {
        over += world.tickets[i].over;
    }
    CHECK_INT(over, 10000);
    CHECK_TEXT(reason_name(world.host.gate_reason), "rejected_repeatedly");
    end();
}

static void r10_r31_refuses_before_sleeping(void)
{
    begin();
    submit_until(1, VIN_A, 10000);
    world_answer(&world, 0, 429, "Retry-After: 86400", "");
    CHECK(last(1, EVENT_FAILED) != NULL);
    CHECK_INT(last(1, EVENT_FAILED)->as.failed.elapsed_ms, 0);
    submit_until(2, VIN_B, 700000);
    CHECK_CALLS(&world, 1);
    end();
}

static void r21_options_hold_on_the_second_try(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    for (size_t i = 0; i < 3; i++) {
        world_answer(&world, i, 429, "Retry-After: 5", "");
        CHECK_INT(last(1, EVENT_WAITING)->as.waiting.wait.asked_ms, 5000);
        CHECK(last(1, EVENT_WAITING)->as.waiting.wait.until >= world.now + 5000);
        world_pass(&world, 6000);
    }
    CHECK_CALLS(&world, 4);
    end();
}

static void r27_zero_counts_as_an_attempt(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    for (size_t i = 0; i < 4; i++) {
        world_answer(&world, i, 503, "Retry-After: 0", "");
        world_pass(&world, 300);
    }
    CHECK_CALLS(&world, 4);
    CHECK_FAILED(&world, 1, "exhausted", "attempts", "T22");
    end();
}

static void r42_r43_a_reset_in_the_past(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    world_answer(&world, 0, 429, "Date: Sun, 06 Nov 1994 08:49:37 GMT\nRetry-After: Sun, 06 Nov 1994 08:00:00 GMT", "");
    monotime until = last(1, EVENT_WAITING)->as.waiting.wait.until;
    CHECK(until >= world.now + 250 && until <= world.now + 275);
    end();
}

static void r48_no_token_no_retry(void)
{
    struct engine_options options = world_options();
    options.policy.profile[PROFILE_INTERACTIVE].bucket_count = 1;
    options.policy.profile[PROFILE_INTERACTIVE].bucket_per_ms = 10000;
    options.policy.profile[PROFILE_INTERACTIVE].bucket_burst = 2;
    world_init(&world, &options, 7);
    world_submit(&world, 1, VIN_A);
    world_fail(&world, 0, TRANSFER_RESET);
    world_pass(&world, 1000);
    CHECK_CALLS(&world, 2);
    world_fail(&world, 1, TRANSFER_RESET);
    world_pass(&world, 8999);
    CHECK_CALLS(&world, 2);
    world_pass(&world, 1);
    CHECK_CALLS(&world, 3);
    end();
}

static void r62_r63_above_the_cap_is_not_a_short_wait(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    world_answer(&world, 0, 429, "Retry-After: 120", "");
    CHECK_FAILED(&world, 1, "upstream_throttle", "over_cap_retry_after", "T19");
    world_pass(&world, 119999);
    CHECK_CALLS(&world, 1);
    CHECK(world.host.gate.until > world.now);
    end();
}

static void r65_r66_the_budget_bounds_everything(void)
{
    for (int64_t latency = 100; latency < 5000; latency += 700) {
        begin();
        submit_until(1, VIN_A, 12000);
        monotime deadline = world.now + 12000;
        for (size_t i = 0; i < world.call_count; i++) {
            int64_t took = latency < world.calls[i].timeout_ms ? latency : world.calls[i].timeout_ms;
            CHECK(world.calls[i].at + world.calls[i].timeout_ms <= deadline);
            world_pass(&world, took);
            if (world.calls[i].open) {
                world_fail(&world, i, took == latency ? TRANSFER_RESET : TRANSFER_TIMEOUT);
            }
            world_pass(&world, 2500);
        }
        CHECK(last(1, EVENT_FAILED) != NULL && last(1, EVENT_FAILED)->at <= deadline);
        end();
    }
}

static void r68_r96_four_calls_not_twelve(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    for (size_t i = 0; i < world.call_count; i++) {
        world_fail(&world, i, TRANSFER_REFUSED);
        world_pass(&world, 5000);
    }
    CHECK_CALLS(&world, 4);
    end();
}

static void r71_retries_pass_the_limiter(void)
{
    struct engine_options options = world_options();
    options.policy.profile[PROFILE_INTERACTIVE].bucket_count = 1;
    options.policy.profile[PROFILE_INTERACTIVE].bucket_per_ms = 1000;
    options.policy.profile[PROFILE_INTERACTIVE].bucket_burst = 1;
    world_init(&world, &options, 7);
    for (unsigned i = 0; i < 3; i++) {
        world_submit(&world, 1 + i, world_vin(i));
    }
    for (size_t i = 0; i < 5 && world.host.breaker != BREAKER_OPEN; i++) {
        world_pass(&world, 1000);
        world_fail_open_calls(&world, TRANSFER_RESET);
    }
    for (size_t i = 1; i < world.call_count; i++) {
        CHECK(world.calls[i].at - world.calls[i - 1].at >= 1000);
    }
    end();
}

static void r59_the_probe_is_given_back(void)
{
    begin();
    half_open();
    world_submit(&world, 1, VIN_A);
    size_t probe = world.call_count - 1;
    world_submit(&world, 2, VIN_B);
    CHECK_FAILED(&world, 2, "circuit_open", "circuit_open", "G6");
    world_cancel(&world, 1);
    CHECK(world.calls[probe].aborted);
    world_submit(&world, 3, VIN_C);
    CHECK_CALLS(&world, probe + 2);
    world_answer(&world, probe + 1, 404, "", ""); /* neutral: frees it as well */
    world_submit(&world, 4, VIN_A);
    CHECK_CALLS(&world, probe + 3);
    CHECK_INT(world.host.breaker, BREAKER_HALF_OPEN);
    end();
}

static void r76_stale_results_do_not_count(void)
{
    begin();
    world_submit(&world, 1, VIN_A); /* slow: its answer comes when the breaker has opened and is half open */
    for (unsigned i = 0; i < 2; i++) {
        world_submit(&world, 500 + i, world_vin(500 + i));
    }
    for (int round = 0; round < 4 && world.host.breaker != BREAKER_OPEN; round++) {
        for (size_t i = 1; i < world.call_count; i++) {
            if (world.calls[i].open) {
                world_fail(&world, i, TRANSFER_RESET);
            }
        }
        world_pass(&world, 1000);
    }
    CHECK_INT(world.host.breaker, BREAKER_OPEN);
    monotime until = world.host.breaker_wait.until;
    world_pass(&world, until - world.now);
    CHECK_INT(world.host.breaker, BREAKER_HALF_OPEN);
    world_answer_well(&world, 0, "");
    CHECK_DECODED(&world, 1);
    CHECK_INT(world.host.breaker, BREAKER_HALF_OPEN);
    end();
}

static void r78_one_probe(void)
{
    begin();
    world_open_breaker(&world, 500);
    size_t before = world.call_count;
    for (unsigned i = 0; i < 20; i++) {
        world_submit_list(&world, 1 + i, world_vin(i));
    }
    world_pass(&world, world.host.breaker_wait.until - world.now + 3000);
    CHECK_CALLS(&world, before + 1);
    end();
}

static void r79_the_probe_passes_gate_and_bucket(void)
{
    begin();
    world_open_breaker(&world, 500);
    size_t before = world.call_count;
    world_submit_list(&world, 1, VIN_A);
    world_pass(&world, world.host.breaker_wait.until - world.now);
    CHECK_CALLS(&world, before + 1);
    world_answer(&world, before, 503, "Retry-After: 59", "");
    CHECK_FAILED(&world, 1, "circuit_open", "circuit_open", "T50");
    CHECK(world.host.breaker_wait.until >= world.now + 60000);
    world_submit_list(&world, 2, VIN_B);
    world_pass(&world, 59000);
    CHECK_CALLS(&world, before + 1);
    end();
}

static void r81_a_429_never_feeds_the_breaker(void)
{
    begin();
    for (unsigned i = 0; i < 20; i++) {
        world_submit(&world, 1 + i, world_vin(i));
        world_answer(&world, i, 429, "Retry-After: 90", "");
        world_pass(&world, 93000);
        CHECK_INT(world.host.breaker, BREAKER_CLOSED);
    }
    end();
}

static void r82_endless_429_without_a_hint(void)
{
    begin();
    for (unsigned i = 0; i < 200; i++) {
        world_submit_list(&world, 1 + i, world_vin(i));
    }
    size_t answered = 0;
    for (int second = 0; second < 3600; second++) {
        for (; answered < world.call_count; answered++) {
            world_answer(&world, answered, 429, "", "");
        }
        world_pass(&world, 1000);
    }
    /* 2 at first, then 30 s, 1, 2, 4, 8 min and every 10 min. */
    CHECK(world.call_count <= 12);
    end();
}

static void r84_cancels_are_no_failures(void)
{
    begin();
    for (unsigned i = 0; i < 40; i++) {
        world_submit(&world, 1 + i, world_vin(i));
        world_cancel(&world, 1 + i);
    }
    CHECK_INT(world.host.breaker, BREAKER_CLOSED);
    CHECK_INT(world.host.alert, false);
    end();
}

static void r99_a_negative_entry_expires_though_it_is_asked_for(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    for (size_t i = 0; i < 2; i++) {
        world_answer(&world, i, 200, "", "");
        world_pass(&world, i == 0 ? 1000 : 0);
    }
    CHECK_FAILED(&world, 1, "bad_response", "bad_body", "T45");
    for (unsigned i = 0; i < 29; i++) {
        world_pass(&world, 1000);
        world_submit(&world, 10 + i, VIN_A);
    }
    CHECK_CALLS(&world, 2);
    world_pass(&world, 1000);
    world_submit(&world, 50, VIN_A);
    CHECK_CALLS(&world, 3);
    end();
}

static void r102_cache_hits_are_no_samples(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    world_pass(&world, 50);
    world_answer_well(&world, 0, "");
    for (unsigned i = 0; i < 30; i++) {
        world_submit(&world, 10 + i, VIN_A);
    }
    world_submit(&world, 2, VIN_B);
    CHECK_INT(world.calls[1].timeout_ms, 4000);
    struct meter meter = engine_meter(world.engine, world.now);
    CHECK_INT(meter.timeout_samples[CALL_SINGLE], 1);
    CHECK_INT(meter.cache_hit, 30);
    CHECK_INT(meter.latency_count, 1);
    end();
}

static void r108_local_refusals_are_no_failures(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    world_answer(&world, 0, 429, "Retry-After: 100", "");
    for (unsigned i = 0; i < 60; i++) {
        world_submit(&world, 10 + i, world_vin(i));
    }
    CHECK_INT(world.host.alert, false);
    CHECK_INT(engine_meter(world.engine, world.now).flights_finished, 1);
    CHECK_INT(engine_meter(world.engine, world.now).attempt, 1);
    end();
}

static void ten_thousand_403s_stop_after_five(void)
{
    for (size_t concurrency = 1; concurrency <= 5; concurrency++) {
        ten_thousand_403s(true, concurrency);
        ten_thousand_403s(false, concurrency);
    }
}

static const struct unit_test tests[] = {
    {"R10 R31 refuses before sleeping", r10_r31_refuses_before_sleeping},
    {"R21 options hold on the second try", r21_options_hold_on_the_second_try},
    {"R27 zero counts as an attempt", r27_zero_counts_as_an_attempt},
    {"R42 R43 a reset in the past", r42_r43_a_reset_in_the_past},
    {"R48 no token, no retry", r48_no_token_no_retry},
    {"R60 R62 R63 above the cap", r62_r63_above_the_cap_is_not_a_short_wait},
    {"R65 R66 the budget bounds everything", r65_r66_the_budget_bounds_everything},
    {"R68 R96 four calls", r68_r96_four_calls_not_twelve},
    {"R71 retries pass the limiter", r71_retries_pass_the_limiter},
    {"R59 the probe is given back", r59_the_probe_is_given_back},
    {"R76 stale results do not count", r76_stale_results_do_not_count},
    {"R78 one probe", r78_one_probe},
    {"R79 the probe passes gate and bucket", r79_the_probe_passes_gate_and_bucket},
    {"R81 a 429 never feeds the breaker", r81_a_429_never_feeds_the_breaker},
    {"R82 endless 429 without a hint", r82_endless_429_without_a_hint},
    {"R84 cancels are no failures", r84_cancels_are_no_failures},
    {"R99 absolute expiry", r99_a_negative_entry_expires_though_it_is_asked_for},
    {"R102 cache hits are no samples", r102_cache_hits_are_no_samples},
    {"R108 local refusals are no failures", r108_local_refusals_are_no_failures},
    {"10,000 VINs and 403 for ever: five calls", ten_thousand_403s_stop_after_five},
};

UNIT_MAIN("engine_reports", tests)
