#ifndef CORE_BASE_RANDOM_H
#define CORE_BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* A small generator of uniform draws, a plain value: two copies with the same state draw the same numbers, so that a
 * run can be replayed from its seed. Not for secrets. */
struct random {
    uint64_t state;
};

/* A generator that continues from `seed`; every seed is a good one. */
struct random random_from_seed(uint64_t seed);

/* A seed from the operating system. Any thread. */
uint64_t random_seed_from_system(void);

/* The next 64 bits. */
uint64_t random_next(struct random *random);

/* A draw in [0, 1). */
double random_unit(struct random *random);

/* A draw in [0, bound); bound > 0. */
size_t random_below(struct random *random, size_t bound);

#endif
