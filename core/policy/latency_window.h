#ifndef CORE_POLICY_LATENCY_WINDOW_H
#define CORE_POLICY_LATENCY_WINDOW_H

#include "core/base/clock.h"
#include "core/policy/policy.h"

#include <stdbool.h>

/* Recent latencies of one host and call class, and the time-out that follows from them (S004; planner.md D23-D25 and
 * decision 26). An operational input, never a claim about the service. Value type. */

enum { LATENCY_WINDOW_MAX = 64 };

enum latency_outcome { LATENCY_OK, LATENCY_TIMEOUT, LATENCY_ERROR /* no sample */ };

struct latency_window {
    int32_t samples[LATENCY_WINDOW_MAX];
    size_t count, next;
    monotime since;      /* calls that began before this are of an epoch that is over */
    monotime last_at;    /* of the last sample */
    int64_t in_force_ms; /* the time-out that hysteresis holds on to */
};

struct latency_suggestion {
    int64_t timeout_ms;
    bool from_p95;          /* else the default: too few samples */
    int64_t p50_ms, p95_ms; /* -1: too few samples */
};

void latency_window_init(struct latency_window *window, const struct latency_policy *policy);

/* Forgets everything, for the host has changed (its breaker closed again): calls that began before `now` are no samples
 * either, whenever they end (R105). */
void latency_window_reset(struct latency_window *window, const struct latency_policy *policy, monotime now);

/* A call ended at `at` after `duration_ms`. A time-out is a sample at its full value; an error is none. */
void latency_window_push(struct latency_window *window, const struct latency_policy *policy, int64_t duration_ms,
                         enum latency_outcome outcome, monotime at);
/* The time-out for a call that leaves at `at`. Asking more often changes nothing. */
struct latency_suggestion latency_window_suggest(struct latency_window *window, const struct latency_policy *policy,
                                                 monotime at);

#endif
