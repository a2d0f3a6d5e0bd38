#include "core/base/buffer.h"
#include "core/base/memory.h"
#include "core/engine/engine_state.h"
#include "core/policy/deadline.h"

#include <assert.h>
#include <stdlib.h>

/* How a call leaves (G10), and how it is given up. */

enum { REQUEST_MAX = 64 * 1024 };

/* Lets list flights that have not been tried yet travel with the head of their queue (issue: group calls). Nothing
 * waits for a group to fill: what stands in the queue now travels, alone if need be. */
static void form_group(struct engine *engine, struct flight *flight)
{
    size_t most =
        engine->options.policy.group_size < VPIC_GROUP_MAX ? engine->options.policy.group_size : VPIC_GROUP_MAX;
    if (!engine->options.group_calls || flight->profile != PROFILE_LIST || flight->alone || flight->attempts > 0) {
        return;
    }
    struct flight *next;
    for (struct flight *other = flight->next; other != NULL && flight->count < most; other = next) {
        next = other->next;
        if (!other->alone && other->attempts == 0) {
            flight_absorb(engine, flight, other);
        }
    }
    flight_deadlines(engine, flight);
    flight_begin_budget(engine, flight);
}

/* The text in `buffer`, owned by the caller; the buffer is no more. */
static char *text_of(struct buffer *buffer)
{
    char *text = buffer_take(buffer);
    buffer_clear(buffer);
    return text;
}

static void send(struct engine *engine, const struct flight *flight, const struct call *call)
{
    struct buffer url, form;
    buffer_init(&url, REQUEST_MAX);
    if (call->class == CALL_SINGLE) {
        request_single_url(engine->options.base, &flight->lookups->key, &url);
        action_start(engine, call->id, text_of(&url), NULL, call->timeout_ms);
        return;
    }
    struct vin_key keys[VPIC_GROUP_MAX];
    size_t count = 0;
    for (const struct lookup *lookup = flight->lookups; lookup != NULL; lookup = lookup->next) {
        keys[count++] = lookup->key;
    }
    buffer_init(&form, REQUEST_MAX);
    request_group_url(engine->options.base, &url);
    request_group_body(keys, count, &form);
    action_start(engine, call->id, text_of(&url), text_of(&form), call->timeout_ms);
}

/* The call takes its place everywhere where places are counted; admission has asked for each before. */
static void take_places(struct engine *engine, const struct flight *flight, struct call *call)
{
    struct host *host = &engine->host;
    const struct policy *policy = &engine->options.policy;
    bool breaker = circuit_breaker_start(&host->breaker, policy, call->id, flight->id, call->timeout_ms, engine->now,
                                         &call->breaker);
    bool gate = host_gate_ask(&host->gate, policy, call->id, call->timeout_ms, engine->now);
    bool token = true;
    if (pacing_in_force(&host->pacing, engine->now)) {
        pacing_take(&host->pacing, engine->now);
    } else {
        token = token_bucket_take(&host->bucket[flight->profile], engine->now);
    }
    assert(breaker && gate && token);
    (void)breaker, (void)gate, (void)token;
    call->next = engine->calls;
    engine->calls = call;
    engine->call_count++;
}

void flight_depart(struct engine *engine, struct flight *flight)
{
    const struct policy *policy = &engine->options.policy;
    form_group(engine, flight);
    struct call *call = memory_get(sizeof *call);
    call->id = ++engine->last_id;
    call->flight = flight;
    call->class = flight->count > 1 ? CALL_GROUP : CALL_SINGLE;
    call->sent_at = engine->now;
    struct latency_suggestion suggestion =
        latency_window_suggest(&engine->host.latency[call->class], &policy->latency[call->class], engine->now);
    struct attempt_timeout timeout = deadline_attempt_timeout(deadline_left_ms(flight->deadline, engine->now),
                                                              suggestion.timeout_ms, policy->min_attempt_ms);
    call->timeout_ms = timeout.timeout_ms;
    call->cut = timeout.cut;
    take_places(engine, flight, call);
    flight_held(engine, flight, false);
    flight_move(engine, flight, FLIGHT_CALLING);
    flight->call = call;
    flight->attempts++;
    engine->meter.attempt++;
    engine->meter.retry += flight->attempts > 1;
    engine->meter.probe += call->breaker.probe;
    send(engine, flight, call);
    action_record(engine, &(struct event_decision){.what = "attempt",
                                                   .flight = flight->id,
                                                   .call = call->id,
                                                   .keys = flight->count,
                                                   .attempt = flight->attempts,
                                                   .timeout_ms = call->timeout_ms});
}

struct call *call_take(struct engine *engine, uint64_t id)
{
    for (struct call **link = &engine->calls; *link != NULL; link = &(*link)->next) {
        if ((*link)->id == id) {
            struct call *call = *link;
            *link = call->next;
            engine->call_count--;
            return call;
        }
    }
    return NULL;
}

void call_abort(struct engine *engine, struct flight *flight)
{
    struct call *call = call_take(engine, flight->call->id);
    flight->call = NULL;
    engine->bygone[engine->bygone_next] = (struct bygone_call){.id = call->id, .sent_at = call->sent_at};
    engine->bygone_next = (engine->bygone_next + 1) % CALLS_REMEMBERED;
    host_forget(engine, call);
    action_abort(engine, call->id);
    free(call);
}
