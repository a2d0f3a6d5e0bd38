#include "core/engine/engine_state.h"

#include <stdlib.h>

/* A call has ended: what the answer means for the host, then what follows for the flight. */

struct event_failed failure_of(const struct engine *engine, const struct flight *flight, enum code code,
                               enum reason reason, const char *row)
{
    struct event_failed failure = {.code = code,
                                   .reason = reason,
                                   .row = row,
                                   .status = flight->last_status,
                                   .transfer = (int)flight->last_transfer};
    if (code == CODE_CIRCUIT_OPEN) {
        failure.again = host_breaker_news(engine);
        return failure;
    }
    failure.again = host_gate_news(engine);
    if (failure.again.origin != ORIGIN_NONE && failure.again.origin != ORIGIN_COOL_DOWN) {
        failure.told_ms = failure.again.asked_ms;
        failure.hint_source = engine->host.gate_hint;
    }
    return failure;
}

/* The failure of a plan, with what its answer said. */
static struct event_failed failure_of_plan(const struct engine *engine, const struct flight *flight,
                                           const struct plan *plan, const struct verdict *verdict)
{
    struct event_failed failure = failure_of(engine, flight, plan->code, plan->reason, plan->row);
    failure.answer = verdict->outcome == OUTCOME_BAD_BODY ? verdict->answer.kind : ANSWER_VEHICLES;
    for (size_t i = 0; i + 1 < sizeof failure.message && verdict->answer.message[i] != '\0'; i++) {
        failure.message[i] = verdict->answer.message[i];
    }
    if (plan->code != CODE_CIRCUIT_OPEN) {
        bool named = plan->wait_ms > 0 && hint_of(plan, verdict).origin != ORIGIN_COOL_DOWN;
        failure.told_ms = named ? plan->wait_ms : 0;
        failure.hint_source = named ? verdict->quota.hint_source : HINT_NONE;
    }
    return failure;
}

/* D27: the key is not tried again for a while. A failure never replaces a live answer. */
static void remember_failure(struct engine *engine, const struct flight *flight, const struct plan *plan,
                             struct event_failed *failure)
{
    const struct policy *policy = &engine->options.policy;
    if (!engine->options.cache || !plan->negative || flight->count != 1 ||
        response_cache_find(&engine->answers, &flight->lookups->key, engine->now) != NULL) {
        return;
    }
    int64_t rest_ms = plan->wait_ms > 0 ? plan->wait_ms : policy->negative_default_ms;
    rest_ms = rest_ms < policy->negative_min_ms ? policy->negative_min_ms : rest_ms;
    rest_ms = rest_ms > policy->negative_max_ms ? policy->negative_max_ms : rest_ms;
    if (plan->code == CODE_BAD_RESPONSE) {
        rest_ms = policy->bad_body_negative_ms;
    }
    failure->resting = true;
    failure->again =
        (struct wait){.until = monotime_add(engine->now, rest_ms), .origin = ORIGIN_BACKOFF, .asked_ms = rest_ms};
    response_cache_put_failure(&engine->failures, &flight->lookups->key, failure, failure->again.until);
}

static void fail(struct engine *engine, struct flight *flight, const struct plan *plan, const struct verdict *verdict)
{
    if (group_splits(flight, plan)) {
        group_split(engine, flight);
        return;
    }
    struct event_failed failure = failure_of_plan(engine, flight, plan, verdict);
    remember_failure(engine, flight, plan, &failure);
    flight_fail(engine, flight, &failure);
}

static void deliver(struct engine *engine, struct flight *flight, struct verdict *verdict)
{
    if (flight->count > 1) {
        group_deliver(engine, flight, verdict);
    } else {
        size_t row = answer_row_of(&verdict->answer, &flight->lookups->key);
        lookup_deliver(engine, flight->lookups, answer_take(&verdict->answer, row), verdict->status);
    }
    host_rate_flight(engine, false);
    flight_close(engine, flight);
}

/* Sleeps until the retry. Its call's place is free meanwhile (G9). */
static void sleep_on(struct engine *engine, struct flight *flight, const struct plan *plan)
{
    flight->resume_at = monotime_add(engine->now, plan->wait_ms + plan->jitter_ms);
    flight->queued_at = engine->now;
    flight_move(engine, flight, FLIGHT_WAITING);
    flight_tidy(engine, flight);
}

/* What a ticket that will not wait is told instead of a wait (--no-wait). */
static enum code code_without_wait(const struct plan *plan, const struct verdict *verdict)
{
    if (verdict->status == 429 || verdict->status == 403 || plan->gate_ms > 0) {
        return CODE_UPSTREAM_THROTTLE;
    }
    bool unreadable = verdict->outcome == OUTCOME_BAD_BODY || verdict->outcome == OUTCOME_BAD_HEADERS;
    return unreadable ? CODE_BAD_RESPONSE : CODE_UPSTREAM_UNAVAILABLE;
}

