/*
 * The invariants of planner.md 5.8 that hold on pure functions, on 100,000 random inputs each: 1 to 5, 7 to 9, 13
 * and 14. 6 and 10 to 12 need the engine. A failure prints the seed and the round; POLICY_SEED=N runs another seed.
 */
#include "unit.h"

#include "core/policy/backoff.h"
#include "policy_random.h"

#include <time.h>

enum { FIELDS_MAX = 12, VALUE_MAX = 96 };

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
};

UNIT_MAIN("policy: properties of plans", tests)
