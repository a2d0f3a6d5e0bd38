#include "tui/app_model.h"

#include "core/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct app *app_new(const struct app_options *options)
{
    struct app *app = memory_get(sizeof *app);
    app->upstream = memory_string(options->host);
    app->demo = options->demo != NULL ? memory_string(options->demo) : NULL;
    app->this_year = options->this_year;
    app->model_year = options->model_year;
    app->gate_max_ms = options->gate_max_ms;
    app->deadline_ms = options->deadline_ms;
    app->utc_offset_ms = options->utc_offset_ms;
    app->scan_end_tab = options->scan_end_tab;
    app->mouse = options->mouse;
    app->rows = 24;
    app->columns = 80;
    line_editor_init(&app->field);
    app_field_changed(app);
    return app;
}

static void clear_effects(struct app *app)
{
    for (size_t i = 0; i < app->effect_count; i++) {
        free(app->effects[i].owned_text);
        if (app->effects[i].owned_event != NULL) {
            event_clear(app->effects[i].owned_event);
            free(app->effects[i].owned_event);
        }
    }
    app->effect_next = 0;
    app->effect_count = 0;
}

void app_free(struct app *app)
{
    if (app == NULL) {
        return;
    }
    results_clear(&app->results);
    list_clear(&app->list);
    app_close_prompt(app);
    line_editor_clear(&app->field);
    clear_effects(app);
    free(app->effects);
    free(app->draft);
    free(app->demo);
    free(app->upstream);
    free(app);
}

void app_effect(struct app *app, const struct effect *effect)
{
    if (app->effect_next == app->effect_count) {
        clear_effects(app);
    }
    if (app->effect_count == app->effect_capacity) {
        app->effect_capacity = app->effect_capacity == 0 ? 8 : app->effect_capacity * 2;
        app->effects = memory_resize(app->effects, app->effect_capacity * sizeof *app->effects);
    }
    struct owned_effect *owned = &app->effects[app->effect_count++];
    *owned = (struct owned_effect){.effect = *effect};
    if (effect->text != NULL) {
        owned->owned_text = memory_string(effect->text);
        owned->effect.text = owned->owned_text;
    }
    if (effect->event != NULL) {
        owned->owned_event = memory_copy(effect->event, sizeof *effect->event);
        owned->effect.event = owned->owned_event;
    }
}

bool app_next_effect(struct app *app, struct effect *out)
{
    if (app->effect_next == app->effect_count) {
        return false;
    }
    *out = app->effects[app->effect_next++].effect;
    return true;
}

const struct result *app_result(const struct app *app)
{
    if (!app->has_key) {
        return NULL;
    }
    for (size_t i = 0; i < app->results.count; i++) {
        if (vin_key_equal(&app->results.entries[i].key, &app->key)) {
            return &app->results.entries[i];
        }
    }
    return NULL;
}

const struct vehicle *app_vehicle(const struct app *app)
{
    const struct result *result = app_result(app);
    return result != NULL && result->answered ? result->answer.vehicle : NULL;
}

void app_cancel(struct app *app)
{
    if (app->open.ticket != 0) {
        app_effect(app, &(struct effect){.kind = EFFECT_CANCEL, .ticket = app->open.ticket});
        app->open.ticket = 0;
    }
}

static void read_field(struct app *app, bool original)
{
    struct vin_key before = app->key;
    bool had_key = app->has_key;
    app->entered = false;
    app->original = original;
    if (original) {
        scan_original(app->field.text, app->field.length, app->this_year, &app->scan);
    } else {
        scan_clean(app->field.text, app->field.length, app->this_year, &app->scan);
    }
    app->has_key = vin_verdict(&app->scan.check) != VIN_BLOCKED && !app->scan.year_bad;
    if (app->has_key) {
        app->key = scan_key(&app->scan, app->model_year);
    }
    if (app->has_key != had_key || (had_key && !vin_key_equal(&before, &app->key))) {
        app->card = (struct place){0};
    }
    if (!app->has_key || !vin_key_equal(&app->open.key, &app->key)) {
        app_cancel(app);
    }
}

void app_field_changed(struct app *app)
{
    read_field(app, false);
}

void app_field_original(struct app *app)
{
    read_field(app, true);
}

void app_submit(struct app *app, bool past_caches, monotime now)
{
    uint64_t ticket = ++app->last_ticket;
    app_cancel(app);
    results_ask(&app->results, &app->key);
    app->open = (struct open_ticket){.ticket = ticket, .key = app->key, .stage = STAGE_HANDED_OVER, .since = now};
    app_effect(app, &(struct effect){.kind = EFFECT_SUBMIT,
                                     .ticket = ticket,
                                     .submission = {.ticket = ticket,
                                                    .key = app->key,
                                                    .profile = PROFILE_INTERACTIVE,
                                                    .past_caches = past_caches,
                                                    .deadline = monotime_add(now, app->deadline_ms)}});
}

