/* Section R: faults that others had, as far as they lie in parsing, clocks, back-off, time-outs, buckets and the
 * breaker as a pure function. Every test bears the number of its report. */
#include "unit.h"

#include "core/policy/backoff.h"
#include "core/policy/circuit_breaker.h"
#include "core/policy/deadline.h"
#include "core/policy/host_gate.h"
#include "core/policy/latency_window.h"
#include "core/policy/token_bucket.h"
#include "policy_support.h"

#include <time.h>

/*
 * The other reports of the section are not of this room:
 *   engine: R21 (options do not change within a flight), R48 (no token, no retry), R49 (one constructor), R66 (the
 * whole call is bounded; its arithmetic is tested here), R68 (one retry layer), R71 (every attempt takes a token), R79
 * (a probe passes gate and bucket), R85, R87, R88 (one flight, many waiters), R90, R91 (cancel), R97 (late answers),
 * R99 (absolute expiry of negative entries), R106 (a window per call class), R108 (what counts as a request: rejects at
 * the own door are counted, but are no failures) net:    R18 (header bytes end to end), R39 (never FAILONERROR), R93,
 * R94 (name lookup and leaving), R96 (re-sends of libcurl), R100 (libcurl's DNS cache stays as it is)
 */

#define POLICY (&policy_default)

static struct plan plan_for(int status, const char *retry_after_value)
{
    return plan_of(answer(status, READ("Retry-After", retry_after_value)));
}

static void r01(void)
{
    struct header_field field = {"Retry-After", 11, "60", 2};
    struct quota quota;
    quota_read(&field, 1, POLICY_NOW, &quota);
    CHECK_INT(quota.retry_after_ms, 60000);
    quota_read(NULL, 0, POLICY_NOW, &quota);
    CHECK_INT(quota.retry_after_ms, QUOTA_UNKNOWN);
    CHECK_INT(quota.hint_source, HINT_NONE);
}

static void in_zone(const char *zone, const char *date, int64_t wanted_ms)
{
    CHECK_INT(setenv("TZ", zone, 1), 0);
    tzset();
    CHECK_INT(retry_after(date), wanted_ms);
    unsetenv("TZ");
    tzset();
}

static void r03(void)
{
    static const char *const zones[] = {"UTC0", "EST5EDT", "NPT-5:45"};
    for (size_t i = 0; i < 3; i++) {
        in_zone(zones[i], "Sat, 14 Nov 2026 10:00:30 GMT", 30000);
    }
}

static void r04(void)
{
    CHECK_INT(retry_after("0.5"), 500);
    CHECK_INT(retry_after("0.0001"), 1);
}

static void r06(void)
{
    CHECK_INT(retry_after("2.0"), 2000);
}

static void r07(void)
{
    CHECK_INT(retry_after("nan"), QUOTA_UNKNOWN);
    CHECK_INT(retry_after("inf"), QUOTA_UNKNOWN);
    CHECK_INT(retry_after("Infinity"), QUOTA_UNKNOWN);
}

static void r09(void)
{
    CHECK_INT(READ("X-Ratelimit-Remaining", "991, 98").remaining, 98);
}

static void r10(void)
{
    struct plan_input input = answer(429, READ("Retry-After", "86400"));
    input.left_ms = 10000;
    CHECK_INT(plan_of(input).action, PLAN_REFUSE);
    CHECK_INT(plan_of(input).wait_ms, 86400000);
    input.quota.retry_after_ms = 30000;
    CHECK_INT(plan_of(input).action, PLAN_REFUSE);
    CHECK_INT(plan_of(input).code, CODE_DEADLINE);
}

