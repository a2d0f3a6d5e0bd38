#ifndef TESTS_SIMULATION_ANNOUNCEMENT_H
#define TESTS_SIMULATION_ANNOUNCEMENT_H

#include "core/engine/engine.h"

/*
 * What an answer of the simulated upstream means, in the upstream's own numbers: they are known before they become
 * header text, so that no parser of the product is asked. And what planner.md 5.4 makes of them, worked out a second
 * time and independently of core/policy, as bounds: how long nobody may call at least, and what must become of the
 * tickets.
 */
struct announcement {
    enum transfer transfer;
    int status;             /* 0: no header came */
    int64_t retry_after_ms; /* -1: not said; so are these */
    int64_t reset_ms;
    int64_t remaining;
    int64_t body_hint_ms;
    bool readable; /* the body is JSON with a row at least */
};

/* An answer that says nothing. */
struct announcement announcement_none(void);

bool announcement_is_throttle(const struct announcement *said);

/* For so long nobody may call, at least; 0: it asks for no pause. */
int64_t announcement_pause_ms(const struct announcement *said);

/* Whether the gate may move at all. */
bool announcement_may_close(const struct announcement *said);

/* What a flight of one VIN that has made `attempts` calls, and had `bad_answers` unreadable ones before, may do. */
enum consequence {
    CONSEQUENCE_END, /* its tickets end now, whatever the engine thinks: no retry of that */
    CONSEQUENCE_FREE /* a retry may follow, or the end */
};
enum consequence announcement_consequence(const struct announcement *said, int attempts, int bad_answers);

/* What the circuit breaker counts it as. */
enum { COUNTS_NOT = 0, COUNTS_SUCCESS = 1, COUNTS_FAILURE = -1 };
int announcement_counts(const struct announcement *said, bool for_us);

#endif
