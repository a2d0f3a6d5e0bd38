#ifndef TESTS_SIMULATION_RECORD_H
#define TESTS_SIMULATION_RECORD_H

#include "simulation/trace.h"
#include "simulation/upstream.h"
#include "tui/app.h"

/*
 * Our own record of a run: what was asked for, what left, what was announced and what was told. It is kept from the
 * outside alone, the engine's actions and the upstream's words, and every entry is judged by it: planner.md 5.8 and
 * architecture.md, the invariants. The first one that is broken stays in `broken`.
 */

enum {
    RECORD_KEYS_MAX = 2048,
    RECORD_PLACES = 2 * RECORD_KEYS_MAX,
    IN_FLIGHT_MAX = 16,
    BREAKER_LAST = 5,
    NO_TICKET = -1
};

/* Whole times for one VIN (planner.md 5.2). */
enum { PERSON_BUDGET_MS = 90 * 1000, LIST_BUDGET_MS = 10 * 60 * 1000 };

/* Tickets of the app count from 1, those that go straight to the engine from here. */
#define DIRECT_TICKETS (UINT64_C(1) << 32)

struct key_record {
    struct vin_key key;
    size_t open;   /* tickets that wait for it, as the engine was told */
    uint64_t call; /* in flight; 0: none */
    /* Of the present flight, which lives as long as a ticket is open. */
    uint64_t flight;
    bool for_a_person; /* a ticket of it was interactive */
    int single_calls, group_calls, bad_answers;
    bool last_was_group;
    monotime failed_at; /* when its last call came to nothing; 0: none did */
    /* What the caches must know. */
    uint64_t serial;
    monotime answered_at, fresh_until, rests_until;
    uint64_t answer;         /* which of all answers that was */
    bool unsure;             /* a row came that could also be its twin's: it may have been taken or not, */
    uint64_t offered_serial; /* and this is the right one */
    /* What the app was told. */
    bool app_known; /* it stands in the history */
    bool app_answered, app_failed;
    uint64_t app_serial;
    monotime app_rests_until;
};

enum ticket_state { TICKET_UNUSED, TICKET_OPEN, TICKET_DECODED, TICKET_FAILED, TICKET_CANCELLED };

struct ticket_record {
    enum ticket_state state;
    size_t key;
    enum profile profile;
    bool past_caches;
    monotime submitted_at, deadline; /* MONOTIME_NEVER: a list's that has not been called for */
    struct wait told;
    int64_t open_at; /* its place in `open`; NO_TICKET: not there */
};

struct ticket_table {
    struct ticket_record *items;
    size_t count, capacity;
};

/* What happened, for engine_meter() to be compared with. */
struct counts {
    uint64_t starts, retries, probes, answers, aborts, decoded, failed;
    uint64_t cache_hits, negative_hits, joined, bad_bodies;
    uint64_t statuses[6], status_429, status_403, status_503;
};

/* What the app was told, and what it asked for. */
struct app_record {
    uint64_t ticket; /* that it waits for; 0: none */
    size_t key;
    bool waiting; /* it was told to wait; else handed over or calling */
    struct wait wait;
    struct host_state host;
};

struct record {
    const struct policy *policy;
    bool cache, no_wait, has_app;
    struct trace *trace;
    const monotime *now;
    const char *broken; /* constant: the invariant; NULL: all hold */
    char detail[512];

    struct key_record keys[RECORD_KEYS_MAX];
    size_t key_count;
    int32_t key_table[RECORD_PLACES]; /* by hash: index + 1, 0 free */
    struct ticket_table app_tickets, direct_tickets;
    uint64_t *open; /* tickets */
    size_t open_count, open_capacity;
    uint64_t flights, answers;
    struct counts counts;

    struct call_on_wire calls[IN_FLIGHT_MAX];
    size_t in_flight;

    /* The gate as the upstream announced it, and as the engine tells it. */
    monotime announced_until;
    bool may_close; /* the answer that is being handled may move the gate */
    struct host_state told;
    bool first_pending;
    uint64_t first; /* the call that went first after a gate; 0: none yet */
    monotime first_until;
    /* The circuit breaker: the last calls that counted. */
    struct {
        uint64_t flight;
        bool for_a_person; /* a ticket of it was interactive */
        bool failure;
    } last[BREAKER_LAST];
    size_t last_count;
    monotime breaker_changed_at;
    uint64_t probe;
    monotime probe_until;
    /* The announced quota, and our own courtesy rate where there is none. */
    bool quota_known;
    int64_t quota_remaining, quota_left;
    monotime quota_reset_at, quota_latest_reset_at;
    int64_t bucket_level; /* in thousandths of a call */
    monotime bucket_at;
    struct app_record app;
};

void record_init(struct record *record, const struct engine_options *options, bool has_app, const monotime *now,
                 struct trace *trace);
void record_clear(struct record *record);

/* Notes that an invariant is broken, if it is the first. */
void record_expect(struct record *record, bool holds, const char *invariant, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

size_t record_key(struct record *record, const struct vin_key *key);
const struct key_record *record_find(const struct record *record, const struct vin_key *key); /* NULL: unknown */
struct ticket_record *record_ticket(struct record *record, uint64_t ticket); /* NULL: never submitted */
struct call_on_wire *record_call(struct record *record, uint64_t id);        /* NULL: not on the wire */

/* Before and after the engine is told of a ticket, and that it is cancelled. */
void record_submitting(struct record *record, const struct submission *submission);
void record_submitted(struct record *record, uint64_t ticket);
void record_cancelling(struct record *record, uint64_t ticket);

/* A ticket has ended (tickets.c for check_*.c). */
void record_close(struct record *record, uint64_t ticket, enum ticket_state state);

/* check_calls.c: a call leaves (its `keys` are read), is given up, ends. record_ended() stands before and
 * record_answered() after the engine hears of it; a call that was given up before is only heard for its gate. */
void record_start(struct record *record, struct call_on_wire *call);
void record_abort(struct record *record, uint64_t id);
void record_ending(struct record *record, struct call_on_wire *call, const struct wire *wire,
                   const struct announcement *said);
void record_ended(struct record *record, const struct call_on_wire *call, const struct wire *wire,
                  const struct announcement *said);

/* check_events.c: what the engine tells. record_serial(): which answer of the upstream a vehicle is. */
uint64_t record_serial(const struct vehicle *vehicle);
void record_event(struct record *record, const struct event *event);

/* check_host.c: gate, breaker, quota. */
void host_start(struct record *record, const struct call_on_wire *call);
void host_gone(struct record *record, const struct call_on_wire *call); /* ended or given up */
void host_heard(struct record *record, const struct call_on_wire *call, const struct announcement *said, bool for_us);
void host_told(struct record *record, const struct host_state *state);
void host_settled(struct record *record);

/* check_app.c: what passes between the app and the engine, and what the app makes of it. */
void app_asks(struct record *record, const struct effect *effect);
void app_hears(struct record *record, const struct event *event);
void app_hears_meter(struct record *record, const struct meter *meter);
void app_recalls(struct record *record, const struct app *app, const struct event *event); /* before app_recalled() */
void app_settled(struct record *record, const struct app *app);

/* Nothing is open any more, and the app knows. */
void app_rests(struct record *record, const struct app *app);

/* The frame shows no card but the input's, and the state word that must stand there. `text` is frame_dump()'s. */
void app_drawn(struct record *record, const struct app *app, const char *text, int columns);

/* The engine has nothing more to say: what must hold now. */
void record_settled(struct record *record, monotime next_deadline);

/* check_meter.c: all counters add up. */
void record_meter(struct record *record, const struct meter *meter);

#endif
