#include "unit/engine_world.h"

/* One test for each row of planner.md 5.4 from T32 on, and what the engine makes of it. */

static struct world world;

#define VIN_A "1HGCM82633A004352"
#define VIN_B "5YJ3E1EA1KF131548"

static void begin(void)
{
    struct engine_options options = world_options();
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

static void t32_t33_remaining_zero_elsewhere(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    world_answer(&world, 0, 500, "RateLimit-Remaining: 0\nRateLimit-Reset: 20", "");
    CHECK_FAILED(&world, 1, "upstream_unavailable", "unlisted_status", "T39");
    CHECK(world.host.gate.until >= world.now + 20000);
    end();
    begin();
    world_submit(&world, 1, VIN_A);
    world_answer(&world, 0, 502, "RateLimit-Remaining: 0", "");
    CHECK_FAILED(&world, 1, "upstream_throttle", "remaining_zero_without_reset", "T33");
    CHECK_INT(last(1, EVENT_FAILED)->as.failed.told_ms, 0);
    CHECK(world.host.gate.until >= world.now + 30000);
    end();
}

static void t34_t38_bad_gateway(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    for (size_t i = 0; i < 4; i++) {
        world_answer(&world, i, i % 2 == 0 ? 502 : 504, "", "");
        world_pass(&world, 1000);
    }
    CHECK_FAILED(&world, 1, "exhausted", "attempts", "T38");
    CHECK_CALLS(&world, 4);
    end();
}

static void t35_t36_t37_hints_of_a_bad_gateway(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    world_answer(&world, 0, 502, "Content-Type: application/json\nRetry-After: 2", "{\"retryAfterMs\":5000}");
    CHECK_INT(last(1, EVENT_WAITING)->as.waiting.wait.origin, ORIGIN_BODY);
    CHECK_INT(last(1, EVENT_WAITING)->as.waiting.wait.asked_ms, 5000);
    end();
    begin();
    world_submit(&world, 1, VIN_A);
    world_answer(&world, 0, 502, "Retry-After: 20", "");
    CHECK_INT(last(1, EVENT_WAITING)->as.waiting.wait.origin, ORIGIN_RETRY_AFTER);
    CHECK(last(1, EVENT_WAITING)->as.waiting.wait.until >= world.now + 20000);
    end();
    begin();
    world_submit(&world, 1, VIN_A);
    world_answer(&world, 0, 504, "Retry-After: 90", "");
    CHECK_FAILED(&world, 1, "upstream_unavailable", "over_cap", "T37");
    CHECK_INT(last(1, EVENT_FAILED)->as.failed.told_ms, 90000);
    end();
}

static void t39_unlisted(void)
{
    static const int statuses[] = {500, 501, 505, 408, 425, 599};
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        begin();
        world_submit(&world, 1, VIN_A);
        world_answer(&world, 0, statuses[i], "Retry-After: 1", "");
        CHECK_FAILED(&world, 1, "upstream_unavailable", "unlisted_status", "T39");
        end();
    }
}

static void t40_t43_timeouts(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    for (size_t i = 0; i < 4; i++) {
        world_pass(&world, 4000);
        world_fail(&world, i, TRANSFER_TIMEOUT);
        if (i < 3) {
            CHECK_TEXT(reason_name(last(1, EVENT_WAITING)->as.waiting.reason), "timeout");
            world_pass(&world, 1000);
        }
    }
    CHECK_FAILED(&world, 1, "exhausted", "attempts", "T43");
    struct meter meter = engine_meter(world.engine, world.now);
    CHECK_INT(meter.timeout_samples[CALL_SINGLE], 4);
    CHECK_INT(meter.latencies[0], -4000);
    CHECK_INT(meter.statuses[0], 4);
    end();
}

static void t41_a_cut_timeout_is_the_deadline(void)
{
    begin();
    world_submit_as(&world, &(struct submission){.ticket = 1, .key = {VIN_A, 0}, .deadline = world.now + 3000});
    CHECK_INT(world.calls[0].timeout_ms, 3000);
    world.now += 2999;
    world_fail(&world, 0, TRANSFER_TIMEOUT);
    CHECK_FAILED(&world, 1, "deadline", "deadline", "T41");
    CHECK_INT(engine_meter(world.engine, world.now).timeout_samples[CALL_SINGLE], 0);
    end();
}

static void t42_transport(void)
{
    static const enum transfer transfers[] = {TRANSFER_REFUSED, TRANSFER_UNREACHABLE, TRANSFER_RESET, TRANSFER_PARTIAL,
                                              TRANSFER_DNS_FAILED};
    for (size_t i = 0; i < sizeof transfers / sizeof transfers[0]; i++) {
        begin();
        world_submit(&world, 1, VIN_A);
        world_fail(&world, 0, transfers[i]);
        CHECK_TEXT(reason_name(last(1, EVENT_WAITING)->as.waiting.reason), "transport");
        world_pass(&world, 1000);
        world_answer_well(&world, 1, "");
        CHECK_DECODED(&world, 1);
        CHECK_INT(engine_meter(world.engine, world.now).timeout_samples[CALL_SINGLE], 1);
        end();
    }
}

