#include "unit/engine_world.h"

/* One test for each row of planner.md 5.4 up to T31, and what the engine makes of it. */

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

static void t01_cancelled(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    world_cancel(&world, 1);
    CHECK(world.calls[0].aborted);
    world_pass(&world, 600000);
    CHECK_CALLS(&world, 1);
    CHECK_INT(engine_meter(world.engine, world.now).flights_finished, 0);
    end();
}

static void t02_deadline_while_calling(void)
{
    begin();
    world_submit_as(&world, &(struct submission){.ticket = 1, .key = {VIN_A, 0}, .deadline = world.now + 2500});
    CHECK_INT(world.calls[0].timeout_ms, 2500);
    world_pass(&world, 2500);
    CHECK_FAILED(&world, 1, "deadline", "deadline", "T02");
    CHECK(world.calls[0].aborted);
    CHECK_INT(last(1, EVENT_FAILED)->as.failed.elapsed_ms, 2500);
    CHECK_INT(last(1, EVENT_FAILED)->as.failed.waited_ms, 0);
    end();
}

static void t04_client_error_gates_only_by_quota(void)
{
    static const int statuses[] = {400, 404, 405, 414, 422, 451};
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        begin();
        world_submit(&world, 1, VIN_A);
        world_answer(&world, 0, statuses[i], "Retry-After: 30", "{}");
        CHECK_FAILED(&world, 1, "bad_request", "client_error", "T04");
        CHECK_INT(last(1, EVENT_FAILED)->as.failed.status, statuses[i]);
        CHECK_INT(world.host.gate.origin, ORIGIN_NONE);
        world_pass(&world, 600000);
        CHECK_CALLS(&world, 1);
        end();
    }
    begin();
    world_submit(&world, 1, VIN_A);
    world_answer(&world, 0, 400, "RateLimit-Remaining: 0\nRateLimit-Reset: 20", "{}");
    CHECK_FAILED(&world, 1, "bad_request", "client_error", "T04");
    CHECK_INT(world.host.gate.origin, ORIGIN_RATELIMIT_RESET);
    CHECK(world.host.gate.until >= world.now + 20000);
    end();
}

static void t05_config_error(void)
{
    static const enum transfer transfers[] = {TRANSFER_CERTIFICATE, TRANSFER_NO_SUCH_HOST, TRANSFER_UNSUPPORTED};
    for (size_t i = 0; i < sizeof transfers / sizeof transfers[0]; i++) {
        begin();
        world_submit(&world, 1, VIN_A);
        world_fail(&world, 0, transfers[i]);
        CHECK_FAILED(&world, 1, "upstream_unavailable", "config_error", "T05");
        CHECK_INT(last(1, EVENT_FAILED)->as.failed.transfer, transfers[i]);
        end();
    }
}

static void t06_unexpected_status(void)
{
    static const int statuses[] = {100, 204, 206, 301, 302, 304, 0, 999};
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        begin();
        world_submit(&world, 1, VIN_A);
        world_answer(&world, 0, statuses[i], "Location: http://elsewhere/", "");
        CHECK_FAILED(&world, 1, "bad_response", "unexpected_status", "T06");
        end();
    }
}

static void t07_delivered(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    CHECK_INT(last(1, EVENT_CALLING)->as.calling.attempt, 1);
    CHECK_INT(last(1, EVENT_CALLING)->as.calling.attempts, 4);
    CHECK_TEXT(world.calls[0].url, "http://upstream.test/api/vehicles/DecodeVinValues/" VIN_A "?format=json");
    CHECK_INT(world.calls[0].timeout_ms, 4000);
    world_pass(&world, 300);
    world_answer_well(&world, 0, "");
    CHECK_DECODED(&world, 1);
    const struct event_decoded *decoded = &last(1, EVENT_DECODED)->as.decoded;
    CHECK_TEXT(vehicle_value(decoded->vehicle, "Model"), "Accord");
    CHECK_INT(decoded->from_cache, false);
    CHECK_INT(decoded->attempts, 1);
    CHECK_INT(decoded->elapsed_ms, 300);
    CHECK_INT(decoded->waited_ms, 0);
    CHECK_INT(decoded->status, 200);
    CHECK_INT(decoded->sparse, false);
    end();
}

