#include "core/engine/engine_state.h"
#include "core/policy/backoff.h"
#include "core/policy/deadline.h"

/* The gates before an attempt, in the order of planner.md 5.3; they are asked again before every retry. G1 is the
 * caller's, G2 to G4 stand in engine_submit(), G10 in flight_depart(). */

struct weather weather_now(const struct engine *engine)
{
    const struct host *host = &engine->host;
    int64_t gate_ms = host_gate_left_ms(&host->gate, engine->now);
    return (struct weather){.gate_ms = gate_ms,
                            .first_ms = gate_ms > 0 ? 0 : host_gate_wait_ms(&host->gate, engine->now),
                            .breaker = circuit_breaker_state(&host->breaker, engine->now),
                            .breaker_ms = circuit_breaker_wait_ms(&host->breaker, engine->now)};
}

static struct standing go(void)
{
    return (struct standing){.kind = STANDING_GO};
}

static struct standing hold(struct wait wait)
{
    return (struct standing){.kind = STANDING_HOLD, .wait = wait};
}

static struct standing hold_unknown(void)
{
    return hold((struct wait){.until = MONOTIME_NEVER, .origin = ORIGIN_COURTESY_RATE});
}

static struct standing refuse(enum code code, enum reason reason, const char *row)
{
    return (struct standing){.kind = STANDING_REFUSE, .code = code, .reason = reason, .row = row};
}

static monotime later(monotime a, monotime b)
{
    return a > b ? a : b;
}

/* A list waits for the host before a VIN's first attempt, and the VIN's budget has not started then. */
static bool is_patient(const struct flight *flight)
{
    return flight->profile == PROFILE_LIST && flight->attempts == 0 && flight->calls_before == 0;
}

/* G6. Only a list's first attempt waits for a breaker, and no longer than for a gate. */
static struct standing by_breaker(const struct engine *engine, const struct flight *flight,
                                  const struct weather *weather)
{
    monotime end = monotime_add(engine->now, weather->breaker_ms);
    if (weather->breaker_ms == 0 ||
        (flight->state == FLIGHT_WAITING && (weather->breaker == BREAKER_HALF_OPEN || flight->resume_at >= end))) {
        return go();
    }
    if (engine->options.no_wait) {
        return refuse(CODE_CIRCUIT_OPEN, REASON_NO_WAIT, "G6");
    }
    monotime from = later(engine->host.breaker_opened_at, flight->queued_at);
    if (is_patient(flight) && end - from <= engine->options.policy.profile[PROFILE_LIST].longest_gate_wait_ms) {
        return hold(host_breaker_news(engine));
    }
    return refuse(CODE_CIRCUIT_OPEN, REASON_CIRCUIT_OPEN, "G6");
}

/* Is a gate of that length one that is waited out? The spread is ours and does not count. */
static bool is_bearable(const struct engine *engine, const struct flight *flight, int64_t gate_ms)
{
    const struct policy *policy = &engine->options.policy;
    int64_t longest = policy->profile[flight->profile].longest_gate_wait_ms;
    if (is_patient(flight)) {
        monotime from = later(engine->host.gate_closed_at, flight->queued_at);
        return engine->now + gate_ms - from <= longest + policy->jitter_max_ms;
    }
    int64_t asked = gate_ms - engine->host.gate_spread_ms;
    return asked < policy->max_wait_ms && asked <= longest;
}

/* G7, which is T51 before a retry. */
static struct standing by_gate(const struct engine *engine, const struct flight *flight, const struct weather *weather)
{
    if (weather->gate_ms == 0) {
        return weather->first_ms > 0 ? hold_unknown() : go();
    }
    if (engine->host.gate_reason == REASON_REJECTED_REPEATEDLY && flight->profile == PROFILE_LIST) {
        return refuse(CODE_BAD_REQUEST, REASON_REJECTED_REPEATEDLY, "T56");
    }
    const char *row = flight->attempts > 0 ? "T51" : "G7";
    if (engine->options.no_wait) {
        return refuse(CODE_UPSTREAM_THROTTLE, REASON_NO_WAIT, row);
    }
    bool fits =
        flight->deadline == MONOTIME_NEVER || deadline_fits(deadline_left_ms(flight->deadline, engine->now),
                                                            weather->gate_ms, engine->options.policy.min_attempt_ms);
    if (fits && is_bearable(engine, flight, weather->gate_ms)) {
        return hold(host_gate_news(engine));
    }
    return refuse(CODE_UPSTREAM_THROTTLE, REASON_GATE_CLOSED, row);
}

