#ifndef CORE_POLICY_PACING_H
#define CORE_POLICY_PACING_H

#include "core/base/clock.h"
#include "core/policy/quota_headers.h"

#include <stdbool.h>

/* The number of calls that may still leave before an announced reset (planner.md, "Pacing by an announced quota"). Answers
 * may come out of order: a smaller number wins at once, a larger one never raises it within a window. Value type. */
struct pacing {
    bool announced;     /* a credible remaining and reset are in force */
    int64_t allowance;  /* calls that may still leave before `reset_at` */
    monotime reset_at;
};

void pacing_init(struct pacing *pacing);

/* An answer arrived. `quota` is what it says, `under_way` the calls still in flight that were sent before or after it and
 * are not counted in its `remaining`, `sent_at` when its call left. Nonsense (no reset, a reset in the past or not
 * credible by D3 and 5.4) changes nothing. */
void pacing_learn(struct pacing *pacing, const struct quota *quota, size_t under_way, monotime sent_at, monotime now);

/* How long until a call may leave; 0: now. Without an announced quota always 0 (the token bucket rules). */
int64_t pacing_wait_ms(const struct pacing *pacing, monotime now);

/* Is an announced quota in force at `now`? Then it replaces the token bucket. */
bool pacing_in_force(const struct pacing *pacing, monotime now);

/* A call leaves. */
void pacing_take(struct pacing *pacing, monotime now);

#endif
