/* The state machines of core/policy, each with its own clock: back-off, deadline, latency window, bucket, breaker,
 * gate, pacing. */
#include "unit.h"

#include "core/policy/backoff.h"
#include "core/policy/circuit_breaker.h"
#include "core/policy/deadline.h"
#include "core/policy/host_gate.h"
#include "core/policy/latency_window.h"
#include "core/policy/pacing.h"
#include "core/policy/token_bucket.h"
#include "policy_support.h"

#define POLICY (&policy_default)

static void constants(void)
{
    const struct profile_policy *interactive = &POLICY->profile[PROFILE_INTERACTIVE];
    const struct profile_policy *list = &POLICY->profile[PROFILE_LIST];
    CHECK_INT(POLICY->min_wait_ms, 250);
    CHECK_INT(POLICY->max_wait_ms, 60000);
    CHECK_INT(POLICY->min_attempt_ms, POLICY->latency[CALL_SINGLE].floor_ms);
    CHECK_INT(POLICY->gate_max_ms, 600000);
    CHECK_INT(interactive->max_attempts, 4);
    CHECK_INT(interactive->deadline_ms, 90000);
    CHECK(interactive->deadline_ms >= 59000 + POLICY->min_attempt_ms); /* a counted-down wait has to fit */
    CHECK(interactive->concurrency >= 2 && interactive->concurrency <= 5);
    CHECK_INT(list->deadline_ms, 600000);
    CHECK_INT(list->concurrency, 2);
    CHECK_INT(POLICY->latency[CALL_GROUP].default_ms, 12000);
    CHECK_INT(POLICY->latency[CALL_GROUP].ceiling_ms, 20000);
    CHECK_INT(POLICY->group_attempts, 2);
    CHECK_INT(POLICY->group_size, 50);
    for (int i = 0; i < CALL_CLASS_COUNT; i++) {
        CHECK(POLICY->latency[i].window_size <= LATENCY_WINDOW_MAX);
        CHECK(POLICY->latency[i].min_samples <= POLICY->latency[i].window_size);
    }
    CHECK_INT(policy_cool_down_ms(POLICY, 0), 30000);
    CHECK_INT(policy_cool_down_ms(POLICY, INT32_MAX), 600000);
}

static void backoff_draws(void)
{
    CHECK_INT(backoff_draw(1, 250, 6000, 0.0), 250);
    CHECK_INT(backoff_draw(1, 250, 6000, 0.5), 325);
    CHECK_INT(backoff_draw(3, 250, 6000, 0.9999999), 1000);
    CHECK_INT(backoff_draw(0, 250, 6000, 0.9999999), 400);
    CHECK_INT(backoff_draw(-7, 250, 6000, 0.9999999), 400);
    CHECK_INT(backoff_draw(9, 0, 6000, 0.9999999), 400);
    CHECK_INT(backoff_draw(9, -5, 6000, 0.9999999), 400);
    CHECK_INT(backoff_draw(9, 250, -5, 0.9999999), 400);
    CHECK_INT(backoff_draw(90, 1, INT64_MAX, 1.0), INT64_MAX);
    CHECK_INT(backoff_hint_jitter(5000, 0.9999999), 500);
    CHECK_INT(backoff_hint_jitter(5000, 0.0), 0);
    CHECK_INT(backoff_hint_jitter(59000, 0.9999999), 2000);
    CHECK_INT(backoff_spread(10, 1.0), 10);
    CHECK_INT(backoff_spread(10, -1.0), 0);
    CHECK_INT(backoff_spread(0, 0.5), 0);
    double nan = 0.0;
    nan /= nan;
    CHECK_INT(backoff_spread(10, nan), 0);
}

