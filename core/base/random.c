#include "core/base/random.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

/* SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014): the state is a counter, the
 * output a mix of it, so every seed is a good one. */
struct random random_from_seed(uint64_t seed)
{
    return (struct random){.state = seed};
}

uint64_t random_next(struct random *random)
{
    random->state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t mixed = random->state;
    mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
    return mixed ^ (mixed >> 31);
}

double random_unit(struct random *random)
{
    /* The upper 53 bits: each result is exact in a double, and none is 1. */
    return (double)(random_next(random) >> 11) / (double)(UINT64_C(1) << 53);
}

size_t random_below(struct random *random, size_t bound)
{
    /* Draws below the remainder of 2^64 by the bound are drawn again: they would make small results likelier. */
    uint64_t uneven = (0 - (uint64_t)bound) % bound;
    uint64_t draw = random_next(random);
    while (draw < uneven) {
        draw = random_next(random);
    }
    return (size_t)(draw % bound);
}

uint64_t random_seed_from_system(void)
{
    uint64_t seed = 0;
    ssize_t got = 0;
    int source = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    if (source >= 0) {
        got = read(source, &seed, sizeof(seed));
        close(source);
    }
    if (got != (ssize_t)sizeof(seed)) {
        /* A jail without devices: the time and the process tell two runs apart, which is all that is needed. */
        struct timespec now = {0};
        clock_gettime(CLOCK_REALTIME, &now);
        struct random mixer = random_from_seed((uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec);
        seed = random_next(&mixer) ^ (uint64_t)getpid();
    }
    return seed;
}
