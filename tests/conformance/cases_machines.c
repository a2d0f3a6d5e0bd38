#include "cases.h"

#include "core/policy/backoff.h"
#include "core/policy/circuit_breaker.h"
#include "core/policy/host_gate.h"
#include "core/policy/latency_window.h"
#include "core/policy/token_bucket.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

cJSON *case_backoff(const cJSON *in, const char **row)
{
    (void)row;
    bool ok = true;
    int attempt = (int)case_number(in, "attempt", &ok);
    int64_t base_ms = case_number(in, "base_ms", &ok), max_ms = case_number(in, "max_ms", &ok);
    double u = case_draw(in, "u", &ok);
    return ok ? cJSON_CreateNumber((double)backoff_draw(attempt, base_ms, max_ms, u)) : NULL;
}

static bool read_latency_policy(const cJSON *in, struct latency_policy *policy)
{
    bool ok = true;
    *policy = (struct latency_policy){
        .window_size = (size_t)case_number(in, "window_size", &ok),
        .min_samples = (size_t)case_number(in, "min_samples", &ok),
        .p95_factor = case_draw(in, "p95_factor", &ok),
        .floor_ms = case_number(in, "floor_ms", &ok),
        .ceiling_ms = case_number(in, "ceiling_ms", &ok),
        .default_ms = case_number(in, "default_ms", &ok),
        .hysteresis_percent = case_number(in, "hysteresis_percent", &ok),
        .idle_reset_ms = case_number(in, "idle_reset_ms", &ok),
    };
    return ok;
}

/* ["push", duration, outcome, at] or ["ask", at]; false if it is neither. */
static bool take_step(struct latency_window *window, const struct latency_policy *policy, const cJSON *step,
                      monotime *at)
{
    const char *what = cJSON_GetStringValue(cJSON_GetArrayItem(step, 0));
    if (what != NULL && strcmp(what, "ask") == 0) {
        *at = (monotime)cJSON_GetNumberValue(cJSON_GetArrayItem(step, 1));
        return cJSON_GetArraySize(step) == 2;
    }
    const char *name = cJSON_GetStringValue(cJSON_GetArrayItem(step, 2));
    if (what == NULL || strcmp(what, "push") != 0 || name == NULL || cJSON_GetArraySize(step) != 4) {
        return false;
    }
    enum latency_outcome outcome = strcmp(name, "ok") == 0        ? LATENCY_OK
                                   : strcmp(name, "timeout") == 0 ? LATENCY_TIMEOUT
                                                                  : LATENCY_ERROR;
    *at = (monotime)cJSON_GetNumberValue(cJSON_GetArrayItem(step, 3));
    latency_window_push(window, policy, (int64_t)cJSON_GetNumberValue(cJSON_GetArrayItem(step, 1)), outcome, *at);
    return true;
}

static void append_known(cJSON *array, int64_t value)
{
    cJSON_AddItemToArray(array, value < 0 ? cJSON_CreateNull() : cJSON_CreateNumber((double)value));
}

cJSON *case_suggest_timeout(const cJSON *in, const char **row)
{
    (void)row;
    struct latency_policy policy;
    const cJSON *steps = cJSON_GetObjectItemCaseSensitive(in, "steps"), *step;
    if (!read_latency_policy(cJSON_GetObjectItemCaseSensitive(in, "cfg"), &policy) || !cJSON_IsArray(steps)) {
        return NULL;
    }
    struct latency_window window;
    latency_window_init(&window, &policy);
    cJSON *out = cJSON_CreateArray();
    cJSON_ArrayForEach(step, steps)
    {
        monotime at;
        if (!take_step(&window, &policy, step, &at)) {
            cJSON_Delete(out);
            return NULL;
        }
        struct latency_suggestion suggestion = latency_window_suggest(&window, &policy, at);
        cJSON *line = cJSON_CreateArray();
        append_known(line, suggestion.timeout_ms);
        cJSON_AddItemToArray(line, cJSON_CreateString(suggestion.from_p95 ? "p95" : "default"));
        append_known(line, suggestion.p50_ms);
        append_known(line, suggestion.p95_ms);
        cJSON_AddItemToArray(out, line);
    }
    return out;
}

cJSON *case_token_bucket(const cJSON *in, const char **row)
{
    (void)row;
    bool ok = true;
    struct token_bucket bucket;
    int64_t rate = case_number(in, "rate_per_s", &ok), burst = case_number(in, "burst", &ok);
    const cJSON *takes = cJSON_GetObjectItemCaseSensitive(in, "takes"), *take;
    token_bucket_init(&bucket, rate, 1000, burst, case_number(in, "start", &ok));
    if (!ok || !cJSON_IsArray(takes)) {
        return NULL;
    }
    cJSON *out = cJSON_CreateArray();
    cJSON_ArrayForEach(take, takes)
    {
        monotime at = (monotime)cJSON_GetNumberValue(take);
        bool allowed = token_bucket_take(&bucket, at);
        cJSON *line = cJSON_CreateObject();
        cJSON_AddBoolToObject(line, "allowed", allowed);
        cJSON_AddNumberToObject(line, "wait_ms", allowed ? 0.0 : (double)token_bucket_wait_ms(&bucket, at));
        cJSON_AddItemToArray(out, line);
    }
    return out;
}

/* The tickets of a case, kept by the number that the case gives an attempt. */
struct tickets {
    struct breaker_ticket *of;
    bool *given;
    size_t count;
};

static size_t highest_attempt(const cJSON *events)
{
    double highest = 0;
    const cJSON *event;
    cJSON_ArrayForEach(event, events)
    {
        double attempt = cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(event, "attempt"));
        highest = attempt > highest && attempt < 1e6 ? attempt : highest;
    }
    return (size_t)highest;
}

