#ifndef TESTS_SIMULATION_POST_H
#define TESTS_SIMULATION_POST_H

#include "core/engine/engine.h"
#include "simulation/draw.h"

/* A mailbox between the two threads: first in, first out, however long each letter takes. */
enum letter_kind { LETTER_SUBMIT, LETTER_CANCEL, LETTER_ASK_METER, LETTER_EVENT, LETTER_METER };

struct letter {
    enum letter_kind kind;
    monotime due;
    struct submission *submissions; /* LETTER_SUBMIT; owned, with room for `room` */
    size_t count, room;
    uint64_t ticket;     /* LETTER_CANCEL */
    struct event event;  /* LETTER_EVENT */
    struct meter *meter; /* LETTER_METER; owned */
};

struct post {
    struct letter *letters;
    size_t first, count, capacity;
    monotime latest_due;
    int64_t slowest_ms; /* letters take up to so long */
};

void post_clear(struct post *post);

/* A new letter, to be filled in; borrowed until the next one is put. */
struct letter *post_put(struct post *post, enum letter_kind kind, monotime now, struct random *random);

/* The last letter, if it is of that kind and still there; NULL. */
struct letter *post_last(struct post *post, enum letter_kind kind);

/* The first letter; the caller owns what it owns: letter_clear(). */
struct letter post_take(struct post *post);
void letter_clear(struct letter *letter);

monotime post_due(const struct post *post); /* MONOTIME_NEVER: it is empty */

#endif
