#include "tui/report.h"

#include "core/engine/engine.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The decision log: why each call left, waited or was given up. One JSON object a line; what is 0 or unknown is left
 * out. */

enum { SERIAL_POSITION = 12 };

static void add_text(cJSON *object, const char *name, const char *text)
{
    if (text != NULL && text[0] != '\0' && strcmp(text, "none") != 0) {
        cJSON_AddStringToObject(object, name, text);
    }
}

static void add_number(cJSON *object, const char *name, int64_t number)
{
    if (number != 0) {
        cJSON_AddNumberToObject(object, name, (double)number);
    }
}

/* "2026-10-08T12:00:30.125Z" */
static void add_time(cJSON *object, walltime wall)
{
    char day[32], text[48];
    time_t seconds = (time_t)(wall / 1000);
    struct tm utc;
    if (wall < 0 || gmtime_r(&seconds, &utc) == NULL || strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%S", &utc) == 0) {
        return;
    }
    snprintf(text, sizeof text, "%s.%03dZ", day, (int)(wall % 1000));
    cJSON_AddStringToObject(object, "at", text);
}

static void add_vin(cJSON *object, const struct vin_key *key, bool full)
{
    char vin[sizeof key->vin];
    memcpy(vin, key->vin, sizeof vin);
    for (size_t i = SERIAL_POSITION - 1; !full && i < VIN_LENGTH && vin[i] != '\0'; i++) {
        if (strlen(vin) > SERIAL_POSITION - 1) {
            vin[i] = '*';
        }
    }
    cJSON_AddStringToObject(object, "vin", vin);
    add_number(object, "year", key->year);
}

/* What is left of a wait, and where it comes from. */
static void add_wait(cJSON *object, const struct wait *wait, monotime at)
{
    if (wait->until != MONOTIME_NEVER && wait->until > at) {
        add_number(object, "wait_ms", wait->until - at);
    }
    add_number(object, "asked_ms", wait->asked_ms);
    add_text(object, "origin", wait_origin_name(wait->origin));
}

static void add_decision(cJSON *object, const struct event_decision *decision)
{
    static const char *const actions[] = {"deliver", "wait", "refuse", "stop"};
    bool answered = strcmp(decision->what, "plan") == 0;
    cJSON_AddStringToObject(object, "what", decision->what);
    add_text(object, "row", decision->row);
    add_number(object, "flight", (int64_t)decision->flight);
    add_number(object, "call", (int64_t)decision->call);
    add_number(object, "vins", (int64_t)decision->keys);
    add_number(object, "attempt", decision->attempt);
    add_number(object, "http_status", decision->status);
    add_text(object, "transfer", answered ? transfer_name((enum transfer)decision->transfer) : "");
    add_text(object, "action", answered || decision->code != CODE_NONE ? actions[decision->action] : "");
    add_text(object, "reason", reason_name(decision->reason));
    add_text(object, "code", code_name(decision->code));
    add_number(object, "wait_ms", decision->wait_ms);
    add_number(object, "jitter_ms", decision->jitter_ms);
    add_number(object, "gate_ms", decision->gate_ms);
    add_number(object, "latency_ms", decision->latency_ms);
    add_number(object, "timeout_ms", decision->timeout_ms);
    add_text(object, "hint_source", decision->hint_source == HINT_NONE ? "" : hint_source_name(decision->hint_source));
    add_text(object, "quota_source",
             decision->quota_source == QUOTA_NONE ? "" : quota_source_name(decision->quota_source));
}

static void add_decoded(cJSON *object, const struct event_decoded *decoded)
{
    cJSON_AddStringToObject(object, "what", "decoded");
    cJSON_AddStringToObject(object, "source", decoded->from_cache ? "cache" : "upstream");
    add_number(object, "attempts", decoded->attempts);
    add_number(object, "http_status", decoded->status);
    add_number(object, "waited_ms", decoded->waited_ms);
    add_number(object, "elapsed_ms", decoded->elapsed_ms);
}

static void add_failed(cJSON *object, const struct event_failed *failed, monotime at)
{
    cJSON_AddStringToObject(object, "what", "failed");
    add_text(object, "row", failed->row);
    add_text(object, "code", code_name(failed->code));
    add_text(object, "reason", reason_name(failed->reason));
    add_number(object, "attempts", failed->attempts);
    add_number(object, "http_status", failed->status);
    add_number(object, "retry_after_ms", failed->told_ms);
    add_wait(object, &failed->again, at);
    add_number(object, "waited_ms", failed->waited_ms);
    add_number(object, "elapsed_ms", failed->elapsed_ms);
}

static void add_host(cJSON *object, const struct host_state *host, monotime at)
{
    static const char *const states[] = {"closed", "open", "half_open"};
    cJSON_AddStringToObject(object, "what", "host");
    cJSON_AddBoolToObject(object, "gate_closed", host->gate.until > at);
    if (host->gate.until > at) {
        add_text(object, "reason", reason_name(host->gate_reason));
        add_wait(object, &host->gate, at);
    }
    cJSON_AddStringToObject(object, "breaker", states[host->breaker]);
    cJSON_AddBoolToObject(object, "alert", host->alert);
}

static void add_event(cJSON *object, const struct event *event)
{
    switch (event->kind) {
    case EVENT_CALLING:
        cJSON_AddStringToObject(object, "what", "calling");
        add_number(object, "attempt", event->as.calling.attempt);
        add_number(object, "timeout_ms", event->as.calling.timeout_ms);
        break;
    case EVENT_WAITING:
        cJSON_AddStringToObject(object, "what", "waiting");
        add_number(object, "attempt", event->as.waiting.attempt);
        add_number(object, "http_status", event->as.waiting.status);
        add_text(object, "reason", reason_name(event->as.waiting.reason));
        add_wait(object, &event->as.waiting.wait, event->at);
        break;
    case EVENT_DECODED:
        add_decoded(object, &event->as.decoded);
        break;
    case EVENT_FAILED:
        add_failed(object, &event->as.failed, event->at);
        break;
    case EVENT_HOST:
        add_host(object, &event->as.host, event->at);
        break;
    case EVENT_DECISION:
        add_decision(object, &event->as.decision);
        break;
    }
}

void log_line(const struct event *event, bool full_vin, monotime now, walltime wall, struct buffer *out)
{
    cJSON *object = cJSON_CreateObject();
    add_time(object, wall - (now - event->at));
    if (event->ticket != 0) {
        cJSON_AddNumberToObject(object, "ticket", (double)event->ticket);
        if (event->key.vin[0] != '\0') {
            add_vin(object, &event->key, full_vin);
        }
    }
    add_event(object, event);
    char *json = cJSON_PrintUnformatted(object);
    if (json != NULL) {
        buffer_printf(out, "%s\n", json);
    }
    free(json);
    cJSON_Delete(object);
}
