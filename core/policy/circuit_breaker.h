#ifndef CORE_POLICY_CIRCUIT_BREAKER_H
#define CORE_POLICY_CIRCUIT_BREAKER_H

#include "core/base/clock.h"
#include "core/policy/policy.h"

#include <stdbool.h>

/* Stops calls after repeated failures of one host and lets one probe find out when it is back (planner.md 5.2, 5.6 and
 * decision 28). Value type. */

enum { BREAKER_RING = 16 };

enum breaker_state { BREAKER_CLOSED, BREAKER_OPEN, BREAKER_HALF_OPEN };

enum breaker_outcome {
    BREAKER_SUCCESS,
    BREAKER_FAILURE, /* 5xx, attempt time-out, transport error */
    BREAKER_NEUTRAL  /* all else: 429, 403, 4xx, cancel, deadline, unreadable body */
};

struct circuit_breaker {
    bool open; /* opened and not yet closed by a success; half-open comes by the clock alone */
    uint64_t generation;
    struct {
        uint64_t flight;
        bool failure;
    } ring[BREAKER_RING];
    size_t count, next;
    monotime open_until;
    int64_t open_step_ms; /* the next open time before its jitter */
    uint64_t probe;       /* the attempt that holds the probe; 0: nobody */
    monotime lease_until;
};

/* What an attempt carries from its start to its end. */
struct breaker_ticket {
    uint64_t attempt, flight, generation;
    bool probe;
};

void circuit_breaker_init(struct circuit_breaker *breaker, const struct policy *policy);

enum breaker_state circuit_breaker_state(const struct circuit_breaker *breaker, monotime now);

/* How long until an attempt may leave: 0 now, else until the probe (open) or until the probe's lease is over. */
int64_t circuit_breaker_wait_ms(const struct circuit_breaker *breaker, monotime now);

/* May this attempt leave? If so fills `ticket` (taking the probe in half-open state). `attempt` is never 0 and unique.
 */
bool circuit_breaker_start(struct circuit_breaker *breaker, const struct policy *policy, uint64_t attempt,
                           uint64_t flight, int64_t timeout_ms, monotime now, struct breaker_ticket *ticket);

/* The attempt ended; `u` in [0, 1) draws the extra open time if this opens it. True if this very end opened it. Every
 * attempt that started must end here exactly once, also a cancelled one (neutral). */
bool circuit_breaker_end(struct circuit_breaker *breaker, const struct policy *policy,
                         const struct breaker_ticket *ticket, enum breaker_outcome outcome, double u, monotime now);

#endif
