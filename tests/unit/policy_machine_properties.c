/*
 * What the state machines of core/policy promise, on 100,000 random steps each. A failure prints the seed and the
 * round; POLICY_SEED=N runs another seed.
 */
#include "unit.h"

#include "core/policy/circuit_breaker.h"
#include "core/policy/host_gate.h"
#include "core/policy/latency_window.h"
#include "core/policy/pacing.h"
#include "core/policy/token_bucket.h"
#include "policy_random.h"

static void buckets_keep_their_rate(void)
{
    struct random random = random_from_seed(seed());
    struct token_bucket bucket;
    monotime now = 0;
    int64_t taken = 0;
    token_bucket_init(&bucket, 7, 1000, 5, now);
    for (int round = 0; round < ROUNDS; round++) {
        now += (monotime)random_below(&random, 300);
        int64_t wait = token_bucket_wait_ms(&bucket, now);
        bool allowed = token_bucket_take(&bucket, now);
        HOLDS(round, allowed == (wait == 0));
        HOLDS(round, wait <= 143);
        taken += allowed ? 1 : 0;
        HOLDS(round, taken <= 5 + now * 7 / 1000);
    }
}

static void gates_only_move_forward(void)
{
    struct random random = random_from_seed(seed());
    struct host_gate gate;
    monotime now = 0;
    uint64_t alone = 0;
    host_gate_init(&gate);
    for (int round = 0; round < ROUNDS; round++) {
        now += (monotime)random_below(&random, 20000);
        monotime end = gate.not_before;
        struct plan_input input = some_input(&random);
        monotime sent_at = now - (monotime)random_below(&random, 8000);
        switch (random_below(&random, 4)) {
        case 0: {
            host_gate_recall(&gate, sent_at, &input);
            HOLDS(round, input.streak <= gate.streak && input.short_hints <= gate.short_hints);
            int streak = gate.streak;
            bool fresh = host_gate_is_new_round(&gate, sent_at);
            struct plan plan = plan_of(input);
            host_gate_follow(&gate, POLICY, &plan, 10, sent_at, now);
            HOLDS(round, gate.streak == streak + (plan.cool_down && fresh ? 1 : 0));
            HOLDS(round, plan.gate_ms == 0 || gate.not_before >= now + plan.gate_ms);
            alone = plan.gate_ms > 0 ? 0 : alone;
            break;
        }
        case 1:
            if (alone != 0) {
                host_gate_done(&gate, alone, sent_at, random_below(&random, 2) == 0, now);
                alone = 0;
            }
            break;
        default: {
            bool open = host_gate_left_ms(&gate, now) == 0;
            bool first = gate.first_pending;
            bool allowed = host_gate_ask(&gate, POLICY, (uint64_t)round + 1, 4000, now);
            HOLDS(round, open || !allowed);
            HOLDS(round, allowed == (host_gate_wait_ms(&gate, now) == 0 || gate.first == (uint64_t)round + 1));
            alone = allowed && first ? (uint64_t)round + 1 : alone;
            break;
        }
        }
        HOLDS(round, gate.not_before >= end);
        HOLDS(round, host_gate_left_ms(&gate, now) <= POLICY->gate_max_ms + 10 * (round + 1));
    }
}

static void breakers_recover_and_probe_alone(void)
{
    enum { UNDER_WAY = 8 };
    struct random random = random_from_seed(seed());
    struct circuit_breaker breaker;
    struct breaker_ticket tickets[UNDER_WAY] = {{0}};
    monotime now = 0;
    circuit_breaker_init(&breaker, POLICY);
    for (int round = 0; round < ROUNDS; round++) {
        now += (monotime)random_below(&random, 3000);
        size_t at = random_below(&random, UNDER_WAY);
        if (tickets[at].attempt != 0) {
            enum breaker_outcome outcome = (enum breaker_outcome)random_below(&random, 3);
            bool opened = circuit_breaker_end(&breaker, POLICY, &tickets[at], outcome, random_unit(&random), now);
            HOLDS(round, !opened || outcome == BREAKER_FAILURE);
            HOLDS(round, !opened || circuit_breaker_state(&breaker, now) == BREAKER_OPEN);
            tickets[at].attempt = 0;
        } else {
            enum breaker_state state = circuit_breaker_state(&breaker, now);
            bool held = breaker.probe != 0 && now < breaker.lease_until;
            bool allowed = circuit_breaker_start(&breaker, POLICY, (uint64_t)round + 1, random_below(&random, 5), 4000,
                                                 now, &tickets[at]);
            HOLDS(round, allowed == (state == BREAKER_CLOSED || (state == BREAKER_HALF_OPEN && !held)));
            HOLDS(round, allowed || circuit_breaker_wait_ms(&breaker, now) > 0);
        }
        HOLDS(round, circuit_breaker_wait_ms(&breaker, now) <= 330000);
        HOLDS(round, breaker.count <= BREAKER_RING);
    }
    now += 400000;
    struct breaker_ticket probe;
    HOLDS(ROUNDS, circuit_breaker_start(&breaker, POLICY, 1000000, 1, 4000, now, &probe));
    circuit_breaker_end(&breaker, POLICY, &probe, BREAKER_SUCCESS, 0.0, now);
    HOLDS(ROUNDS, circuit_breaker_state(&breaker, now) == BREAKER_CLOSED);
}

