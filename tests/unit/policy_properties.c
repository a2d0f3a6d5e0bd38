/*
 * The invariants of planner.md 5.8 that hold on pure functions, on 100,000 random inputs each: 1 to 5, 7 to 9, 13 and
 * 14 and what the state machines promise. 6, 10 to 12 need the engine. A failure prints the seed and the round;
 * POLICY_SEED=N runs another seed.
 */
#include "unit.h"

#include "core/base/random.h"
#include "core/policy/backoff.h"
#include "core/policy/circuit_breaker.h"
#include "core/policy/host_gate.h"
#include "core/policy/latency_window.h"
#include "core/policy/pacing.h"
#include "core/policy/token_bucket.h"
#include "policy_support.h"

#include <time.h>

#define POLICY (&policy_default)
enum { ROUNDS = 100000, FIELDS_MAX = 12, VALUE_MAX = 96 };

static uint64_t seed(void)
{
    const char *text = getenv("POLICY_SEED");
    return text != NULL ? strtoull(text, NULL, 10) : 20261114;
}

/* Like CHECK, but quiet while all is well: a hundred thousand rounds are one test. */
#define HOLDS(round, condition)                                                                                        \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            printf("\n%s:%d: seed %llu, round %d: not so: %s ", __FILE__, __LINE__, (unsigned long long)seed(),        \
                   (int)(round), #condition);                                                                          \
            CU_FAIL(#condition);                                                                                       \
            return;                                                                                                    \
        }                                                                                                              \
    } while (0)

#define PICK(random, list) (list)[random_below((random), sizeof(list) / sizeof((list)[0]))]

static int64_t some_wait(struct random *random)
{
    static const int64_t edges[] = {-1,
                                    -1,
                                    -1,
                                    0,
                                    1,
                                    249,
                                    250,
                                    251,
                                    999,
                                    1000,
                                    1001,
                                    5000,
                                    30000,
                                    58500,
                                    59999,
                                    60000,
                                    60001,
                                    600000,
                                    600001,
                                    86400000,
                                    20000,
                                    10000,
                                    45000,
                                    3000,
                                    120000,
                                    360000,
                                    999999,
                                    INT64_C(1) << 40,
                                    DURATION_MAX_MS};
    return random_below(random, 3) == 0 ? (int64_t)random_below(random, 70000) : PICK(random, edges);
}

static struct quota some_quota(struct random *random)
{
    static const int64_t counts[] = {-1, -1, 0, 0, 1, 9, 1000};
    struct quota quota = quota_unknown();
    quota.limit = PICK(random, counts);
    quota.remaining = PICK(random, counts);
    quota.reset_ms = some_wait(random);
    quota.retry_after_ms = some_wait(random);
    if (quota.retry_after_ms != QUOTA_UNKNOWN) {
        quota.hint_source = (enum hint_source)(1 + random_below(random, HINT_RETRY_AFTER_MS));
    }
    return quota;
}

static struct plan_input some_input(struct random *random)
{
    static const int statuses[] = {100, 204, 302, 400, 403, 403, 404, 408, 429, 429, 429,
                                   429, 500, 502, 502, 503, 503, 503, 504, 504, 599, 600};
    static const int64_t lefts[] = {-5, 0, 1499, 1500, 1749, 1750, 9000, 61499, 61500, 90000, 600000};
    struct plan_input input = answer(PICK(random, statuses), some_quota(random));
    if (random_below(random, 3) == 0) {
        input.outcome = (enum outcome)random_below(random, OUTCOME_COUNT);
    }
    input.body_hint_ms = random_below(random, 2) ? QUOTA_UNKNOWN : some_wait(random);
    input.attempt = 1 + (int)random_below(random, 5);
    input.max_attempts = 2 + (int)random_below(random, 3);
    input.left_ms = PICK(random, lefts);
    input.profile = (enum profile)random_below(random, PROFILE_COUNT);
    input.streak = (int)random_below(random, 8);
    input.short_hints = (int)random_below(random, 5);
    input.bad_answers = (int)random_below(random, 2);
    input.u1 = random_unit(random);
    input.u2 = random_unit(random);
    return input;
}

static bool is_throttled(const struct plan_input *input)
{
    return input->outcome == OUTCOME_STATUS && (input->status == 429 || input->status == 503);
}

