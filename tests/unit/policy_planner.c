/* Every row of the decision table (planner.md 5.4) by its number. */
#include "unit.h"

#include "core/policy/circuit_breaker.h"
#include "core/policy/host_gate.h"
#include "policy_support.h"

/*
 * Rows that one answer alone cannot decide:
 *   T50 the breaker opened by this very failure: here as far as the breaker says so, the refusal is the engine's
 *   T54 all waiters have left                  : the engine's tests
 *   T55 success resets the first steps         : here for gate and breaker, the success cache in the engine's tests
 *   T56 refused at the door                    : the engine's tests
 */

static void check_plan(struct plan plan, const char *row, enum plan_action action, int64_t wait_ms, int64_t jitter_ms,
                       int64_t gate_ms, enum reason reason, enum code code)
{
    CHECK_TEXT(plan.row, row);
    CHECK_INT(plan.action, action);
    CHECK_INT(plan.wait_ms, wait_ms);
    CHECK_INT(plan.jitter_ms, jitter_ms);
    CHECK_INT(plan.gate_ms, gate_ms);
    CHECK_TEXT(reason_name(plan.reason), reason_name(reason));
    CHECK_TEXT(code_name(plan.code), code_name(code));
}

static struct quota throttle(int64_t remaining, int64_t retry_after_ms, int64_t reset_ms)
{
    struct quota quota = quota_unknown();
    quota.remaining = remaining;
    quota.retry_after_ms = retry_after_ms;
    quota.reset_ms = reset_ms;
    quota.hint_source = retry_after_ms == QUOTA_UNKNOWN ? HINT_NONE : HINT_RETRY_AFTER_SECONDS;
    return quota;
}
enum { NONE = QUOTA_UNKNOWN };

static struct plan_input with_body(struct plan_input input, int64_t body_hint_ms)
{
    input.body_hint_ms = body_hint_ms;
    return input;
}

static struct plan_input at_attempt(struct plan_input input, int attempt)
{
    input.attempt = attempt;
    return input;
}

static struct plan_input with_left(struct plan_input input, int64_t left_ms)
{
    input.left_ms = left_ms;
    return input;
}

static void t01(void)
{
    struct plan_input input = no_answer(OUTCOME_CANCELLED);
    input.quota = throttle(0, 5000, 30000);
    check_plan(plan_of(input), "T01", PLAN_STOP, 0, 0, 0, REASON_CANCELLED, CODE_CANCELLED);
}

static void t02(void)
{
    check_plan(plan_of(with_left(no_answer(OUTCOME_DEADLINE), -3)), "T02", PLAN_STOP, 0, 0, 0, REASON_DEADLINE,
               CODE_DEADLINE);
}

static void t03(void)
{
    check_plan(plan_of(at_attempt(no_answer(OUTCOME_LOCAL_INVALID), 0)), "T03", PLAN_STOP, 0, 0, 0,
               REASON_LOCAL_VALIDATION, CODE_BAD_REQUEST);
}

static void t04(void)
{
    static const int statuses[] = {400, 401, 404, 405, 410, 414, 422, 451, 499};
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        check_plan(plan_of(answer(statuses[i], throttle(NONE, 7000, NONE))), "T04", PLAN_STOP, 0, 0, 0,
                   REASON_CLIENT_ERROR, CODE_BAD_REQUEST);
    }
    check_plan(plan_of(answer(400, throttle(0, 7000, NONE))), "T04", PLAN_STOP, 0, 0, 7000, REASON_CLIENT_ERROR,
               CODE_BAD_REQUEST);
}

static void t05(void)
{
    check_plan(plan_of(no_answer(OUTCOME_CONFIG_ERROR)), "T05", PLAN_STOP, 0, 0, 0, REASON_CONFIG_ERROR,
               CODE_UPSTREAM_UNAVAILABLE);
}

static void t06(void)
{
    static const int statuses[] = {0, 100, 103, 201, 204, 301, 302, 304, 399, 600, 999};
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        check_plan(plan_of(answer(statuses[i], quota_unknown())), "T06", PLAN_STOP, 0, 0, 0, REASON_UNEXPECTED_STATUS,
                   CODE_BAD_RESPONSE);
    }
}

