#ifndef CORE_POLICY_HOST_GATE_H
#define CORE_POLICY_HOST_GATE_H

#include "core/base/clock.h"
#include "core/policy/policy.h"
#include "core/policy/retry_planner.h"

#include <stdbool.h>

/* Nobody calls a host before the moment it asked for (planner.md 5.6, decisions 15 and 29). Only moves forward while in
 * force; simply expires. When it ends one request goes first, alone. Value type. */
struct host_gate {
    monotime not_before;
    monotime began_at;    /* of the last hold or cool-down */
    int streak;           /* cool-downs in a row; a success of a request sent after began_at resets it */
    int short_hints;      /* 429s in a row that asked for next to nothing, counted in rounds; reset like streak */
    bool first_pending;   /* a gate has been, and nobody has gone first yet, or the first has not come back */
    uint64_t first;       /* the request that goes first; 0: nobody yet */
    monotime first_until; /* its lease */
};

void host_gate_init(struct host_gate *gate);

/* The server's wait. */
void host_gate_hold(struct host_gate *gate, const struct policy *policy, int64_t wait_ms, monotime now);

/* A throttle without a usable hint: 30 s, doubling to 10 min. Returns the cool-down in ms. */
int64_t host_gate_cool_down(struct host_gate *gate, const struct policy *policy, monotime now);

/* What is left of the gate; 0: open. */
int64_t host_gate_left_ms(const struct host_gate *gate, monotime now);

/* How long until a request may leave: 0 now; else the gate's rest, or the lease of the one that goes first. */
int64_t host_gate_wait_ms(const struct host_gate *gate, monotime now);

/* May `request` (never 0) leave? If so it may now be the one that goes first. */
bool host_gate_ask(struct host_gate *gate, const struct policy *policy, uint64_t request, int64_t timeout_ms,
                   monotime now);

/* An allowed request came back, however. */
void host_gate_done(struct host_gate *gate, uint64_t request, monotime sent_at, bool success, monotime now);

/*
 * Rounds. Several calls that were under way together may all be turned away; that is one refusal, not several. An
 * answer to a request that left before the last hold or cool-down belongs to that round: it only extends the gate.
 *
 * Before it plans, a caller asks host_gate_recall() for the streak and short_hints that are right for this answer;
 * after host_gate_done() it hands the plan to host_gate_follow().
 */

/* Does an answer to a request that left at `sent_at` open a new round? */
bool host_gate_is_new_round(const struct host_gate *gate, monotime sent_at);

/* Fills in what the host remembers: for an answer of a round that was counted already, as it was before that round. */
void host_gate_recall(const struct host_gate *gate, monotime sent_at, struct plan_input *input);

/* Does what `plan` says about the gate. `spread_ms` is added to the gate's end if this answer moves it: the plan's
 * jitter_ms for a wait, else a draw of backoff_hint_jitter(). */
void host_gate_follow(struct host_gate *gate, const struct policy *policy, const struct plan *plan, int64_t spread_ms,
                      monotime sent_at, monotime now);

#endif