static void deadlines(void)
{
    monotime deadline = deadline_mint(1000, 90000);
    CHECK_INT(deadline, 91000);
    CHECK_INT(deadline_mint(1000, -5), 1000);
    CHECK_INT(deadline_mint(1000, INT64_MAX), MONOTIME_NEVER);
    CHECK_INT(deadline_nest(deadline, deadline_mint(5000, 1000)), 6000);
    CHECK_INT(deadline_nest(deadline, deadline_mint(5000, 900000)), deadline);
    CHECK_INT(deadline_left_ms(deadline, 90999), 1);
    CHECK_INT(deadline_left_ms(deadline, 99999), 0);
    CHECK(deadline_fits(8500, 7000, 1500));
    CHECK(!deadline_fits(8499, 7000, 1500));
    CHECK(!deadline_fits(1499, 0, 1500));
    CHECK(!deadline_fits(90000, INT64_MAX, 1500));
    struct attempt_timeout whole = deadline_attempt_timeout(4000, 4000, 1500);
    CHECK_INT(whole.timeout_ms, 4000);
    CHECK(!whole.cut);
    struct attempt_timeout cut = deadline_attempt_timeout(3999, 4000, 1500);
    CHECK_INT(cut.timeout_ms, 3999);
    CHECK(cut.cut);
    struct attempt_timeout none = deadline_attempt_timeout(1499, 4000, 1500);
    CHECK_INT(none.timeout_ms, 0);
    CHECK(none.cut);
}

static const struct latency_policy small_window = {.window_size = 4,
                                                   .min_samples = 3,
                                                   .p95_factor = 1.5,
                                                   .floor_ms = 1000,
                                                   .ceiling_ms = 6000,
                                                   .default_ms = 4000,
                                                   .hysteresis_percent = 15,
                                                   .idle_reset_ms = 60000};

static int64_t suggested(struct latency_window *window, monotime at)
{
    return latency_window_suggest(window, &small_window, at).timeout_ms;
}

static void push(struct latency_window *window, int64_t duration_ms, monotime at)
{
    latency_window_push(window, &small_window, duration_ms, LATENCY_OK, at);
}

static void window_learns(void)
{
    struct latency_window window;
    latency_window_init(&window, &small_window);
    push(&window, 1000, 1000);
    push(&window, 1001, 2000);
    latency_window_push(&window, &small_window, 9000, LATENCY_ERROR, 3000);
    struct latency_suggestion few = latency_window_suggest(&window, &small_window, 3000);
    CHECK_INT(few.timeout_ms, 4000);
    CHECK(!few.from_p95);
    CHECK_INT(few.p50_ms, -1);
    CHECK_INT(few.p95_ms, -1);
    latency_window_push(&window, &small_window, 2001, LATENCY_TIMEOUT, 4000);
    struct latency_suggestion enough = latency_window_suggest(&window, &small_window, 4000);
    CHECK(enough.from_p95);
    CHECK_INT(enough.timeout_ms, 3002); /* 3001.5, half up */
    CHECK_INT(enough.p50_ms, 1001);
    CHECK_INT(enough.p95_ms, 2001);
    for (monotime at = 5000; at < 9000; at += 1000) {
        push(&window, 9000, at);
    }
    CHECK_INT(suggested(&window, 9000), 6000);
    for (monotime at = 9000; at < 13000; at += 1000) {
        push(&window, -5, at);
    }
    CHECK_INT(suggested(&window, 13000), 1000);
    push(&window, INT64_C(99999999999), INT64_C(100000013000));
    CHECK_INT(window.samples[window.count - 1], INT32_MAX);
}

static void window_holds_on(void)
{
    struct latency_window window;
    latency_window_init(&window, &small_window);
    for (monotime at = 0; at < 4000; at += 1000) {
        push(&window, 2000, at + 2000);
    }
    CHECK_INT(suggested(&window, 6000), 3000);
    push(&window, 2299, 6000);
    CHECK_INT(suggested(&window, 6000), 3000); /* 3449: under 15 % */
    push(&window, 2300, 7000);
    CHECK_INT(suggested(&window, 7000), 3450); /* exactly 15 % is a change */
}

