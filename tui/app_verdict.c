#include "tui/app_model.h"

const char *state_word_name(enum state_word word)
{
    static const char *const names[] = {
        [STATE_DECODING] = "Decoding",   [STATE_WAITING] = "Waiting", [STATE_TYPE] = "Type",
        [STATE_THROTTLED] = "Throttled", [STATE_PAUSED] = "Paused",   [STATE_RESTING] = "Resting",
        [STATE_DECODED] = "Decoded",     [STATE_FAILED] = "Failed",   [STATE_CHECK] = "Check",
        [STATE_READY] = "Ready"};
    return names[word];
}

bool app_gate_closed(const struct app *app, monotime now)
{
    return app->host.gate.until > now;
}

bool app_breaker_open(const struct app *app, monotime now)
{
    return app->host.breaker == BREAKER_OPEN && app->host.breaker_wait.until > now;
}

bool app_wait_shown(const struct wait *wait, monotime now)
{
    return wait->until > now && wait->until != MONOTIME_NEVER;
}

static struct standing standing(enum state_word word, bool action_on, const struct wait *off, monotime since)
{
    return (struct standing){
        .verdict = {.word = word, .action_on = action_on, .off = off != NULL ? *off : (struct wait){0}},
        .since = since};
}

/* Whether this VIN was given up a moment ago and is not tried again yet. */
static bool is_resting(const struct result *result, monotime now)
{
    return result != NULL && result->failed && result->failure.resting && result->failure.again.until > now;
}

/* screen.md, "Words that never change": the first row that fits wins. */
struct standing app_standing(const struct app *app, monotime now)
{
    const struct result *result = app_result(app);
    bool gate = app_gate_closed(app, now);
    bool breaker = app_breaker_open(app, now);
    if (app->open.ticket != 0 && app->open.stage != STAGE_WAITING) {
        return standing(STATE_DECODING, false, NULL, 0);
    }
    if (app->open.ticket != 0) {
        return standing(STATE_WAITING, false, &app->open.waiting.wait, app->open.since);
    }
    if (!app->has_key && gate) {
        return standing(STATE_TYPE, false, &app->host.gate, app->gate_since);
    }
    if (!app->has_key) {
        return standing(STATE_TYPE, false, breaker ? &app->host.breaker_wait : NULL, app->breaker_since);
    }
    if (gate) {
        return standing(STATE_THROTTLED, false, &app->host.gate, app->gate_since);
    }
    if (breaker) {
        return standing(STATE_PAUSED, false, &app->host.breaker_wait, app->breaker_since);
    }
    if (is_resting(result, now)) {
        return standing(STATE_RESTING, false, &result->failure.again, result->failed_at);
    }
    if (result != NULL && result->answered) {
        return standing(STATE_DECODED, false, NULL, 0);
    }
    if (result != NULL && result->failed) {
        return standing(STATE_FAILED, true, NULL, 0);
    }
    if (vin_verdict(&app->scan.check) == VIN_ASK) {
        return standing(STATE_CHECK, true, NULL, 0);
    }
    return standing(STATE_READY, true, NULL, 0);
}

struct verdict can_decode(const struct app *app, monotime now)
{
    return app_standing(app, now).verdict;
}

static void later(monotime *end, monotime at, monotime now)
{
    if (at > *end && at <= now) {
        *end = at;
    }
}

/* What came after the end is the news then. */
bool app_wait_over(const struct app *app, monotime now)
{
    struct verdict verdict = can_decode(app, now);
    const struct result *result = app_result(app);
    monotime end = app->wait_ended;
    later(&end, app->host.gate.until, now);
    later(&end, app->host.breaker_wait.until, now);
    later(&end, verdict.off.until, now);
    if (result != NULL && result->failed && result->failure.resting) {
        later(&end, result->failure.again.until, now);
    }
    bool answered = result != NULL && result->answered && result->shown_at >= end;
    bool failed = result != NULL && result->failed && result->failed_at >= end;
    return end > app->key_at && verdict.off.until <= now && !answered && !failed;
}

static void sooner(monotime *next, monotime at, monotime now)
{
    if (at > now && at < *next) {
        *next = at;
    }
}

/* A countdown shows whole seconds, rounded up: it changes when a whole number of them is left. */
static void countdown_edge(monotime *next, const struct wait *wait, monotime now)
{
    if (app_wait_shown(wait, now)) {
        sooner(next, wait->until - (wait->until - now - 1) / 1000 * 1000, now);
    }
}

/* Elapsed time shows whole seconds, rounded down. */
static void elapsed_edge(monotime *next, monotime since, monotime now)
{
    int64_t elapsed = now > since ? now - since : 0;
    sooner(next, monotime_add(since, (elapsed / 1000 + 1) * 1000), now);
}

static void overlay_edges(const struct app *app, monotime *next, monotime now)
{
    struct wait wait;
    if (app_on_top(app, OVERLAY_METER)) {
        countdown_edge(next, &app->host.breaker_wait, now);
    }
    if (app_on_top(app, OVERLAY_LIST) && list_wait(&app->list, &wait)) {
        countdown_edge(next, &wait, now);
    }
}

monotime app_next_change(const struct app *app, monotime now)
{
    monotime next = MONOTIME_NEVER;
    struct verdict verdict = can_decode(app, now);
    const struct result *result = app_result(app);
    if (verdict.word == STATE_DECODING && app->open.stage == STAGE_CALLING) {
        elapsed_edge(&next, app->open.calling.started_at, now);
    }
    countdown_edge(&next, &verdict.off, now);
    countdown_edge(&next, &app->host.gate, now);
    if (result != NULL && result->failed) {
        countdown_edge(&next, &result->failure.again, now);
    }
    overlay_edges(app, &next, now);
    return next;
}
