#include "tui/report.h"

#include <stdlib.h>
#include <string.h>

/* Counters as text: for Prometheus, for people, and as one JSON object. All times in seconds, as Prometheus wants. */

static double seconds(int64_t ms)
{
    return (double)ms / 1000.0;
}

/* Of the latest calls that were answered, sorted: the value that `percent` of them do not exceed; 0 without any. */
static int64_t percentile_ms(const struct meter *meter, int percent)
{
    int32_t sorted[METER_LATENCIES];
    size_t count = 0;
    for (size_t i = 0; i < meter->latency_count; i++) {
        int32_t latency = meter->latencies[i];
        if (latency < 0) {
            continue; /* a time-out */
        }
        size_t at = count++;
        for (; at > 0 && sorted[at - 1] > latency; at--) {
            sorted[at] = sorted[at - 1];
        }
        sorted[at] = latency;
    }
    return count == 0 ? 0 : sorted[(count * (size_t)percent + 99) / 100 - 1];
}

static int64_t left_ms(const struct wait *wait, monotime now)
{
    return wait->until != MONOTIME_NEVER && wait->until > now ? wait->until - now : 0;
}

/* Prometheus */

static void begin(struct buffer *out, const char *name, const char *type, const char *help)
{
    buffer_printf(out, "# HELP vindecode_%s %s\n# TYPE vindecode_%s %s\n", name, help, name, type);
}

static void counter(struct buffer *out, const char *name, uint64_t value, const char *help)
{
    begin(out, name, "counter", help);
    buffer_printf(out, "vindecode_%s %llu\n", name, (unsigned long long)value);
}

static void gauge(struct buffer *out, const char *name, double value, const char *help)
{
    begin(out, name, "gauge", help);
    buffer_printf(out, "vindecode_%s %.3f\n", name, value);
}

static void labelled(struct buffer *out, const char *name, const char *label, const char *value, uint64_t count)
{
    buffer_printf(out, "vindecode_%s{%s=\"%s\"} %llu\n", name, label, value, (unsigned long long)count);
}

static void put_results(const struct tally *tally, struct buffer *out)
{
    begin(out, "results_total", "counter", "VINs that have their result, by status.");
    for (int i = 0; i <= RECORD_CANCELLED; i++) {
        labelled(out, "results_total", "status", record_status_name((enum record_status)i), tally->by_status[i]);
    }
    counter(out, "result_warnings_total", tally->warnings, "Decoded VINs that carry a warning or a problem.");
}

static void put_answers(const struct meter *meter, struct buffer *out)
{
    static const char *const classes[] = {"none", "1xx", "2xx", "3xx", "4xx", "5xx"};
    begin(out, "answers_total", "counter", "Calls that came back, by class of HTTP status.");
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        labelled(out, "answers_total", "class", classes[i], meter->statuses[i]);
    }
    begin(out, "refusals_total", "counter", "Answers of the statuses that throttle.");
    labelled(out, "refusals_total", "status", "429", meter->status_429);
    labelled(out, "refusals_total", "status", "403", meter->status_403);
    labelled(out, "refusals_total", "status", "503", meter->status_503);
}

static void put_hints(const struct meter *meter, struct buffer *out)
{
    begin(out, "hints_total", "counter", "Waits, by what said how long.");
    for (int i = HINT_RETRY_AFTER_SECONDS; i <= HINT_RETRY_AFTER_MS; i++) {
        labelled(out, "hints_total", "source", hint_source_name((enum hint_source)i), meter->hints[i]);
    }
    labelled(out, "hints_total", "source", "body", meter->hint_body);
    labelled(out, "hints_total", "source", "reset", meter->hint_reset);
    labelled(out, "hints_total", "source", "backoff", meter->hint_backoff);
}

static void put_states(const struct meter *meter, monotime now, struct buffer *out)
{
    gauge(out, "calls_in_flight", (double)meter->in_flight, "Calls under way.");
    gauge(out, "requests_waiting", (double)meter->waiting, "Requests that wait for their next try.");
    gauge(out, "requests_queued", (double)meter->queued, "Requests that have not called yet.");
    gauge(out, "gate_seconds", seconds(left_ms(&meter->host.gate, now)), "Until the upstream may be called again.");
    gauge(out, "breaker_open", meter->host.breaker != BREAKER_CLOSED, "1 while the circuit breaker stops calls.");
    gauge(out, "alert", meter->host.alert, "1 while more than a fifth of the last 50 requests were given up.");
    gauge(out, "latency_p50_seconds", seconds(percentile_ms(meter, 50)), "Median latency of the last 60 calls.");
    gauge(out, "latency_p95_seconds", seconds(percentile_ms(meter, 95)), "95th percentile of the last 60 calls.");
    gauge(out, "timeout_seconds", seconds(meter->timeout[CALL_SINGLE].timeout_ms), "Time-out of the next single call.");
}

