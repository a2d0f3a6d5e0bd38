#ifndef TESTS_SIMULATION_WORLD_H
#define TESTS_SIMULATION_WORLD_H

#include "simulation/post.h"
#include "simulation/record.h"
#include "tui/frame.h"

/*
 * The program in virtual time: the engine, the model of the screen, the two mailboxes between them, and the network,
 * whose far end is the simulated upstream. Time passes only in world_pass() and world_sleep(); what is due on the way
 * happens in the order of its time, and in a drawn order at the same time.
 */

/* How the entries of the app's list ended, for when it asks. */
struct kept {
    struct event *events; /* EVENT_HOST: none */
    size_t count;
};

struct world {
    struct engine_options options;
    struct engine *engine;
    struct app *app; /* NULL: engine alone */
    struct frame frame;
    monotime now;
    int64_t wall_ahead_ms; /* of our wall clock before `now` */
    struct random order;   /* of what is due at the same moment, and how long letters take; drawn anew each step */
    struct post orders, news;
    struct kept kept;
    struct upstream upstream;
    struct wire wire;
    struct record *record;
    struct trace *trace;
    uint64_t last_direct_ticket;
};

void world_init(struct world *world, uint64_t seed, struct trace *trace);
void world_clear(struct world *world);

walltime world_wall(const struct world *world);

/* Whether an invariant is broken: then nothing more happens. */
bool world_broken(const struct world *world);

/* A person at the keyboard; without an app nothing happens. Takes what the input owns. */
void world_input(struct world *world, struct input *input);

/* Straight to the engine, past the app: other people of the same engine, and lists, all at once. */
void world_submit(struct world *world, const struct vin_key *key, bool past_caches, int64_t budget_ms);

enum { LIST_MOST = 64 };
void world_submit_list(struct world *world, const struct vin_key *keys, size_t count);
void world_cancel(struct world *world, uint64_t ticket);

/* Time goes on; all that is due happens. */
void world_pass(struct world *world, int64_t ms);

/* The machine sleeps: time goes on, and nothing happens before it wakes up. */
void world_sleep(struct world *world, int64_t ms);

/* When something is next due; MONOTIME_NEVER: nothing is. */
monotime world_next(const struct world *world);

/* Draws the screen and looks at it. */
void world_draw(struct world *world);

void world_check_meter(struct world *world);

#endif
