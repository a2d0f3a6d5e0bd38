#include "core/engine/engine_state.h"
#include "core/policy/backoff.h"

/* What is known about the host, and what each answer teaches about it: gate, breaker, pacing, latencies, rejections. */

void host_init(struct engine *engine)
{
    struct host *host = &engine->host;
    const struct policy *policy = &engine->options.policy;
    host_gate_init(&host->gate);
    circuit_breaker_init(&host->breaker, policy);
    pacing_init(&host->pacing);
    for (size_t i = 0; i < PROFILE_COUNT; i++) {
        const struct profile_policy *profile = &policy->profile[i];
        token_bucket_init(&host->bucket[i], profile->bucket_count, profile->bucket_per_ms, profile->bucket_burst, 0);
    }
    for (size_t i = 0; i < CALL_CLASS_COUNT; i++) {
        latency_window_init(&host->latency[i], &policy->latency[i]);
    }
}

/* What counts for the breaker: 5xx, attempt time-outs, transport errors (planner.md 5.6). */
static enum breaker_outcome breaker_outcome_of(const struct call *call, const struct verdict *verdict)
{
    switch (verdict->outcome) {
    case OUTCOME_OK:
    case OUTCOME_SPARSE:
        return BREAKER_SUCCESS;
    case OUTCOME_STATUS:
        return verdict->status >= 500 && verdict->status <= 599 ? BREAKER_FAILURE : BREAKER_NEUTRAL;
    case OUTCOME_TIMEOUT: /* cut short it says nothing about the host, even if somebody has time left for a retry */
        return call->cut ? BREAKER_NEUTRAL : BREAKER_FAILURE;
    case OUTCOME_TRANSPORT:
        return BREAKER_FAILURE;
    case OUTCOME_BAD_BODY:
    case OUTCOME_WRONG_VIN:
    case OUTCOME_TOO_LARGE:
    case OUTCOME_BAD_HEADERS:
    case OUTCOME_TIMEOUT_CUT:
    case OUTCOME_CONFIG_ERROR:
    case OUTCOME_CANCELLED:
    case OUTCOME_DEADLINE:
    case OUTCOME_LOCAL_INVALID:
    case OUTCOME_COUNT:
        break;
    }
    return BREAKER_NEUTRAL;
}

/* The call no longer holds a place at the gate or the breaker. True if its end opened the breaker. */
static bool give_back(struct engine *engine, const struct call *call, enum breaker_outcome outcome)
{
    struct host *host = &engine->host;
    const struct policy *policy = &engine->options.policy;
    bool was_open = host->breaker.open;
    bool opened =
        circuit_breaker_end(&host->breaker, policy, &call->breaker, outcome, random_unit(&engine->random), engine->now);
    if (opened && !was_open) {
        host->breaker_opened_at = engine->now;
    }
    if (was_open && !host->breaker.open) {
        /* A new epoch: what the host was like before it failed says nothing (5.6, Samples). */
        for (size_t i = 0; i < CALL_CLASS_COUNT; i++) {
            latency_window_init(&host->latency[i], &policy->latency[i]);
        }
    }
    if (opened || was_open != host->breaker.open) {
        action_record(engine, &(struct event_decision){.what = "breaker",
                                                       .flight = call->breaker.flight,
                                                       .call = call->id,
                                                       .reason = opened ? REASON_CIRCUIT_OPEN : REASON_OK});
    }
    host_gate_done(&host->gate, call->id, call->sent_at, outcome == BREAKER_SUCCESS, engine->now);
    return opened;
}

/* D24: what is a sample. */
static void sample(struct engine *engine, const struct call *call, const struct verdict *verdict)
{
    struct latency_window *window = &engine->host.latency[call->class];
    const struct latency_policy *policy = &engine->options.policy.latency[call->class];
    if (verdict->outcome == OUTCOME_OK || verdict->outcome == OUTCOME_SPARSE) {
        latency_window_push(window, policy, engine->now - call->sent_at, LATENCY_OK, engine->now);
    } else if (verdict->outcome == OUTCOME_TIMEOUT && !call->cut) {
        latency_window_push(window, policy, call->timeout_ms, LATENCY_TIMEOUT, engine->now);
    }
}

static void learn_quota(struct engine *engine, const struct quota *quota, monotime sent_at)
{
    struct host *host = &engine->host;
    pacing_learn(&host->pacing, quota, engine->call_count, sent_at, engine->now);
    if (quota->remaining != QUOTA_UNKNOWN && quota->reset_ms > 0) {
        host->pacing_origin = quota->source == QUOTA_X_RATELIMIT ? ORIGIN_X_RATELIMIT_RESET : ORIGIN_RATELIMIT_RESET;
        host->pacing_asked_ms = quota->reset_ms;
    }
}

bool host_hear(struct engine *engine, const struct call *call, const struct verdict *verdict)
{
    bool opened = give_back(engine, call, breaker_outcome_of(call, verdict));
    sample(engine, call, verdict);
    learn_quota(engine, &verdict->quota, call->sent_at);
    return opened;
}

void host_forget(struct engine *engine, const struct call *call)
{
    const struct quota nothing = quota_unknown();
    give_back(engine, call, BREAKER_NEUTRAL);
    learn_quota(engine, &nothing, call->sent_at);
}

