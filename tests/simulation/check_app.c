#include "simulation/record.h"

#include "tui/app_model.h"

#include <stdlib.h>
#include <string.h>

/* The model: its verdict agrees with what it was told, it asks for nothing that the verdict forbids, and what is drawn
 * belongs to what stands in the field. */

void app_asks(struct record *record, const struct effect *effect)
{
    monotime now = *record->now;
    struct app_record *app = &record->app;
    if (effect->kind == EFFECT_CANCEL && effect->ticket == app->ticket) {
        app->ticket = 0;
    }
    if (effect->kind != EFFECT_SUBMIT || effect->submission.profile == PROFILE_LIST) {
        return; /* a list may wait for the gate */
    }
    const struct host_state *host = &app->host;
    bool paused = host->breaker == BREAKER_OPEN && host->breaker_wait.until > now;
    record_expect(record, host->gate.until <= now && !paused, "Enter sends nothing under a closed gate or breaker",
                  "ticket %llu", (unsigned long long)effect->submission.ticket);
    record_expect(record, app->ticket == 0, "one ticket is open on the screen", "ticket %llu beside %llu",
                  (unsigned long long)effect->submission.ticket, (unsigned long long)app->ticket);
    app->ticket = effect->submission.ticket;
    app->key = record_key(record, &effect->submission.key);
    app->waiting = false;
    record->keys[app->key].app_known = true;
    bool rests = record->keys[app->key].app_rests_until > now;
    record_expect(record, !rests || effect->submission.past_caches, "Enter sends nothing for a VIN that rests",
                  "ticket %llu", (unsigned long long)app->ticket);
}

static void ticket_hears(struct record *record, const struct event *event)
{
    struct app_record *app = &record->app;
    struct key_record *key = &record->keys[app->key];
    switch (event->kind) {
    case EVENT_CALLING:
        app->waiting = false;
        break;
    case EVENT_WAITING:
        app->waiting = true;
        app->wait = event->as.waiting.wait;
        break;
    case EVENT_DECODED:
        app->ticket = 0;
        key->app_answered = true;
        key->app_failed = false;
        key->app_rests_until = 0;
        key->app_serial = record_serial(event->as.decoded.vehicle);
        break;
    case EVENT_FAILED:
        app->ticket = 0;
        key->app_failed = true;
        key->app_rests_until = event->as.failed.resting ? event->as.failed.again.until : 0;
        break;
    case EVENT_HOST:
    case EVENT_DECISION:
        break;
    }
}

void app_hears(struct record *record, const struct event *event)
{
    if (event->kind == EVENT_HOST) {
        if (event->as.host.sequence > record->app.host.sequence) {
            record->app.host = event->as.host;
        }
    } else if (event->ticket != 0 && event->ticket == record->app.ticket) {
        ticket_hears(record, event);
    }
}

void app_hears_meter(struct record *record, const struct meter *meter)
{
    if (meter->host.sequence > record->app.host.sequence) {
        record->app.host = meter->host;
    }
}

/* What an entry of the list was answered with, for a VIN in the field of which nothing else is known. */
void app_recalls(struct record *record, const struct app *app, const struct event *event)
{
    struct key_record *key = &record->keys[record_key(record, &event->key)];
    if (!app->has_key || !vin_key_equal(&app->key, &event->key) || key->app_known) {
        return;
    }
    key->app_known = true;
    if (event->kind == EVENT_DECODED) {
        key->app_answered = true;
        key->app_serial = record_serial(event->as.decoded.vehicle);
    } else {
        key->app_failed = true;
        key->app_rests_until = event->as.failed.resting ? event->as.failed.again.until : 0;
    }
}

/* screen.md's table, from our own record. */
static enum state_word expected_word(const struct record *record, const struct app *app, const struct wait **off)
{
    monotime now = *record->now;
    const struct host_state *host = &record->app.host;
    const struct key_record *key = app->has_key ? record_find(record, &app->key) : NULL;
    *off = NULL;
    if (record->app.ticket != 0) {
        *off = record->app.waiting ? &record->app.wait : NULL;
        return record->app.waiting ? STATE_WAITING : STATE_DECODING;
    }
    bool gate = host->gate.until > now;
    bool paused = host->breaker == BREAKER_OPEN && host->breaker_wait.until > now;
    *off = gate ? &host->gate : paused ? &host->breaker_wait : NULL;
    if (!app->has_key) {
        return STATE_TYPE;
    }
    if (gate || paused) {
        return gate ? STATE_THROTTLED : STATE_PAUSED;
    }
    if (key != NULL && key->app_rests_until > now) {
        return STATE_RESTING;
    }
    if (key != NULL && key->app_answered) {
        return STATE_DECODED;
    }
    if (key != NULL && key->app_failed) {
        return STATE_FAILED;
    }
    return vin_verdict(&app->scan.check) == VIN_ASK ? STATE_CHECK : STATE_READY;
}

