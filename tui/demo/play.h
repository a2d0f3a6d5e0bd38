#ifndef TUI_DEMO_PLAY_H
#define TUI_DEMO_PLAY_H

#include "core/base/clock.h"
#include "core/base/random.h"
#include "tui/demo/scenario.h"
#include "tui/demo/window.h"

#include <stddef.h>
#include <stdint.h>

/*
 * A scenario in play: what happened so far and how the next call is answered. Pure: no clock, no lock, no I/O; a call
 * arrives, and after the delay that the turn names its answer departs. The owner serialises the two.
 *
 * Early is a call that arrives while a wait that had been announced still runs: by Retry-After (or a body's
 * retryAfterMs) on 403, 429, 502, 503 and 504, or by a quota with nothing remaining. The wait binds the client, which
 * is an address. A call that comes within scenario_under_way_ms() behind the announcement may have been under way when
 * that arrived: it is not early.
 */
enum { ANNOUNCEMENTS_MAX = 64 };

struct announcement {
    uint64_t client;
    monotime at, until;
};

struct play {
    const struct scenario *scenario; /* not owned */
    size_t phase;
    bool phase_begun;
    monotime phase_at;   /* when the phase began */
    int64_t phase_calls; /* so far, and how many of them its answers were for: a quota may refuse some */
    int64_t phase_answers;
    monotime phase_waited; /* when the last wait announced in it runs out; MONOTIME_NEVER: none was */
    struct window window;
    struct random random;
    struct announcement announcements[ANNOUNCEMENTS_MAX];
};

enum verdict {
    VERDICT_ALLOWED,  /* answered with a status below 400 */
    VERDICT_REJECTED, /* with another one, or with none */
    VERDICT_EARLY     /* whatever it was answered with */
};

struct arrival {
    uint64_t client;
    int service_status; /* what the service itself would answer: 200, or 404 for a route that it does not have */
};

/* What was decided at the arrival of a call. */
struct turn {
    enum verdict verdict;
    int status; /* 0: the connection is dropped */
    const struct scripted_answer *answer;
    int64_t delay_ms;
    const struct quota_rule *quota; /* NULL: none */
    struct standing standing;
    size_t phase;
    monotime phase_ends;
};

void play_init(struct play *play, const struct scenario *scenario);
void play_clear(struct play *play);

void play_arrive(struct play *play, const struct arrival *arrival, monotime now, walltime wall, struct turn *out);

/* The answer leaves at `now`: hands its headers to `put`, one by one, and remembers the wait that they announce. */
typedef void header_sink(void *context, const char *name, const char *value);
void play_depart(struct play *play, const struct arrival *arrival, const struct turn *turn, monotime now, walltime wall,
                 header_sink *put, void *context);

#endif
