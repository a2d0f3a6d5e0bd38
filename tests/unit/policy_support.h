#ifndef TESTS_UNIT_POLICY_SUPPORT_H
#define TESTS_UNIT_POLICY_SUPPORT_H

#include "core/policy/quota_headers.h"
#include "core/policy/retry_planner.h"

#include <string.h>

/* What the tests of core/policy share: Sat, 14 Nov 2026 10:00:00 GMT, headers from pairs, and a usual plan input. */

static const walltime POLICY_NOW = INT64_C(1794650400000);
enum { PAIRS_MAX = 16 };

/* Reads name and value pairs, up to a NULL name. */
static inline struct quota read_pairs(const char *const *pairs, walltime now)
{
    struct header_field fields[PAIRS_MAX];
    struct quota quota;
    size_t count = 0;
    for (; pairs[2 * count] != NULL && count < PAIRS_MAX; count++) {
        const char *name = pairs[2 * count], *value = pairs[2 * count + 1];
        fields[count] = (struct header_field){name, strlen(name), value, strlen(value)};
    }
    quota_read(fields, count, now, &quota);
    return quota;
}

#define READ(...) read_pairs((const char *const[]){__VA_ARGS__, NULL, NULL}, POLICY_NOW)

static inline int64_t retry_after(const char *value)
{
    return READ("Retry-After", value).retry_after_ms;
}

/* An answer with this status on the first of four attempts, 60 s left, nothing remembered, draws in the middle. */
static inline struct plan_input answer(int status, struct quota quota)
{
    return (struct plan_input){.outcome = status == 200 ? OUTCOME_OK : OUTCOME_STATUS,
                               .status = status,
                               .quota = quota,
                               .body_hint_ms = QUOTA_UNKNOWN,
                               .attempt = 1,
                               .max_attempts = 4,
                               .left_ms = 60000,
                               .profile = PROFILE_INTERACTIVE,
                               .u1 = 0.5,
                               .u2 = 0.5};
}

static inline struct plan_input no_answer(enum outcome outcome)
{
    struct plan_input input = answer(0, quota_unknown());
    input.outcome = outcome;
    return input;
}

static inline struct plan plan_of(struct plan_input input)
{
    return retry_plan(&policy_default, &input);
}

#endif
