#ifndef CORE_ENGINE_ENGINE_H
#define CORE_ENGINE_ENGINE_H

#include "core/engine/event.h"
#include "core/policy/header.h"
#include "core/policy/policy.h"

/*
 * The one place that decides: whether a call may leave, when, with which time-out, whether to try again, and what the
 * user is told. Sans I/O: time comes in as `now`, randomness from a seed, bytes as responses; out come actions. It
 * never blocks, reads a clock or takes a lock, and is used by one thread at a time. It allocates with
 * core/base/memory.h.
 *
 * After each input, take actions with engine_next_action() until there are none, and call engine_tick() no later than
 * engine_next_deadline(). `now` never goes back between calls.
 */
struct engine;

struct engine_options {
    struct policy policy;
    const char *base; /* the API's address, copied; also names the host in texts */
    bool cache;       /* read and write the success and the negative cache */
    bool group_calls; /* list submissions may travel in group calls */
    bool no_wait;     /* a gate, a breaker or a retry's wait ends the ticket at once (--no-wait) */
    bool record;      /* emit EVENT_DECISION for the log */
};

/* Options as the product has them: policy_default, VPIC_DEFAULT_BASE, caches and group calls on. */
struct engine_options engine_options_default(void);

struct engine *engine_new(const struct engine_options *options, uint64_t seed);

/* Frees everything. Open tickets get no event. */
void engine_free(struct engine *engine);

/* One VIN to decode. */
struct submission {
    uint64_t ticket; /* chosen by the caller, never 0, unique for the engine's life */
    struct vin_key key;
    enum profile profile;
    bool past_caches;  /* F5: skip both caches once */
    monotime deadline; /* interactive: minted at submit; 0: `now` plus the profile's. Ignored for lists, whose budget
                          starts when the VIN is first let past gate and breaker, at the head of the queue */
};

void engine_submit(struct engine *engine, monotime now, const struct submission *submission);

/* The same for several, before any of them leaves: what arrives together can travel together in a group call. */
void engine_submit_all(struct engine *engine, monotime now, const struct submission *submissions, size_t count);

/* The ticket is no longer wanted: nothing more is heard of it. Unknown tickets are ignored. */
void engine_cancel(struct engine *engine, monotime now, uint64_t ticket);

/* How a call ended. Sizes, times and bytes as they came; everything is borrowed for the duration of the call. */
enum transfer {
    TRANSFER_ANSWERED, /* there is a final response, see status */
    TRANSFER_TIMEOUT,
    TRANSFER_REFUSED,      /* nobody listens there */
    TRANSFER_UNREACHABLE,  /* no route, connect failed otherwise */
    TRANSFER_RESET,        /* connection lost before the answer was whole, nothing usable came */
    TRANSFER_PARTIAL,      /* the body ended early */
    TRANSFER_DNS_FAILED,   /* for now */
    TRANSFER_NO_SUCH_HOST, /* definite */
    TRANSFER_CERTIFICATE,  /* TLS could not be trusted */
    TRANSFER_UNSUPPORTED,  /* scheme or protocol */
    TRANSFER_NOT_HTTP,     /* what came is not HTTP */
    TRANSFER_BAD_HEADERS,  /* libcurl error 8 */
    TRANSFER_TOO_LARGE,    /* over the body cap */
    TRANSFER_ABORTED       /* by our own ACTION_ABORT; a network need not report these */
};

/* The stable spelling ("refused", "not_http", ...). */
const char *transfer_name(enum transfer transfer);

struct response {
    enum transfer transfer;
    int status;
    const struct header_field *headers; /* of the final response only (P0) */
    size_t header_count;
    const char *body;
    size_t body_length;
    walltime received_wall; /* the local wall clock when it came, for P6 */
};

/* Call `call` (of an ACTION_START) has ended. Of calls that were aborted meanwhile only what their answer says about
 * the host counts: a 429 for a cancelled ticket still closes the gate. */
void engine_finished(struct engine *engine, monotime now, uint64_t call, const struct response *response);

/* Time has passed. */
void engine_tick(struct engine *engine, monotime now);

/* When engine_tick() is next due; MONOTIME_NEVER: nothing is planned. */
monotime engine_next_deadline(const struct engine *engine);

enum action_kind {
    ACTION_START, /* start an HTTP call */
    ACTION_ABORT, /* give up a call that was started; its connection may go */
    ACTION_EMIT   /* tell the people upstairs */
};

struct action {
    enum action_kind kind;
    uint64_t call;      /* START, ABORT; unique */
    const char *url;    /* START; valid until the next engine_ call */
    const char *form;   /* START: body of a POST (application/x-www-form-urlencoded), or NULL for a GET; as url */
    int64_t timeout_ms; /* START: whole time of the call, never 0 */
    struct event event; /* EMIT; the receiver ends with event_clear() */
};

/* The next thing to do, in order; false when there is nothing. */
bool engine_next_action(struct engine *engine, struct action *out);

/* Counters and states as they are now, for the meter, --stats and --metrics. */
struct meter engine_meter(struct engine *engine, monotime now);

#endif
