#ifndef CORE_ENGINE_ENGINE_STATE_H
#define CORE_ENGINE_ENGINE_STATE_H

#include "core/base/random.h"
#include "core/engine/engine.h"
#include "core/engine/response_cache.h"
#include "core/policy/host_gate.h"
#include "core/policy/pacing.h"
#include "core/policy/token_bucket.h"
#include "core/vpic/request.h"

/*
 * What the engine remembers, and what its files do for each other. Nothing outside core/engine includes this.
 *
 *   waiter   a ticket: somebody who wants to hear about one key
 *   lookup   a key that is being looked up, with its waiters: there is one at most for each key (single flight)
 *   flight   one lookup, or up to 50 that travel together (a group): attempts, waits and a deadline are a flight's
 *   call     one HTTP call of a flight
 *
 *   queued ──(G5 to G10)──> calling ──> over
 *     ^                        │
 *     └──── waiting <──────────┘  a retry is planned
 *
 * Every public function sets engine->now, changes what it has to, and ends with engine_settle(), which lets leave what
 * may leave and tells the people upstairs what has changed.
 */

enum { TABLE_BUCKETS = 1024, CALLS_REMEMBERED = 8, FLIGHTS_RATED = 50, REJECTIONS_MAX = 5 };

enum flight_state { FLIGHT_QUEUED, FLIGHT_WAITING, FLIGHT_CALLING };

struct waiter {
    uint64_t ticket;
    enum profile profile;
    monotime deadline; /* MONOTIME_NEVER: a list's, whose budget has not started yet */
    monotime submitted_at;
    int64_t called_before_ms; /* time that the flight had spent in calls when this one joined */
    uint64_t told_call;       /* the call that it was last told about */
    struct wait told;         /* the wait that it was last told about; ORIGIN_NONE: none */
    struct lookup *lookup;
    struct waiter *next;  /* of the same lookup, in the order of joining */
    struct waiter *chain; /* in the table of tickets */
};

struct lookup {
    struct vin_key key;
    struct flight *flight;
    struct waiter *waiters; /* none only while a group call is under way for its neighbours */
    struct lookup *next;    /* of the same flight, in the order of the call's rows */
    struct lookup *chain;   /* in the table of keys */
};

struct flight {
    uint64_t id;
    uint64_t order; /* place in the queue: smaller first; a follow-up keeps its group's */
    enum flight_state state;
    enum profile profile;
    struct lookup *lookups;
    size_t count;            /* of lookups */
    bool alone;              /* never joins a group: what became of a group's leftovers */
    int attempts;            /* calls that this flight has made */
    int calls_before;        /* calls made for its key by the group it comes from */
    int bad_answers;         /* unreadable answers so far (decision 23) */
    int64_t called_ms;       /* time spent in calls that ended, its group's included */
    monotime deadline;       /* the latest waiter's */
    monotime earliest;       /* the earliest waiter's */
    monotime queued_at;      /* since when it has waited for the host */
    monotime gate_since;     /* since when the gate has held it up; MONOTIME_NEVER: it does not */
    monotime resume_at;      /* FLIGHT_WAITING: when it may be tried again */
    enum reason last_reason; /* of the last failed attempt */
    int last_status;
    enum transfer last_transfer;
    struct call *call;              /* FLIGHT_CALLING */
    bool fresh;                     /* has not been told about where it stands now, or a waiter of it has not */
    struct flight *previous, *next; /* in its list */
};

struct call {
    uint64_t id;
    struct flight *flight;
    enum call_class class;
    monotime sent_at;
    int64_t timeout_ms;
    bool cut; /* the budget left less than the suggested time */
    struct breaker_ticket breaker;
    struct call *next;
};

/* Flights in the order of their `order`. A long list has some hundred in its queue, so news for a queue are told to
 * those alone for whom they are new: the fresh ones, or all when what they wait for has changed. */
struct flight_list {
    struct flight *first, *last;
    size_t count, fresh;
    struct wait told; /* to all behind the head of a queue */
    bool held;        /* by the gate, all of a queue */
};

/* What is known about the host; shared by all flights. */
struct host {
    struct host_gate gate;
    struct wait gate_wait; /* as it was told when the gate last moved */
    enum reason gate_reason;
    enum hint_source gate_hint;
    int64_t gate_spread_ms;  /* what of its end is our own spread */
    monotime gate_closed_at; /* when it last closed, having been open */
    struct circuit_breaker breaker;
    monotime breaker_opened_at; /* when it last opened, having been closed */
    struct pacing pacing;
    enum wait_origin pacing_origin; /* of the answer that announced it last */
    int64_t pacing_asked_ms;
    bool quota_used_up;      /* a flight has met a used-up quota ... */
    monotime quota_reset_at; /* ... of the window that ends here: */
    struct wait quota_wait;  /* until its reset plus a spread that is drawn once for it */
    struct token_bucket bucket[PROFILE_COUNT];
    struct latency_window latency[CALL_CLASS_COUNT];
    bool rejections_are_403;      /* the kind of the row of rejections (T56) */
    int rejections;               /* in a row, from different flights */
    bool given_up[FLIGHTS_RATED]; /* how the last flights ended, a ring */
    size_t rated, rated_next;
    struct host_state told;
};