static void t07(void)
{
    check_plan(plan_of(answer(200, throttle(4, NONE, 50000))), "T07", PLAN_DELIVER, 0, 0, 0, REASON_OK, CODE_NONE);
}

static void t08(void)
{
    struct plan_input input = answer(200, throttle(4, 9000, NONE));
    input.outcome = OUTCOME_SPARSE;
    check_plan(plan_of(input), "T08", PLAN_DELIVER, 0, 0, 0, REASON_OK_SPARSE, CODE_NONE);
}

static void t09(void)
{
    check_plan(plan_of(answer(200, throttle(0, 4000, 20000))), "T09", PLAN_DELIVER, 0, 0, 20000, REASON_QUOTA_GATE,
               CODE_NONE);
    check_plan(plan_of(answer(200, throttle(0, NONE, 0))), "T09", PLAN_DELIVER, 0, 0, 250, REASON_QUOTA_GATE,
               CODE_NONE);
    check_plan(plan_of(answer(200, throttle(0, NONE, 3600000))), "T09", PLAN_DELIVER, 0, 0, 60000, REASON_QUOTA_GATE,
               CODE_NONE);
}

static void t10(void)
{
    check_plan(plan_of(answer(200, throttle(0, NONE, NONE))), "T10", PLAN_DELIVER, 0, 0, 30000,
               REASON_REMAINING_ZERO_WITHOUT_RESET, CODE_NONE);
}

static void t11(void)
{
    struct quota quota = READ("Age", "9", "RateLimit-Remaining", "0", "RateLimit-Reset", "30");
    check_plan(plan_of(answer(200, quota)), "T07", PLAN_DELIVER, 0, 0, 0, REASON_OK, CODE_NONE);
}

static void t12(void)
{
    check_plan(plan_of(answer(200, throttle(NONE, 9000, NONE))), "T12", PLAN_DELIVER, 0, 0, 0, REASON_OK, CODE_NONE);
}

static void t13(void)
{
    struct plan_input input = answer(429, throttle(NONE, 1000, NONE));
    for (input.short_hints = 0; input.short_hints < 2; input.short_hints++) {
        struct plan plan = plan_of(input);
        check_plan(plan, "T24", PLAN_WAIT, 1000, 50, 1000, REASON_RETRY_AFTER_SECONDS, CODE_NONE);
        CHECK_INT(plan.short_hints, input.short_hints + 1);
    }
    struct plan third = plan_of(input);
    check_plan(third, "T13", PLAN_REFUSE, 30000, 0, 30000, REASON_HINT_NOT_CREDIBLE, CODE_UPSTREAM_THROTTLE);
    CHECK(third.cool_down);
    CHECK_INT(third.short_hints, 3);
    input.quota.retry_after_ms = 1001;
    CHECK_INT(plan_of(input).short_hints, 0);
    CHECK_TEXT(plan_of(input).row, "T24");
    input.status = 503;
    input.quota.retry_after_ms = 1000;
    CHECK_TEXT(plan_of(input).row, "T24");
    CHECK_INT(plan_of(input).short_hints, 2);
}

static void t14(void)
{
    static const int statuses[] = {429, 503, 403};
    for (size_t i = 0; i < 3; i++) {
        struct plan_input input = answer(statuses[i], throttle(0, NONE, NONE));
        input.streak = 1;
        struct plan plan = plan_of(input);
        check_plan(plan, "T14", PLAN_REFUSE, 60000, 0, 60000, REASON_REMAINING_ZERO_WITHOUT_RESET,
                   CODE_UPSTREAM_THROTTLE);
        CHECK(plan.cool_down);
    }
}

static void t15(void)
{
    static const int64_t cool_downs[] = {30000, 60000, 120000, 240000, 480000, 600000, 600000};
    struct plan_input input = answer(429, throttle(8, NONE, NONE));
    for (input.streak = 0; input.streak < 7; input.streak++) {
        int64_t cool_down = cool_downs[input.streak];
        struct plan plan = plan_of(input);
        check_plan(plan, "T15", PLAN_REFUSE, cool_down, 0, cool_down, REASON_THROTTLED_WITHOUT_HINT,
                   CODE_UPSTREAM_THROTTLE);
        CHECK(plan.cool_down);
        CHECK(!plan.negative);
    }
}