static void window_forgets(void)
{
    struct latency_window window;
    latency_window_init(&window, &small_window);
    for (monotime at = 2000; at < 6000; at += 1000) {
        push(&window, 2000, at);
    }
    CHECK_INT(suggested(&window, 64999), 3000);
    CHECK_INT(suggested(&window, 65000), 4000);
    latency_window_reset(&window, &small_window, 70000);
    push(&window, 2000, 71999);
    CHECK_INT(window.count, 0);
    push(&window, 2000, 72000);
    CHECK_INT(window.count, 1);
    struct latency_policy odd = small_window;
    odd.window_size = 0;
    latency_window_push(&window, &odd, 5, LATENCY_OK, 72000);
    CHECK_INT(window.count, 1);
    odd.min_samples = 0;
    latency_window_init(&window, &odd);
    CHECK_INT(latency_window_suggest(&window, &odd, 0).timeout_ms, 1000);
    CHECK_INT(latency_window_suggest(&window, &odd, 0).p95_ms, 0);
}

static void bucket_takes(void)
{
    struct token_bucket bucket;
    token_bucket_init(&bucket, 2, 1000, 3, 0);
    for (int i = 0; i < 3; i++) {
        CHECK(token_bucket_take(&bucket, 0));
    }
    CHECK(!token_bucket_take(&bucket, 0));
    CHECK_INT(token_bucket_wait_ms(&bucket, 0), 500);
    CHECK(!token_bucket_take(&bucket, 499));
    CHECK(token_bucket_take(&bucket, 500));
    CHECK_INT(token_bucket_wait_ms(&bucket, 501), 499);
    struct token_bucket odd;
    token_bucket_init(&odd, 0, 0, 0, 0);
    CHECK(token_bucket_take(&odd, 0));
    CHECK_INT(token_bucket_wait_ms(&odd, 1000000), DURATION_MAX_MS);
    token_bucket_init(&odd, INT32_MAX, 1000, INT64_MAX / 2, 0);
    CHECK(token_bucket_take(&odd, INT64_MAX / 2));
}

static struct breaker_ticket leave(struct circuit_breaker *breaker, uint64_t attempt, uint64_t flight, monotime now)
{
    struct breaker_ticket ticket = {0};
    CHECK(circuit_breaker_start(breaker, POLICY, attempt, flight, 4000, now, &ticket));
    return ticket;
}

static bool fail(struct circuit_breaker *breaker, uint64_t attempt, uint64_t flight, monotime now)
{
    struct breaker_ticket ticket = leave(breaker, attempt, flight, now);
    return circuit_breaker_end(breaker, POLICY, &ticket, BREAKER_FAILURE, 0.0, now);
}

static void trip(struct circuit_breaker *breaker, monotime now)
{
    circuit_breaker_init(breaker, POLICY);
    for (uint64_t i = 1; i <= 5; i++) {
        fail(breaker, i, i, now);
    }
    CHECK_INT(circuit_breaker_state(breaker, now), BREAKER_OPEN);
}

static void breaker_counts(void)
{
    struct circuit_breaker breaker;
    circuit_breaker_init(&breaker, POLICY);
    for (uint64_t i = 1; i <= 20; i++) {
        CHECK(!fail(&breaker, i, 1, 0)); /* one flight alone never opens it */
    }
    CHECK(fail(&breaker, 21, 2, 0));
    CHECK_INT(circuit_breaker_wait_ms(&breaker, 0), 30000);
    circuit_breaker_init(&breaker, POLICY);
    for (uint64_t i = 1; i <= 15; i++) {
        struct breaker_ticket ticket = leave(&breaker, 100 + i, i, 0);
        bool opened = circuit_breaker_end(&breaker, POLICY, &ticket, i % 2 ? BREAKER_FAILURE : BREAKER_SUCCESS, 0.0, 0);
        CHECK_INT(opened, i == 15); /* the eighth failure among sixteen */
    }
}