static void waits_within_bounds(void)
{
    struct random random = random_from_seed(seed());
    for (int round = 0; round < ROUNDS; round++) {
        struct plan_input input = some_input(&random);
        struct plan plan = plan_of(input);
        HOLDS(round, plan.row != NULL && plan.row[0] == 'T');
        HOLDS(round, plan.gate_ms >= 0 && plan.gate_ms <= POLICY->gate_max_ms);
        HOLDS(round, (plan.code == CODE_NONE) == (plan.action == PLAN_WAIT || plan.action == PLAN_DELIVER));
        HOLDS(round, (plan.action == PLAN_DELIVER) == (input.outcome == OUTCOME_OK || input.outcome == OUTCOME_SPARSE));
        if (plan.action == PLAN_WAIT) {
            HOLDS(round, plan.wait_ms >= POLICY->min_wait_ms && plan.wait_ms <= POLICY->max_wait_ms);
            HOLDS(round, plan.jitter_ms >= 0 && plan.jitter_ms <= POLICY->jitter_max_ms);
            HOLDS(round, plan.wait_ms + plan.jitter_ms + POLICY->min_attempt_ms <= input.left_ms);
            HOLDS(round, plan.wait_ms >= plan.gate_ms);
            HOLDS(round, input.attempt < input.max_attempts);
            HOLDS(round, !plan.negative && !plan.cool_down);
        } else {
            HOLDS(round, plan.jitter_ms == 0);
            HOLDS(round, plan.action == PLAN_REFUSE || plan.wait_ms == 0);
            HOLDS(round, plan.action != PLAN_REFUSE || plan.wait_ms >= plan.gate_ms);
        }
    }
}

static void hints_are_never_shortened(void)
{
    struct random random = random_from_seed(seed());
    for (int round = 0; round < ROUNDS; round++) {
        struct plan_input input = some_input(&random);
        struct plan plan = plan_of(input);
        bool gateway = input.outcome == OUTCOME_STATUS && (input.status == 502 || input.status == 504);
        int64_t asked_ms = input.quota.retry_after_ms;
        if (asked_ms == QUOTA_UNKNOWN || gateway) {
            asked_ms = input.body_hint_ms > asked_ms ? input.body_hint_ms : asked_ms;
        }
        if (!(is_throttled(&input) || gateway) || asked_ms == QUOTA_UNKNOWN || asked_ms == 0) {
            continue;
        }
        if (plan.action == PLAN_WAIT) {
            HOLDS(round, plan.wait_ms >= asked_ms);
        }
        int64_t believed_ms = asked_ms < POLICY->gate_max_ms ? asked_ms : POLICY->gate_max_ms;
        HOLDS(round, plan.gate_ms >= believed_ms || strcmp(plan.row, "T13") == 0);
        HOLDS(round, plan.action != PLAN_REFUSE || plan.wait_ms >= asked_ms || strcmp(plan.row, "T13") == 0);
    }
}

/* When the next attempt is, as far as the plan says: never is later than any time. The jitter is left out, for T52 may
 * drop it from the longer of two waits. */
static int64_t next_attempt(const struct plan *plan)
{
    return plan->action == PLAN_WAIT ? plan->wait_ms : INT64_MAX;
}

static void larger_hints_are_never_earlier(void)
{
    struct random random = random_from_seed(seed());
    for (int round = 0; round < ROUNDS; round++) {
        struct plan_input smaller = some_input(&random);
        struct plan_input larger = smaller;
        int64_t more = 1 + (int64_t)random_below(&random, 70000);
        int64_t *hints[] = {&larger.quota.retry_after_ms, &larger.quota.reset_ms, &larger.body_hint_ms};
        int64_t *hint = hints[random_below(&random, 3)];
        if (*hint <= 0) { /* none, or a body hint of 0, which is none */
            continue;
        }
        *hint = *hint > DURATION_MAX_MS - more ? DURATION_MAX_MS : *hint + more;
        struct plan before = plan_of(smaller), after = plan_of(larger);
        if (strcmp(before.row, "T13") == 0) {
            continue;
        }
        HOLDS(round, next_attempt(&after) >= next_attempt(&before));
        if (strcmp(after.row, "T18") != 0) {
            HOLDS(round, after.gate_ms >= before.gate_ms);
        }
    }
}

static void plans_are_pure(void)
{
    struct random random = random_from_seed(seed());
    for (int round = 0; round < ROUNDS; round++) {
        struct plan_input input = some_input(&random), copy = input;
        struct plan first = retry_plan(POLICY, &input), second = retry_plan(POLICY, &copy);
        HOLDS(round, first.action == second.action && first.wait_ms == second.wait_ms &&
                         first.jitter_ms == second.jitter_ms && first.gate_ms == second.gate_ms &&
                         first.reason == second.reason && first.code == second.code && first.row == second.row &&
                         first.short_hints == second.short_hints);
    }
}