struct standing admission_by_host(const struct engine *engine, const struct flight *flight,
                                  const struct weather *weather)
{
    struct standing standing = by_breaker(engine, flight, weather);
    return standing.kind == STANDING_GO ? by_gate(engine, flight, weather) : standing;
}

/* An announced quota that is used up holds everybody until its reset, plus a spread that is drawn once for it. */
static struct wait quota_wait(struct engine *engine)
{
    struct host *host = &engine->host;
    int64_t wait_ms = pacing_wait_ms(&host->pacing, engine->now);
    if (wait_ms > 0 && host->quota_reset_at != host->pacing.reset_at) {
        int64_t spread_ms = backoff_hint_jitter(wait_ms, random_unit(&engine->random));
        host->quota_reset_at = host->pacing.reset_at;
        host->quota_wait = (struct wait){.until = monotime_add(host->quota_reset_at, spread_ms),
                                         .origin = host->pacing_origin,
                                         .asked_ms = host->pacing_asked_ms};
    }
    if (wait_ms > 0 || pacing_in_force(&host->pacing, engine->now)) {
        host->quota_used_up = wait_ms > 0; /* Answers may come that let some more leave after all. */
    }
    return host->quota_used_up ? host->quota_wait : (struct wait){0};
}

/* G8 and G9. Refusals in a row make it careful: no more calls under way than would bring the fifth (T56). */
struct standing admission_by_rate(struct engine *engine, enum profile profile)
{
    struct host *host = &engine->host;
    struct wait quota = quota_wait(engine);
    if (quota.until > engine->now) {
        return hold(quota);
    }
    if (!pacing_in_force(&host->pacing, engine->now)) {
        int64_t wait_ms = token_bucket_wait_ms(&host->bucket[profile], engine->now);
        if (wait_ms > 0) {
            return hold((struct wait){.until = monotime_add(engine->now, wait_ms), .origin = ORIGIN_COURTESY_RATE});
        }
    }
    size_t most = engine->options.policy.profile[profile].concurrency;
    if (host->rejections > 0) {
        size_t careful = host->rejections < REJECTIONS_MAX ? (size_t)(REJECTIONS_MAX - host->rejections) : 1;
        most = careful < most ? careful : most;
    }
    return engine->call_count < most ? go() : hold_unknown();
}

/* G5 for one ticket, and T53 when it is known before the sleep that the time will not do. */
static void expire_waiters(struct engine *engine, struct flight *flight, monotime needed_at, const char *row)
{
    int64_t needed_ms = flight->call != NULL ? 1 : engine->options.policy.min_attempt_ms;
    struct lookup *next_lookup;
    struct event_failed failure = failure_of(engine, flight, CODE_DEADLINE, REASON_DEADLINE, row);
    for (struct lookup *lookup = flight->lookups; lookup != NULL; lookup = next_lookup) {
        next_lookup = lookup->next;
        struct waiter *next;
        for (struct waiter *waiter = lookup->waiters; waiter != NULL; waiter = next) {
            next = waiter->next;
            if (waiter->deadline != MONOTIME_NEVER && waiter->deadline - needed_at < needed_ms) {
                waiter_fail(engine, waiter, &failure);
            }
        }
    }
    bool tried = flight->attempts > 0;
    if (flight_tidy(engine, flight) && tried) {
        host_rate_flight(engine, true);
    }
}

static monotime sooner(monotime a, monotime b)
{
    return a < b ? a : b;
}

static void expire_list(struct engine *engine, struct flight_list *list)
{
    struct flight *next;
    for (struct flight *flight = list->first; flight != NULL; flight = next) {
        next = flight->next;
        monotime needed_at = engine->now;
        const char *row = flight->state == FLIGHT_CALLING ? "T02" : "G5";
        if (flight->state == FLIGHT_WAITING && flight->resume_at > needed_at) {
            needed_at = flight->resume_at;
            row = "T53";
        }
        if (flight->earliest == MONOTIME_NEVER) {
            continue;
        }
        int64_t needed_ms = flight->call != NULL ? 1 : engine->options.policy.min_attempt_ms;
        monotime last_moment = flight->earliest - needed_ms;
        if (last_moment < needed_at) {
            expire_waiters(engine, flight, needed_at, row);
        } else {
            engine->expiry_at = sooner(engine->expiry_at, last_moment + 1);
        }
    }
}