static void t16(void)
{
    check_plan(plan_of(at_attempt(answer(503, quota_unknown()), 3)), "T16", PLAN_WAIT, 625, 0, 0, REASON_BACKOFF,
               CODE_NONE);
}

static void t17(void)
{
    struct plan plan = plan_of(at_attempt(answer(503, quota_unknown()), 4));
    check_plan(plan, "T17", PLAN_REFUSE, 0, 0, 0, REASON_ATTEMPTS, CODE_EXHAUSTED);
    CHECK(plan.negative);
}

static void t18(void)
{
    check_plan(plan_of(answer(503, throttle(3, NONE, 60000))), "T18", PLAN_REFUSE, 60000, 0, 60000,
               REASON_RESET_NOT_CREDIBLE, CODE_UPSTREAM_THROTTLE);
    check_plan(plan_of(answer(429, throttle(3, NONE, 86400000))), "T18", PLAN_REFUSE, 60000, 0, 60000,
               REASON_RESET_NOT_CREDIBLE, CODE_UPSTREAM_THROTTLE);
}

static void t19(void)
{
    check_plan(plan_of(answer(429, throttle(NONE, 60000, NONE))), "T19", PLAN_REFUSE, 60000, 0, 60000,
               REASON_OVER_CAP_RETRY_AFTER, CODE_UPSTREAM_THROTTLE);
    check_plan(plan_of(answer(503, throttle(3, 7200000, 4000))), "T19", PLAN_REFUSE, 7200000, 0, 600000,
               REASON_OVER_CAP_RETRY_AFTER, CODE_UPSTREAM_THROTTLE);
}

static void t20(void)
{
    check_plan(plan_of(with_body(answer(429, quota_unknown()), 600001)), "T20", PLAN_REFUSE, 600001, 0, 600000,
               REASON_OVER_CAP_BODY, CODE_UPSTREAM_THROTTLE);
}

static void t21(void)
{
    check_plan(plan_of(answer(429, throttle(NONE, NONE, 60000))), "T21", PLAN_REFUSE, 60000, 0, 60000,
               REASON_OVER_CAP_RESET, CODE_UPSTREAM_THROTTLE);
    check_plan(plan_of(answer(503, throttle(0, 2000, 90000))), "T21", PLAN_REFUSE, 90000, 0, 90000,
               REASON_OVER_CAP_RESET, CODE_UPSTREAM_THROTTLE);
}

static void t22(void)
{
    struct plan throttled = plan_of(at_attempt(answer(429, throttle(NONE, 100, NONE)), 4));
    check_plan(throttled, "T22", PLAN_REFUSE, 250, 0, 250, REASON_ATTEMPTS, CODE_UPSTREAM_THROTTLE);
    CHECK(!throttled.negative);
    struct plan outage = plan_of(at_attempt(answer(503, throttle(NONE, 7000, NONE)), 4));
    check_plan(outage, "T22", PLAN_REFUSE, 7000, 0, 7000, REASON_ATTEMPTS, CODE_EXHAUSTED);
    CHECK(outage.negative);
    check_plan(plan_of(at_attempt(answer(403, throttle(NONE, 7000, NONE)), 4)), "T22", PLAN_REFUSE, 7000, 0, 7000,
               REASON_ATTEMPTS, CODE_UPSTREAM_THROTTLE);
}

static void t23(void)
{
    struct plan_input input = answer(429, throttle(NONE, 7000, NONE));
    check_plan(plan_of(with_left(input, 8499)), "T23", PLAN_REFUSE, 7000, 0, 7000, REASON_DEADLINE, CODE_DEADLINE);
    CHECK_INT(plan_of(with_left(input, 8500)).action, PLAN_WAIT);
}

