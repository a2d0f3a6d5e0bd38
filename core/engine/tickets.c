#include "core/engine/engine_state.h"

/* How tickets end: one terminal event each. */

/* What a ticket has seen of its flight. */
static int64_t elapsed_ms(const struct engine *engine, const struct waiter *waiter)
{
    return engine->now - waiter->submitted_at;
}

static int64_t waited_ms(const struct engine *engine, const struct waiter *waiter)
{
    int64_t called = flight_called_ms(engine, waiter->lookup->flight) - waiter->called_before_ms;
    return elapsed_ms(engine, waiter) - called;
}

static int calls_made(const struct waiter *waiter)
{
    return waiter->lookup->flight->calls_before + waiter->lookup->flight->attempts;
}

void waiter_fail(struct engine *engine, struct waiter *waiter, const struct event_failed *failure)
{
    struct event *event = action_emit(engine, EVENT_FAILED, waiter->ticket, &waiter->lookup->key);
    event->as.failed = *failure;
    event->as.failed.attempts = calls_made(waiter);
    event->as.failed.waited_ms = waited_ms(engine, waiter);
    event->as.failed.elapsed_ms = elapsed_ms(engine, waiter);
    waiter_free(engine, waiter);
}

void flight_fail(struct engine *engine, struct flight *flight, const struct event_failed *failure)
{
    for (struct lookup *lookup = flight->lookups; lookup != NULL; lookup = lookup->next) {
        while (lookup->waiters != NULL) {
            waiter_fail(engine, lookup->waiters, failure);
        }
    }
    if (flight->attempts > 0) {
        host_rate_flight(engine, true);
    }
    flight_close(engine, flight);
}

/* The cache of answers takes the vehicle; what was remembered against the key is out of date. */
static void keep(struct engine *engine, const struct vin_key *key, struct vehicle *vehicle, int status)
{
    if (!engine->options.cache) {
        vehicle_free(vehicle);
        return;
    }
    response_cache_remove(&engine->failures, key);
    response_cache_put_vehicle(&engine->answers, key, vehicle, vehicle_is_sparse(vehicle), status, engine->now,
                               monotime_add(engine->now, engine->options.policy.success_ttl_ms));
}

void lookup_deliver(struct engine *engine, struct lookup *lookup, struct vehicle *vehicle, int status)
{
    while (lookup->waiters != NULL) {
        struct waiter *waiter = lookup->waiters;
        struct event *event = action_emit(engine, EVENT_DECODED, waiter->ticket, &lookup->key);
        event->as.decoded = (struct event_decoded){.vehicle = vehicle_copy(vehicle),
                                                   .answered_at = engine->now,
                                                   .attempts = calls_made(waiter),
                                                   .waited_ms = waited_ms(engine, waiter),
                                                   .elapsed_ms = elapsed_ms(engine, waiter),
                                                   .status = status,
                                                   .sparse = vehicle_is_sparse(vehicle)};
        waiter_free(engine, waiter);
    }
    keep(engine, &lookup->key, vehicle, status);
}
