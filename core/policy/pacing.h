#ifndef CORE_POLICY_PACING_H
#define CORE_POLICY_PACING_H

#include "core/base/clock.h"
#include "core/policy/quota_headers.h"

#include <stdbool.h>

/* The number of calls that may still leave before an announced reset (planner.md, "Pacing by an announced quota").
 * Answers may come out of order: the smallest remaining rules its window, together with the reset it came with; a
 * larger one never raises it before that. Value type. */
struct pacing {
    bool announced;    /* a credible remaining and reset have been seen; in force until `reset_at` */
    int64_t remaining; /* the smallest of this window */
    int64_t lost;      /* calls of this window that ended without a word about it and may have been counted since */
    int64_t allowance; /* `remaining` less those and the calls under way: how many may still leave before `reset_at` */
    monotime reset_at, lost_at;
};

void pacing_init(struct pacing *pacing);

/* A call that left at `sent_at` has ended. `quota` is what its answer says (quota_unknown() without an answer) and
 * `under_way` the other calls still in flight. To be called for every call that ends. Nonsense (no reset, a reset in
 * the past, or one that is not credible: a minute or more away while calls remain, T18) changes nothing; a window that
 * is used up is believed for a minute at most (D5). */
void pacing_learn(struct pacing *pacing, const struct quota *quota, size_t under_way, monotime sent_at, monotime now);

/* How long until a call may leave; 0: now. Without an announced quota always 0 (the token bucket rules). */
int64_t pacing_wait_ms(const struct pacing *pacing, monotime now);

/* Is an announced quota in force at `now`? Then it replaces the token bucket. */
bool pacing_in_force(const struct pacing *pacing, monotime now);

/* A call leaves. */
void pacing_take(struct pacing *pacing, monotime now);

#endif