/* The host as it is this moment, worked out once and asked by many. */
struct weather {
    int64_t gate_ms;  /* what is left of the gate; 0: open */
    int64_t first_ms; /* the gate has ended, and the one that goes first has so long to come back */
    enum breaker_state breaker;
    int64_t breaker_ms; /* until the next probe */
};

/* What an admission gate says to a flight. */
enum standing_kind { STANDING_GO, STANDING_HOLD, STANDING_REFUSE };

struct standing {
    enum standing_kind kind;
    struct wait wait; /* STANDING_HOLD; STANDING_REFUSE: when it may be asked again */
    enum code code;   /* STANDING_REFUSE, and these three: */
    enum reason reason;
    const char *row;
};

/* What came of a call. */
struct verdict {
    enum outcome outcome;
    enum transfer transfer;
    int status; /* 0: no answer */
    struct quota quota;
    int64_t body_hint_ms;
    struct answer answer; /* of a 200; empty otherwise */
    walltime received_wall;
};

struct pending_action {
    struct action action;
    char *url, *form; /* owned */
};

/* A call that was given up, in case its answer had come already: the host's word still counts. */
struct bygone_call {
    uint64_t id;
    monotime sent_at;
};

struct engine {
    struct engine_options options; /* `base` is owned */
    monotime now;                  /* of the input that is being handled */
    monotime due;                  /* when something happens by itself */
    monotime expiry_at;            /* no ticket runs out of time before that */
    struct random random;
    uint64_t last_id; /* of flights and calls */
    struct host host;
    struct response_cache answers, failures;
    struct flight_list queue[PROFILE_COUNT], waiting, calling;
    struct call *calls;
    size_t call_count;
    struct bygone_call bygone[CALLS_REMEMBERED];
    size_t bygone_next;
    struct lookup *lookups[TABLE_BUCKETS]; /* by key */
    struct waiter *waiters[TABLE_BUCKETS]; /* by ticket */
    struct pending_action *actions;        /* what is to be handed out, from action_first */
    size_t action_first, action_count, action_capacity;
    char *url, *form;   /* of the action that was handed out last */
    struct meter meter; /* counters; the states are filled in when asked */
};

/* engine.c */

void engine_settle(struct engine *engine);

/* actions.c: what goes out. */

void action_start(struct engine *engine, uint64_t call, char *url, char *form,
                  int64_t timeout_ms); /* takes url, form */
void action_abort(struct engine *engine, uint64_t call);

/* A new event in the queue, to be filled in; borrowed until the next action is queued. `key` may be NULL. */
struct event *action_emit(struct engine *engine, enum event_kind kind, uint64_t ticket, const struct vin_key *key);

/* Emits a decision if they are recorded. */
void action_record(struct engine *engine, const struct event_decision *decision);

void actions_clear(struct engine *engine);

/* flight.c: who waits for what. */

struct lookup *lookup_find(struct engine *engine, const struct vin_key *key);
struct waiter *waiter_find(struct engine *engine, uint64_t ticket);

/* A queued flight with one lookup for the submission. */
void flight_open(struct engine *engine, const struct submission *submission);

/* One more waiter. */
void lookup_join(struct engine *engine, struct lookup *lookup, const struct submission *submission);

/* The waiter is no more; its flight must be tidied afterwards. */
void waiter_free(struct engine *engine, struct waiter *waiter);

/* After waiters have left: drops what nobody waits for, gives up the call and closes the flight when nobody is left at
 * all. True if the flight is no more. */
bool flight_tidy(struct engine *engine, struct flight *flight);

void flight_move(struct engine *engine, struct flight *flight, enum flight_state state);

/* The time that the flight has spent in calls until now. */
int64_t flight_called_ms(const struct engine *engine, const struct flight *flight);

/* Works out the deadlines from the waiters'. */
void flight_deadlines(struct engine *engine, struct flight *flight);

/* A list's budget starts for those waiters whose budget has not. */
void flight_begin_budget(struct engine *engine, struct flight *flight);

int flight_max_attempts(const struct engine *engine, const struct flight *flight);

/* Moves the lookup of the one-lookup flight `from` to the end of `into`; `from` is no more. */
void flight_absorb(struct engine *engine, struct flight *into, struct flight *from);

/* Takes `lookup` out of its flight into a queued flight of its own that joins no group. The old flight may be left
 * without lookups. */