static void t08_sparse_is_a_success(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    world_answer(&world, 0, 200, "", "{\"Results\":[{\"VIN\":\"" VIN_A "\",\"ErrorCode\":\"7\"}]}");
    CHECK_DECODED(&world, 1);
    CHECK_INT(last(1, EVENT_DECODED)->as.decoded.sparse, true);
    world_pass(&world, 60000);
    CHECK_CALLS(&world, 1);
    world_submit(&world, 2, VIN_A);
    CHECK_INT(last(2, EVENT_DECODED)->as.decoded.from_cache, true);
    CHECK_INT(last(2, EVENT_DECODED)->as.decoded.sparse, true);
    end();
}

static void t09_last_of_the_quota(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    world_answer_well(&world, 0, "RateLimit-Remaining: 0\nRateLimit-Reset: 20");
    CHECK_DECODED(&world, 1);
    CHECK_TEXT(reason_name(world.host.gate_reason), "quota_gate");
    CHECK_INT(world.host.gate.asked_ms, 20000);
    monotime until = world.host.gate.until;
    CHECK(until >= world.now + 20000 && until <= world.now + 22000);
    world_submit(&world, 2, VIN_B);
    CHECK_CALLS(&world, 1);
    CHECK_INT(last(2, EVENT_WAITING)->as.waiting.wait.until, until);
    CHECK_INT(last(2, EVENT_WAITING)->as.waiting.wait.origin, ORIGIN_RATELIMIT_RESET);
    world_pass(&world, until - world.now - 1);
    CHECK_CALLS(&world, 1);
    world_pass(&world, 1);
    CHECK_CALLS(&world, 2);
    CHECK_INT(world.host.gate.origin, ORIGIN_NONE);
    end();
}

static void t10_remaining_zero_without_a_hint(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    world_answer_well(&world, 0, "X-RateLimit-Remaining: 0");
    CHECK_DECODED(&world, 1);
    CHECK_TEXT(reason_name(world.host.gate_reason), "remaining_zero_without_reset");
    CHECK_INT(world.host.gate.origin, ORIGIN_COOL_DOWN);
    CHECK_INT(world.host.gate.asked_ms, 30000);
    end();
}

static void t11_t12_no_gate(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    world_answer_well(&world, 0, "Age: 5\nRateLimit-Remaining: 0\nRateLimit-Reset: 20");
    CHECK_DECODED(&world, 1);
    world_submit(&world, 2, VIN_B);
    world_answer_well(&world, 1, "Retry-After: 30");
    CHECK_DECODED(&world, 2);
    CHECK_INT(world.host.gate.origin, ORIGIN_NONE);
    end();
}

static void t13_hint_not_credible(void)
{
    begin();
    for (unsigned i = 0; i < 3; i++) {
        world_submit(&world, i + 1, world_vin(i));
        world_answer(&world, world.call_count - 1, 429, "Retry-After: 1", "");
        if (i < 2) {
            CHECK_INT(last(i + 1, EVENT_WAITING)->as.waiting.wait.origin, ORIGIN_RETRY_AFTER);
            world_cancel(&world, i + 1);
            world_pass(&world, 2000);
        }
    }
    CHECK_FAILED(&world, 3, "upstream_throttle", "hint_not_credible", "T13");
    CHECK_INT(last(3, EVENT_FAILED)->as.failed.again.origin, ORIGIN_COOL_DOWN);
    CHECK_INT(last(3, EVENT_FAILED)->as.failed.told_ms, 0);
    CHECK(world.host.gate.until >= world.now + 30000);
    end();
}

