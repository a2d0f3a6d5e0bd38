#ifndef CORE_POLICY_HOST_GATE_H
#define CORE_POLICY_HOST_GATE_H

#include "core/base/clock.h"
#include "core/policy/policy.h"

#include <stdbool.h>

/* Nobody calls a host before the moment it asked for (planner.md 5.6, decisions 15 and 29). Only moves forward while in
 * force; simply expires. When it ends one request goes first, alone. Value type. */
struct host_gate {
    monotime not_before;
    monotime began_at;  /* of the last hold or cool-down */
    int streak;         /* cool-downs in a row; a success of a request sent after began_at resets it */
    int short_hints;    /* 429s in a row that asked for a second or less, counted in rounds */
    bool first_pending; /* the gate ended and nobody has gone first yet, or the first has not come back */
    uint64_t first;     /* the request that goes first; 0: nobody yet */
    monotime first_until; /* its lease */
};

void host_gate_init(struct host_gate *gate);

/* The server's wait. */
void host_gate_hold(struct host_gate *gate, const struct policy *policy, int64_t wait_ms, monotime now);

/* A throttle without a usable hint: 30 s, doubling to 10 min. Returns the cool-down in ms. */
int64_t host_gate_cool_down(struct host_gate *gate, const struct policy *policy, monotime now);

/* What is left of the gate; 0: open. */
int64_t host_gate_left_ms(const struct host_gate *gate, monotime now);

/* How long until `request` may leave: 0 now; else the gate's rest, or the lease of the one that goes first. */
int64_t host_gate_wait_ms(const struct host_gate *gate, monotime now);

/* May `request` (never 0) leave? If so it may now be the one that goes first. */
bool host_gate_ask(struct host_gate *gate, const struct policy *policy, uint64_t request, int64_t timeout_ms,
                   monotime now);

/* An allowed request came back, however. */
void host_gate_done(struct host_gate *gate, uint64_t request, monotime sent_at, bool success, monotime now);

#endif
