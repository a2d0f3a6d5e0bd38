#ifndef TESTS_SIMULATION_RUN_H
#define TESTS_SIMULATION_RUN_H

#include "simulation/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One run: a seed, so many steps, and then the proof that success returns once the faults have ended. */
struct run {
    uint64_t seed;
    uint64_t steps;
    const bool *dropped; /* steps that are left out; NULL: none */
};

struct outcome_of_run {
    const char *broken; /* constant: the invariant; NULL: all hold */
    char detail[512];
    uint64_t step;      /* during which it broke; run.steps: at the end */
    monotime lasted_ms; /* in virtual time */
    uint64_t calls, tickets;
};

struct outcome_of_run run_once(const struct run *run, struct trace *trace);

/* A whole day of it; `out` hears how it went. True if everything held. */
bool run_a_day(uint64_t seed, FILE *out);

#endif
