#ifndef TESTS_SIMULATION_DRAW_H
#define TESTS_SIMULATION_DRAW_H

#include "core/base/random.h"

#include <stdbool.h>

/* Draws of a simulation. Every step and every call has a generator of its own, made from the run's seed, so that a run
 * without one of its steps draws the same in all others: that is what makes a failing run shrinkable. */
enum stream { STREAM_RUN, STREAM_STEP, STREAM_ORDER, STREAM_UPSTREAM, STREAM_CALL, STREAM_ENGINE };

static inline struct random draw_stream(uint64_t seed, enum stream stream, uint64_t index)
{
    struct random mixer = random_from_seed(seed);
    uint64_t of_seed = random_next(&mixer);
    mixer = random_from_seed(of_seed ^ ((uint64_t)stream << 56) ^ index);
    return random_from_seed(random_next(&mixer));
}

/* Evenly from [least, most]. */
static inline int64_t draw_between(struct random *random, int64_t least, int64_t most)
{
    return least + (int64_t)random_below(random, (size_t)(most - least) + 1);
}

static inline bool draw_chance(struct random *random, unsigned percent)
{
    return random_below(random, 100) < percent;
}

/* An index into `weights`, as often as its weight says. */
static inline size_t draw_weighted(struct random *random, const unsigned *weights, size_t count)
{
    size_t sum = 0, at = 0;
    for (size_t i = 0; i < count; i++) {
        sum += weights[i];
    }
    size_t drawn = random_below(random, sum);
    while (drawn >= weights[at]) {
        drawn -= weights[at++];
    }
    return at;
}

#endif
