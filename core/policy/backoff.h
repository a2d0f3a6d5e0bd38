#ifndef CORE_POLICY_BACKOFF_H
#define CORE_POLICY_BACKOFF_H

#include <stdint.h>

enum {
    BACKOFF_SHORTEST_MS = 250,  /* MIN_WAIT of planner.md 5.2: no wait is shorter */
    BACKOFF_NARROWEST_MS = 400, /* the interval of a draw never ends below this, so that there always is jitter (D10) */
    BACKOFF_HINT_JITTER_MAX_MS = 2000 /* D15 */
};

/* Exponential backoff with full jitter over the permitted interval (planner.md 5.5): a draw from
 * [250, max(min(max_ms, base_ms * 2^(attempt-1)), 400)]. `attempt` is the one that failed, from 1; u in [0, 1). */
int64_t backoff_draw(int attempt, int64_t base_ms, int64_t max_ms, double u);

/* Jitter for a wait that the server named: a draw from [0, min(a tenth, 2 s)], to be added, never subtracted (D15). */
int64_t backoff_hint_jitter(int64_t hinted_ms, double u);

/* A whole number drawn evenly from [0, most]: floor(u * (most + 1)), and never more than `most` whatever u is. */
int64_t backoff_spread(int64_t most, double u);

#endif
