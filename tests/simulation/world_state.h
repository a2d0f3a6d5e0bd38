#ifndef TESTS_SIMULATION_WORLD_STATE_H
#define TESTS_SIMULATION_WORLD_STATE_H

#include "simulation/world.h"

/* What world.c, world_engine.c and world_app.c do for each other. */

/* Carries out what the engine wants. */
void world_carry_out(struct world *world);

void world_end_call(struct world *world, struct call_on_wire *call);
void world_read_order(struct world *world);
void world_read_news(struct world *world);

void kept_clear(struct kept *kept);

#endif