static void t14_t15_cool_down_doubles(void)
{
    static const char *const headers[] = {"", "RateLimit-Remaining: 0"};
    static const char *const rows[] = {"T15", "T14"};
    static const char *const reasons[] = {"throttled_without_hint", "remaining_zero_without_reset"};
    for (size_t n = 0; n < 2; n++) {
        begin();
        int64_t cool_down = 30000;
        for (unsigned i = 0; i < 7; i++) {
            world_submit(&world, i + 1, world_vin(i));
            world_answer(&world, i, 429, headers[n], "<html>");
            CHECK_FAILED(&world, i + 1, "upstream_throttle", reasons[n], rows[n]);
            CHECK_INT(world.host.gate.asked_ms, cool_down);
            CHECK(world.host.gate.until >= world.now + cool_down);
            world_pass(&world, cool_down + 2000);
            cool_down = cool_down * 2 > 600000 ? 600000 : cool_down * 2;
        }
        world_submit(&world, 9, VIN_A);
        world_answer_well(&world, 7, "");
        world_submit(&world, 10, VIN_B);
        world_answer(&world, 8, 429, headers[n], "");
        CHECK_INT(world.host.gate.asked_ms, 30000);
        end();
    }
}

static void t16_t17_backoff_then_attempts(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    for (size_t i = 0; i < 3; i++) {
        world_answer(&world, i, 503, "", "<html>maintenance</html>");
        const struct event_waiting *waiting = &last(1, EVENT_WAITING)->as.waiting;
        CHECK_INT(waiting->wait.origin, ORIGIN_BACKOFF);
        CHECK_INT(waiting->attempt, i + 2);
        CHECK_TEXT(reason_name(waiting->reason), "backoff");
        CHECK_INT(waiting->status, 503);
        CHECK(waiting->wait.until >= world.now + 250 && waiting->wait.until <= world.now + 1000);
        CHECK_INT(world.host.gate.origin, ORIGIN_NONE);
        world_pass(&world, 1000);
        CHECK_CALLS(&world, i + 2);
    }
    world_answer(&world, 3, 503, "", "");
    CHECK_FAILED(&world, 1, "exhausted", "attempts", "T17");
    CHECK_INT(last(1, EVENT_FAILED)->as.failed.attempts, 4);
    CHECK_INT(last(1, EVENT_FAILED)->as.failed.resting, true);
    CHECK_INT(last(1, EVENT_FAILED)->as.failed.again.until, world.now + 60000);
    CHECK(last(1, EVENT_FAILED)->as.failed.waited_ms >= 3 * 250);
    CHECK_INT(last(1, EVENT_FAILED)->as.failed.elapsed_ms, 3000);
    end();
}

static void t18_reset_not_credible(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    world_answer(&world, 0, 429, "X-RateLimit-Remaining: 3\nX-RateLimit-Reset: 3600", "");
    CHECK_FAILED(&world, 1, "upstream_throttle", "reset_not_credible", "T18");
    CHECK(world.host.gate.until >= world.now + 60000 && world.host.gate.until <= world.now + 62000);
    CHECK_INT(world.host.gate.origin, ORIGIN_X_RATELIMIT_RESET);
    end();
}

static void t19_t20_t21_over_cap(void)
{
    static const struct {
        const char *headers, *body, *row, *reason;
        enum wait_origin origin;
    } cases[] = {
        {"Retry-After: 120", "", "T19", "over_cap_retry_after", ORIGIN_RETRY_AFTER},
        {"Content-Type: application/json", "{\"retryAfterMs\":120000}", "T20", "over_cap_body", ORIGIN_BODY},
        {"RateLimit-Remaining: 0\nRateLimit-Reset: 120", "", "T21", "over_cap_reset", ORIGIN_RATELIMIT_RESET},
    };
    for (size_t i = 0; i < 3; i++) {
        begin();
        world_submit(&world, 1, VIN_A);
        world_answer(&world, 0, 429, cases[i].headers, cases[i].body);
        CHECK_FAILED(&world, 1, "upstream_throttle", cases[i].reason, cases[i].row);
        CHECK_INT(last(1, EVENT_FAILED)->as.failed.told_ms, 120000);
        CHECK_INT(last(1, EVENT_FAILED)->as.failed.again.origin, cases[i].origin);
        CHECK_INT(last(1, EVENT_FAILED)->as.failed.again.until, world.host.gate.until);
        CHECK(world.host.gate.until >= world.now + 120000);
        world_submit(&world, 2, VIN_B);
        CHECK_FAILED(&world, 2, "upstream_throttle", "gate_closed", "G7");
        CHECK_INT(last(2, EVENT_FAILED)->as.failed.again.until, world.host.gate.until);
        CHECK_INT(last(2, EVENT_FAILED)->as.failed.told_ms, 120000);
        CHECK_CALLS(&world, 1);
        end();
    }
}

