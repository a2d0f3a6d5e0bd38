#include "core/base/memory.h"
#include "core/engine/engine_state.h"

#include <stdlib.h>

/* The public functions. Each sets `now`, changes what it has to, and settles. */

struct engine_options engine_options_default(void)
{
    return (struct engine_options){
        .policy = policy_default, .base = VPIC_DEFAULT_BASE, .cache = true, .group_calls = true};
}

struct engine *engine_new(const struct engine_options *options, uint64_t seed)
{
    struct engine *engine = memory_get(sizeof *engine);
    engine->options = *options;
    engine->options.base = memory_string(options->base);
    engine->due = engine->expiry_at = MONOTIME_NEVER;
    engine->random = random_from_seed(seed);
    response_cache_init(&engine->answers, options->policy.success_entries);
    response_cache_init(&engine->failures, options->policy.success_entries);
    host_init(engine);
    return engine;
}

void engine_free(struct engine *engine)
{
    while (engine->calls != NULL) {
        struct call *call = engine->calls;
        engine->calls = call->next;
        free(call);
    }
    flights_clear(engine);
    actions_clear(engine);
    response_cache_clear(&engine->answers);
    response_cache_clear(&engine->failures);
    free((char *)engine->options.base);
    free(engine);
}

/* What may leave leaves, and everybody hears what has changed: the host first, so that nobody fails under a gate that
 * is not known yet. */
void engine_settle(struct engine *engine)
{
    host_tell(engine);
    admission_expire(engine);
    admission_run(engine);
    announce_all(engine);
    host_tell(engine);
    engine->due = admission_due(engine);
}

static void record_cache(struct engine *engine, const char *row, enum reason reason)
{
    action_record(engine, &(struct event_decision){.what = "cache", .row = row, .keys = 1, .reason = reason});
}

/* G2: an answer that is fresh enough. */
static bool answer_from_cache(struct engine *engine, const struct submission *submission)
{
    const struct cache_entry *entry = response_cache_find(&engine->answers, &submission->key, engine->now);
    if (entry == NULL) {
        return false;
    }
    struct event *event = action_emit(engine, EVENT_DECODED, submission->ticket, &submission->key);
    event->as.decoded = (struct event_decoded){.vehicle = vehicle_copy(entry->vehicle),
                                               .from_cache = true,
                                               .answered_at = entry->answered_at,
                                               .status = entry->status,
                                               .sparse = entry->sparse};
    engine->meter.cache_hit++;
    record_cache(engine, "G2", REASON_OK);
    return true;
}

/* G3: a failure that is not to be tried again yet. */
static bool refuse_from_cache(struct engine *engine, const struct submission *submission)
{
    const struct cache_entry *entry = response_cache_find(&engine->failures, &submission->key, engine->now);
    if (entry == NULL) {
        return false;
    }
    struct event *event = action_emit(engine, EVENT_FAILED, submission->ticket, &submission->key);
    event->as.failed = *entry->failure;
    event->as.failed.from_negative_cache = true;
    engine->meter.negative_hit++;
    record_cache(engine, "G3", entry->failure->reason);
    return true;
}

static void take_submission(struct engine *engine, const struct submission *submission)
{
    if (submission->ticket == 0 || waiter_find(engine, submission->ticket) != NULL) {
        return;
    }
    bool cached = engine->options.cache && !submission->past_caches &&
                  (answer_from_cache(engine, submission) || refuse_from_cache(engine, submission));
    if (!cached) {
        struct lookup *lookup = lookup_find(engine, &submission->key);
        if (lookup != NULL) {
            lookup_join(engine, lookup, submission);
            engine->meter.joined++;
        } else {
            flight_open(engine, submission);
        }
    }
}

void engine_submit_all(struct engine *engine, monotime now, const struct submission *submissions, size_t count)
{
    engine->now = now > engine->now ? now : engine->now;
    for (size_t i = 0; i < count; i++) {
        take_submission(engine, &submissions[i]);
    }
    engine_settle(engine);
}

void engine_submit(struct engine *engine, monotime now, const struct submission *submission)
{
    engine_submit_all(engine, now, submission, 1);
}

void engine_cancel(struct engine *engine, monotime now, uint64_t ticket)
{
    engine->now = now > engine->now ? now : engine->now;
    struct waiter *waiter = waiter_find(engine, ticket);
    if (waiter == NULL) {
        return;
    }
    struct flight *flight = waiter->lookup->flight;
    waiter_free(engine, waiter);
    flight_tidy(engine, flight);
    engine_settle(engine);
}

void engine_tick(struct engine *engine, monotime now)
{
    engine->now = now > engine->now ? now : engine->now;
    engine_settle(engine);
}

monotime engine_next_deadline(const struct engine *engine)
{
    return engine->due;
}
