#include "tui/demo/window.h"

#include "core/base/memory.h"

#include <stdlib.h>

void window_init(struct window *window, const struct quota_rule *rule)
{
    *window = (struct window){.rule = rule, .begins = MONOTIME_NEVER};
    if (rule != NULL && rule->rolling) {
        window->times = memory_get((size_t)rule->calls * sizeof *window->times);
    }
}

void window_clear(struct window *window)
{
    free(window->times);
    *window = (struct window){.begins = MONOTIME_NEVER};
}

/* Windows of a fixed quota lie on a grid: a later one begins a whole number of lengths behind the first. */
static bool take_fixed(struct window *window, monotime now, walltime wall, struct standing *out)
{
    const struct quota_rule *rule = window->rule;
    if (window->begins == MONOTIME_NEVER) {
        window->begins = rule->wall_second ? now - wall % 1000 : now;
    }
    if (now - window->begins >= rule->window_ms) {
        window->begins += (now - window->begins) / rule->window_ms * rule->window_ms;
        window->used = 0;
    }
    bool passes = window->used < rule->calls;
    window->used += passes ? 1 : 0;
    out->remaining = rule->calls - window->used;
    out->resets = window->begins + rule->window_ms;
    return passes;
}

static bool take_rolling(struct window *window, monotime now, struct standing *out)
{
    const struct quota_rule *rule = window->rule;
    while (window->used > 0 && now - window->times[window->oldest] >= rule->window_ms) {
        window->oldest = (window->oldest + 1) % rule->calls;
        window->used--;
    }
    bool passes = window->used < rule->calls;
    if (passes) {
        window->times[(window->oldest + window->used) % rule->calls] = now;
        window->used++;
    }
    out->remaining = rule->calls - window->used;
    out->resets = window->times[window->oldest] + rule->window_ms;
    return passes;
}

bool window_take(struct window *window, monotime now, walltime wall, struct standing *out)
{
    *out = (struct standing){.resets = MONOTIME_NEVER};
    if (window->rule == NULL) {
        return true;
    }
    out->limit = window->rule->calls;
    return window->rule->rolling ? take_rolling(window, now, out) : take_fixed(window, now, wall, out);
}
