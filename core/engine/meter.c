#include "core/engine/engine_state.h"

#include <string.h>

/* Counters and states for the meter, --stats and --metrics (planner.md 5.7). */

static void count_latency(struct meter *meter, int64_t latency_ms, bool timeout)
{
    if (meter->latency_count == METER_LATENCIES) {
        memmove(meter->latencies, meter->latencies + 1, (METER_LATENCIES - 1) * sizeof meter->latencies[0]);
        meter->latency_count--;
    }
    int64_t kept = latency_ms < INT32_MAX ? latency_ms : INT32_MAX;
    meter->latencies[meter->latency_count++] = (int32_t)(timeout ? -kept : kept);
}

static void count_status(struct meter *meter, int status)
{
    meter->statuses[status >= 100 && status <= 599 ? status / 100 : 0]++;
    meter->status_429 += status == 429;
    meter->status_403 += status == 403;
    meter->status_503 += status == 503;
}

/* Where the wait of a planned retry comes from. */
static void count_hint(struct meter *meter, const struct plan *plan, const struct verdict *verdict)
{
    if (plan->gate_ms == 0 || plan->gate_ms != plan->wait_ms) {
        meter->hint_backoff++;
        return;
    }
    switch (hint_of(plan, verdict).origin) {
    case ORIGIN_RETRY_AFTER:
    case ORIGIN_RETRY_AFTER_DATE:
        meter->hints[verdict->quota.hint_source]++;
        break;
    case ORIGIN_BODY:
        meter->hint_body++;
        break;
    case ORIGIN_RATELIMIT_RESET:
    case ORIGIN_X_RATELIMIT_RESET:
        meter->hint_reset++;
        break;
    case ORIGIN_NONE:
    case ORIGIN_BACKOFF:
    case ORIGIN_COURTESY_RATE:
    case ORIGIN_BREAKER:
    case ORIGIN_COOL_DOWN:
        break;
    }
}

void meter_count(struct engine *engine, const struct call *call, const struct verdict *verdict, const struct plan *plan)
{
    struct meter *meter = &engine->meter;
    count_status(meter, verdict->status);
    count_latency(meter, engine->now - call->sent_at,
                  verdict->outcome == OUTCOME_TIMEOUT || verdict->outcome == OUTCOME_TIMEOUT_CUT);
    meter->bad_body += verdict->outcome == OUTCOME_BAD_BODY;
    meter->stray_rows += verdict->outcome == OUTCOME_WRONG_VIN ? verdict->answer.count : 0;
    if (plan->action == PLAN_WAIT) {
        count_hint(meter, plan, verdict);
    }
}

struct meter engine_meter(struct engine *engine, monotime now)
{
    engine->now = now > engine->now ? now : engine->now;
    struct host *host = &engine->host;
    struct meter meter = engine->meter;
    meter.in_flight = engine->call_count;
    meter.waiting = engine->waiting.count;
    for (size_t i = 0; i < PROFILE_COUNT; i++) {
        meter.queued += engine->queue[i].count;
    }
    for (size_t i = 0; i < CALL_CLASS_COUNT; i++) {
        meter.timeout[i] = latency_window_suggest(&host->latency[i], &engine->options.policy.latency[i], engine->now);
        meter.timeout_samples[i] = host->latency[i].count;
    }
    meter.quota_announced = pacing_in_force(&host->pacing, engine->now);
    if (meter.quota_announced) {
        meter.quota_allowance = host->pacing.allowance;
        meter.quota_reset_at = host->pacing.reset_at;
    }
    meter.bucket_wait_ms = token_bucket_wait_ms(&host->bucket[PROFILE_INTERACTIVE], engine->now);
    meter.host = host_snapshot(engine);
    return meter;
}