/* A header block of lines that mean something, nothing, or not quite what they seem to. */
struct random_block {
    struct header_field fields[FIELDS_MAX + 1];
    char values[FIELDS_MAX + 1][VALUE_MAX];
    size_t count;
};

static const char *const names[] = {"Retry-After",
                                    "retry-after-ms",
                                    "x-ms-retry-after-ms",
                                    "RateLimit",
                                    "RateLimit-Policy",
                                    "RateLimit-Limit",
                                    "RateLimit-Remaining",
                                    "RateLimit-Reset",
                                    "X-RateLimit-Limit",
                                    "X-RateLimit-Remaining",
                                    "X-RateLimit-Reset",
                                    "X-RateLimit-Reset-After",
                                    "X-RateLimit-Retry-After",
                                    "X-RateLimit-Next",
                                    "X-Rate-Limit-Remaining",
                                    "X-Rate-Limit-Next",
                                    "Age",
                                    "Date",
                                    "Content-Type",
                                    "X-Rate-Limit-Limit"};

static void write_value(struct random *random, char *value)
{
    static const char *const values[] = {"0",
                                         "1",
                                         "1.0005",
                                         "59, 3",
                                         "7;w=60",
                                         "Sat, 14 Nov 2026 10:00:40 GMT",
                                         "Saturday, 14-Nov-26 10:00:50 GMT",
                                         "Sat Nov 14 09:59:00 2026",
                                         "2026-11-14T11:01:00+01:00",
                                         "1794650435",
                                         "1794650435250",
                                         "\"a\";r=0;t=12, b;r=4",
                                         "a;q=10, b;q=20",
                                         "limit=9, remaining=0, reset=11",
                                         "99999999999999999999"};
    if (random_below(random, 3) == 0) {
        snprintf(value, VALUE_MAX, "%zu", random_below(random, 100));
    } else {
        snprintf(value, VALUE_MAX, "%s", PICK(random, values));
    }
}

static void add_field(struct random_block *block, const char *name, size_t length)
{
    block->fields[block->count] = (struct header_field){name, strlen(name), block->values[block->count], length};
    block->count++;
}

static struct random_block *some_block(struct random *random)
{
    static struct random_block block;
    block.count = 0;
    size_t wanted = random_below(random, FIELDS_MAX);
    while (block.count < wanted) {
        write_value(random, block.values[block.count]);
        add_field(&block, PICK(random, names), strlen(block.values[block.count]));
    }
    return &block;
}

static struct plan plan_for_block(const struct random_block *block, struct plan_input input)
{
    quota_read(block->fields, block->count, POLICY_NOW, &input.quota);
    return plan_of(input);
}

static bool same_plan(const struct plan *a, const struct plan *b)
{
    return a->action == b->action && a->wait_ms == b->wait_ms && a->jitter_ms == b->jitter_ms &&
           a->gate_ms == b->gate_ms && a->reason == b->reason && a->code == b->code;
}

static void malformed_lines_change_nothing(void)
{
    static const char *const malformed[] = {"",      " \t", "-1",   "+1",          "1e3",
                                            "0x10",  "1 2", "5s",   "NaN",         "Infinity",
                                            "1,",    ",1",  "soon", "30 Feb 2026", "Mon, 30 Feb 2026 10:00:00 GMT",
                                            "\"5\"", "1.",  "5;",   "5\x01",       "5\xc2\xa0",
                                            "=",     "1..5"};
    struct random random = random_from_seed(seed());
    for (int round = 0; round < ROUNDS; round++) {
        struct random_block *block = some_block(&random);
        struct plan_input input = some_input(&random);
        struct plan without = plan_for_block(block, input);
        const char *name = PICK(&random, names), *value = PICK(&random, malformed);
        bool structured = strcmp(name, "RateLimit") == 0 || strcmp(name, "RateLimit-Policy") == 0;
        snprintf(block->values[block->count], VALUE_MAX, "%s", structured ? "a;r=0;t=1\x80" : value);
        size_t at = random_below(&random, block->count + 1);
        add_field(block, name, strlen(block->values[block->count]));
        struct header_field added = block->fields[block->count - 1];
        memmove(&block->fields[at + 1], &block->fields[at], (block->count - 1 - at) * sizeof added);
        block->fields[at] = added;
        struct plan with = plan_for_block(block, input);
        if (!same_plan(&without, &with)) {
            printf("\n%s: %s ", name, block->fields[at].value);
        }
        HOLDS(round, same_plan(&without, &with));
    }
}

