#ifndef CORE_POLICY_POLICY_H
#define CORE_POLICY_POLICY_H

#include <stddef.h>
#include <stdint.h>

/* The constants of planner.md 5.2, in one place. */

enum profile { PROFILE_INTERACTIVE, PROFILE_LIST, PROFILE_COUNT };

/* The two kinds of call; each has its own latency window. */
enum call_class { CALL_SINGLE, CALL_GROUP, CALL_CLASS_COUNT };

/* How the next time-out follows from recent latencies (S004). */
struct latency_policy {
    size_t window_size; /* at most LATENCY_WINDOW_MAX */
    size_t min_samples;
    double p95_factor;
    int64_t floor_ms, ceiling_ms, default_ms;
    int64_t hysteresis_percent; /* 0: every change counts */
    int64_t idle_reset_ms;      /* 0: never */
};

/* What differs between a person who waits and a list that runs. */
struct profile_policy {
    int64_t backoff_base_ms, backoff_max_ms;
    int max_attempts;     /* the first included */
    int64_t deadline_ms;  /* whole time for one VIN, waits included */
    size_t concurrency;   /* calls at once */
    int64_t bucket_count; /* own courtesy budget: bucket_count calls in bucket_per_ms, at most bucket_burst at once */
    int64_t bucket_per_ms;
    int64_t bucket_burst;
    int64_t longest_gate_wait_ms; /* the longest gate that is waited out before a first attempt (G7) */
};

struct policy {
    int64_t min_wait_ms;                          /* MIN_WAIT */
    int64_t max_wait_ms;                          /* MAX_WAIT: a hint at or above it is no automatic wait */
    int64_t min_attempt_ms;                       /* MIN_ATTEMPT: the smallest useful attempt */
    int64_t gate_max_ms;                          /* the longest hold that is believed */
    int64_t cool_down_first_ms, cool_down_max_ms; /* without a usable hint; doubles */
    int64_t jitter_max_ms;                        /* on hinted waits: at most a tenth of the wait and at most this */
    int64_t short_hint_ms; /* a 429 that asks for no more than this has asked for next to nothing ... */
    int short_hint_limit;  /* ... and the third such in a row is not believed (T13) */
    int64_t success_ttl_ms;
    size_t success_entries;
    int64_t negative_min_ms, negative_max_ms, negative_default_ms;
    int64_t bad_body_negative_ms; /* T45 */
    struct latency_policy latency[CALL_CLASS_COUNT];
    int group_attempts;
    size_t group_size;       /* VINs in one group call */
    size_t breaker_failures; /* so many failures among the last BREAKER_RING attempts open the breaker ... */
    size_t breaker_row;      /* ... and so many in a row ... */
    size_t breaker_flights;  /* ... if they come from at least so many flights */
    int64_t breaker_open_first_ms, breaker_open_max_ms;
    int64_t lease_slack_ms; /* a probe's or a first call's lease: its time-out plus this */
    struct profile_policy profile[PROFILE_COUNT];
};

/* The product's constants. */
extern const struct policy policy_default;

/* The cool-down that follows `streak` earlier ones: the first, doubled as often, up to the longest. */
int64_t policy_cool_down_ms(const struct policy *policy, int streak);

#endif