static void t24(void)
{
    struct plan_input input = answer(429, throttle(3, 7000, 50000));
    check_plan(plan_of(input), "T24", PLAN_WAIT, 7000, 350, 7000, REASON_RETRY_AFTER_SECONDS, CODE_NONE);
    input.quota.hint_source = HINT_RETRY_AFTER_HTTP_DATE;
    check_plan(plan_of(input), "T24", PLAN_WAIT, 7000, 350, 7000, REASON_RETRY_AFTER_HTTP_DATE, CODE_NONE);
    input.quota.hint_source = HINT_RETRY_AFTER_EPOCH;
    check_plan(plan_of(input), "T24", PLAN_WAIT, 7000, 350, 7000, REASON_RETRY_AFTER_EPOCH, CODE_NONE);
    input.quota.hint_source = HINT_RETRY_AFTER_MS;
    check_plan(plan_of(input), "T24", PLAN_WAIT, 7000, 350, 7000, REASON_RETRY_AFTER_MS, CODE_NONE);
    check_plan(plan_of(with_body(answer(503, throttle(0, 7000, 7000)), 9000)), "T24", PLAN_WAIT, 7000, 350, 7000,
               REASON_RETRY_AFTER_SECONDS, CODE_NONE);
}

static void t25(void)
{
    check_plan(plan_of(answer(503, throttle(0, 7000, 50000))), "T25", PLAN_WAIT, 50000, 1000, 50000, REASON_RESET,
               CODE_NONE);
}

static void t26(void)
{
    check_plan(plan_of(with_body(answer(429, throttle(NONE, NONE, 50000)), 3000)), "T26", PLAN_WAIT, 3000, 150, 3000,
               REASON_BODY, CODE_NONE);
    check_plan(plan_of(with_body(answer(503, quota_unknown()), 1)), "T26", PLAN_WAIT, 250, 13, 250, REASON_BODY,
               CODE_NONE);
}

static void t27(void)
{
    check_plan(plan_of(with_body(answer(429, throttle(0, NONE, 50000)), 3000)), "T27", PLAN_WAIT, 50000, 1000, 50000,
               REASON_RESET, CODE_NONE);
}

static void t28(void)
{
    check_plan(plan_of(answer(429, throttle(5, NONE, 50000))), "T28", PLAN_WAIT, 50000, 1000, 50000, REASON_RESET,
               CODE_NONE);
    check_plan(plan_of(with_body(answer(429, throttle(5, NONE, 50000)), 0)), "T28", PLAN_WAIT, 50000, 1000, 50000,
               REASON_RESET, CODE_NONE);
}

static void t29(void)
{
    check_plan(plan_of(answer(429, throttle(NONE, 0, NONE))), "T29", PLAN_WAIT, 250, 13, 250,
               REASON_RETRY_AFTER_SECONDS, CODE_NONE);
    check_plan(plan_of(answer(503, throttle(0, NONE, 0))), "T29", PLAN_WAIT, 250, 13, 250, REASON_RESET, CODE_NONE);
}

static void t30(void)
{
    check_plan(plan_of(answer(403, throttle(NONE, 7000, NONE))), "T24", PLAN_WAIT, 7000, 350, 7000,
               REASON_RETRY_AFTER_SECONDS, CODE_NONE);
    check_plan(plan_of(answer(403, throttle(0, NONE, 7000))), "T28", PLAN_WAIT, 7000, 350, 7000, REASON_RESET,
               CODE_NONE);
}

static void t31(void)
{
    check_plan(plan_of(with_body(answer(403, throttle(5, NONE, 7000)), 3000)), "T31", PLAN_STOP, 0, 0, 0,
               REASON_CLIENT_ERROR, CODE_BAD_REQUEST);
}

static void t32(void)
{
    check_plan(plan_of(answer(404, throttle(0, NONE, 7000))), "T04", PLAN_STOP, 0, 0, 7000, REASON_CLIENT_ERROR,
               CODE_BAD_REQUEST);
    check_plan(plan_of(answer(500, throttle(0, NONE, 70000))), "T39", PLAN_STOP, 0, 0, 60000, REASON_UNLISTED_STATUS,
               CODE_UPSTREAM_UNAVAILABLE);
}

static void t33(void)
{
    struct plan_input input = answer(502, throttle(0, NONE, NONE));
    check_plan(plan_of(input), "T33", PLAN_REFUSE, 30000, 0, 30000, REASON_REMAINING_ZERO_WITHOUT_RESET,
               CODE_UPSTREAM_THROTTLE);
    check_plan(plan_of(with_body(input, 3000)), "T35", PLAN_WAIT, 3000, 150, 3000, REASON_BODY, CODE_NONE);
    input.outcome = OUTCOME_BAD_BODY;
    check_plan(plan_of(with_body(input, 3000)), "T33", PLAN_REFUSE, 30000, 0, 30000,
               REASON_REMAINING_ZERO_WITHOUT_RESET, CODE_UPSTREAM_THROTTLE);
}