static void r12(void)
{
    struct plan_input input = answer(503, READ("Retry-After", "1"));
    input.attempt = 3;
    input.profile = PROFILE_LIST;
    input.u1 = 0.9999;
    CHECK_INT(plan_of(input).wait_ms, 1000);
    CHECK_INT(plan_for(429, "0").wait_ms, 250);
    struct host_gate gate;
    host_gate_init(&gate);
    const char *last = "";
    for (monotime now = 0; now < 6000; now += 2000) {
        struct plan_input repeated = answer(429, READ("Retry-After", "1"));
        host_gate_recall(&gate, now, &repeated);
        struct plan plan = plan_of(repeated);
        host_gate_follow(&gate, POLICY, &plan, 0, now, now);
        last = plan.row;
    }
    CHECK_TEXT(last, "T13");
    CHECK_INT(host_gate_left_ms(&gate, 4000), 30000);
}

static void r13(void)
{
    CHECK_INT(retry_after("30"), 30000);
    CHECK_INT(READ("RateLimit-Remaining", "0", "RateLimit-Reset", "30").reset_ms, 30000);
}

static void r15(void)
{
    CHECK_INT(retry_after("1794650430"), 30000);
    CHECK_INT(plan_for(429, "1794650430").wait_ms, 30000);
}

static void r16(void)
{
    CHECK_INT(READ("Date", "Sat, 14 Nov 2026 10:00:00 GMT", "Retry-After", "1794650430").retry_after_ms, 30000);
    CHECK_INT(retry_after("1794650430000"), 30000);
}

static void r19(void)
{
    CHECK_INT(retry_after("-1466247819"), QUOTA_UNKNOWN);
    CHECK_INT(READ("RateLimit-Reset", "-1").reset_ms, QUOTA_UNKNOWN);
}

static void r22(void)
{
    CHECK_INT(retry_after("-1"), QUOTA_UNKNOWN);
    CHECK_TEXT(plan_for(429, "-1").row, "T15");
}

static void r24(void)
{
    struct quota quota = READ("RateLimit-Reset", "5");
    CHECK_INT(quota.remaining, QUOTA_UNKNOWN);
    CHECK_TEXT(plan_of(answer(200, quota)).row, "T07");
}

static void r25(void)
{
    CHECK_INT(plan_for(429, "99999999999999999999").action, PLAN_REFUSE);
    CHECK_INT(plan_for(429, "99999999999999999999").gate_ms, 600000);
}

static void r27(void)
{
    struct plan plan = plan_for(429, "0");
    CHECK_INT(plan.action, PLAN_WAIT);
    CHECK_INT(plan.wait_ms, 250);
    struct plan_input last = answer(429, READ("Retry-After", "0"));
    last.attempt = 4;
    CHECK_INT(plan_of(last).action, PLAN_REFUSE);
}

static void r28(void)
{
    struct plan plan = plan_for(502, "5");
    CHECK_INT(plan.action, PLAN_WAIT);
    CHECK(plan.wait_ms >= 5000);
    CHECK_INT(plan_for(429, "0").action, PLAN_WAIT);
}

static void r30(void)
{
    CHECK_TEXT(plan_for(503, "3600").row, "T19");
    CHECK_TEXT(plan_for(502, "3600").row, "T37");
}

static void r31(void)
{
    struct plan_input input = answer(429, READ("Retry-After", "5"));
    input.left_ms = 1000;
    CHECK_INT(plan_of(input).action, PLAN_REFUSE);
    CHECK_INT(plan_of(input).code, CODE_DEADLINE);
    CHECK_INT(plan_of(input).wait_ms, 5000);
}

static void r33(void)
{
    CHECK_INT(retry_after("Sat, 14 Nov 2026 10:00:30 GMT"), 30000);
    CHECK_INT(retry_after("Saturday, 14-Nov-26 10:00:30 GMT"), 30000);
    CHECK_INT(retry_after("Sat Nov 14 10:00:30 2026"), 30000);
}

static void r34(void)
{
    struct plan plan = plan_for(503, "Sat, 99 Nov 2026 10:00:30 GMT");
    CHECK_TEXT(plan.row, "T16");
    CHECK_INT(plan.action, PLAN_WAIT);
}

static void r36(void)
{
    in_zone("CET-1CEST", "Sat, 14 Nov 2026 10:00:10 GMT", 10000);
    in_zone("PST8PDT", "Sat, 14 Nov 2026 10:00:10 GMT", 10000);
}

