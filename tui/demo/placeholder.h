#ifndef TUI_DEMO_PLACEHOLDER_H
#define TUI_DEMO_PLACEHOLDER_H

#include "core/base/buffer.h"
#include "core/base/clock.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Header values that are computed when the answer leaves: "{date+30s}" in a scenario becomes an HTTP-date half a minute
 * from now. Whole seconds are rounded up, so that a client that obeys them is never early. Pure; any thread.
 */

/* What a value may be computed from. */
struct moment {
    monotime now;
    walltime wall;
    monotime phase_ends; /* MONOTIME_NEVER: no end that is known */
    monotime resets;     /* of the quota; MONOTIME_NEVER without one */
    int64_t limit, remaining, window_ms;
};

/* Whether every placeholder of `value` is known; the first that is not is copied into `unknown`. */
bool placeholder_check(const char *value, char *unknown, size_t size);

/* Appends `value` to `out` with its placeholders replaced. Returns the moment that the last date or epoch in it names,
 * MONOTIME_NEVER when it names none. */
monotime placeholder_fill(const char *value, const struct moment *moment, struct buffer *out);

/* Milliseconds as whole seconds, rounded up; 0 for a time that is over. */
int64_t seconds_up(int64_t ms);

#endif
