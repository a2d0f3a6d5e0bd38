#include "core/policy/deadline.h"

monotime deadline_mint(monotime now, int64_t budget_ms)
{
    return monotime_add(now, budget_ms > 0 ? budget_ms : 0);
}

monotime deadline_nest(monotime outer, monotime inner)
{
    return inner < outer ? inner : outer;
}

int64_t deadline_left_ms(monotime deadline, monotime now)
{
    return deadline > now ? deadline - now : 0;
}

bool deadline_fits(int64_t left_ms, int64_t wait_ms, int64_t min_attempt_ms)
{
    return left_ms >= min_attempt_ms && wait_ms <= left_ms - min_attempt_ms;
}

struct attempt_timeout deadline_attempt_timeout(int64_t left_ms, int64_t suggested_ms, int64_t min_attempt_ms)
{
    if (left_ms < min_attempt_ms) {
        return (struct attempt_timeout){.timeout_ms = 0, .cut = true};
    }
    if (left_ms < suggested_ms) {
        return (struct attempt_timeout){.timeout_ms = left_ms, .cut = true};
    }
    return (struct attempt_timeout){.timeout_ms = suggested_ms, .cut = false};
}