static void r37(void)
{
    CHECK_INT(READ("X-RateLimit-Reset", "1794650401", "X-RateLimit-Reset-After", "0.5").reset_ms, 500);
}

static void r40(void)
{
    const char *const skewed[] = {"Date", "Sat, 14 Nov 2026 10:00:40 GMT", "X-RateLimit-Reset", "1794650445", NULL,
                                  NULL};
    CHECK_INT(read_pairs(skewed, POLICY_NOW).reset_ms, 5000);
    CHECK_INT(read_pairs(skewed, POLICY_NOW + 3600000).reset_ms, 5000);
}

static void r42(void)
{
    CHECK_INT(READ("X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "1794650390").reset_ms, 0);
}

static void r43(void)
{
    CHECK_INT(retry_after("Sat, 14 Nov 2026 09:59:00 GMT"), 0);
    CHECK_INT(plan_for(429, "Sat, 14 Nov 2026 09:59:00 GMT").wait_ms, 250);
}

static void r45(void)
{
    struct token_bucket bucket;
    token_bucket_init(&bucket, 2, 1000, 5, INT64_C(200000000));
    for (int i = 0; i < 5; i++) {
        CHECK(token_bucket_take(&bucket, INT64_C(200000000) - 2 * 86400000));
    }
    CHECK(!token_bucket_take(&bucket, INT64_C(200000000) - 2 * 86400000));
    CHECK_INT(token_bucket_wait_ms(&bucket, 0), 500);
    CHECK(token_bucket_take(&bucket, INT64_C(200000500)));
}

static void r46(void)
{
    struct token_bucket bucket;
    token_bucket_init(&bucket, 1, 1000, 1, 0);
    CHECK(token_bucket_take(&bucket, 0));
    CHECK(!token_bucket_take(&bucket, -3600000));
    CHECK(!token_bucket_take(&bucket, 999));
    CHECK(token_bucket_take(&bucket, 1000));
}

static void r51(void)
{
    CHECK(backoff_draw(50, 250, 6000, 0.25) < backoff_draw(50, 250, 6000, 0.75));
    CHECK(backoff_draw(1, 250, 250, 0.25) < backoff_draw(1, 250, 250, 0.75));
}

static void r52(void)
{
    for (int i = 0; i < 100; i++) {
        struct plan_input input = answer(429, READ("Retry-After", "5"));
        input.u2 = i / 100.0;
        struct plan plan = plan_of(input);
        CHECK_INT(plan.wait_ms, 5000);
        CHECK(plan.jitter_ms >= 0 && plan.jitter_ms <= 500);
    }
}

static void check_bounded(int attempt)
{
    CHECK_INT(backoff_draw(attempt, 250, 6000, 0.9999999), 6000);
    CHECK_INT(backoff_draw(attempt, 400, 60000, 0.0), 250);
    CHECK(backoff_draw(attempt, 7, INT64_MAX, 0.5) > 0);
}

static void r54(void)
{
    check_bounded(62);
    check_bounded(64);
}

static void r55(void)
{
    check_bounded(32);
    check_bounded(INT32_MAX);
}

static void r57(void)
{
    check_bounded(1001);
}

static void r60(void)
{
    struct plan plan = plan_for(429, "1800");
    CHECK_INT(plan.action, PLAN_REFUSE);
    CHECK_INT(plan.wait_ms, 1800000);
}

static void r62(void)
{
    struct plan plan = plan_for(503, "120");
    CHECK_INT(plan.action, PLAN_REFUSE);
    CHECK_INT(plan.gate_ms, 120000);
}

static void r63(void)
{
    CHECK_INT(plan_for(502, "120").action, PLAN_REFUSE);
    CHECK_INT(plan_for(502, "120").wait_ms, 120000);
}

static void r65(void)
{
    monotime deadline = deadline_mint(0, 5000), now = 0;
    int attempts = 0;
    for (; attempts < 1000; attempts++) {
        struct attempt_timeout timeout = deadline_attempt_timeout(deadline_left_ms(deadline, now), 4000, 1500);
        if (timeout.timeout_ms == 0) {
            break;
        }
        now += 100;
        struct plan_input input = no_answer(OUTCOME_TRANSPORT);
        input.max_attempts = 1000;
        input.left_ms = deadline_left_ms(deadline, now);
        struct plan plan = plan_of(input);
        if (plan.action != PLAN_WAIT) {
            break;
        }
        now += plan.wait_ms;
    }
    CHECK(attempts < 20);
    CHECK(now <= 5000);
}

static void r66(void)
{
    CHECK_INT(deadline_attempt_timeout(deadline_left_ms(60000, 35000), 30000, 1500).timeout_ms, 25000);
    CHECK(deadline_attempt_timeout(deadline_left_ms(60000, 35000), 30000, 1500).cut);
    CHECK_INT(deadline_attempt_timeout(deadline_left_ms(60000, 59000), 30000, 1500).timeout_ms, 0);
}

static void r69(void)
{
    CHECK_TEXT(plan_of(answer(403, quota_unknown())).row, "T31");
    CHECK_TEXT(plan_of(answer(429, quota_unknown())).row, "T15");
    CHECK_TEXT(plan_of(answer(403, READ("RateLimit-Remaining", "0"))).row, "T14");
}

static void r72(void)
{
    struct token_bucket bucket;
    token_bucket_init(&bucket, 3, 1000, 1, 0);
    int taken = 0;
    for (monotime now = 0; now <= 100000; now++) {
        taken += token_bucket_take(&bucket, now) ? 1 : 0;
    }
    CHECK_INT(taken,
              300); /* at 0, 334, 668, 1002 ... of a full second each third: nothing is lost but the rounding up */
}

static void r74(void)
{
    struct token_bucket bucket;
    token_bucket_init(&bucket, 1000000, 1000, 5, 0);
    CHECK(token_bucket_take(&bucket, INT64_MAX));
    CHECK_INT(bucket.level, 4 * bucket.per_ms);
}

static void r75(void)
{
    struct token_bucket bucket;
    token_bucket_init(&bucket, 1, 1000, 3, 0);
    int taken = 0;
    for (int i = 0; i < 10; i++) {
        taken += token_bucket_take(&bucket, 3600000) ? 1 : 0;
    }
    CHECK_INT(taken, 3);
}

static struct circuit_breaker opened(void)
{
    struct circuit_breaker breaker;
    circuit_breaker_init(&breaker, POLICY);
    for (uint64_t i = 1; i <= 5; i++) {
        struct breaker_ticket ticket;
        CHECK(circuit_breaker_start(&breaker, POLICY, i, i, 4000, 0, &ticket));
        circuit_breaker_end(&breaker, POLICY, &ticket, BREAKER_FAILURE, 0.0, 0);
    }
    CHECK_INT(circuit_breaker_state(&breaker, 0), BREAKER_OPEN);
    return breaker;
}

static void r59(void)
{
    struct circuit_breaker breaker = opened();
    struct breaker_ticket probe, next;
    CHECK(circuit_breaker_start(&breaker, POLICY, 10, 1, 4000, 30000, &probe));
    CHECK(!circuit_breaker_start(&breaker, POLICY, 11, 2, 4000, 30001, &next));
    circuit_breaker_end(&breaker, POLICY, &probe, BREAKER_NEUTRAL, 0.0, 30002);
    CHECK(circuit_breaker_start(&breaker, POLICY, 11, 2, 4000, 30002, &next));
}

static void r76(void)
{
    struct circuit_breaker breaker;
    struct breaker_ticket stale;
    circuit_breaker_init(&breaker, POLICY);
    CHECK(circuit_breaker_start(&breaker, POLICY, 99, 9, 4000, 0, &stale));
    for (uint64_t i = 1; i <= 5; i++) {
        struct breaker_ticket ticket;
        circuit_breaker_start(&breaker, POLICY, i, i, 4000, 0, &ticket);
        circuit_breaker_end(&breaker, POLICY, &ticket, BREAKER_FAILURE, 0.0, 0);
    }
    circuit_breaker_end(&breaker, POLICY, &stale, BREAKER_SUCCESS, 0.0, 30000);
    CHECK_INT(circuit_breaker_state(&breaker, 30000), BREAKER_HALF_OPEN);
    circuit_breaker_end(&breaker, POLICY, &stale, BREAKER_FAILURE, 0.0, 30000);
    CHECK_INT(circuit_breaker_state(&breaker, 30000), BREAKER_HALF_OPEN);
}

static void r78(void)
{
    struct circuit_breaker breaker = opened();
    int admitted = 0;
    for (uint64_t i = 10; i < 110; i++) {
        struct breaker_ticket ticket;
        admitted += circuit_breaker_start(&breaker, POLICY, i, i, 4000, 30000, &ticket) ? 1 : 0;
    }
    CHECK_INT(admitted, 1);
}

static void r81(void)
{
    struct circuit_breaker breaker;
    circuit_breaker_init(&breaker, POLICY);
    for (uint64_t i = 1; i <= 50; i++) {
        struct breaker_ticket ticket;
        CHECK(circuit_breaker_start(&breaker, POLICY, i, i, 4000, 0, &ticket));
        CHECK(!circuit_breaker_end(&breaker, POLICY, &ticket, BREAKER_NEUTRAL, 0.5, 0));
    }
    CHECK_INT(circuit_breaker_state(&breaker, 0), BREAKER_CLOSED);
}

static void r82(void)
{
    static const int64_t gates[] = {30000, 60000, 120000, 240000, 480000, 600000, 600000, 600000};
    struct host_gate gate;
    host_gate_init(&gate);
    monotime now = 0;
    for (size_t i = 0; i < sizeof gates / sizeof gates[0]; i++) {
        struct plan_input input = answer(429, quota_unknown());
        host_gate_recall(&gate, now, &input);
        struct plan plan = plan_of(input);
        host_gate_follow(&gate, POLICY, &plan, 0, now, now);
        CHECK_INT(host_gate_left_ms(&gate, now), gates[i]);
        now += gates[i];
    }
    host_gate_done(&gate, 1, now, true, now);
    CHECK_INT(host_gate_cool_down(&gate, POLICY, now), 30000);
}

static void r84(void)
{
    struct circuit_breaker breaker;
    circuit_breaker_init(&breaker, POLICY);
    for (uint64_t i = 1; i <= 4; i++) {
        struct breaker_ticket ticket, aborted;
        circuit_breaker_start(&breaker, POLICY, i, i, 4000, 0, &ticket);
        circuit_breaker_end(&breaker, POLICY, &ticket, BREAKER_FAILURE, 0.0, 0);
        circuit_breaker_start(&breaker, POLICY, 100 + i, i, 4000, 0, &aborted);
        circuit_breaker_end(&breaker, POLICY, &aborted, BREAKER_NEUTRAL, 0.0, 0);
    }
    CHECK_INT(breaker.count, 4);
    CHECK_INT(circuit_breaker_state(&breaker, 0), BREAKER_CLOSED);
}

static void push_many(struct latency_window *window, int64_t duration_ms, enum latency_outcome outcome, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        latency_window_push(window, &POLICY->latency[CALL_SINGLE], duration_ms, outcome, 1000000);
    }
}

static struct latency_suggestion suggestion(struct latency_window *window)
{
    return latency_window_suggest(window, &POLICY->latency[CALL_SINGLE], 1000000);
}

static void r102(void)
{
    struct latency_window window;
    latency_window_init(&window, &POLICY->latency[CALL_SINGLE]);
    push_many(&window, 50, LATENCY_OK, 19);
    CHECK_INT(suggestion(&window).timeout_ms, 4000);
    CHECK(!suggestion(&window).from_p95);
    push_many(&window, 50, LATENCY_OK, 1);
    CHECK_INT(suggestion(&window).timeout_ms, 1500);
}

static void r103(void)
{
    struct latency_window window;
    latency_window_init(&window, &POLICY->latency[CALL_SINGLE]);
    push_many(&window, 4000, LATENCY_TIMEOUT, 20);
    CHECK_INT(suggestion(&window).timeout_ms, 5000); /* a time-out raises the time-out, it never lowers it */
    int64_t last = suggestion(&window).timeout_ms;
    for (int i = 0; i < 100; i++) {
        push_many(&window, 1, LATENCY_OK, 1);
        int64_t now = suggestion(&window).timeout_ms;
        CHECK(now <= last && now >= POLICY->latency[CALL_SINGLE].floor_ms);
        last = now;
    }
    CHECK_INT(last, 1500);
}

static void r105(void)
{
    struct latency_window window;
    latency_window_init(&window, &POLICY->latency[CALL_SINGLE]);
    push_many(&window, 7000, LATENCY_OK, 30);
    latency_window_reset(&window, &POLICY->latency[CALL_SINGLE], 999000);
    CHECK(!suggestion(&window).from_p95);
    push_many(&window, 1001, LATENCY_OK, 30); /* they left before the reset */
    CHECK_INT(window.count, 0);
    push_many(&window, 1000, LATENCY_OK, 1);
    CHECK_INT(window.count, 1);
}

static const struct unit_test tests[] = {
    {"R01 nothing survives from the answer before", r01},
    {"R03 dates are UTC in any time zone", r03},
    {"R04 fraction rounds up", r04},
    {"R06 2.0 is two seconds", r06},
    {"R07 nan and inf are malformed", r07},
    {"R09 joined duplicates: the smallest remaining", r09},
    {"R10 a hint beyond the whole budget is refused at once", r10},
    {"R12 a hint shorter than the backoff wins, and repeats escalate", r12},
    {"R13 seconds are not milliseconds", r13},
    {"R15 an epoch in Retry-After", r15},
    {"R16 an epoch in Retry-After, by the server's clock", r16},
    {"R19 negative values from a server", r19},
    {"R22 Retry-After: -1 is malformed", r22},
    {"R24 unknown is not a number", r24},
    {"R25 a huge hint is not slept", r25},
    {"R27 zero waits 250 ms and counts as an attempt", r27},
    {"R28 the hint is a lower bound", r28},
    {"R30 the cap applies to hints", r30},
    {"R31 refuses before sleeping past the deadline", r31},
    {"R33 the date forms", r33},
    {"R34 a bad hint fails nothing", r34},
    {"R36 a date ten seconds ahead in other time zones", r36},
    {"R37 delta before date", r37},
    {"R40 a clock that is 40 s off", r40},
    {"R42 a reset in the past is zero", r42},
    {"R43 a date in the past is zero", r43},
    {"R45 a clock set back two days", r45},
    {"R46 time that goes back adds nothing", r46},
    {"R51 jitter at the maximum", r51},
    {"R52 jitter on hints is only added", r52},
    {"R54 no overflow of 2^n", r54},
    {"R55 no overflow of 2^n, any attempt", r55},
    {"R57 attempt 1001", r57},
    {"R59 a cancelled probe is given back", r59},
    {"R60 half an hour is not slept", r60},
    {"R62 above the cap no shorter wait", r62},
    {"R63 120 s is not shortened", r63},
    {"R65 five seconds are five seconds", r65},
    {"R66 attempts are cut to what is left", r66},
    {"R69 no hint has rows of its own", r69},
    {"R72 no fraction of a token is lost", r72},
    {"R74 long idle does not overflow", r74},
    {"R75 idle time at a full bucket is not credited", r75},
    {"R76 stale results do not count in half-open", r76},
    {"R78 half-open admits one", r78},
    {"R81 429 never feeds the breaker", r81},
    {"R82 endless 429s escalate until a success", r82},
    {"R84 aborts are no failures", r84},
    {"R102 one sample fewer than needed", r102},
    {"R103 successes after time-outs, never below the floor", r103},
    {"R105 samples of an older epoch", r105},
};

UNIT_MAIN("policy: section R", tests)