static void breaker_probes(void)
{
    struct circuit_breaker breaker;
    struct breaker_ticket second;
    trip(&breaker, 0);
    CHECK(!circuit_breaker_start(&breaker, POLICY, 9, 9, 4000, 29999, &second));
    CHECK_INT(circuit_breaker_state(&breaker, 30000), BREAKER_HALF_OPEN);
    struct breaker_ticket probe = leave(&breaker, 10, 1, 30000);
    CHECK(probe.probe);
    CHECK_INT(circuit_breaker_wait_ms(&breaker, 30001), 4999);
    CHECK(!circuit_breaker_start(&breaker, POLICY, 11, 2, 4000, 34999, &second));
    CHECK(circuit_breaker_start(&breaker, POLICY, 12, 2, 4000, 35000, &second));
    CHECK(!circuit_breaker_end(&breaker, POLICY, &probe, BREAKER_SUCCESS, 0.0, 35001)); /* its lease was given away */
    CHECK_INT(circuit_breaker_state(&breaker, 35001), BREAKER_HALF_OPEN);
    CHECK(!circuit_breaker_end(&breaker, POLICY, &second, BREAKER_SUCCESS, 0.0, 35002));
    CHECK_INT(circuit_breaker_state(&breaker, 35002), BREAKER_CLOSED);
    CHECK_INT(breaker.open_step_ms, 30000);
    CHECK_INT(circuit_breaker_wait_ms(&breaker, 35002), 0);
}

static void breaker_doubles(void)
{
    static const int64_t steps[] = {60000, 120000, 240000, 300000, 300000};
    struct circuit_breaker breaker;
    trip(&breaker, 0);
    monotime now = 30000;
    for (uint64_t i = 0; i < 5; i++) {
        struct breaker_ticket probe = leave(&breaker, 20 + i, i, now);
        CHECK(circuit_breaker_end(&breaker, POLICY, &probe, BREAKER_FAILURE, 0.0, now));
        CHECK_INT(circuit_breaker_wait_ms(&breaker, now), steps[i]);
        now += steps[i];
    }
    struct breaker_ticket probe = leave(&breaker, 30, 1, now);
    CHECK(circuit_breaker_end(&breaker, POLICY, &probe, BREAKER_FAILURE, 0.9999999, now));
    CHECK_INT(circuit_breaker_wait_ms(&breaker, now), 330000);
}

static void gate_holds(void)
{
    struct host_gate gate;
    host_gate_init(&gate);
    CHECK(host_gate_ask(&gate, POLICY, 1, 4000, 0));
    CHECK(host_gate_ask(&gate, POLICY, 2, 4000, 0));
    host_gate_hold(&gate, POLICY, 5000, 100);
    host_gate_hold(&gate, POLICY, 1000, 200);
    CHECK_INT(host_gate_left_ms(&gate, 200), 4900);
    CHECK(!host_gate_ask(&gate, POLICY, 3, 4000, 5099));
    CHECK(host_gate_ask(&gate, POLICY, 3, 4000, 5100));
    CHECK(!host_gate_ask(&gate, POLICY, 4, 4000, 5101));
    CHECK_INT(host_gate_wait_ms(&gate, 5101), 4999);
    host_gate_done(&gate, 4, 5101, false, 5102);
    CHECK(!host_gate_ask(&gate, POLICY, 4, 4000, 5102));
    host_gate_done(&gate, 3, 5100, false, 5103);
    CHECK(host_gate_ask(&gate, POLICY, 4, 4000, 5103));
    host_gate_hold(&gate, POLICY, DURATION_MAX_MS, 6000);
    CHECK_INT(host_gate_left_ms(&gate, 6000), 600000);
    host_gate_hold(&gate, POLICY, -5, 6000);
    CHECK_INT(host_gate_left_ms(&gate, 6000), 600000);
}

/* Plans for an answer to a call that left at `sent_at`, and lets the gate follow. */
static struct plan follow(struct host_gate *gate, struct plan_input input, int64_t spread_ms, monotime sent_at,
                          monotime now)
{
    host_gate_recall(gate, sent_at, &input);
    struct plan plan = plan_of(input);
    host_gate_follow(gate, POLICY, &plan, spread_ms, sent_at, now);
    return plan;
}