void metrics_text(const struct tally *tally, const struct meter *meter, monotime now, struct buffer *out)
{
    put_results(tally, out);
    counter(out, "attempts_total", meter->attempt, "HTTP calls that left (vpic.attempt).");
    counter(out, "successes_total", meter->success, "Requests that were answered (vpic.success).");
    counter(out, "retries_total", meter->retry, "Calls that were not the first of their request (vpic.retry).");
    counter(out, "give_ups_total", meter->give_up, "Requests that were given up (vpic.give_up).");
    counter(out, "cache_hits_total", meter->cache_hit, "VINs answered from the cache.");
    counter(out, "negative_hits_total", meter->negative_hit, "VINs refused because they failed a moment ago.");
    counter(out, "joined_total", meter->joined, "VINs that joined a request that was under way.");
    counter(out, "unreadable_total", meter->bad_body, "Answers that could not be read.");
    counter(out, "probes_total", meter->probe, "Test calls of the circuit breaker.");
    put_answers(meter, out);
    put_hints(meter, out);
    begin(out, "gate_wait_seconds_total", "counter", "Time that requests spent waiting for the upstream's pauses.");
    buffer_printf(out, "vindecode_gate_wait_seconds_total %.3f\n", seconds(meter->gate_wait_ms));
    put_states(meter, now, out);
    gauge(out, "uptime_seconds", seconds(now - tally->started_at), "Since the program started.");
}

/* The summary */

static uint64_t total(const struct tally *tally)
{
    uint64_t sum = 0;
    for (int i = 0; i <= RECORD_CANCELLED; i++) {
        sum += tally->by_status[i];
    }
    return sum;
}

void stats_text(const struct tally *tally, const struct meter *meter, monotime now, struct buffer *out)
{
    buffer_printf(out, "VINs      %llu in %.1f s", (unsigned long long)total(tally), seconds(now - tally->started_at));
    for (int i = 0; i <= RECORD_CANCELLED; i++) {
        if (tally->by_status[i] > 0) {
            buffer_printf(out, ", %llu %s", (unsigned long long)tally->by_status[i],
                          record_status_name((enum record_status)i));
        }
    }
    buffer_printf(out, "\nnotes     %llu with a warning or a problem\n", (unsigned long long)tally->warnings);
    if (tally->left_out > 0) {
        buffer_printf(out, "resumed   %llu left out\n", (unsigned long long)tally->left_out);
    }
    buffer_printf(out, "calls     %llu, retries among them %llu; given up %llu\n", (unsigned long long)meter->attempt,
                  (unsigned long long)meter->retry, (unsigned long long)meter->give_up);
    buffer_printf(out, "spared    %llu from the cache, %llu joined a call under way\n",
                  (unsigned long long)meter->cache_hit, (unsigned long long)meter->joined);
    buffer_printf(out, "throttled 429: %llu, 403: %llu, 503: %llu; waited for pauses, all VINs together: %.1f s\n",
                  (unsigned long long)meter->status_429, (unsigned long long)meter->status_403,
                  (unsigned long long)meter->status_503, seconds(meter->gate_wait_ms));
    buffer_printf(out, "latency   median %lld ms, 95 %% within %lld ms\n", (long long)percentile_ms(meter, 50),
                  (long long)percentile_ms(meter, 95));
}

static void put_member(struct buffer *out, const char *name, uint64_t value)
{
    buffer_printf(out, ",\"%s\":%llu", name, (unsigned long long)value);
}

/* Numbers and names of our own only, so nothing needs escaping. */
void stats_json(const struct tally *tally, const struct meter *meter, monotime now, struct buffer *out)
{
    buffer_printf(out, "{\"vins\":%llu", (unsigned long long)total(tally));
    for (int i = 0; i <= RECORD_CANCELLED; i++) {
        put_member(out, record_status_name((enum record_status)i), tally->by_status[i]);
    }
    put_member(out, "warnings", tally->warnings);
    put_member(out, "left_out", tally->left_out);
    put_member(out, "elapsed_ms", (uint64_t)(now - tally->started_at));
    put_member(out, "attempts", meter->attempt);
    put_member(out, "retries", meter->retry);
    put_member(out, "give_ups", meter->give_up);
    put_member(out, "cache_hits", meter->cache_hit);
    put_member(out, "negative_hits", meter->negative_hit);
    put_member(out, "joined", meter->joined);
    put_member(out, "unreadable", meter->bad_body);
    put_member(out, "status_429", meter->status_429);
    put_member(out, "status_403", meter->status_403);
    put_member(out, "status_503", meter->status_503);
    put_member(out, "gate_wait_ms", (uint64_t)meter->gate_wait_ms);
    put_member(out, "latency_p50_ms", (uint64_t)percentile_ms(meter, 50));
    put_member(out, "latency_p95_ms", (uint64_t)percentile_ms(meter, 95));
    buffer_puts(out, "}\n");
}
