#include "core/policy/backoff.h"

int64_t backoff_spread(int64_t most, double u)
{
    if (most <= 0 || !(u > 0.0)) {
        return 0;
    }
    /* A double next to 1 may round the product up to most + 1; comparing as doubles also keeps the cast defined. */
    double drawn = u * ((double)most + 1.0);
    return drawn < (double)most ? (int64_t)drawn : most;
}

/* min(max_ms, base_ms * 2^(attempt-1)), without an overflow on the way. */
static int64_t ceiling_of_attempt(int attempt, int64_t base_ms, int64_t max_ms)
{
    int64_t ceiling = base_ms;
    for (int i = 1; i < attempt && ceiling < max_ms; i++) {
        if (ceiling <= 0) {
            return 0;
        }
        ceiling = ceiling > max_ms / 2 ? max_ms : ceiling * 2;
    }
    return ceiling < max_ms ? ceiling : max_ms;
}

int64_t backoff_draw(int attempt, int64_t base_ms, int64_t max_ms, double u)
{
    int64_t most = ceiling_of_attempt(attempt, base_ms, max_ms);
    if (most < BACKOFF_NARROWEST_MS) {
        most = BACKOFF_NARROWEST_MS;
    }
    return BACKOFF_SHORTEST_MS + backoff_spread(most - BACKOFF_SHORTEST_MS, u);
}

int64_t backoff_hint_jitter(int64_t hinted_ms, double u)
{
    int64_t tenth = hinted_ms / 10;
    return backoff_spread(tenth < BACKOFF_HINT_JITTER_MAX_MS ? tenth : BACKOFF_HINT_JITTER_MAX_MS, u);
}
