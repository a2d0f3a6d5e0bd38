#include "tui/view_page.h"

#include "tui/words.h"

#include <stdio.h>
#include <string.h>

/* F4: what the engine counts. Latencies are operations only, never a claim about the service. */

static void add(struct page *page, const char *label, const char *text)
{
    enum { TEXT_COLUMN = 14 };
    page_entry(page, TEXT_COLUMN, label, text);
}

#define COUNT(value) ((unsigned long long)(value))

static void add_counts(const struct meter *meter, struct page *page)
{
    uint64_t answers = meter->cache_hit + meter->negative_hit + meter->joined + meter->flights_finished;
    uint64_t share = answers > 0 ? (meter->cache_hit + meter->negative_hit + meter->joined) * 100 / answers : 0;
    add(page, "calls",
        page_keep(page, "attempts %llu, successes %llu, retries %llu, give-ups %llu, probes %llu",
                  COUNT(meter->attempt), COUNT(meter->success), COUNT(meter->retry), COUNT(meter->give_up),
                  COUNT(meter->probe)));
    add(page, "saved",
        page_keep(page, "from the cache %llu, remembered failures %llu, joined %llu: %llu %% of all",
                  COUNT(meter->cache_hit), COUNT(meter->negative_hit), COUNT(meter->joined), COUNT(share)));
    add(page, "answers",
        page_keep(page, "2xx %llu, 4xx %llu (429 %llu, 403 %llu), 5xx %llu (503 %llu), none %llu, unreadable %llu",
                  COUNT(meter->statuses[2]), COUNT(meter->statuses[4]), COUNT(meter->status_429),
                  COUNT(meter->status_403), COUNT(meter->statuses[5]), COUNT(meter->status_503),
                  COUNT(meter->statuses[0]), COUNT(meter->bad_body)));
    add(page, "now",
        page_keep(page, "in flight %zu, waiting %zu, queued %zu", meter->in_flight, meter->waiting, meter->queued));
}

static void add_timeouts(const struct meter *meter, struct page *page)
{
    static const char *const labels[CALL_CLASS_COUNT] = {"time-out", "group calls"};
    for (int i = 0; i < CALL_CLASS_COUNT; i++) {
        const struct latency_suggestion *suggestion = &meter->timeout[i];
        const char *quantiles = suggestion->p50_ms >= 0
                                    ? page_keep(page, ", p50 %lld ms, p95 %lld ms", (long long)suggestion->p50_ms,
                                                (long long)suggestion->p95_ms)
                                    : "";
        add(page, labels[i],
            page_keep(page, "%lld ms, %s %zu sample%s%s", (long long)suggestion->timeout_ms,
                      suggestion->from_p95 ? "1.25 x p95 of" : "the default: only", meter->timeout_samples[i],
                      meter->timeout_samples[i] == 1 ? "" : "s", quantiles));
    }
}

/* "0:27  circuit breaker" */
static const char *wait_text(struct page *page, const struct app *app, const struct wait *wait, monotime now)
{
    char left[24], origin[128];
    if (!app_wait_shown(wait, now)) {
        return "";
    }
    words_countdown(wait->until - now, left, sizeof left);
    words_origin(wait, app->upstream, app->utc_offset_ms, origin, sizeof origin);
    return page_keep(page, " %s  %s", left, origin);
}

/* A closed gate and an open breaker are the same to whoever waits: so each says what may leave. */
static void add_doors(const struct app *app, monotime now, struct page *page)
{
    const char *breaker = "closed: calls may leave";
    if (app_breaker_open(app, now)) {
        breaker = page_keep(page, "open%s: nothing leaves", wait_text(page, app, &app->host.breaker_wait, now));
    } else if (app->host.breaker != BREAKER_CLOSED) {
        breaker = "half open: one test call may leave";
    }
    add(page, "gate",
        app_gate_closed(app, now)
            ? page_keep(page, "closed%s: nothing leaves", wait_text(page, app, &app->host.gate, now))
            : "open: calls may leave");
    add(page, "breaker", breaker);
}

/* The last calls as columns of eight heights; a time-out is a cross. */
static void add_chart(const struct meter *meter, struct page *page)
{
    static const char *const blocks[] = {"\xe2\x96\x81", "\xe2\x96\x82", "\xe2\x96\x83", "\xe2\x96\x84",
                                         "\xe2\x96\x85", "\xe2\x96\x86", "\xe2\x96\x87", "\xe2\x96\x88"};
    static const char *const signs[] = {"_", ".", ":", "-", "=", "+", "*", "#"};
    const char *const *heights = page->utf8 ? blocks : signs;
    int32_t most = 1;
    const char *chart = "";
    for (size_t i = 0; i < meter->latency_count; i++) {
        most = meter->latencies[i] > most ? meter->latencies[i] : most;
    }
    size_t room = page->columns > 16 ? (size_t)page->columns - 15 : 1;
    size_t first = meter->latency_count > room ? meter->latency_count - room : 0;
    for (size_t i = first; i < meter->latency_count; i++) {
        int32_t latency = meter->latencies[i];
        chart = page_keep(page, "%s%s", chart, latency < 0 ? "x" : heights[(int64_t)latency * 7 / most]);
    }
    if (meter->latency_count > 0) {
        add(page, "last calls", chart);
        add(page, "", page_keep(page, "the highest is %ld ms; x: time-out", (long)most));
    }
}

void view_meter(const struct app *app, monotime now, struct page *page)
{
    const struct meter *meter = &app->meter;
    (void)snprintf(page->title, sizeof page->title, "Meter");
    add_doors(app, now, page);
    if (!app->has_meter) {
        page_puts(page, 0, ROLE_LABEL, "The counters are being asked for");
        return;
    }
    if (meter->quota_announced) {
        add(page, "quota",
            page_keep(page, "%lld call%s left in the window that was announced", (long long)meter->quota_allowance,
                      meter->quota_allowance == 1 ? "" : "s"));
    } else {
        add(page, "quota", "none announced: our own courtesy rate holds");
    }
    add_timeouts(meter, page);
    add_counts(meter, page);
    add_chart(meter, page);
    if (app->host.alert) {
        page_puts(page, 0, ROLE_WARNING, "more than a fifth of the last 50 VINs were given up");
    }
}