/* One event of a breaker; false if it cannot be understood. */
static bool breaker_event(struct circuit_breaker *breaker, struct tickets *tickets, const cJSON *event, cJSON *line)
{
    static const char *const states[] = {
        [BREAKER_CLOSED] = "closed", [BREAKER_OPEN] = "open", [BREAKER_HALF_OPEN] = "half_open"};
    bool ok = true;
    const char *op = case_text(event, "op", &ok);
    monotime now = case_number(event, "t", &ok);
    size_t attempt = (size_t)case_number(event, "attempt", &ok);
    if (!ok || attempt == 0 || attempt > tickets->count) {
        return false;
    }
    if (strcmp(op, "start") == 0) {
        uint64_t flight = (uint64_t)case_number(event, "flight", &ok);
        int64_t timeout_ms = case_number(event, "timeout_ms", &ok);
        int64_t wait_ms = circuit_breaker_wait_ms(breaker, now);
        bool allowed =
            circuit_breaker_start(breaker, &policy_default, attempt, flight, timeout_ms, now, &tickets->of[attempt]);
        tickets->given[attempt] = allowed;
        cJSON_AddBoolToObject(line, "allowed", allowed);
        cJSON_AddNumberToObject(line, "wait_ms", allowed ? 0.0 : (double)wait_ms);
    } else {
        const char *name = case_text(event, "outcome", &ok);
        if (!ok || strcmp(op, "end") != 0) {
            return false;
        }
        enum breaker_outcome outcome = strcmp(name, "success") == 0   ? BREAKER_SUCCESS
                                       : strcmp(name, "failure") == 0 ? BREAKER_FAILURE
                                                                      : BREAKER_NEUTRAL;
        const cJSON *u = cJSON_GetObjectItemCaseSensitive(event, "u");
        if (tickets->given[attempt]) {
            circuit_breaker_end(breaker, &policy_default, &tickets->of[attempt], outcome,
                                cJSON_IsNumber(u) ? u->valuedouble : 0.0, now);
        }
        bool open = circuit_breaker_state(breaker, now) == BREAKER_OPEN;
        cJSON_AddNullToObject(line, "allowed");
        cJSON_AddNumberToObject(line, "wait_ms", open ? (double)circuit_breaker_wait_ms(breaker, now) : 0.0);
    }
    cJSON_AddStringToObject(line, "state", states[circuit_breaker_state(breaker, now)]);
    return ok;
}

cJSON *case_circuit_breaker(const cJSON *in, const char **row)
{
    (void)row;
    const cJSON *events = cJSON_GetObjectItemCaseSensitive(in, "events"), *event;
    struct circuit_breaker breaker;
    struct tickets tickets = {.count = highest_attempt(events)};
    tickets.of = memory_get((tickets.count + 1) * sizeof *tickets.of);
    tickets.given = memory_get((tickets.count + 1) * sizeof *tickets.given);
    circuit_breaker_init(&breaker, &policy_default);
    bool ok = cJSON_IsArray(events);
    cJSON *out = cJSON_CreateArray();
    cJSON_ArrayForEach(event, events)
    {
        cJSON *line = cJSON_CreateObject();
        ok = breaker_event(&breaker, &tickets, event, line) && ok;
        cJSON_AddItemToArray(out, line);
    }
    free(tickets.of);
    free(tickets.given);
    if (!ok) {
        cJSON_Delete(out);
        return NULL;
    }
    return out;
}

/* One event of a gate; false if it cannot be understood. */
static bool gate_event(struct host_gate *gate, const cJSON *event, cJSON *line)
{
    bool ok = true;
    const char *op = case_text(event, "op", &ok);
    monotime now = case_number(event, "t", &ok);
    if (!ok) {
        return false;
    }
    if (strcmp(op, "ask") == 0) {
        uint64_t request = (uint64_t)case_number(event, "request", &ok);
        int64_t timeout_ms = case_number(event, "timeout_ms", &ok), wait_ms = host_gate_wait_ms(gate, now);
        bool allowed = host_gate_ask(gate, &policy_default, request, timeout_ms, now);
        cJSON_AddBoolToObject(line, "allowed", allowed);
        cJSON_AddNumberToObject(line, "wait_ms", allowed ? 0.0 : (double)wait_ms);
    } else {
        if (strcmp(op, "hold") == 0) {
            host_gate_hold(gate, &policy_default, case_number(event, "ms", &ok), now);
        } else if (strcmp(op, "cool_down") == 0) {
            host_gate_cool_down(gate, &policy_default, now);
        } else if (strcmp(op, "done") == 0) {
            bool success = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(event, "success"));
            host_gate_done(gate, (uint64_t)case_number(event, "request", &ok), case_number(event, "sent_at", &ok),
                           success, now);
        } else {
            return false;
        }
        cJSON_AddNullToObject(line, "allowed");
        cJSON_AddNumberToObject(line, "wait_ms", (double)host_gate_left_ms(gate, now));
    }
    cJSON_AddNumberToObject(line, "streak", gate->streak);
    return ok;
}

cJSON *case_host_gate(const cJSON *in, const char **row)
{
    (void)row;
    const cJSON *events = cJSON_GetObjectItemCaseSensitive(in, "events"), *event;
    struct host_gate gate;
    host_gate_init(&gate);
    bool ok = cJSON_IsArray(events);
    cJSON *out = cJSON_CreateArray();
    cJSON_ArrayForEach(event, events)
    {
        cJSON *line = cJSON_CreateObject();
        ok = gate_event(&gate, event, line) && ok;
        cJSON_AddItemToArray(out, line);
    }
    if (!ok) {
        cJSON_Delete(out);
        return NULL;
    }
    return out;
}