void admission_expire(struct engine *engine)
{
    while (engine->now >= engine->expiry_at) {
        engine->expiry_at = MONOTIME_NEVER;
        for (size_t i = 0; i < PROFILE_COUNT; i++) {
            expire_list(engine, &engine->queue[i]);
        }
        expire_list(engine, &engine->waiting);
        expire_list(engine, &engine->calling);
    }
}

static void fail_by(struct engine *engine, struct flight *flight, const struct standing *standing)
{
    struct event_failed failure = failure_of(engine, flight, standing->code, standing->reason, standing->row);
    action_record(engine, &(struct event_decision){.what = "admission",
                                                   .row = standing->row,
                                                   .flight = flight->id,
                                                   .keys = flight->count,
                                                   .attempt = flight->attempts,
                                                   .reason = standing->reason,
                                                   .code = standing->code,
                                                   .action = PLAN_REFUSE});
    flight_fail(engine, flight, &failure);
}

static void wake(struct engine *engine)
{
    struct flight *next;
    for (struct flight *flight = engine->waiting.first; flight != NULL; flight = next) {
        next = flight->next;
        if (flight->resume_at <= engine->now) {
            flight_move(engine, flight, FLIGHT_QUEUED);
        }
    }
}

/* A closed gate or an open breaker concerns all that wait, not only the head of a queue. */
static void review(struct engine *engine, struct flight_list *list, const struct weather *weather)
{
    struct flight *next;
    for (struct flight *flight = list->first; flight != NULL; flight = next) {
        next = flight->next;
        struct standing standing = admission_by_host(engine, flight, weather);
        if (standing.kind == STANDING_REFUSE) {
            fail_by(engine, flight, &standing);
        }
    }
}

/* Is it known already that a flight that leaves at `at` has no time left then? */
static bool is_too_late(const struct engine *engine, const struct flight *flight, monotime at)
{
    return at != MONOTIME_NEVER && flight->deadline - at < engine->options.policy.min_attempt_ms;
}

static void admit(struct engine *engine, enum profile profile)
{
    struct flight *head;
    while ((head = engine->queue[profile].first) != NULL) {
        struct weather weather = weather_now(engine);
        struct standing standing = admission_by_host(engine, head, &weather);
        if (standing.kind == STANDING_REFUSE) {
            fail_by(engine, head, &standing);
            continue;
        }
        if (standing.kind == STANDING_HOLD) {
            return;
        }
        flight_begin_budget(engine, head);
        standing = admission_by_rate(engine, profile);
        if (standing.kind == STANDING_GO) {
            flight_depart(engine, head);
        } else if (is_too_late(engine, head, standing.wait.until)) {
            standing = refuse(CODE_DEADLINE, REASON_DEADLINE, "T53");
            fail_by(engine, head, &standing);
        } else {
            return;
        }
    }
}

void admission_run(struct engine *engine)
{
    wake(engine);
    struct weather weather = weather_now(engine);
    if (weather.gate_ms > 0 || weather.breaker_ms > 0) {
        for (size_t i = 0; i < PROFILE_COUNT; i++) {
            review(engine, &engine->queue[i], &weather);
        }
        review(engine, &engine->waiting, &weather);
    }
    for (size_t i = 0; i < PROFILE_COUNT; i++) {
        admit(engine, (enum profile)i);
    }
}

static bool is_idle(const struct engine *engine)
{
    size_t flights = engine->waiting.count + engine->calling.count;
    for (size_t i = 0; i < PROFILE_COUNT; i++) {
        flights += engine->queue[i].count;
    }
    return flights == 0;
}

monotime admission_due(struct engine *engine)
{
    struct weather weather = weather_now(engine);
    monotime due = is_idle(engine) ? MONOTIME_NEVER : engine->expiry_at;
    for (const struct flight *flight = engine->waiting.first; flight != NULL; flight = flight->next) {
        due = sooner(due, flight->resume_at);
    }
    if (weather.gate_ms > 0) {
        due = sooner(due, monotime_add(engine->now, weather.gate_ms));
    }
    if (weather.breaker_ms > 0) {
        due = sooner(due, monotime_add(engine->now, weather.breaker_ms));
    }
    for (size_t i = 0; i < PROFILE_COUNT; i++) {
        const struct flight *head = engine->queue[i].first;
        if (head == NULL) {
            continue;
        }
        if (weather.first_ms > 0) {
            due = sooner(due, monotime_add(engine->now, weather.first_ms));
        }
        if (admission_by_host(engine, head, &weather).kind == STANDING_GO) {
            due = sooner(due, admission_by_rate(engine, (enum profile)i).wait.until);
        }
    }
    return due;
}
