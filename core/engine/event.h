#ifndef CORE_ENGINE_EVENT_H
#define CORE_ENGINE_EVENT_H

#include "core/base/clock.h"
#include "core/policy/circuit_breaker.h"
#include "core/policy/latency_window.h"
#include "core/policy/retry_planner.h"
#include "core/vin/vin.h"
#include "core/vpic/answer.h"
#include "core/vpic/vehicle.h"

#include <stdbool.h>
#include <stdint.h>

/* What the engine tells the people upstairs. Events change owner by value: the receiver calls event_clear(). */

/* Where a wait comes from; screen.md has the words. */
enum wait_origin {
    ORIGIN_NONE,
    ORIGIN_RETRY_AFTER,      /* seconds, epoch or a millisecond header: asked_ms says how long */
    ORIGIN_RETRY_AFTER_DATE, /* until_wall says until when */
    ORIGIN_RATELIMIT_RESET,
    ORIGIN_X_RATELIMIT_RESET,
    ORIGIN_BODY,
    ORIGIN_BACKOFF,       /* our own back-off */
    ORIGIN_COURTESY_RATE, /* our own courtesy rate, or a place among the calls at once */
    ORIGIN_BREAKER,
    ORIGIN_COOL_DOWN /* the upstream gave no time; we wait asked_ms */
};

const char *wait_origin_name(enum wait_origin origin);

/* One wait, one clock: countdown, disabled action, retry timer and log read this one value. */
struct wait {
    monotime until; /* MONOTIME_NEVER: the end is not known */
    enum wait_origin origin;
    int64_t asked_ms;    /* what the upstream named; 0: nothing */
    walltime until_wall; /* the same end as a time of day, as of when it was told; 0: none */
};

/* What holds for every VIN: the gate of the host and its circuit breaker. */
struct host_state {
    uint64_t sequence; /* grows with each change, so that older news never replaces newer */
    struct wait gate;  /* until in the past or 0: open */
    enum reason gate_reason;
    enum breaker_state breaker;
    struct wait breaker_wait; /* to the next probe while open */
    bool alert;               /* more than 20 % of the last 50 finished flights were given up */
};

enum event_kind {
    EVENT_CALLING, /* a call for this ticket has left */
    EVENT_WAITING, /* nothing in flight; the next call leaves by itself */
    EVENT_DECODED, /* terminal */
    EVENT_FAILED,  /* terminal */
    EVENT_HOST,    /* no ticket: the host's state has changed */
    EVENT_DECISION /* no ticket: one line for the log; only with engine_options.record */
};

struct event_calling {
    int attempt, attempts; /* n of m */
    monotime started_at;
    int64_t timeout_ms; /* of this call */
};

struct event_waiting {
    struct wait wait;
    int attempt, attempts; /* the attempt that comes next, of m */
    enum reason reason;    /* of the failure that led here; REASON_NONE before a first attempt */
    int status;            /* HTTP status of that failure, 0 without one */
};

struct event_decoded {
    struct vehicle *vehicle; /* owned by the event */
    bool from_cache;
    monotime answered_at; /* when the upstream sent it: the card's age */
    int attempts;         /* calls made for it; 0 from the cache */
    int64_t waited_ms, elapsed_ms;
    int status;
    bool sparse;
};

struct event_failed {
    enum code code;
    enum reason reason;
    const char *row;                  /* constant; "" when no row was asked */
    int status;                       /* 0: no HTTP answer */
    int transfer;                     /* enum transfer of the last call */
    enum answer_kind answer;          /* of an unreadable 200 */
    char message[ANSWER_MESSAGE_MAX]; /* the upstream's own message in an empty answer, bytes */
    struct wait again; /* when the action comes back: the gate, the breaker or the negative entry; origin tells */
    int64_t told_ms;   /* what the upstream asked for, never shortened; 0: nobody named a time */
    enum hint_source hint_source;
    bool from_negative_cache;
    bool resting; /* this VIN is not tried again before `again` (negative cache) */
    int attempts;
    int64_t waited_ms, elapsed_ms;
};

/* One decision, for the log. */
struct event_decision {
    const char *what; /* constant: "attempt", "plan", "gate", "breaker", "cache", "admission", "alert" */
    const char *row;  /* constant; "" without one */
    uint64_t flight, call;
    size_t keys; /* VINs of the call */
    int attempt;
    int status;
    int transfer;
    enum reason reason;
    enum code code;
    enum plan_action action;
    int64_t wait_ms, jitter_ms, gate_ms, latency_ms, timeout_ms;
    enum hint_source hint_source;
    enum quota_source quota_source;
};

struct event {
    enum event_kind kind;
    uint64_t ticket; /* 0 for EVENT_HOST and EVENT_DECISION */
    struct vin_key key;
    monotime at;
    union {
        struct event_calling calling;
        struct event_waiting waiting;
        struct event_decoded decoded;
        struct event_failed failed;
        struct host_state host;
        struct event_decision decision;
    } as;
};

/* Frees what the event owns. */
void event_clear(struct event *event);

enum { METER_LATENCIES = 60 };

/* Counters since start, and states; a value. Names as in planner.md 5.7. */
struct meter {
    uint64_t attempt, success, retry, give_up;
    uint64_t cache_hit, negative_hit, joined, bad_body, probe;
    uint64_t stray_rows; /* rows of answers that belong to nobody who asked (T46) */
    uint64_t flights_finished;
    uint64_t statuses[6]; /* [n]: answers nxx; [0]: no answer */
    uint64_t status_429, status_403, status_503;
    uint64_t hints[HINT_RETRY_AFTER_MS + 1]; /* by enum hint_source */
    uint64_t hint_body, hint_reset, hint_backoff;
    int64_t gate_wait_ms; /* time that flights spent waiting for the gate */
    size_t in_flight, waiting, queued;
    struct latency_suggestion timeout[CALL_CLASS_COUNT];
    size_t timeout_samples[CALL_CLASS_COUNT];
    int32_t latencies[METER_LATENCIES]; /* of the last calls, oldest first; time-outs negative */
    size_t latency_count;
    bool quota_announced;
    int64_t quota_allowance;
    monotime quota_reset_at;
    int64_t bucket_wait_ms;
    struct host_state host;
};

#endif
