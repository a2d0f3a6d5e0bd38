#ifndef TESTS_E2E_RANDOM_RUN_H
#define TESTS_E2E_RANDOM_RUN_H

#include "core/base/random.h"
#include "tests/support/terminal.h"
#include "tui/app.h"

#include <stdint.h>
#include <string.h>
#include <sys/types.h>

/* A run of random events (random_screen.c), and what is held against it. */

enum { SIZES_KEPT = 4, STATES = STATE_READY + 1 };

struct run {
    struct random random;
    uint64_t seed;
    struct terminal *terminal;
    char url[128];
    char log[64]; /* the program's decision log, of this start */
    size_t events, event;
    int rows, columns;
    int sizes[SIZES_KEPT][2]; /* the last ones: what was drawn for them may still be on its way */
    size_t resizes;
    size_t seen;    /* bytes of the output that were read */
    char doing[64]; /* the last event, for a complaint */
    size_t failures, starts, in_part;
    size_t states[STATES]; /* how often each state word was seen */
    bool copied;           /* an OSC 52 may come */
};

static inline bool begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

void run_complain(struct run *run, const char *what, const char *found);

/* random_judge.c: what is wrong with the screen, NULL: nothing; and every byte that was written since the last time. */
const char *judge_screen(struct run *run);
void judge_output(struct run *run);

/* random_calls.c: the upstream in a process of its own, and whether a call left while the gate was closed. */

struct upstream {
    pid_t pid;
    int out;
    char line[256]; /* of its output, as far as it came */
    size_t length;
    int64_t started_ms; /* of the day, as all times here */
    char summary[256];
    struct moments {
        int64_t *at;
        size_t count, room;
    } early, unheard; /* calls that it calls early; and when something may have been announced that nobody heard */
};

bool upstream_start(struct upstream *upstream, char *url, size_t size);

/* Reads what it says, so that it never waits for us. */
void upstream_hear(struct upstream *upstream);
void upstream_stop(struct upstream *upstream); /* what it said stays */
void upstream_free(struct upstream *upstream);

/* A new program begins: of waits that the one before heard of it knows nothing. */
void upstream_forgotten(struct upstream *upstream);

/* Reads the log of a program that has ended: no call of it may have left while it knew of a wait. */
void judge_log(struct run *run, struct upstream *upstream);

/* At the end of all: a call that the upstream calls early is a fault unless what it had announced went to nobody. */
void judge_early(struct run *run, struct upstream *upstream);

#endif