static void gate_counts_rounds(void)
{
    struct host_gate gate;
    host_gate_init(&gate);
    struct plan_input unhinted = answer(429, quota_unknown());
    CHECK_INT(follow(&gate, unhinted, 0, 0, 1000).gate_ms, 30000);
    CHECK_INT(gate.streak, 1);
    CHECK_INT(follow(&gate, unhinted, 0, 900, 1500).gate_ms, 30000); /* of the same round: extends, does not grow */
    CHECK_INT(gate.streak, 1);
    CHECK_INT(host_gate_left_ms(&gate, 1500), 30000);
    CHECK_INT(follow(&gate, unhinted, 0, 31500, 32000).gate_ms, 60000);
    CHECK_INT(gate.streak, 2);
    host_gate_done(&gate, 7, 31999, true, 33000);
    CHECK_INT(gate.streak, 2); /* a late success of an older request */
    host_gate_done(&gate, 7, 32000, true, 33000);
    CHECK_INT(gate.streak, 0);
    gate.streak = INT32_MAX;
    CHECK_INT(host_gate_cool_down(&gate, POLICY, 0), 600000);
    CHECK_INT(gate.streak, INT32_MAX);
}

static void gate_counts_short_hints(void)
{
    struct host_gate gate;
    host_gate_init(&gate);
    struct plan_input tiny = answer(429, READ("Retry-After", "1"));
    CHECK_TEXT(follow(&gate, tiny, 0, 0, 1000).row, "T24");
    CHECK_TEXT(follow(&gate, tiny, 0, 10, 1001).row, "T24");
    CHECK_TEXT(follow(&gate, tiny, 0, 20, 1002).row, "T24");
    CHECK_INT(gate.short_hints, 1); /* three answers, one round */
    CHECK_TEXT(follow(&gate, tiny, 0, 3000, 3100).row, "T24");
    CHECK_TEXT(follow(&gate, tiny, 0, 5000, 5100).row, "T13");
    CHECK_TEXT(follow(&gate, tiny, 0, 5050, 5150).row, "T13");
    CHECK_INT(gate.streak, 1);
    CHECK_TEXT(follow(&gate, answer(429, READ("Retry-After", "3")), 0, 40000, 40100).row, "T24");
    CHECK_INT(gate.short_hints, 0);
}

static void gate_spreads(void)
{
    struct host_gate gate;
    host_gate_init(&gate);
    follow(&gate, answer(429, READ("Retry-After", "20")), 700, 0, 1000);
    CHECK_INT(host_gate_left_ms(&gate, 1000), 20700);
    follow(&gate, answer(429, READ("Retry-After", "2")), 200, 500, 1000);
    CHECK_INT(host_gate_left_ms(&gate, 1000), 20700); /* the end did not move, so there is nothing to spread */
    follow(&gate, answer(200, quota_unknown()), 200, 30000, 30000);
    CHECK_INT(host_gate_left_ms(&gate, 30000), 0);
}

static struct quota announced(int64_t remaining, int64_t reset_ms)
{
    struct quota quota = quota_unknown();
    quota.remaining = remaining;
    quota.reset_ms = reset_ms;
    return quota;
}

static void learn(struct pacing *pacing, struct quota quota, size_t under_way, monotime sent_at, monotime now)
{
    pacing_learn(pacing, &quota, under_way, sent_at, now);
}

static void pacing_counts(void)
{
    struct pacing pacing;
    pacing_init(&pacing);
    CHECK_INT(pacing_wait_ms(&pacing, 0), 0);
    learn(&pacing, announced(5, 4000), 2, 0, 100);
    CHECK(pacing_in_force(&pacing, 4099));
    CHECK(!pacing_in_force(&pacing, 4100));
    CHECK_INT(pacing.allowance, 3);
    for (int i = 0; i < 3; i++) {
        CHECK_INT(pacing_wait_ms(&pacing, 200), 0);
        pacing_take(&pacing, 200);
    }
    CHECK_INT(pacing_wait_ms(&pacing, 200), 3900);
    pacing_take(&pacing, 200);
    CHECK_INT(pacing.allowance, 0);
    CHECK_INT(pacing_wait_ms(&pacing, 4100), 0);
    learn(&pacing, announced(3, 1000), SIZE_MAX, 5000, 5000);
    CHECK_INT(pacing.allowance, 0);
}

