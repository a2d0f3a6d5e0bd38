#include "core/policy/circuit_breaker.h"

#include "core/policy/backoff.h"

void circuit_breaker_init(struct circuit_breaker *breaker, const struct policy *policy)
{
    *breaker = (struct circuit_breaker){.open_step_ms = policy->breaker_open_first_ms};
}

enum breaker_state circuit_breaker_state(const struct circuit_breaker *breaker, monotime now)
{
    if (!breaker->open) {
        return BREAKER_CLOSED;
    }
    return now < breaker->open_until ? BREAKER_OPEN : BREAKER_HALF_OPEN;
}

int64_t circuit_breaker_wait_ms(const struct circuit_breaker *breaker, monotime now)
{
    switch (circuit_breaker_state(breaker, now)) {
    case BREAKER_OPEN:
        return breaker->open_until - now;
    case BREAKER_HALF_OPEN:
        return breaker->probe != 0 && now < breaker->lease_until ? breaker->lease_until - now : 0;
    case BREAKER_CLOSED:
        break;
    }
    return 0;
}

bool circuit_breaker_start(struct circuit_breaker *breaker, const struct policy *policy, uint64_t attempt,
                           uint64_t flight, int64_t timeout_ms, monotime now, struct breaker_ticket *ticket)
{
    if (circuit_breaker_wait_ms(breaker, now) > 0) {
        return false;
    }
    *ticket = (struct breaker_ticket){
        .attempt = attempt, .flight = flight, .generation = breaker->generation, .probe = breaker->open};
    if (ticket->probe) {
        breaker->probe = attempt;
        breaker->lease_until = monotime_add(monotime_add(now, timeout_ms), policy->lease_slack_ms);
    }
    return true;
}

/* Opens, or opens again after a failed probe. A new generation makes the answers of everything under way void. */
static void trip(struct circuit_breaker *breaker, const struct policy *policy, double u, monotime now)
{
    int64_t step = breaker->open_step_ms;
    breaker->open = true;
    breaker->open_until = monotime_add(now, step + backoff_spread(step / 10, u));
    breaker->open_step_ms = step < policy->breaker_open_max_ms / 2 ? step * 2 : policy->breaker_open_max_ms;
    breaker->generation++;
    breaker->count = breaker->next = 0;
    breaker->probe = 0;
}

static void close_again(struct circuit_breaker *breaker, const struct policy *policy)
{
    breaker->open = false;
    breaker->open_step_ms = policy->breaker_open_first_ms;
    breaker->probe = 0;
}

static void remember(struct circuit_breaker *breaker, uint64_t flight, bool failure)
{
    breaker->ring[breaker->next].flight = flight;
    breaker->ring[breaker->next].failure = failure;
    breaker->next = (breaker->next + 1) % BREAKER_RING;
    breaker->count = breaker->count < BREAKER_RING ? breaker->count + 1 : BREAKER_RING;
}

/* Are there at least `wanted` failures, from at least `flights` flights, among the latest `span` entries? */
static bool has_failed(const struct circuit_breaker *breaker, size_t span, size_t wanted, size_t flights)
{
    uint64_t seen[BREAKER_RING];
    size_t failures = 0, distinct = 0;
    for (size_t back = 1; back <= span && back <= breaker->count; back++) {
        size_t at = (breaker->next + BREAKER_RING - back) % BREAKER_RING;
        if (!breaker->ring[at].failure) {
            continue;
        }
        failures++;
        size_t known = 0;
        while (known < distinct && seen[known] != breaker->ring[at].flight) {
            known++;
        }
        if (known == distinct) {
            seen[distinct++] = breaker->ring[at].flight;
        }
    }
    return failures >= wanted && distinct >= flights;
}

static bool end_probe(struct circuit_breaker *breaker, const struct policy *policy, enum breaker_outcome outcome,
                      double u, monotime now)
{
    switch (outcome) {
    case BREAKER_SUCCESS:
        close_again(breaker, policy);
        return false;
    case BREAKER_FAILURE:
        trip(breaker, policy, u, now);
        return true;
    case BREAKER_NEUTRAL:
        breaker->probe = 0;
        return false;
    }
    return false;
}

bool circuit_breaker_end(struct circuit_breaker *breaker, const struct policy *policy,
                         const struct breaker_ticket *ticket, enum breaker_outcome outcome, double u, monotime now)
{
    if (ticket->generation != breaker->generation) {
        return false;
    }
    if (ticket->probe) {
        /* A probe whose lease was given to another counts for nothing. */
        return breaker->probe == ticket->attempt && end_probe(breaker, policy, outcome, u, now);
    }
    if (outcome == BREAKER_NEUTRAL) {
        return false;
    }
    remember(breaker, ticket->flight, outcome == BREAKER_FAILURE);
    if (outcome == BREAKER_FAILURE &&
        (has_failed(breaker, policy->breaker_row, policy->breaker_row, policy->breaker_flights) ||
         has_failed(breaker, BREAKER_RING, policy->breaker_failures, policy->breaker_flights))) {
        trip(breaker, policy, u, now);
        return true;
    }
    return false;
}
