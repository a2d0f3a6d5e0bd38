#include "core/policy/latency_window.h"

#include <string.h>

void latency_window_init(struct latency_window *window, const struct latency_policy *policy)
{
    *window = (struct latency_window){.since = INT64_MIN, .in_force_ms = policy->default_ms};
}

void latency_window_reset(struct latency_window *window, const struct latency_policy *policy, monotime now)
{
    latency_window_init(window, policy);
    window->since = now;
}

static size_t window_size(const struct latency_policy *policy)
{
    return policy->window_size < LATENCY_WINDOW_MAX ? policy->window_size : LATENCY_WINDOW_MAX;
}

/* Samples from before a long silence say nothing about now. */
static void forget_when_idle(struct latency_window *window, const struct latency_policy *policy, monotime at)
{
    if (policy->idle_reset_ms > 0 && window->count > 0 && at - window->last_at >= policy->idle_reset_ms) {
        latency_window_reset(window, policy, window->since);
    }
}

/* Nearest rank: the smallest sample that at least `percent` of all do not exceed. */
static int32_t nearest_rank(const int32_t *sorted, size_t count, size_t percent)
{
    if (count == 0) {
        return 0;
    }
    size_t rank = (percent * count + 99) / 100;
    return sorted[rank > 0 ? rank - 1 : 0];
}

static void sort_samples(int32_t *samples, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        int32_t sample = samples[i];
        size_t at = i;
        for (; at > 0 && samples[at - 1] > sample; at--) {
            samples[at] = samples[at - 1];
        }
        samples[at] = sample;
    }
}

/* factor * p95, half up, between floor and ceiling. */
static int64_t timeout_from(int32_t p95_ms, const struct latency_policy *policy)
{
    double scaled = (double)p95_ms * policy->p95_factor;
    if (!(scaled < (double)policy->ceiling_ms)) {
        return policy->ceiling_ms;
    }
    int64_t whole = scaled > 0.0 ? (int64_t)scaled : 0;
    int64_t rounded = scaled - (double)whole >= 0.5 ? whole + 1 : whole;
    int64_t raised = rounded > policy->floor_ms ? rounded : policy->floor_ms;
    return raised < policy->ceiling_ms ? raised : policy->ceiling_ms;
}

/* Only a change of at least hysteresis_percent of the value in force is one. */
static bool is_a_change(int64_t in_force_ms, int64_t fresh_ms, int64_t hysteresis_percent)
{
    int64_t difference = fresh_ms > in_force_ms ? fresh_ms - in_force_ms : in_force_ms - fresh_ms;
    return difference * 100 >= in_force_ms * hysteresis_percent;
}

/* Works out the suggestion and puts it in force. Doing so twice changes nothing more. */
static struct latency_suggestion renew(struct latency_window *window, const struct latency_policy *policy)
{
    if (window->count < policy->min_samples) {
        window->in_force_ms = policy->default_ms;
        return (struct latency_suggestion){.timeout_ms = policy->default_ms, .p50_ms = -1, .p95_ms = -1};
    }
    int32_t sorted[LATENCY_WINDOW_MAX];
    memcpy(sorted, window->samples, sizeof sorted);
    sort_samples(sorted, window->count);
    int32_t p95 = nearest_rank(sorted, window->count, 95);
    int64_t fresh_ms = timeout_from(p95, policy);
    if (is_a_change(window->in_force_ms, fresh_ms, policy->hysteresis_percent)) {
        window->in_force_ms = fresh_ms;
    }
    return (struct latency_suggestion){
        .timeout_ms = window->in_force_ms,
        .from_p95 = true,
        .p50_ms = nearest_rank(sorted, window->count, 50),
        .p95_ms = p95,
    };
}

void latency_window_push(struct latency_window *window, const struct latency_policy *policy, int64_t duration_ms,
                         enum latency_outcome outcome, monotime at)
{
    forget_when_idle(window, policy, at);
    size_t size = window_size(policy);
    if (outcome == LATENCY_ERROR || size == 0 || at - duration_ms < window->since) {
        return;
    }
    int64_t shortened = duration_ms < INT32_MAX ? duration_ms : INT32_MAX;
    window->samples[window->next] = (int32_t)(shortened > 0 ? shortened : 0);
    window->next = (window->next + 1) % size;
    window->count = window->count < size ? window->count + 1 : size;
    window->last_at = at;
    renew(window, policy);
}

struct latency_suggestion latency_window_suggest(struct latency_window *window, const struct latency_policy *policy,
                                                 monotime at)
{
    forget_when_idle(window, policy, at);
    return renew(window, policy);
}