static void larger_seconds_are_longer_waits(void)
{
    struct random random = random_from_seed(seed());
    for (int round = 0; round < ROUNDS; round++) {
        char less[32], more[32];
        size_t seconds = random_below(&random, 999999998);
        snprintf(less, sizeof less, "%zu", seconds);
        snprintf(more, sizeof more, "%zu.%zu", seconds + random_below(&random, 2), random_below(&random, 1000));
        HOLDS(round, retry_after(less) == (int64_t)seconds * 1000);
        HOLDS(round, retry_after(more) >= retry_after(less));
    }
}

static void time_zones_change_nothing(void)
{
    static const char *const zones[] = {"UTC0", "EST5EDT", "NPT-5:45", "CET-1CEST,M3.5.0,M10.5.0"};
    struct random random = random_from_seed(seed());
    for (int round = 0; round < ROUNDS; round++) {
        struct random_block *block = some_block(&random);
        struct plan_input input = some_input(&random);
        struct plan here = plan_for_block(block, input);
        setenv("TZ", PICK(&random, zones), 1);
        tzset();
        struct plan there = plan_for_block(block, input);
        HOLDS(round, same_plan(&here, &there));
    }
    unsetenv("TZ");
    tzset();
}

static void any_bytes_are_read(void)
{
    static char bytes[65536];
    struct random random = random_from_seed(seed());
    for (int round = 0; round < ROUNDS; round++) {
        size_t length = random_below(&random, round % 1000 == 0 ? sizeof bytes : 64);
        static const char likely[] = "0123456789,;=\"\\ \t:?@%()rtGMT-+.aeNov";
        for (size_t i = 0; i < length; i++) {
            bytes[i] = random_below(&random, 8) ? likely[random_below(&random, sizeof likely - 1)]
                                                : (char)(unsigned char)random_below(&random, 256);
        }
        const char *name = PICK(&random, names);
        struct header_field field = {name, strlen(name), bytes, length};
        struct quota quota;
        quota_read(&field, 1, POLICY_NOW, &quota);
        HOLDS(round, quota.reset_ms >= QUOTA_UNKNOWN && quota.reset_ms <= DURATION_MAX_MS);
        HOLDS(round, quota.retry_after_ms >= QUOTA_UNKNOWN && quota.retry_after_ms <= DURATION_MAX_MS);
        HOLDS(round, quota.remaining >= QUOTA_UNKNOWN && quota.limit >= QUOTA_UNKNOWN);
    }
}

static void draws_stay_inside(void)
{
    struct random random = random_from_seed(seed());
    for (int round = 0; round < ROUNDS; round++) {
        int attempt = (int)random_below(&random, 70) - 2;
        int64_t base = (int64_t)random_below(&random, 5000), max = (int64_t)random_below(&random, 70000);
        double u = random_unit(&random);
        int64_t draw = backoff_draw(attempt, base, max, u);
        HOLDS(round, draw >= 250 && draw <= (max > 400 ? max : 400));
        HOLDS(round, draw <= backoff_draw(attempt, base, max, 0.9999999));
        int64_t jitter = backoff_hint_jitter(max, u);
        HOLDS(round, jitter >= 0 && jitter <= max / 10 && jitter <= 2000);
    }
}

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
    {"1 2 4 5: waits fit, lie within bounds and behind the gate", waits_within_bounds},
    {"3: a hint is never shortened", hints_are_never_shortened},
    {"7: a malformed line changes nothing", malformed_lines_change_nothing},
    {"8: a larger hint is never earlier", larger_hints_are_never_earlier},
    {"8: more seconds are a longer wait", larger_seconds_are_longer_waits},
    {"9: time zones change nothing", time_zones_change_nothing},
    {"13: any bytes are read", any_bytes_are_read},
    {"14: the plan is a pure function", plans_are_pure},
    {"backoff and jitter stay inside", draws_stay_inside},
    {"bucket: never more than burst and rate", buckets_keep_their_rate},
    {"gate: only moves forward, nobody before its end", gates_only_move_forward},
    {"breaker: one probe, always recovers", breakers_recover_and_probe_alone},
    {"window: suggestions stay inside", suggestions_stay_inside},
    {"pacing: no call is rejected, no window is wasted", pacing_never_overspends},
};

UNIT_MAIN("policy: properties", tests)
