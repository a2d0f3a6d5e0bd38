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
    flight_told(engine, flight);
}

/* What a flight in a queue waits for. Only the head of the queue can know when it leaves; the others all wait for the
 * same. */
static struct wait queued_wait(struct engine *engine, const struct flight *flight, const struct weather *weather,
                               bool is_head)
{
    struct standing standing = admission_by_host(engine, flight, weather);
    if (standing.kind == STANDING_GO && is_head) {
        standing = admission_by_rate(engine, flight->profile);
    }
    if (standing.kind == STANDING_HOLD) {
        return standing.wait;
    }
    return (struct wait){.until = MONOTIME_NEVER, .origin = ORIGIN_COURTESY_RATE};
}

static void tell_queue(struct engine *engine, struct flight_list *queue, const struct weather *weather)
{
    if (queue->first == NULL) {
        return;
    }
    struct wait head = queued_wait(engine, queue->first, weather, true);
    struct wait rest = queued_wait(engine, queue->last, weather, false);
    bool held = weather->gate_ms > 0, changed = held != queue->held || !wait_equal(&rest, &queue->told);
    queue->told = rest;
    queue->held = held;
    flight_held(engine, queue->first, held);
    tell_flight(engine, queue->first, &head);
    for (struct flight *flight = queue->last; flight != queue->first && (changed || queue->fresh > 0);
         flight = flight->previous) {
        if (changed || flight->fresh) {
            flight_held(engine, flight, held);
            tell_flight(engine, flight, &rest);
        }
    }
}

static void tell_calls(struct engine *engine)
{
    const struct wait none = {0};
    for (struct flight *flight = engine->calling.first; flight != NULL; flight = flight->next) {
        if (flight->fresh) {
            tell_flight(engine, flight, &none);
        }
    }
}

/* A wait that the host asked for is the gate, which all that wait for it see end at the same time. */
static void tell_sleepers(struct engine *engine, const struct weather *weather)
{
    struct wait gate = host_gate_news(engine);
    for (struct flight *flight = engine->waiting.first; flight != NULL; flight = flight->next) {
        bool held = weather->gate_ms > 0 && gate.until >= flight->resume_at;
        struct wait own = {.until = flight->resume_at, .origin = ORIGIN_BACKOFF};
        flight_held(engine, flight, held);
        tell_flight(engine, flight, held ? &gate : &own);
    }
}

void announce_all(struct engine *engine)
{
    struct weather weather = weather_now(engine);
    tell_calls(engine);
    tell_sleepers(engine, &weather);
    for (size_t i = 0; i < PROFILE_COUNT; i++) {
        tell_queue(engine, &engine->queue[i], &weather);
    }
}