static void t19_gate_is_ten_minutes_at_most(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    world_answer(&world, 0, 429, "Retry-After: 86400", "");
    CHECK_INT(last(1, EVENT_FAILED)->as.failed.told_ms, 86400000);
    CHECK(world.host.gate.until >= world.now + 600000 && world.host.gate.until <= world.now + 602000);
    end();
}

static void t22_attempts_of_a_throttle(void)
{
    static const int statuses[] = {429, 503};
    static const char *const codes[] = {"upstream_throttle", "exhausted"};
    for (size_t n = 0; n < 2; n++) {
        begin();
        world_submit(&world, 1, VIN_A);
        for (size_t i = 0; i < 4; i++) {
            world_answer(&world, i, statuses[n], "Retry-After: 3", "");
            if (i < 3) {
                world_pass(&world, 3500);
            }
        }
        CHECK_FAILED(&world, 1, codes[n], "attempts", "T22");
        CHECK_INT(last(1, EVENT_FAILED)->as.failed.resting, n == 1);
        CHECK_INT(world.host.gate.asked_ms, 3000);
        end();
    }
}

static void t23_does_not_fit(void)
{
    begin();
    world_submit_as(&world, &(struct submission){.ticket = 1, .key = {VIN_A, 0}, .deadline = world.now + 10000});
    world_answer(&world, 0, 429, "Retry-After: 9", "");
    CHECK_FAILED(&world, 1, "deadline", "deadline", "T23");
    CHECK_INT(last(1, EVENT_FAILED)->as.failed.told_ms, 9000);
    CHECK(world.host.gate.until >= world.now + 9000);
    end();
}

static void t24_retry_after(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    world_answer(&world, 0, 429, "Retry-After: 30", "");
    const struct event_waiting *waiting = &last(1, EVENT_WAITING)->as.waiting;
    CHECK_INT(waiting->wait.origin, ORIGIN_RETRY_AFTER);
    CHECK_INT(waiting->wait.asked_ms, 30000);
    CHECK_TEXT(reason_name(waiting->reason), "retry_after_seconds");
    CHECK(waiting->wait.until >= world.now + 30000 && waiting->wait.until <= world.now + 32000);
    CHECK_INT(waiting->wait.until, world.host.gate.until);
    monotime until = waiting->wait.until;
    world_pass(&world, until - world.now - 1);
    CHECK_CALLS(&world, 1);
    world_pass(&world, 1);
    CHECK_CALLS(&world, 2);
    CHECK_INT(last(1, EVENT_CALLING)->as.calling.attempt, 2);
    world_answer_well(&world, 1, "");
    CHECK_DECODED(&world, 1);
    CHECK_INT(last(1, EVENT_DECODED)->as.decoded.attempts, 2);
    CHECK_INT(last(1, EVENT_DECODED)->as.decoded.waited_ms, until - 1000000);
    end();
}

static void t24_date_tells_a_time_of_day(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    world_answer(&world, 0, 429, "Date: Sun, 06 Nov 1994 08:49:37 GMT\nRetry-After: Sun, 06 Nov 1994 08:50:07 GMT", "");
    const struct event_waiting *waiting = &last(1, EVENT_WAITING)->as.waiting;
    CHECK_INT(waiting->wait.origin, ORIGIN_RETRY_AFTER_DATE);
    CHECK_INT(waiting->wait.asked_ms, 30000);
    CHECK_INT(waiting->wait.until_wall, world.wall + world.now + 30000);
    end();
}

