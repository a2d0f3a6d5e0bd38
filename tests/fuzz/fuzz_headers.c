/* A header block of any bytes, as lines "name: value": reading it and planning by it keep what they promise. */
#include "core/policy/backoff.h"
#include "core/policy/retry_planner.h"
#include "fuzz/promise.h"

#include <string.h>

enum { FIELDS_MAX = 256 };
static const walltime now = INT64_C(1796040000000);

static size_t split(const char *text, size_t size, struct header_field *fields)
{
    size_t count = 0;
    while (size > 0 && count < FIELDS_MAX) {
        const char *newline = memchr(text, '\n', size);
        size_t length = newline != NULL ? (size_t)(newline - text) : size;
        const char *colon = memchr(text, ':', length);
        if (colon != NULL) {
            size_t name_length = (size_t)(colon - text);
            fields[count++] = (struct header_field){text, name_length, colon + 1, length - name_length - 1};
        }
        size_t step = newline != NULL ? length + 1 : length;
        text += step;
        size -= step;
    }
    return count;
}

static bool in_range(int64_t value)
{
    return value >= QUOTA_UNKNOWN && value <= DURATION_MAX_MS;
}

static bool same_quota(const struct quota *a, const struct quota *b)
{
    return a->limit == b->limit && a->remaining == b->remaining && a->reset_ms == b->reset_ms &&
           a->retry_after_ms == b->retry_after_ms && a->source == b->source && a->hint_source == b->hint_source;
}

static void check_quota(const struct quota *quota)
{
    promise(in_range(quota->limit) && in_range(quota->remaining), "counts in range");
    promise(in_range(quota->reset_ms) && in_range(quota->retry_after_ms), "waits in range");
    promise((quota->retry_after_ms == QUOTA_UNKNOWN) == (quota->hint_source == HINT_NONE), "a hint has a source");
    bool claims = quota->source == QUOTA_RATELIMIT || quota->source == QUOTA_X_RATELIMIT;
    promise(claims == (quota->remaining != QUOTA_UNKNOWN || quota->reset_ms != QUOTA_UNKNOWN), "a family claims");
}

static void check_plan(const struct quota *quota, int status, int attempt)
{
    struct plan_input input = {.outcome = status == 200 ? OUTCOME_OK : OUTCOME_STATUS,
                               .status = status,
                               .quota = *quota,
                               .body_hint_ms = QUOTA_UNKNOWN,
                               .attempt = attempt,
                               .max_attempts = 4,
                               .left_ms = 90000,
                               .u1 = 0.5,
                               .u2 = 0.999};
    struct plan plan = retry_plan(&policy_default, &input);
    promise(plan.gate_ms >= 0 && plan.gate_ms <= policy_default.gate_max_ms, "the gate in range");
    if (plan.action == PLAN_WAIT) {
        promise(attempt < 4, "no wait behind the last attempt");
        promise(plan.wait_ms >= BACKOFF_SHORTEST_MS && plan.wait_ms < policy_default.max_wait_ms, "the wait in range");
        promise(plan.jitter_ms >= 0 && plan.jitter_ms <= BACKOFF_HINT_JITTER_MAX_MS, "the jitter in range");
        promise(plan.wait_ms + plan.jitter_ms + policy_default.min_attempt_ms <= input.left_ms, "the wait fits");
        promise(plan.wait_ms >= plan.gate_ms, "no attempt before the gate's end");
    }
    if (status == 429 && quota->retry_after_ms != QUOTA_UNKNOWN && plan.action == PLAN_WAIT) {
        promise(plan.wait_ms >= quota->retry_after_ms, "a hint is never shortened");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const int statuses[] = {200, 400, 403, 429, 500, 502, 503, 504};
    struct header_field fields[FIELDS_MAX + 1];
    size_t count = split((const char *)data, size, fields);
    struct quota quota, again;
    quota_read(fields, count, now, &quota);
    check_quota(&quota);
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        check_plan(&quota, statuses[i], 1 + (int)(size % 4));
    }
    fields[count] = (struct header_field){"Retry-After", 11, "soon\x80", 5};
    quota_read(fields, count + 1, now, &again);
    promise(same_quota(&quota, &again), "a malformed line changes nothing");
    return 0;
}
