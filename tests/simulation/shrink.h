#ifndef TESTS_SIMULATION_SHRINK_H
#define TESTS_SIMULATION_SHRINK_H

#include "simulation/run.h"

/* A run that breaks an invariant, made as short as it gets while it breaks the same one: fewer steps, and of these as
 * many as possible left out. */
struct shrunk {
    struct run run;
    bool *dropped; /* owned; run.dropped */
    uint64_t kept;
    struct outcome_of_run outcome;
};

struct shrunk shrink(const struct run *run, const struct outcome_of_run *broken);
void shrunk_clear(struct shrunk *shrunk);

/* The steps that are left out as a text, "3,5,9-14", for --drop; NULL when there are none. The caller frees it. */
char *shrunk_drop_text(const struct shrunk *shrunk);

/* Reads such a text for a run of `steps` steps; NULL if it is none. The caller frees it. */
bool *drop_read(const char *text, uint64_t steps);

#endif