static void t34(void)
{
    check_plan(plan_of(answer(502, throttle(4, NONE, 7000))), "T34", PLAN_WAIT, 325, 0, 0, REASON_BACKOFF, CODE_NONE);
    check_plan(plan_of(answer(504, throttle(0, NONE, 7000))), "T34", PLAN_WAIT, 7000, 350, 7000, REASON_QUOTA_GATE,
               CODE_NONE);
}

static void t35(void)
{
    check_plan(plan_of(with_body(answer(504, throttle(NONE, 7000, NONE)), 3000)), "T35", PLAN_WAIT, 7000, 350, 7000,
               REASON_BODY, CODE_NONE);
}

static void t36(void)
{
    check_plan(plan_of(answer(502, throttle(NONE, 7000, NONE))), "T36", PLAN_WAIT, 7000, 350, 7000,
               REASON_BACKOFF_OR_RETRY_AFTER, CODE_NONE);
    check_plan(plan_of(at_attempt(answer(502, throttle(NONE, 400, NONE)), 3)), "T36", PLAN_WAIT, 625, 0, 400,
               REASON_BACKOFF_OR_RETRY_AFTER, CODE_NONE);
}

static void t37(void)
{
    check_plan(plan_of(answer(502, throttle(NONE, 60000, NONE))), "T37", PLAN_REFUSE, 60000, 0, 60000, REASON_OVER_CAP,
               CODE_UPSTREAM_UNAVAILABLE);
    check_plan(plan_of(with_body(answer(504, throttle(NONE, 7000, NONE)), 3600000)), "T37", PLAN_REFUSE, 3600000, 0,
               600000, REASON_OVER_CAP, CODE_UPSTREAM_UNAVAILABLE);
}

static void t38(void)
{
    struct plan plan = plan_of(at_attempt(answer(504, throttle(NONE, 7000, NONE)), 4));
    check_plan(plan, "T38", PLAN_REFUSE, 7000, 0, 7000, REASON_ATTEMPTS, CODE_EXHAUSTED);
    CHECK(plan.negative);
    check_plan(plan_of(at_attempt(answer(502, throttle(0, NONE, NONE)), 4)), "T38", PLAN_REFUSE, 30000, 0, 30000,
               REASON_ATTEMPTS, CODE_EXHAUSTED);
}

static void t39(void)
{
    static const int statuses[] = {408, 425, 500, 501, 505, 507, 599};
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        check_plan(plan_of(answer(statuses[i], throttle(NONE, 7000, NONE))), "T39", PLAN_STOP, 0, 0, 0,
                   REASON_UNLISTED_STATUS, CODE_UPSTREAM_UNAVAILABLE);
    }
}

static void t40(void)
{
    check_plan(plan_of(at_attempt(no_answer(OUTCOME_TIMEOUT), 2)), "T40", PLAN_WAIT, 375, 0, 0, REASON_TIMEOUT,
               CODE_NONE);
}

static void t41(void)
{
    struct plan plan = plan_of(no_answer(OUTCOME_TIMEOUT_CUT));
    check_plan(plan, "T41", PLAN_STOP, 0, 0, 0, REASON_DEADLINE, CODE_DEADLINE);
    CHECK(!plan.negative);
}

static void t42(void)
{
    struct plan_input input = no_answer(OUTCOME_TRANSPORT);
    input.profile = PROFILE_LIST;
    check_plan(plan_of(at_attempt(input, 3)), "T42", PLAN_WAIT, 925, 0, 0, REASON_TRANSPORT, CODE_NONE);
}