static void t25_t26_t27_t28_origins(void)
{
    static const struct {
        const char *headers, *body;
        enum wait_origin origin;
        int64_t asked_ms;
    } cases[] = {
        {"Retry-After: 5\nRateLimit-Remaining: 0\nRateLimit-Reset: 20", "", ORIGIN_RATELIMIT_RESET, 20000},
        {"Content-Type: application/json", "{\"retryAfterMs\":1500}", ORIGIN_BODY, 1500},
        {"content-type: application/json\nX-RateLimit-Remaining: 0\nX-RateLimit-Reset: 30", "{\"retryAfterMs\":1500}",
         ORIGIN_X_RATELIMIT_RESET, 30000},
        {"RateLimit-Remaining: 4\nRateLimit-Reset: 20", "", ORIGIN_RATELIMIT_RESET, 20000},
        {"Retry-After: 5\nRateLimit-Remaining: 4\nRateLimit-Reset: 20", "", ORIGIN_RETRY_AFTER, 5000},
        {"Retry-After-Ms: 4500", "", ORIGIN_RETRY_AFTER, 4500},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        begin();
        world_submit(&world, 1, VIN_A);
        world_answer(&world, 0, 429, cases[i].headers, cases[i].body);
        CHECK(last(1, EVENT_WAITING) != NULL);
        if (last(1, EVENT_WAITING) != NULL) {
            CHECK_INT(last(1, EVENT_WAITING)->as.waiting.wait.origin, cases[i].origin);
            CHECK_INT(last(1, EVENT_WAITING)->as.waiting.wait.asked_ms, cases[i].asked_ms);
        }
        end();
    }
}

static void t29_zero_is_the_shortest_wait(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    world_answer(&world, 0, 429, "Retry-After: 0", "");
    monotime until = last(1, EVENT_WAITING)->as.waiting.wait.until;
    CHECK(until >= world.now + 250 && until <= world.now + 275);
    end();
}

static void t30_t31_forbidden(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    world_answer(&world, 0, 403, "Retry-After: 30", "");
    CHECK_INT(last(1, EVENT_WAITING)->as.waiting.wait.origin, ORIGIN_RETRY_AFTER);
    end();
    begin();
    world_submit(&world, 1, VIN_A);
    world_answer(&world, 0, 403, "Content-Type: text/html", "<html>Access Denied</html>");
    CHECK_FAILED(&world, 1, "bad_request", "client_error", "T31");
    CHECK_INT(world.host.gate.origin, ORIGIN_NONE);
    end();
}

static const struct unit_test tests[] = {
    {"T01 cancelled", t01_cancelled},
    {"T02 deadline while calling", t02_deadline_while_calling},
    {"T04 client error", t04_client_error_gates_only_by_quota},
    {"T05 config error", t05_config_error},
    {"T06 unexpected status", t06_unexpected_status},
    {"T07 delivered", t07_delivered},
    {"T08 sparse", t08_sparse_is_a_success},
    {"T09 last of the quota", t09_last_of_the_quota},
    {"T10 remaining zero without a hint", t10_remaining_zero_without_a_hint},
    {"T11 T12 no gate", t11_t12_no_gate},
    {"T13 hint not credible", t13_hint_not_credible},
    {"T14 T15 cool-down doubles", t14_t15_cool_down_doubles},
    {"T16 T17 backoff, then attempts", t16_t17_backoff_then_attempts},
    {"T18 reset not credible", t18_reset_not_credible},
    {"T19 T20 T21 over cap", t19_t20_t21_over_cap},
    {"T19 the gate is ten minutes at most", t19_gate_is_ten_minutes_at_most},
    {"T22 attempts of a throttle", t22_attempts_of_a_throttle},
    {"T23 does not fit", t23_does_not_fit},
    {"T24 Retry-After", t24_retry_after},
    {"T24 a date tells a time of day", t24_date_tells_a_time_of_day},
    {"T25 to T28 origins", t25_t26_t27_t28_origins},
    {"T29 zero", t29_zero_is_the_shortest_wait},
    {"T30 T31 forbidden", t30_t31_forbidden},
};

UNIT_MAIN("engine_rows", tests)
