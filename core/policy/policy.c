#include "core/policy/policy.h"

#include "core/base/clock.h"
#include "core/policy/backoff.h"

/* Every figure is one of planner.md 5.2, which names the article or the ruling that it comes from. */
const struct policy policy_default = {
    .min_wait_ms = BACKOFF_SHORTEST_MS,
    .max_wait_ms = 60 * 1000,
    .min_attempt_ms = 1500,
    .gate_max_ms = 10 * 60 * 1000,
    .cool_down_first_ms = 30 * 1000,
    .cool_down_max_ms = 10 * 60 * 1000,
    .jitter_max_ms = BACKOFF_HINT_JITTER_MAX_MS,
    .short_hint_ms = 1000,
    .short_hint_limit = 3,
    .success_ttl_ms = 15 * 60 * 1000,
    .success_entries = 256,
    .negative_min_ms = 30 * 1000,
    .negative_max_ms = 120 * 1000,
    .negative_default_ms = 60 * 1000,
    .bad_body_negative_ms = 30 * 1000,
    .latency =
        {
            [CALL_SINGLE] = {.window_size = 60,
                             .min_samples = 20,
                             .p95_factor = 1.25,
                             .floor_ms = 1500,
                             .ceiling_ms = 8000,
                             .default_ms = 4000,
                             .hysteresis_percent = 15,
                             .idle_reset_ms = 10 * 60 * 1000},
            [CALL_GROUP] = {.window_size = 60,
                            .min_samples = 20,
                            .p95_factor = 1.25,
                            .floor_ms = 1500,
                            .ceiling_ms = 20 * 1000,
                            .default_ms = 12 * 1000,
                            .hysteresis_percent = 15,
                            .idle_reset_ms = 10 * 60 * 1000},
        },
    .group_attempts = 2,
    .group_size = 50,
    .breaker_failures = 8,
    .breaker_row = 5,
    .breaker_flights = 2,
    .breaker_open_first_ms = 30 * 1000,
    .breaker_open_max_ms = 5 * 60 * 1000,
    .lease_slack_ms = 1000,
    .profile =
        {
            [PROFILE_INTERACTIVE] = {.backoff_base_ms = 250,
                                     .backoff_max_ms = 6000,
                                     .max_attempts = 4,
                                     .deadline_ms = 90 * 1000,
                                     .concurrency = 3,
                                     .bucket_count = 2,
                                     .bucket_per_ms = 1000,
                                     .bucket_burst = 5,
                                     .longest_gate_wait_ms = 60 * 1000},
            [PROFILE_LIST] = {.backoff_base_ms = 400,
                              .backoff_max_ms = 60 * 1000,
                              .max_attempts = 4,
                              .deadline_ms = 10 * 60 * 1000,
                              .concurrency = 2,
                              .bucket_count = 1,
                              .bucket_per_ms = 1000,
                              .bucket_burst = 2,
                              .longest_gate_wait_ms = 10 * 60 * 1000},
        },
};

int64_t policy_cool_down_ms(const struct policy *policy, int streak)
{
    int64_t cool_down = policy->cool_down_first_ms;
    for (int i = 0; i < streak && cool_down < policy->cool_down_max_ms; i++) {
        cool_down *= 2;
    }
    return cool_down < policy->cool_down_max_ms ? cool_down : policy->cool_down_max_ms;
}
