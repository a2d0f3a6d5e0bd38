#ifndef CORE_POLICY_DEADLINE_H
#define CORE_POLICY_DEADLINE_H

#include "core/base/clock.h"

#include <stdbool.h>

/* One budget for one VIN, minted once and never renewed: everything that is done for it, waits and attempts, is a slice
 * of what is left (S004's nesting; planner.md G5, G10, T53). A deadline is a plain monotime, so it can be handed on. */

/* The end of a budget that starts now. */
monotime deadline_mint(monotime now, int64_t budget_ms);

/* The earlier of two: a slice may end before the whole, never after it. */
monotime deadline_nest(monotime outer, monotime inner);

/* What is left, 0 or more. */
int64_t deadline_left_ms(monotime deadline, monotime now);

/* Does a wait leave room for the smallest useful attempt behind it? */
bool deadline_fits(int64_t left_ms, int64_t wait_ms, int64_t min_attempt_ms);

/* The time-out of an attempt that starts with `left_ms` left: the suggestion, or what is left of the budget. */
struct attempt_timeout {
    int64_t timeout_ms; /* 0: do not start, less than the smallest useful attempt is left */
    bool cut; /* the budget made it shorter than suggested: running into it says nothing about the host (T41) */
};
struct attempt_timeout deadline_attempt_timeout(int64_t left_ms, int64_t suggested_ms, int64_t min_attempt_ms);

#endif
