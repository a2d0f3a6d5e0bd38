#ifndef TESTS_SIMULATION_USER_H
#define TESTS_SIMULATION_USER_H

#include "simulation/world.h"

/*
 * Everybody who uses the program: a person at the keyboard, who types, pastes, edits, sends, cancels; and others who
 * ask the same engine directly, for single VINs and for lists. One step is one thing that somebody does, or that
 * happens to the machine, and the time until the next. What is done depends on the step's own draws.
 */
enum { POOL_MAX = 48 };

struct user {
    uint64_t seed;
    struct vin_key pool[POOL_MAX]; /* the VINs that people want to know about */
    size_t pool_count;
    char texts[POOL_MAX][32]; /* as they are typed */
    size_t target, typed;     /* what is being typed, and how far */
    size_t list_left;         /* so many VINs may still be asked for in lists */
    int64_t longest_pause_ms;
};

void user_init(struct user *user, uint64_t seed);

/* A day is calmer: longer pauses, more VINs in lists. */
void user_init_for_a_day(struct user *user, uint64_t seed);

void user_step(struct user *user, struct world *world, uint64_t step);

/* A sound VIN that no user has asked for. */
struct vin_key user_new_vin(unsigned number);

#endif