void app_settled(struct record *record, const struct app *app)
{
    monotime now = *record->now;
    struct verdict verdict = can_decode(app, now);
    const struct wait *off;
    enum state_word wanted = expected_word(record, app, &off);
    record_expect(record, verdict.word == wanted, "the verdict agrees with what was told", "it says %s, not %s",
                  state_word_name(verdict.word), state_word_name(wanted));
    record_expect(record, off == NULL || verdict.off.until == off->until, "one clock: the countdown is the wait told",
                  "it ends at %lld, the wait at %lld", (long long)verdict.off.until,
                  (long long)(off != NULL ? off->until : 0));
    bool on = wanted == STATE_READY || wanted == STATE_CHECK || wanted == STATE_FAILED;
    record_expect(record, verdict.action_on == on, "the action is on exactly when it may be", "under %s",
                  state_word_name(wanted));
    record_expect(record, app_next_change(app, now) > now, "the next change lies ahead", "it is %lld",
                  (long long)app_next_change(app, now));
    bool other =
        record->app.ticket != 0 && (!app->has_key || !vin_key_equal(&record->keys[record->app.key].key, &app->key));
    record_expect(record, !other, "the open ticket is for what stands in the field", "ticket %llu",
                  (unsigned long long)record->app.ticket);
    const struct vehicle *vehicle = app_vehicle(app);
    record_expect(record, vehicle == NULL || strcmp(vehicle_vin(vehicle), app->key.vin) == 0,
                  "no card whose VIN is not the input's", "%s for %s", vehicle != NULL ? vehicle_vin(vehicle) : "",
                  app->key.vin);
}

void app_rests(struct record *record, const struct app *app)
{
    record_expect(record, app->open.ticket == 0 && app->list.out_count == 0,
                  "the app knows that every ticket has ended", "%zu of the list are out", app->list.out_count);
    bool all = app->list.stopped || app->list.counts[LIST_TODO] == 0;
    record_expect(record, all, "a list that runs leaves nothing undone", "%zu of %zu", app->list.counts[LIST_TODO],
                  app->list.count);
}

/* The first line of `text` that begins with `word`, behind it; NULL: none. */
static const char *behind(const char *text, const char *word)
{
    size_t length = strlen(word);
    const char *line = text;
    while (line != NULL && strncmp(line, word, length) != 0) {
        line = strchr(line, '\n');
        line = line != NULL ? line + 1 : NULL;
    }
    return line != NULL ? line + length : NULL;
}

static size_t run_of(const char *text)
{
    return strcspn(text, " ,\n");
}

/* Everything on the screen that names an answer names that of the VIN in the field. */
static void check_serials(struct record *record, const struct app *app, const char *text)
{
    static const char mark[] = "SERIAL-";
    const char *found = strstr(text, mark);
    if (found == NULL) {
        return;
    }
    record_expect(record, app->has_key, "no vehicle without a VIN in the field", "%.20s", found);
    const struct key_record *key = record_find(record, &app->key);
    uint64_t own = key != NULL ? key->app_serial : 0;
    for (; found != NULL && app->has_key; found = strstr(found + 1, mark)) {
        uint64_t serial = strtoull(found + sizeof mark - 1, NULL, 10);
        record_expect(record, serial == own, "no vehicle that is not the input's",
                      "SERIAL-%llu for %s, whose own is %llu", (unsigned long long)serial, app->key.vin,
                      (unsigned long long)own);
    }
}

void app_drawn(struct record *record, const struct app *app, const char *text, int columns)
{
    enum { ALL_FITS = 80 };
    const char *input = behind(text, "VIN ");
    if (app->overlay_count > 0 || input == NULL) {
        return;
    }
    const char *card = behind(text, "Vehicle ");
    size_t length = run_of(input);
    if (card != NULL) {
        bool same = run_of(card) == length && strncmp(card, input, length) == 0;
        record_expect(record, same, "no card whose VIN is not the input's", "Vehicle %.17s for %.*s", card, (int)length,
                      input);
    }
    if (columns >= ALL_FITS) {
        const char *word = state_word_name(can_decode(app, *record->now).word);
        const struct wait *off;
        record_expect(record, expected_word(record, app, &off) != STATE_DECODED || card != NULL,
                      "a decoded VIN has its card", "%.17s", input);
        record_expect(record, behind(text, word) != NULL, "the status line begins with the state word", "%s", word);
        check_serials(record, app, text);
    }
}