static void t43(void)
{
    static const enum outcome outcomes[] = {OUTCOME_TIMEOUT, OUTCOME_TRANSPORT, OUTCOME_BAD_BODY, OUTCOME_BAD_HEADERS};
    for (size_t i = 0; i < sizeof outcomes / sizeof outcomes[0]; i++) {
        struct plan plan = plan_of(at_attempt(no_answer(outcomes[i]), 4));
        check_plan(plan, "T43", PLAN_REFUSE, 0, 0, 0, REASON_ATTEMPTS, CODE_EXHAUSTED);
        CHECK(plan.negative);
    }
    struct plan_input group = at_attempt(no_answer(OUTCOME_TIMEOUT), 2);
    group.max_attempts = policy_default.group_attempts;
    check_plan(plan_of(group), "T43", PLAN_REFUSE, 0, 0, 0, REASON_ATTEMPTS, CODE_EXHAUSTED);
}

static void t44(void)
{
    check_plan(plan_of(no_answer(OUTCOME_BAD_BODY)), "T44", PLAN_WAIT, 325, 0, 0, REASON_BAD_BODY, CODE_NONE);
}

static void t45(void)
{
    struct plan_input input = at_attempt(no_answer(OUTCOME_BAD_BODY), 2);
    input.bad_answers = 1;
    struct plan plan = plan_of(input);
    check_plan(plan, "T45", PLAN_REFUSE, 0, 0, 0, REASON_BAD_BODY, CODE_BAD_RESPONSE);
    CHECK(plan.negative);
}

static void t46(void)
{
    check_plan(plan_of(no_answer(OUTCOME_WRONG_VIN)), "T46", PLAN_STOP, 0, 0, 0, REASON_WRONG_VIN, CODE_BAD_RESPONSE);
}

static void t47(void)
{
    check_plan(plan_of(no_answer(OUTCOME_TOO_LARGE)), "T47", PLAN_STOP, 0, 0, 0, REASON_TOO_LARGE, CODE_BAD_RESPONSE);
}

static void t48(void)
{
    struct plan_input input = no_answer(OUTCOME_BAD_HEADERS);
    check_plan(plan_of(input), "T48", PLAN_WAIT, 325, 0, 0, REASON_BAD_HEADERS, CODE_NONE);
    input.bad_answers = 1;
    check_plan(plan_of(input), "T48", PLAN_REFUSE, 0, 0, 0, REASON_BAD_HEADERS, CODE_BAD_RESPONSE);
}

static void t50(void)
{
    struct circuit_breaker breaker;
    circuit_breaker_init(&breaker, &policy_default);
    for (uint64_t attempt = 1; attempt <= 5; attempt++) {
        struct breaker_ticket ticket;
        CHECK(circuit_breaker_start(&breaker, &policy_default, attempt, attempt % 2, 4000, 0, &ticket));
        CHECK_INT(circuit_breaker_end(&breaker, &policy_default, &ticket, BREAKER_FAILURE, 0.0, 0), attempt == 5);
    }
}

static void t51(void)
{
    struct plan_input input = answer(502, throttle(0, NONE, 20000));
    check_plan(plan_of(input), "T34", PLAN_WAIT, 20000, 1000, 20000, REASON_QUOTA_GATE, CODE_NONE);
    check_plan(plan_of(with_left(input, 21499)), "T51", PLAN_REFUSE, 20000, 0, 20000, REASON_QUOTA_GATE,
               CODE_UPSTREAM_THROTTLE);
    input.quota.reset_ms = 60000;
    check_plan(plan_of(with_left(input, 90000)), "T51", PLAN_REFUSE, 60000, 0, 60000, REASON_QUOTA_GATE,
               CODE_UPSTREAM_THROTTLE);
}

static void t52(void)
{
    struct plan_input input = answer(429, throttle(NONE, 10000, NONE));
    check_plan(plan_of(with_left(input, 12000)), "T24", PLAN_WAIT, 10000, 500, 10000, REASON_RETRY_AFTER_SECONDS,
               CODE_NONE);
    check_plan(plan_of(with_left(input, 11999)), "T24", PLAN_WAIT, 10000, 0, 10000, REASON_RETRY_AFTER_SECONDS,
               CODE_NONE);
}