static void pacing_out_of_order(void)
{
    struct pacing pacing;
    pacing_init(&pacing);
    for (int i = 0; i < 3; i++) {
        pacing_take(&pacing, 0); /* nothing announced yet: counts for nothing */
    }
    learn(&pacing, announced(17, 4900), 2, 0, 100); /* the third call's answer comes first */
    CHECK_INT(pacing.allowance, 15);
    learn(&pacing, announced(19, 4900), 1, 0, 110);
    CHECK_INT(pacing.allowance, 16); /* not raised, but one less is under way */
    learn(&pacing, announced(18, 4900), 0, 0, 120);
    CHECK_INT(pacing.allowance, 17);
    CHECK_INT(pacing.reset_at, 5000);
    learn(&pacing, announced(17, 4900), 0, 0, 130);
    CHECK_INT(pacing.reset_at, 5030); /* as few remain, until later */
    learn(&pacing, announced(2, 3000), 0, 0, 140);
    CHECK_INT(pacing.allowance, 2);
    CHECK_INT(pacing_wait_ms(&pacing, 200), 0);
}

static void pacing_nonsense(void)
{
    struct pacing pacing;
    pacing_init(&pacing);
    learn(&pacing, announced(5, QUOTA_UNKNOWN), 0, 0, 0);
    learn(&pacing, announced(QUOTA_UNKNOWN, 5000), 0, 0, 0);
    learn(&pacing, announced(5, 0), 0, 0, 0);
    learn(&pacing, announced(5, 60000), 0, 0, 0);
    CHECK(!pacing.announced);
    learn(&pacing, announced(0, 86400000), 0, 0, 0);
    CHECK_INT(pacing_wait_ms(&pacing, 0), 60000);
    learn(&pacing, announced(8, 5000), 0, 59999, 60010);
    CHECK(!pacing_in_force(&pacing, 60010)); /* it left in the window that has ended */
    learn(&pacing, announced(8, 5000), 1, 60000, 60020);
    CHECK_INT(pacing.allowance, 7);
    learn(&pacing, quota_unknown(), 0, 60000, 60030); /* it ended without a word, but may have been counted */
    CHECK_INT(pacing.allowance, 7);
    learn(&pacing, announced(8, 5000), 0, 60029, 60040); /* this number may be from before that */
    CHECK_INT(pacing.allowance, 7);
    learn(&pacing, announced(7, 5000), 0, 60030, 60050);
    CHECK_INT(pacing.allowance, 7);
    learn(&pacing, announced(9, 5000), 0, 66000, 66000);
    CHECK_INT(pacing.allowance, 9);
}

static const struct unit_test tests[] = {
    {"the constants of 5.2", constants},
    {"backoff and jitter", backoff_draws},
    {"deadline: one budget, slices of it", deadlines},
    {"window: percentiles, floor, ceiling, rounding", window_learns},
    {"window: hysteresis", window_holds_on},
    {"window: idle and epochs", window_forgets},
    {"bucket: burst, refill, odd figures", bucket_takes},
    {"breaker: five in a row or eight of sixteen, from two flights", breaker_counts},
    {"breaker: one probe with a lease", breaker_probes},
    {"breaker: open time doubles to five minutes", breaker_doubles},
    {"gate: holds, one goes first", gate_holds},
    {"gate: rounds of cool-downs", gate_counts_rounds},
    {"gate: rounds of short hints", gate_counts_short_hints},
    {"gate: spread at its end", gate_spreads},
    {"pacing: what remains less what is under way", pacing_counts},
    {"pacing: answers out of order", pacing_out_of_order},
    {"pacing: nonsense", pacing_nonsense},
};

UNIT_MAIN("policy: state machines", tests)
