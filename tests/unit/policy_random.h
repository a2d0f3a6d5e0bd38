#ifndef TESTS_UNIT_POLICY_RANDOM_H
#define TESTS_UNIT_POLICY_RANDOM_H

#include "unit.h"

#include "core/base/random.h"
#include "policy_support.h"

/* What the property tests of core/policy share: how often, from which seed, and plan inputs at random. */

#define POLICY (&policy_default)
enum { ROUNDS = 100000 };

static inline uint64_t seed(void)
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

static inline int64_t some_wait(struct random *random)
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

static inline struct quota some_quota(struct random *random)
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

static inline struct plan_input some_input(struct random *random)
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

#endif