void app_set_text(struct app *app, const char *text, bool send, monotime now)
{
    line_editor_set(&app->field, text, strlen(text));
    app->walked = 0;
    app_field_changed(app);
    if (send && can_decode(app, now).word == STATE_READY) {
        app_submit(app, false, now);
    }
}

static void wait_may_have_ended(struct app *app, monotime until, monotime now)
{
    app->wait_ended = until <= now && until > app->wait_ended ? until : app->wait_ended;
}

/* The newest news about the host wins, in whatever order it comes and whatever becomes of its ticket. */
static void host_news(struct app *app, const struct host_state *host, monotime now)
{
    if (host->sequence <= app->host.sequence) {
        return;
    }
    wait_may_have_ended(app, app->host.gate.until, now);
    wait_may_have_ended(app, app->host.breaker_wait.until, now);
    if (host->gate.until != app->host.gate.until) {
        app->gate_since = now;
    }
    if (host->breaker_wait.until != app->host.breaker_wait.until) {
        app->breaker_since = now;
    }
    app->host = *host;
}

static void ticket_decoded(struct app *app, struct event *event, monotime now)
{
    struct result *result = results_find(&app->results, &app->open.key);
    app->open.ticket = 0;
    app->answered_before = true;
    app->failed_before = false;
    if (result == NULL) {
        return;
    }
    if (result->answered) {
        vehicle_free(result->answer.vehicle);
    }
    result->answer = event->as.decoded;
    result->shown_at = now;
    result->answered = true;
    result->failed = false;
    event->as.decoded.vehicle = NULL; /* it is the result's now */
}

static void ticket_failed(struct app *app, const struct event *event, monotime now)
{
    struct result *result = results_find(&app->results, &app->open.key);
    app->open.ticket = 0;
    if (event->as.failed.code == CODE_CANCELLED) {
        return;
    }
    app->failed_before = true;
    if (result != NULL) {
        result->failure = event->as.failed;
        result->failed = true;
        result->failed_at = now;
    }
}

/* An event of the open ticket. */
static void ticket_event(struct app *app, struct event *event, monotime now)
{
    switch (event->kind) {
    case EVENT_CALLING:
        if (app->open.stage == STAGE_WAITING) {
            wait_may_have_ended(app, app->open.waiting.wait.until, now);
        }
        app->open.stage = STAGE_CALLING;
        app->open.since = now;
        app->open.calling = event->as.calling;
        break;
    case EVENT_WAITING:
        app->open.stage = STAGE_WAITING;
        app->open.since = now;
        app->open.waiting = event->as.waiting;
        break;
    case EVENT_DECODED:
        ticket_decoded(app, event, now);
        break;
    case EVENT_FAILED:
        ticket_failed(app, event, now);
        break;
    case EVENT_HOST:
    case EVENT_DECISION:
        break;
    }
}

void app_event(struct app *app, struct event *event, monotime now)
{
    if (event->kind == EVENT_HOST) {
        host_news(app, &event->as.host, now);
    } else if (event->ticket != 0 && app_list_event(app, event)) {
        /* It was of the list. */
    } else if (event->ticket != 0 && event->ticket == app->open.ticket && vin_key_equal(&event->key, &app->open.key)) {
        ticket_event(app, event, now);
    }
    event_clear(event);
    if (app_on_top(app, OVERLAY_METER)) {
        app_effect(app, &(struct effect){.kind = EFFECT_ASK_METER});
    }
}

bool app_card(const struct app *app, const char **text, size_t *length, struct event *borrowed)
{
    const struct result *result = app_result(app);
    *text = app->field.text;
    *length = app->field.length;
    if (result == NULL || (!result->answered && !result->failed)) {
        return false;
    }
    *borrowed = (struct event){.kind = result->answered ? EVENT_DECODED : EVENT_FAILED, .key = result->key};
    if (result->answered) {
        borrowed->as.decoded = result->answer;
    } else {
        borrowed->as.failed = result->failure;
    }
    return true;
}

void app_scenario(struct app *app, const char *name)
{
    free(app->demo);
    app->demo = memory_string(name);
}

void app_key_text(const struct app *app, const struct vin_key *key, char *out, size_t size)
{
    if (key->year != app->model_year && key->year != 0) {
        (void)snprintf(out, size, "%s,%d", key->vin, key->year);
    } else {
        (void)snprintf(out, size, "%s", key->vin);
    }
}

void app_meter(struct app *app, const struct meter *meter, monotime now)
{
    app->meter = *meter;
    app->has_meter = true;
    host_news(app, &meter->host, now);
}

void app_size(struct app *app, int rows, int columns)
{
    app->rows = rows < 1 ? 1 : rows;
    app->columns = columns < 1 ? 1 : columns;
}
