#ifndef CORE_POLICY_RETRY_PLANNER_H
#define CORE_POLICY_RETRY_PLANNER_H

#include "core/policy/policy.h"
#include "core/policy/quota_headers.h"

#include <stdbool.h>

/* The decision table of planner.md 5.4 as one pure function: same input, same plan. */

enum outcome {
    OUTCOME_STATUS, /* an answer other than 200 */
    OUTCOME_OK,
    OUTCOME_SPARSE,
    OUTCOME_BAD_BODY,
    OUTCOME_WRONG_VIN,
    OUTCOME_TOO_LARGE,
    OUTCOME_BAD_HEADERS,
    OUTCOME_TIMEOUT,     /* with its full suggested time */
    OUTCOME_TIMEOUT_CUT, /* the budget had cut it */
    OUTCOME_TRANSPORT,
    OUTCOME_CONFIG_ERROR,
    OUTCOME_CANCELLED,
    OUTCOME_DEADLINE,
    OUTCOME_LOCAL_INVALID,
    OUTCOME_COUNT
};

enum plan_action { PLAN_DELIVER, PLAN_WAIT, PLAN_REFUSE, PLAN_STOP };

/* Why. Spelled in snake_case in the log, in JSON and in the tests; texts for people are keyed by it. */
#define REASONS(X)                                                                                                     \
    X(NONE, "none")                                                                                                    \
    X(OK, "ok")                                                                                                        \
    X(OK_SPARSE, "ok_sparse")                                                                                          \
    X(QUOTA_GATE, "quota_gate")                                                                                        \
    X(REMAINING_ZERO_WITHOUT_RESET, "remaining_zero_without_reset")                                                    \
    X(THROTTLED_WITHOUT_HINT, "throttled_without_hint")                                                                \
    X(HINT_NOT_CREDIBLE, "hint_not_credible")                                                                          \
    X(RESET_NOT_CREDIBLE, "reset_not_credible")                                                                        \
    X(OVER_CAP_RETRY_AFTER, "over_cap_retry_after")                                                                    \
    X(OVER_CAP_BODY, "over_cap_body")                                                                                  \
    X(OVER_CAP_RESET, "over_cap_reset")                                                                                \
    X(OVER_CAP, "over_cap")                                                                                            \
    X(ATTEMPTS, "attempts")                                                                                            \
    X(DEADLINE, "deadline")                                                                                            \
    X(RETRY_AFTER_SECONDS, "retry_after_seconds")                                                                      \
    X(RETRY_AFTER_HTTP_DATE, "retry_after_http_date")                                                                  \
    X(RETRY_AFTER_EPOCH, "retry_after_epoch")                                                                          \
    X(RETRY_AFTER_MS, "retry_after_ms")                                                                                \
    X(BODY, "body")                                                                                                    \
    X(RESET, "reset")                                                                                                  \
    X(BACKOFF, "backoff")                                                                                              \
    X(BACKOFF_OR_RETRY_AFTER, "backoff_or_retry_after")                                                                \
    X(TIMEOUT, "timeout")                                                                                              \
    X(TRANSPORT, "transport")                                                                                          \
    X(BAD_BODY, "bad_body")                                                                                            \
    X(BAD_HEADERS, "bad_headers")                                                                                      \
    X(CLIENT_ERROR, "client_error")                                                                                    \
    X(UNLISTED_STATUS, "unlisted_status")                                                                              \
    X(UNEXPECTED_STATUS, "unexpected_status")                                                                          \
    X(CONFIG_ERROR, "config_error")                                                                                    \
    X(LOCAL_VALIDATION, "local_validation")                                                                            \
    X(WRONG_VIN, "wrong_vin")                                                                                          \
    X(TOO_LARGE, "too_large")                                                                                          \
    X(CANCELLED, "cancelled")                                                                                          \
    /* from the engine, which knows more than one answer */                                                            \
    X(CIRCUIT_OPEN, "circuit_open")                                                                                    \
    X(REJECTED_REPEATEDLY, "rejected_repeatedly")                                                                      \
    X(GATE_CLOSED, "gate_closed")                                                                                      \
    X(NO_WAIT, "no_wait")

enum reason {
#define X(name, text) REASON_##name,
    REASONS(X)
#undef X
        REASON_COUNT
};

const char *reason_name(enum reason reason);

/* What the user is told, by kind (planner.md 5.7). */
#define CODES(X)                                                                                                       \
    X(NONE, "none")                                                                                                    \
    X(UPSTREAM_THROTTLE, "upstream_throttle")                                                                          \
    X(UPSTREAM_UNAVAILABLE, "upstream_unavailable")                                                                    \
    X(EXHAUSTED, "exhausted")                                                                                          \
    X(DEADLINE, "deadline")                                                                                            \
    X(CIRCUIT_OPEN, "circuit_open")                                                                                    \
    X(BAD_RESPONSE, "bad_response")                                                                                    \
    X(BAD_REQUEST, "bad_request")                                                                                      \
    X(CANCELLED, "cancelled")

enum code {
#define X(name, text) CODE_##name,
    CODES(X)
#undef X
        CODE_COUNT
};

const char *code_name(enum code code);

/* One attempt that ended, and what the flight and the host remember. */
struct plan_input {
    enum outcome outcome;
    int status; /* for OUTCOME_STATUS */
    struct quota quota;
    int64_t body_hint_ms; /* QUOTA_UNKNOWN: none */
    int attempt;          /* the one that just ended, from 1 */
    int max_attempts;
    int64_t left_ms; /* until the flight's deadline */
    enum profile profile;
    int streak;      /* cool-downs in a row on this host so far */
    int short_hints; /* 429s in a row before this one that asked for a second or less */
    int bad_answers; /* unreadable answers of this flight before this one */
    double u1, u2;   /* draws in [0, 1): the backoff, the jitter */
};

struct plan {
    enum plan_action action;
    int64_t wait_ms;   /* PLAN_WAIT: the countdown; PLAN_REFUSE: what the user is told, 0 if nobody named a time */
    int64_t jitter_ms; /* added to wait_ms, never shown */
    int64_t gate_ms;   /* how long nobody calls this host; 0: no gate */
    bool cool_down;    /* the gate is our own cool-down: the streak grows (T13, T14, T15) */
    int short_hints;   /* what the host is to remember as plan_input.short_hints of its next answer */
    bool negative;     /* the failure is remembered for this VIN (D27) */
    enum reason reason;
    enum code code;  /* CODE_NONE for PLAN_DELIVER and PLAN_WAIT */
    const char *row; /* "T24": the row of the table that answered; constant */
};

/* Decides. `policy` gives the constants. */
struct plan retry_plan(const struct policy *policy, const struct plan_input *input);

#endif