void flight_split_off(struct engine *engine, struct lookup *lookup);

/* Its tickets have been told where they stand. */
void flight_told(struct engine *engine, struct flight *flight);

/* Notes whether the gate holds the flight up, for the time that flights spend waiting for it. */
void flight_held(struct engine *engine, struct flight *flight, bool held);

/* The flight and its lookups are over; its waiters must have been told or be gone. */
void flight_close(struct engine *engine, struct flight *flight);

/* Every open ticket and flight goes, without a word. */
void flights_clear(struct engine *engine);

/* tickets.c: how they end. */

/* Ends of tickets, one terminal event each. They free the waiters, not the lookup. `vehicle` is owned from here on and
 * goes to the cache of answers. */
void lookup_deliver(struct engine *engine, struct lookup *lookup, struct vehicle *vehicle, int status);
void waiter_fail(struct engine *engine, struct waiter *waiter, const struct event_failed *failure);

/* All waiters of the flight fail with `failure`, and it closes: given up. */
void flight_fail(struct engine *engine, struct flight *flight, const struct event_failed *failure);

/* departure.c: calls */

/* Sends the flight at the head of the queue, with others of the queue if it may travel in a group. */
void flight_depart(struct engine *engine, struct flight *flight);

/* Takes call `id` out of those under way, NULL if it is not among them. The caller frees it. */
struct call *call_take(struct engine *engine, uint64_t id);

/* Gives up the call of a flight that nobody waits for any more. */
void call_abort(struct engine *engine, struct flight *flight);

/* admission.c: G5 to G9. */

struct weather weather_now(const struct engine *engine);
struct standing admission_by_host(const struct engine *engine, const struct flight *flight,
                                  const struct weather *weather);
struct standing admission_by_rate(struct engine *engine, enum profile profile);

/* Ends the tickets whose time is up. */
void admission_expire(struct engine *engine);

/* Wakes the flights whose wait is over, refuses those that cannot be served in time, and lets leave what may leave. */
void admission_run(struct engine *engine);

/* The next moment at which one of these has something to do. */
monotime admission_due(struct engine *engine);

/* announce.c: news for the tickets that wait. */

void announce_all(struct engine *engine);
bool wait_equal(const struct wait *a, const struct wait *b);

/* verdict.c */

/* Reads the response of `call` (NULL: of one that was given up, only for what it says about the host). */
void verdict_read(const struct response *response, const struct call *call, struct verdict *out);
void verdict_clear(struct verdict *verdict);

/* finish.c */

/* A failure of `flight` as it is told: what its last call met, and when the action comes back. */
struct event_failed failure_of(const struct engine *engine, const struct flight *flight, enum code code,
                               enum reason reason, const char *row);

/* group.c */

/* Hands out the rows of an answer to the flight's lookups, by echoed VIN and position. Those without a row go on alone.
 */
void group_deliver(struct engine *engine, struct flight *flight, struct verdict *verdict);

/* Is this refusal one that the VINs of a group should meet alone? */
bool group_splits(const struct flight *flight, const struct plan *plan);

/* Every lookup goes on alone. */
void group_split(struct engine *engine, struct flight *flight);

/* The row of `answer` that belongs to `key`, or `answer->count`. */
size_t answer_row_of(const struct answer *answer, const struct vin_key *key);

/* host.c */

void host_init(struct engine *engine);

/* The call has come back, with whatever result: breaker, latencies, pacing. True if this opened the breaker. */
bool host_hear(struct engine *engine, const struct call *call, const struct verdict *verdict);

/* The call was given up. */
void host_forget(struct engine *engine, const struct call *call);

/* Counts rejections at the door (T56); turns the plan into the cool-down that the fifth brings. */
void host_count_rejection(struct engine *engine, const struct verdict *verdict, const struct plan_input *input,
                          struct plan *plan);

/* Does what the plan says about the gate. */
void host_follow(struct engine *engine, const struct plan *plan, const struct verdict *verdict, double u,
                 monotime sent_at);

/* What the gate of an answer comes from; `until` is left open. */
struct wait hint_of(const struct plan *plan, const struct verdict *verdict);

/* The gate's and the breaker's wait now; origin ORIGIN_NONE when there is none. */
struct wait host_gate_news(const struct engine *engine);
struct wait host_breaker_news(const struct engine *engine);

struct host_state host_snapshot(const struct engine *engine);

/* EVENT_HOST if anything has changed. */
void host_tell(struct engine *engine);

/* alert.c */

/* A flight that had called has ended, with an answer or given up. */
void host_rate_flight(struct engine *engine, bool given_up);
bool host_alert(const struct host *host);

/* meter.c */

/* A call has come back, and this is what follows. */
void meter_count(struct engine *engine, const struct call *call, const struct verdict *verdict,
                 const struct plan *plan);

#endif