static void t44_t45_bad_bodies(void)
{
    static const struct {
        const char *body;
        enum answer_kind kind;
    } cases[] = {
        {"", ANSWER_EMPTY},
        {"<!DOCTYPE html><html>", ANSWER_HTML},
        {"<?xml version=\"1.0\"?><Response/>", ANSWER_XML},
        {"hello", ANSWER_NOT_JSON},
        {"{\"Results\":[{\"VIN\":\"1H", ANSWER_TRUNCATED},
        {"{\"Message\":\"ERROR: Invalid Year\",\"Results\":[]}", ANSWER_NO_RESULTS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        begin();
        world_submit(&world, 1, VIN_A);
        world_answer(&world, 0, 200, "", cases[i].body);
        CHECK_TEXT(reason_name(last(1, EVENT_WAITING)->as.waiting.reason), "bad_body");
        world_pass(&world, 1000);
        world_answer(&world, 1, 200, "", cases[i].body);
        CHECK_FAILED(&world, 1, "bad_response", "bad_body", "T45");
        CHECK_TEXT(answer_kind_name(last(1, EVENT_FAILED)->as.failed.answer), answer_kind_name(cases[i].kind));
        CHECK_TEXT(last(1, EVENT_FAILED)->as.failed.message,
                   cases[i].kind == ANSWER_NO_RESULTS ? "ERROR: Invalid Year" : "");
        CHECK_INT(last(1, EVENT_FAILED)->as.failed.again.until, world.now + 30000);
        CHECK_INT(engine_meter(world.engine, world.now).bad_body, 2);
        world_submit(&world, 2, VIN_A);
        CHECK_INT(last(2, EVENT_FAILED)->as.failed.from_negative_cache, true);
        world_pass(&world, 30000);
        world_submit(&world, 3, VIN_A);
        CHECK_CALLS(&world, 3);
        end();
    }
}

static void t46_wrong_vin(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    world_answer(&world, 0, 200, "", world_body(VIN_B));
    CHECK_FAILED(&world, 1, "bad_response", "wrong_vin", "T46");
    CHECK_INT(engine_meter(world.engine, world.now).stray_rows, 1);
    world_submit(&world, 2, VIN_A);
    world_answer(&world, 1, 200, "", "{\"Results\":[{\"Make\":\"HONDA\"},null,7]}");
    CHECK_FAILED(&world, 2, "bad_response", "wrong_vin", "T46");
    CHECK_CALLS(&world, 2);
    end();
}

static void t47_too_large(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    world_fail(&world, 0, TRANSFER_TOO_LARGE);
    CHECK_FAILED(&world, 1, "bad_response", "too_large", "T47");
    end();
}

static void t48_bad_headers(void)
{
    static const enum transfer transfers[] = {TRANSFER_BAD_HEADERS, TRANSFER_NOT_HTTP};
    for (size_t i = 0; i < 2; i++) {
        begin();
        world_submit(&world, 1, VIN_A);
        world_fail(&world, 0, transfers[i]);
        CHECK_TEXT(reason_name(last(1, EVENT_WAITING)->as.waiting.reason), "bad_headers");
        world_pass(&world, 1000);
        world_fail(&world, 1, transfers[i]);
        CHECK_FAILED(&world, 1, "bad_response", "bad_headers", "T48");
        end();
    }
}

static void aborted_elsewhere_ends_the_ticket(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    world_fail(&world, 0, TRANSFER_ABORTED);
    CHECK_FAILED(&world, 1, "cancelled", "cancelled", "T01");
    end();
}

static void t50_breaker_opened_by_this_failure(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    world_submit(&world, 2, VIN_B);
    for (size_t i = 0; i < 4; i++) {
        world_fail(&world, i, TRANSFER_RESET);
        world_pass(&world, 1000);
    }
    CHECK_CALLS(&world, 6);
    world_fail(&world, 4, TRANSFER_RESET);
    const struct event *failed = last(1, EVENT_FAILED) != NULL ? last(1, EVENT_FAILED) : last(2, EVENT_FAILED);
    CHECK(failed != NULL);
    CHECK_TEXT(failed->as.failed.row, "T50");
    CHECK_TEXT(code_name(failed->as.failed.code), "circuit_open");
    CHECK_INT(failed->as.failed.again.origin, ORIGIN_BREAKER);
    CHECK_INT(failed->as.failed.again.until, world.host.breaker_wait.until);
    CHECK_INT(world.host.breaker, BREAKER_OPEN);
    end();
}

static void t51_gate_later_than_the_planned_wait(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    world_submit(&world, 2, VIN_B);
    world_answer(&world, 0, 503, "", "");
    world_answer(&world, 1, 429, "Retry-After: 20", "");
    CHECK_INT(last(1, EVENT_WAITING)->as.waiting.wait.until, world.host.gate.until);
    CHECK_INT(last(1, EVENT_WAITING)->as.waiting.wait.origin, ORIGIN_RETRY_AFTER);
    CHECK_INT(last(2, EVENT_WAITING)->as.waiting.wait.until, world.host.gate.until);
    end();
    begin();
    world_submit(&world, 1, VIN_A);
    world_submit(&world, 2, VIN_B);
    world_answer(&world, 0, 503, "", "");
    world_answer(&world, 1, 429, "Retry-After: 100", "");
    CHECK_FAILED(&world, 1, "upstream_throttle", "gate_closed", "T51");
    end();
}

static void t52_jitter_is_dropped_for_the_deadline(void)
{
    for (uint64_t seed = 1; seed < 20; seed++) {
        struct engine_options options = world_options();
        world_init(&world, &options, seed);
        world_submit_as(&world, &(struct submission){.ticket = 1, .key = {VIN_A, 0}, .deadline = world.now + 21500});
        world_answer(&world, 0, 429, "Retry-After: 20", "");
        CHECK_INT(last(1, EVENT_WAITING)->as.waiting.wait.until, world.now + 20000);
        CHECK_INT(world.host.gate.until, world.now + 20000);
        world_pass(&world, 20000);
        CHECK_CALLS(&world, 2);
        world_clear(&world);
    }
}

static void t53_own_backoff_does_not_fit(void)
{
    begin();
    world_submit_as(&world, &(struct submission){.ticket = 1, .key = {VIN_A, 0}, .deadline = world.now + 4000});
    world_pass(&world, 2400);
    world_fail(&world, 0, TRANSFER_RESET);
    CHECK_FAILED(&world, 1, "deadline", "deadline", "T53");
    CHECK_INT(last(1, EVENT_FAILED)->as.failed.transfer, TRANSFER_RESET);
    end();
}

static void t54_all_waiters_have_left(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    world_submit(&world, 2, VIN_A);
    world_answer(&world, 0, 429, "Retry-After: 20", "");
    world_cancel(&world, 1);
    world_cancel(&world, 2);
    world_pass(&world, 60000);
    CHECK_CALLS(&world, 1);
    end();
}

static void t56_rejected_at_the_door(void)
{
    static const int statuses[] = {403, 404};
    for (size_t n = 0; n < 2; n++) {
        begin();
        for (unsigned i = 0; i < 5; i++) {
            world_submit(&world, i + 1, world_vin(i));
            world_answer(&world, i, statuses[n], "", "<html>Access Denied</html>");
        }
        CHECK_FAILED(&world, 5, "bad_request", "rejected_repeatedly", "T56");
        CHECK_TEXT(reason_name(world.host.gate_reason), "rejected_repeatedly");
        CHECK_INT(world.host.gate.origin, ORIGIN_COOL_DOWN);
        CHECK_INT(world.host.gate.asked_ms, 30000);
        world_pass(&world, 33000);
        world_submit(&world, 6, VIN_A);
        world_answer(&world, 5, statuses[n], "", "");
        CHECK_FAILED(&world, 6, "bad_request", "rejected_repeatedly", "T56");
        CHECK_INT(world.host.gate.asked_ms, 60000);
        end();
    }
}

static void t56_needs_a_row(void)
{
    begin();
    for (unsigned i = 0; i < 12; i++) {
        world_submit(&world, i + 1, world_vin(i));
        world_answer(&world, i, i % 5 == 4 ? 404 : 403, "", "");
        CHECK_INT(world.host.gate.origin, ORIGIN_NONE);
    }
    end();
}

static const struct unit_test tests[] = {
    {"T32 T33 remaining zero elsewhere", t32_t33_remaining_zero_elsewhere},
    {"T34 T38 bad gateway", t34_t38_bad_gateway},
    {"T35 T36 T37 hints of a bad gateway", t35_t36_t37_hints_of_a_bad_gateway},
    {"T39 unlisted", t39_unlisted},
    {"T40 T43 time-outs", t40_t43_timeouts},
    {"T41 a cut time-out is the deadline", t41_a_cut_timeout_is_the_deadline},
    {"T42 transport", t42_transport},
    {"T44 T45 bad bodies", t44_t45_bad_bodies},
    {"T46 wrong VIN", t46_wrong_vin},
    {"T47 too large", t47_too_large},
    {"T48 bad headers", t48_bad_headers},
    {"a call aborted elsewhere", aborted_elsewhere_ends_the_ticket},
    {"T50 the breaker opened by this failure", t50_breaker_opened_by_this_failure},
    {"T51 a gate later than the wait", t51_gate_later_than_the_planned_wait},
    {"T52 jitter dropped", t52_jitter_is_dropped_for_the_deadline},
    {"T53 own back-off does not fit", t53_own_backoff_does_not_fit},
    {"T54 all waiters have left", t54_all_waiters_have_left},
    {"T56 rejected at the door", t56_rejected_at_the_door},
    {"T56 needs a row", t56_needs_a_row},
};

UNIT_MAIN("engine_rows_later", tests)