static void suggestions_stay_inside(void)
{
    struct random random = random_from_seed(seed());
    struct latency_window window;
    const struct latency_policy *policy = &POLICY->latency[CALL_GROUP];
    monotime now = 0;
    latency_window_init(&window, policy);
    for (int round = 0; round < ROUNDS; round++) {
        now += (monotime)random_below(&random, random_below(&random, 200) == 0 ? 900000 : 4000);
        latency_window_push(&window, policy, (int64_t)random_below(&random, 25000),
                            (enum latency_outcome)random_below(&random, 3), now);
        struct latency_suggestion first = latency_window_suggest(&window, policy, now);
        struct latency_suggestion second = latency_window_suggest(&window, policy, now);
        HOLDS(round, first.timeout_ms == second.timeout_ms);
        HOLDS(round, first.timeout_ms >= policy->floor_ms && first.timeout_ms <= policy->ceiling_ms);
        HOLDS(round, first.from_p95 == (window.count >= policy->min_samples));
        HOLDS(round, first.p50_ms <= first.p95_ms);
        HOLDS(round, first.from_p95 || first.timeout_ms == policy->default_ms);
    }
}

/* An upstream with a fixed window, and calls to it whose answers come back in any order. */
enum { QUOTA = 20, WINDOW_MS = 5000, UNDER_WAY = 4, STEP_MS = 5 };

struct call {
    bool open;
    monotime sent_at, counted_at, back_at;
    struct quota quota;
};

struct upstream {
    struct random random;
    struct pacing pacing;
    struct call calls[UNDER_WAY];
    int64_t window, spent, sent, rejected;
};

/* The upstream counts the call and says what remains. */
static void count_call(struct upstream *upstream, struct call *call, monotime now)
{
    if (now / WINDOW_MS != upstream->window) {
        upstream->window = now / WINDOW_MS;
        upstream->spent = 0;
    }
    upstream->spent++;
    upstream->rejected += upstream->spent > QUOTA ? 1 : 0;
    call->quota = quota_unknown();
    call->quota.remaining = upstream->spent > QUOTA ? 0 : QUOTA - upstream->spent;
    call->quota.reset_ms = WINDOW_MS - now % WINDOW_MS;
}

/* The answer is back; one in thirty is lost on the way, though only while a quota is known: before the first word about
 * it nobody can count. */
static void end_call(struct upstream *upstream, struct call *call, monotime now)
{
    size_t others = 0;
    call->open = false;
    for (size_t i = 0; i < UNDER_WAY; i++) {
        others += upstream->calls[i].open ? 1 : 0;
    }
    struct quota lost = quota_unknown();
    const struct quota *quota =
        pacing_in_force(&upstream->pacing, now) && random_below(&upstream->random, 30) == 0 ? &lost : &call->quota;
    pacing_learn(&upstream->pacing, quota, others, call->sent_at, now);
}

static void start_call(struct upstream *upstream, struct call *call, monotime now)
{
    pacing_take(&upstream->pacing, now);
    call->open = true;
    call->sent_at = now;
    call->counted_at = now + STEP_MS + STEP_MS * (monotime)random_below(&upstream->random, 6);
    call->back_at = call->counted_at + STEP_MS + STEP_MS * (monotime)random_below(&upstream->random, 20);
    upstream->sent++;
}

static void pacing_never_overspends(void)
{
    struct upstream upstream = {.random = random_from_seed(seed())};
    pacing_init(&upstream.pacing);
    for (int round = 0; round < ROUNDS; round++) {
        monotime now = (monotime)round * STEP_MS;
        for (size_t i = 0; i < UNDER_WAY; i++) {
            struct call *call = &upstream.calls[i];
            if (call->open && call->counted_at == now) {
                count_call(&upstream, call, now);
            }
            if (call->open && call->back_at == now) {
                end_call(&upstream, call, now);
            }
            HOLDS(round, upstream.rejected == 0);
            HOLDS(round, upstream.pacing.allowance >= 0);
            if (!call->open && pacing_wait_ms(&upstream.pacing, now) == 0) {
                start_call(&upstream, call, now);
            }
        }
    }
    int64_t ideal = ROUNDS / (WINDOW_MS / STEP_MS) * QUOTA;
    if (upstream.sent < ideal * 9 / 10) {
        printf("\n%lld of %lld calls ", (long long)upstream.sent, (long long)ideal);
    }
    HOLDS(ROUNDS, upstream.sent >= ideal * 9 / 10);
}

static const struct unit_test tests[] = {
    {"bucket: never more than burst and rate", buckets_keep_their_rate},
    {"gate: only moves forward, nobody before its end", gates_only_move_forward},
    {"breaker: one probe, always recovers", breakers_recover_and_probe_alone},
    {"window: suggestions stay inside", suggestions_stay_inside},
    {"pacing: no call is rejected, no window is wasted", pacing_never_overspends},
};

UNIT_MAIN("policy: properties of state machines", tests)
