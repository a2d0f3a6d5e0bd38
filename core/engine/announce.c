#include "core/engine/engine_state.h"

/* News for the tickets that are open: what their flight does now, told once for each change. */

bool wait_equal(const struct wait *a, const struct wait *b)
{
    return a->until == b->until && a->origin == b->origin && a->asked_ms == b->asked_ms &&
           a->until_wall == b->until_wall;
}

static void tell_calling(struct engine *engine, struct waiter *waiter)
{
    const struct flight *flight = waiter->lookup->flight;
    if (waiter->told_call == flight->call->id) {
        return;
    }
    waiter->told_call = flight->call->id;
    waiter->told = (struct wait){0};
    struct event *event = action_emit(engine, EVENT_CALLING, waiter->ticket, &waiter->lookup->key);
    event->as.calling = (struct event_calling){.attempt = flight->attempts,
                                               .attempts = flight_max_attempts(engine, flight),
                                               .started_at = flight->call->sent_at,
                                               .timeout_ms = flight->call->timeout_ms};
}

static void tell_waiting(struct engine *engine, struct waiter *waiter, const struct wait *wait)
{
    const struct flight *flight = waiter->lookup->flight;
    if (wait_equal(&waiter->told, wait)) {
        return;
    }
    waiter->told = *wait;
    struct event *event = action_emit(engine, EVENT_WAITING, waiter->ticket, &waiter->lookup->key);
    event->as.waiting = (struct event_waiting){.wait = *wait,
                                               .attempt = flight->attempts + 1,
                                               .attempts = flight_max_attempts(engine, flight),
                                               .reason = flight->last_reason,
                                               .status = flight->last_status};
}

static void tell_flight(struct engine *engine, struct flight *flight, const struct wait *wait)
{
    for (struct lookup *lookup = flight->lookups; lookup != NULL; lookup = lookup->next) {
        for (struct waiter *waiter = lookup->waiters; waiter != NULL; waiter = waiter->next) {
            if (flight->call != NULL) {
                tell_calling(engine, waiter);
            } else {
                tell_waiting(engine, waiter, wait);
            }
        }
    }
}

/* What a queued flight waits for. Only the head of a queue can know when it leaves. */
static struct wait queued_wait(struct engine *engine, const struct flight *flight, const struct weather *weather)
{
    struct standing standing = admission_by_host(engine, flight, weather);
    if (standing.kind == STANDING_GO && flight->previous == NULL) {
        standing = admission_by_rate(engine, flight->profile);
    }
    if (standing.kind == STANDING_HOLD) {
        return standing.wait;
    }
    return (struct wait){.until = MONOTIME_NEVER, .origin = ORIGIN_COURTESY_RATE};
}

void announce_all(struct engine *engine)
{
    struct weather weather = weather_now(engine);
    struct wait gate = host_gate_news(engine);
    for (struct flight *flight = engine->calling.first; flight != NULL; flight = flight->next) {
        tell_flight(engine, flight, NULL);
    }
    for (struct flight *flight = engine->waiting.first; flight != NULL; flight = flight->next) {
        /* A wait that the host asked for is the gate, which all that wait for it see end at the same time. */
        bool held = weather.gate_ms > 0 && gate.until >= flight->resume_at;
        struct wait own = {.until = flight->resume_at, .origin = ORIGIN_BACKOFF};
        flight_held(engine, flight, held);
        tell_flight(engine, flight, held ? &gate : &own);
    }
    for (size_t i = 0; i < PROFILE_COUNT; i++) {
        for (struct flight *flight = engine->queue[i].first; flight != NULL; flight = flight->next) {
            struct wait wait = queued_wait(engine, flight, &weather);
            flight_held(engine, flight, weather.gate_ms > 0);
            tell_flight(engine, flight, &wait);
        }
    }
}