static void t53(void)
{
    struct plan_input input = no_answer(OUTCOME_TRANSPORT);
    CHECK_INT(plan_of(with_left(input, 1825)).action, PLAN_WAIT);
    check_plan(plan_of(with_left(input, 1824)), "T53", PLAN_REFUSE, 0, 0, 0, REASON_DEADLINE, CODE_DEADLINE);
    check_plan(plan_of(with_left(answer(502, throttle(NONE, 7000, NONE)), 8499)), "T53", PLAN_REFUSE, 7000, 0, 7000,
               REASON_DEADLINE, CODE_DEADLINE);
}

static void t55(void)
{
    struct host_gate gate;
    host_gate_init(&gate);
    CHECK_INT(host_gate_cool_down(&gate, &policy_default, 0), 30000);
    CHECK_INT(host_gate_cool_down(&gate, &policy_default, 30000), 60000);
    host_gate_done(&gate, 1, 30000, true, 91000);
    CHECK_INT(host_gate_cool_down(&gate, &policy_default, 91000), 30000);
}

static void names_are_spelled(void)
{
    for (int i = 0; i < REASON_COUNT; i++) {
        CHECK(reason_name((enum reason)i) != NULL && reason_name((enum reason)i)[0] != '\0');
    }
    for (int i = 0; i < CODE_COUNT; i++) {
        CHECK(code_name((enum code)i) != NULL && code_name((enum code)i)[0] != '\0');
    }
    CHECK_TEXT(reason_name(REASON_REMAINING_ZERO_WITHOUT_RESET), "remaining_zero_without_reset");
    CHECK_TEXT(code_name(CODE_UPSTREAM_THROTTLE), "upstream_throttle");
}

static const struct unit_test tests[] = {
    {"T01 cancelled", t01},
    {"T02 deadline passed", t02},
    {"T03 local validation", t03},
    {"T04 client errors are final", t04},
    {"T05 certificate, scheme, no such host", t05},
    {"T06 statuses that nobody expects", t06},
    {"T07 a card", t07},
    {"T08 a sparse card is a card", t08},
    {"T09 200 with nothing remaining gates the next call", t09},
    {"T10 200 with nothing remaining and no time", t10},
    {"T11 200 out of a cache: quota ignored", t11},
    {"T12 200 with a Retry-After: ignored", t12},
    {"T13 the third hint of next to nothing", t13},
    {"T14 throttled, nothing remains, no time", t14},
    {"T15 throttled without a hint", t15},
    {"T16 503 without a hint: backoff", t16},
    {"T17 503 without a hint, attempts used up", t17},
    {"T18 a reset that contradicts what remains", t18},
    {"T19 Retry-After of a minute or more", t19},
    {"T20 body hint of a minute or more", t20},
    {"T21 reset of a minute or more", t21},
    {"T22 hinted, attempts used up", t22},
    {"T23 hinted, does not fit", t23},
    {"T24 Retry-After", t24},
    {"T25 a larger reset when nothing remains", t25},
    {"T26 body hint", t26},
    {"T27 reset over body hint when nothing remains", t27},
    {"T28 reset alone", t28},
    {"T29 a hint of zero", t29},
    {"T30 403 with a sign of throttling", t30},
    {"T31 403 without one", t31},
    {"T32 other statuses with nothing remaining", t32},
    {"T33 nothing remains and no time: no retry", t33},
    {"T34 bad gateway: backoff", t34},
    {"T35 bad gateway with a body hint", t35},
    {"T36 bad gateway with a Retry-After: a lower bound", t36},
    {"T37 bad gateway, a minute or more", t37},
    {"T38 bad gateway, attempts used up", t38},
    {"T39 unlisted statuses", t39},
    {"T40 time-out", t40},
    {"T41 time-out cut by the budget", t41},
    {"T42 transport", t42},
    {"T43 attempts used up without an answer", t43},
    {"T44 unreadable body, first", t44},
    {"T45 unreadable body, second", t45},
    {"T46 another VIN's row", t46},
    {"T47 too large", t47},
    {"T48 unreadable headers", t48},
    {"T50 the breaker says that this failure opened it", t50},
    {"T51 the answer's own gate", t51},
    {"T52 jitter that does not fit is dropped", t52},
    {"T53 no room for an attempt", t53},
    {"T55 success starts the cool-downs again", t55},
    {"reasons and codes are spelled", names_are_spelled},
};

UNIT_MAIN("policy: decision table", tests)
