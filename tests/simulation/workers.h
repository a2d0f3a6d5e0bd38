#ifndef TESTS_SIMULATION_WORKERS_H
#define TESTS_SIMULATION_WORKERS_H

#include "simulation/run.h"

/* Many seeds, divided among so many processes. */
struct seeds {
    uint64_t first, last;
    uint64_t steps;
    unsigned workers;
    bool digests; /* print "seed N digest" for each; one process */
};

struct tally {
    uint64_t runs, calls, tickets;
    int64_t virtual_ms;
    bool broken;
    uint64_t seed; /* the smallest that broke an invariant */
    struct outcome_of_run outcome;
};

/* Each process stops at the first seed that breaks an invariant. False when the system gives no process. */
bool workers_run(const struct seeds *seeds, struct tally *tally);

#endif
