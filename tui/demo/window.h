#ifndef TUI_DEMO_WINDOW_H
#define TUI_DEMO_WINDOW_H

#include "core/base/clock.h"
#include "tui/demo/scenario.h"

#include <stdbool.h>

/* Counts calls against a quota. Pure: time is a parameter. */
struct window {
    const struct quota_rule *rule; /* NULL: no quota, everything passes */
    monotime begins;               /* of the fixed window that was counted last; MONOTIME_NEVER before the first call */
    int64_t used;                  /* in it; rolling: how many times are kept */
    monotime *times;               /* rolling: when the calls passed, a ring of `rule->calls`; owned */
    int64_t oldest;
};

/* What the window says behind a call. */
struct standing {
    int64_t limit, remaining;
    monotime resets; /* fixed: the window's end; rolling: when the oldest call leaves it */
};

void window_init(struct window *window, const struct quota_rule *rule);
void window_clear(struct window *window);

/* A call at `now`: true when it passes, which uses up one. What is refused costs nothing. */
bool window_take(struct window *window, monotime now, walltime wall, struct standing *out);

#endif