void host_count_rejection(struct engine *engine, const struct verdict *verdict, const struct plan_input *input,
                          struct plan *plan)
{
    struct host *host = &engine->host;
    if (verdict->status == 0) {
        return; /* No answer: the row stands. */
    }
    bool is_403 = verdict->status == 403;
    bool rejected = plan->reason == REASON_CLIENT_ERROR && (is_403 || verdict->status == 404 || verdict->status == 405);
    if (!rejected) {
        host->rejections = 0;
        return;
    }
    host->rejections = host->rejections > 0 && host->rejections_are_403 == is_403 ? host->rejections + 1 : 1;
    host->rejections_are_403 = is_403;
    if (host->rejections >= REJECTIONS_MAX) {
        host->rejections = REJECTIONS_MAX;
        plan->cool_down = true;
        plan->gate_ms = policy_cool_down_ms(&engine->options.policy, input->streak);
        plan->wait_ms = plan->gate_ms;
        plan->reason = REASON_REJECTED_REPEATEDLY;
        plan->row = "T56";
    }
}

/* Which of an answer's hints its gate comes from: the first in the order of D1, or the largest where several count. */
struct wait hint_of(const struct plan *plan, const struct verdict *verdict)
{
    const struct quota *quota = &verdict->quota;
    bool is_bad_gateway = verdict->status == 502 || verdict->status == 504;
    const struct {
        enum wait_origin origin;
        int64_t asked_ms;
    } hints[] = {
        {quota->hint_source == HINT_RETRY_AFTER_HTTP_DATE ? ORIGIN_RETRY_AFTER_DATE : ORIGIN_RETRY_AFTER,
         quota->retry_after_ms},
        {ORIGIN_BODY, verdict->body_hint_ms},
        {quota->source == QUOTA_X_RATELIMIT ? ORIGIN_X_RATELIMIT_RESET : ORIGIN_RATELIMIT_RESET,
         is_bad_gateway && quota->remaining != 0 ? QUOTA_UNKNOWN : quota->reset_ms},
    };
    bool largest = quota->remaining == 0 || is_bad_gateway;
    struct wait wait = {.origin = ORIGIN_COOL_DOWN, .asked_ms = plan->gate_ms};
    bool found = false;
    for (size_t i = 0; i < sizeof hints / sizeof hints[0] && !plan->cool_down; i++) {
        if (hints[i].asked_ms != QUOTA_UNKNOWN && (!found || (largest && hints[i].asked_ms > wait.asked_ms))) {
            wait.origin = hints[i].origin;
            wait.asked_ms = hints[i].asked_ms;
            found = true;
        }
    }
    return wait;
}

void host_follow(struct engine *engine, const struct plan *plan, const struct verdict *verdict, double u,
                 monotime sent_at)
{
    struct host *host = &engine->host;
    monotime before = host->gate.not_before;
    /* A wait's own jitter, which may have been dropped (T52), is the spread of the gate that it makes. */
    int64_t spread_ms = plan->action == PLAN_WAIT ? plan->jitter_ms : backoff_hint_jitter(plan->gate_ms, u);
    host_gate_follow(&host->gate, &engine->options.policy, plan, spread_ms, sent_at, engine->now);
    if (host->gate.not_before <= before) {
        return;
    }
    struct wait wait = hint_of(plan, verdict);
    wait.until = host->gate.not_before;
    if (verdict->received_wall != 0) {
        int64_t left_ms = wait.origin == ORIGIN_RETRY_AFTER_DATE ? wait.asked_ms : wait.until - engine->now;
        wait.until_wall = verdict->received_wall + left_ms;
    }
    host->gate_closed_at = before > engine->now ? host->gate_closed_at : engine->now;
    host->gate_wait = wait;
    host->gate_reason = plan->reason;
    host->gate_hint = wait.origin == ORIGIN_RETRY_AFTER || wait.origin == ORIGIN_RETRY_AFTER_DATE
                          ? verdict->quota.hint_source
                          : HINT_NONE;
    host->gate_spread_ms = spread_ms;
    action_record(engine, &(struct event_decision){.what = "gate",
                                                   .row = plan->row,
                                                   .reason = plan->reason,
                                                   .status = verdict->status,
                                                   .gate_ms = plan->gate_ms,
                                                   .jitter_ms = spread_ms,
                                                   .wait_ms = wait.until - engine->now,
                                                   .hint_source = host->gate_hint,
                                                   .quota_source = verdict->quota.source});
}

struct wait host_gate_news(const struct engine *engine)
{
    const struct host *host = &engine->host;
    return host_gate_left_ms(&host->gate, engine->now) > 0 ? host->gate_wait : (struct wait){0};
}

struct wait host_breaker_news(const struct engine *engine)
{
    int64_t wait_ms = circuit_breaker_wait_ms(&engine->host.breaker, engine->now);
    return wait_ms > 0 ? (struct wait){.until = engine->now + wait_ms, .origin = ORIGIN_BREAKER} : (struct wait){0};
}

struct host_state host_snapshot(const struct engine *engine)
{
    struct host_state state = {.sequence = engine->host.told.sequence,
                               .gate = host_gate_news(engine),
                               .breaker = circuit_breaker_state(&engine->host.breaker, engine->now),
                               .alert = host_alert(&engine->host)};
    state.gate_reason = state.gate.origin != ORIGIN_NONE ? engine->host.gate_reason : REASON_NONE;
    if (state.breaker == BREAKER_OPEN) {
        state.breaker_wait = host_breaker_news(engine);
    }
    return state;
}

void host_tell(struct engine *engine)
{
    struct host_state *told = &engine->host.told;
    struct host_state state = host_snapshot(engine);
    if (wait_equal(&state.gate, &told->gate) && state.gate_reason == told->gate_reason &&
        state.breaker == told->breaker && wait_equal(&state.breaker_wait, &told->breaker_wait) &&
        state.alert == told->alert) {
        return;
    }
    if (state.alert != told->alert) {
        action_record(engine,
                      &(struct event_decision){.what = "alert", .reason = state.alert ? REASON_ATTEMPTS : REASON_OK});
    }
    state.sequence++;
    *told = state;
    action_emit(engine, EVENT_HOST, 0, NULL)->as.host = state;
}