/* What the engine knows and the table does not: T50 and --no-wait. */
static void amend(const struct engine *engine, const struct verdict *verdict, bool opened, struct plan *plan)
{
    if (plan->action != PLAN_WAIT) {
        return;
    }
    if (opened) {
        plan->action = PLAN_REFUSE;
        plan->code = CODE_CIRCUIT_OPEN;
        plan->reason = REASON_CIRCUIT_OPEN;
        plan->row = "T50";
    } else if (engine->options.no_wait) {
        plan->action = PLAN_REFUSE;
        plan->code = code_without_wait(plan, verdict);
        plan->reason = REASON_NO_WAIT;
    }
}

static struct plan decide(struct engine *engine, const struct flight *flight, const struct verdict *verdict,
                          monotime sent_at, struct plan_input *input)
{
    *input = (struct plan_input){.outcome = verdict->outcome,
                                 .status = verdict->status,
                                 .quota = verdict->quota,
                                 .body_hint_ms = verdict->body_hint_ms,
                                 .attempt = 1,
                                 .max_attempts = 1,
                                 .profile = PROFILE_INTERACTIVE,
                                 .u1 = random_unit(&engine->random),
                                 .u2 = random_unit(&engine->random)};
    if (flight != NULL) {
        input->attempt = flight->attempts;
        input->max_attempts = flight_max_attempts(engine, flight);
        input->left_ms = flight->deadline > engine->now ? flight->deadline - engine->now : 0;
        input->profile = flight->profile;
        input->bad_answers = flight->bad_answers;
    }
    host_gate_recall(&engine->host.gate, sent_at, input);
    return retry_plan(&engine->options.policy, input);
}

static void record_plan(struct engine *engine, const struct call *call, const struct verdict *verdict,
                        const struct plan *plan)
{
    action_record(engine, &(struct event_decision){.what = "plan",
                                                   .row = plan->row,
                                                   .flight = call->flight->id,
                                                   .call = call->id,
                                                   .keys = call->flight->count,
                                                   .attempt = call->flight->attempts,
                                                   .status = verdict->status,
                                                   .transfer = (int)verdict->transfer,
                                                   .reason = plan->reason,
                                                   .code = plan->code,
                                                   .action = plan->action,
                                                   .wait_ms = plan->wait_ms,
                                                   .jitter_ms = plan->jitter_ms,
                                                   .gate_ms = plan->gate_ms,
                                                   .latency_ms = engine->now - call->sent_at,
                                                   .timeout_ms = call->timeout_ms,
                                                   .hint_source = verdict->quota.hint_source,
                                                   .quota_source = verdict->quota.source});
}

static void follow(struct engine *engine, struct flight *flight, struct plan *plan, struct verdict *verdict)
{
    flight->last_reason = plan->reason;
    flight->last_status = verdict->status;
    flight->last_transfer = verdict->transfer;
    if (verdict->outcome == OUTCOME_BAD_BODY || verdict->outcome == OUTCOME_BAD_HEADERS) {
        flight->bad_answers++;
    }
    switch (plan->action) {
    case PLAN_DELIVER:
        deliver(engine, flight, verdict);
        break;
    case PLAN_WAIT:
        sleep_on(engine, flight, plan);
        break;
    case PLAN_REFUSE:
    case PLAN_STOP:
        fail(engine, flight, plan, verdict);
        break;
    }
}

/* The call's ticket was cancelled, but its answer had come: what it says about the host holds for all that follow. */
static void hear_bygone(struct engine *engine, uint64_t id, const struct response *response)
{
    for (size_t i = 0; i < CALLS_REMEMBERED; i++) {
        struct bygone_call *bygone = &engine->bygone[i];
        if (bygone->id != id || response->transfer != TRANSFER_ANSWERED) {
            continue;
        }
        struct verdict verdict;
        struct plan_input input;
        verdict_read(response, NULL, &verdict);
        struct plan plan = decide(engine, NULL, &verdict, bygone->sent_at, &input);
        host_follow(engine, &plan, &verdict, input.u2, bygone->sent_at);
        verdict_clear(&verdict);
        bygone->id = 0;
    }
}

void engine_finished(struct engine *engine, monotime now, uint64_t id, const struct response *response)
{
    engine->now = now > engine->now ? now : engine->now;
    struct call *call = call_take(engine, id);
    if (call == NULL) {
        hear_bygone(engine, id, response);
        engine_settle(engine);
        return;
    }
    struct flight *flight = call->flight;
    struct verdict verdict;
    struct plan_input input;
    verdict_read(response, call, &verdict);
    flight->call = NULL;
    flight->called_ms += engine->now - call->sent_at;
    struct plan plan = decide(engine, flight, &verdict, call->sent_at, &input);
    bool opened = host_hear(engine, call, &verdict);
    host_count_rejection(engine, &verdict, &input, &plan);
    host_follow(engine, &plan, &verdict, input.u2, call->sent_at);
    amend(engine, &verdict, opened, &plan);
    meter_count(engine, call, &verdict, &plan);
    record_plan(engine, call, &verdict, &plan);
    host_tell(engine);
    follow(engine, flight, &plan, &verdict);
    verdict_clear(&verdict);
    free(call);
    engine_settle(engine);
}
