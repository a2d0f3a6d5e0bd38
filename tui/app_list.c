#include "tui/app_model.h"

#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/vin/clean.h"
#include "core/vpic/notes.h"
#include "tui/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The list of F3: its tickets are open beside the field's, and as many at once as fill the group calls. */

static void feed(struct app *app)
{
    struct list *list = &app->list;
    size_t index;
    while (!list->stopped && list->out_count < LIST_OUT_MAX && (index = list_todo(list)) != SIZE_MAX) {
        uint64_t ticket = ++app->last_ticket;
        list_sent(list, index, ticket);
        app_effect(app,
                   &(struct effect){
                       .kind = EFFECT_SUBMIT,
                       .ticket = ticket,
                       .submission = {.ticket = ticket, .key = list->entries[index].key, .profile = PROFILE_LIST}});
    }
}

void app_list_begin(struct app *app, const char *name)
{
    struct list *list = &app->list;
    free(list->name);
    list->name = memory_string(name);
    list->reading = true;
    app_close_prompt(app);
    app_open_overlay(app, OVERLAY_LIST);
}

void app_list_line(struct app *app, const char *text, size_t length)
{
    if (list_add(&app->list, text, length, app->this_year, app->model_year)) {
        feed(app);
    }
}

void app_list_end(struct app *app, const char *wrong)
{
    struct list *list = &app->list;
    char said[SAID_MAX] = "";
    list->reading = false;
    if (wrong != NULL) {
        (void)snprintf(said, sizeof said, "%s: %s%s", list->name, wrong,
                       list->count > 0 ? "; what was read before that is in the list" : "");
    } else if (list->count == 0) {
        (void)snprintf(said, sizeof said, "%s holds no VIN", list->name);
    } else if (list->left_out > 0) {
        (void)snprintf(
            said, sizeof said,
            "The list holds %d VINs, %zu more lines are left out; vindecode -f FILE -o RESULTS takes any number",
            LIST_MAX, list->left_out);
    }
    if (list->count == 0) {
        list_clear(list);
    }
    if (said[0] != '\0') {
        app_say(app, said);
    }
}

size_t app_list_count(const struct app *app)
{
    return app->list.count;
}

const char *app_list_input(const struct app *app, size_t index, bool *ended)
{
    const struct list_entry *entry = &app->list.entries[index];
    *ended = entry->state == LIST_REFUSED || entry->state >= LIST_DECODED;
    return list_input(entry);
}

void app_saved(struct app *app)
{
    app->list_unsaved = false;
}

/* Year, make and model, and nothing of them that is not there. */
static void say_headline(const struct vehicle *vehicle, char *out, size_t size)
{
    static const char *const names[] = {"ModelYear", "Make", "Model"};
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof names[0] && used + 1 < size; i++) {
        const char *value = vehicle_value(vehicle, names[i]);
        size_t length = strlen(value);
        value = text_trim(value, &length);
        if (length > 0) {
            int put = snprintf(out + used, size - used, "%s%.*s", used > 0 ? " " : "", (int)length, value);
            used += put > 0 ? (size_t)put : 0;
        }
    }
}

/* The rest is not asked for, and can be with x. */
static void turned_away(struct app *app, const struct event_failed *failed)
{
    char said[SAID_MAX];
    if (!app->list.stopped) {
        words_turned_away(failed, app->upstream, said, sizeof said);
        app_list_stop(app);
        app_say(app, said);
    }
}

static void ended(struct app *app, struct list_ticket *ticket, struct event *event)
{
    char headline[96];
    size_t index = ticket->index;
    if (event->kind == EVENT_DECODED) {
        const struct vehicle *vehicle = event->as.decoded.vehicle;
        say_headline(vehicle, headline, sizeof headline);
        list_ended(&app->list, ticket, CODE_NONE, notes_severity(vehicle), headline);
    } else {
        list_ended(&app->list, ticket, event->as.failed.code, SEVERITY_PROBLEM, NULL);
        if (list_is_turned_away(&event->as.failed)) {
            turned_away(app, &event->as.failed);
        }
    }
    app->list_unsaved = true;
    app->answered_before = app->answered_before || event->kind == EVENT_DECODED;
    app->failed_before = event->kind == EVENT_FAILED;
    app_effect(app, &(struct effect){.kind = EFFECT_KEEP, .index = index, .event = event});
    event->kind = EVENT_HOST; /* what it owned is the effect's now */
    feed(app);
}

bool app_list_asks_again(struct app *app, const struct event *event)
{
    const struct list_ticket *ticket = list_find(&app->list, event->ticket);
    return ticket != NULL && event->kind == EVENT_FAILED && !app->list.entries[ticket->index].second_turn &&
           list_wants_second_turn(&event->as.failed, app->gate_max_ms);
}

bool app_list_event(struct app *app, struct event *event)
{
    struct list_ticket *ticket = list_find(&app->list, event->ticket);
    if (ticket == NULL) {
        return false;
    }
    switch (event->kind) {
    case EVENT_CALLING:
        ticket->stage = STAGE_CALLING;
        break;
    case EVENT_WAITING:
        ticket->stage = STAGE_WAITING;
        ticket->wait = event->as.waiting.wait;
        break;
    case EVENT_FAILED:
        if (app_list_asks_again(app, event)) {
            list_second_turn(&app->list, ticket);
            feed(app);
        } else {
            ended(app, ticket, event);
        }
        break;
    case EVENT_DECODED:
        ended(app, ticket, event);
        break;
    default:
        break;
    }
    return true;
}

void app_list_stop(struct app *app)
{
    struct list *list = &app->list;
    for (size_t i = 0; i < list->out_count; i++) {
        app_effect(app, &(struct effect){.kind = EFFECT_CANCEL, .ticket = list->out[i].ticket, .list = true});
    }
    list_stop(list);
}

static void forget(struct app *app)
{
    app_list_stop(app);
    list_clear(&app->list);
    app->list_unsaved = false;
    *app_place(app) = (struct place){0};
    app_effect(app, &(struct effect){.kind = EFFECT_FORGET});
}

void app_list_run(struct app *app, enum command command, enum notice before)
{
    struct list *list = &app->list;
    if (command == COMMAND_LIST_RUN && !list->stopped) {
        app_list_stop(app);
    } else if (command == COMMAND_LIST_CLEAR) {
        if (app->list_unsaved && before != NOTICE_FORGET) {
            app->notice = NOTICE_FORGET;
        } else {
            forget(app);
        }
    } else {
        if (command == COMMAND_LIST_RETRY) {
            list_retry(list);
        }
        list->stopped = false;
        feed(app);
    }
}

/* What came back is the answer for this VIN as it was known then; its ticket ended long ago. */
void app_recalled(struct app *app, size_t index, struct event *event)
{
    const struct list_entry *entry = &app->list.entries[index];
    if (app->has_key && vin_key_equal(&entry->key, &app->key) && app_result(app) == NULL) {
        struct result *result = results_ask(&app->results, &app->key);
        if (event->kind == EVENT_DECODED) {
            result->answer = event->as.decoded;
            result->answered = true;
            result->shown_at = event->at;
            event->kind = EVENT_HOST;
        } else if (event->kind == EVENT_FAILED) {
            result->failure = event->as.failed;
            result->failed = true;
            result->failed_at = event->at;
        }
    }
    event_clear(event);
}

/* A paste that is a list */

static size_t line_length(const char *bytes, size_t length)
{
    size_t at = 0;
    while (at < length && bytes[at] != '\n' && bytes[at] != '\r') {
        at++;
    }
    return at;
}

static bool is_vin_line(const struct app *app, const char *bytes, size_t length)
{
    struct scan scan;
    scan_clean(bytes, length, app->this_year, &scan);
    return scan.check.length == VIN_LENGTH && vin_verdict(&scan.check) != VIN_BLOCKED;
}

/* The next piece of a line that holds more than one VIN: between blanks, semicolons or bars. */
static size_t piece_length(const char *bytes, size_t length)
{
    size_t at = 0;
    while (at < length && !text_is_blank(bytes[at]) && bytes[at] != ';' && bytes[at] != '|') {
        at++;
    }
    return at;
}

static size_t pieces_with_vins(const struct app *app, const char *bytes, size_t length)
{
    size_t count = 0;
    for (size_t at = 0; at < length; at++) {
        size_t piece = piece_length(bytes + at, length - at);
        count += piece >= VIN_LENGTH && is_vin_line(app, bytes + at, piece);
        at += piece;
    }
    return count;
}

/* How many VINs a line holds: one as a whole, or some between blanks. */
static size_t count_vins(const struct app *app, const char *bytes, size_t length)
{
    return is_vin_line(app, bytes, length) ? 1 : pieces_with_vins(app, bytes, length);
}

static void add_line(struct app *app, const char *bytes, size_t length)
{
    if (is_vin_line(app, bytes, length) || pieces_with_vins(app, bytes, length) == 0) {
        bytes = text_trim(bytes, &length);
        if (length > 0) {
            (void)list_add(&app->list, bytes, length, app->this_year, app->model_year);
        }
        return;
    }
    for (size_t at = 0; at < length; at++) {
        size_t piece = piece_length(bytes + at, length - at);
        if (piece > 0) {
            (void)list_add(&app->list, bytes + at, piece, app->this_year, app->model_year);
        }
        at += piece;
    }
}

/* A paste never sends: the list that it makes waits for a key. */
bool app_list_paste(struct app *app, const char *bytes, size_t length)
{
    size_t found = 0, added = app->list.count;
    for (size_t at = 0; at < length && found < 2; at++) {
        size_t line = line_length(bytes + at, length - at);
        found += count_vins(app, bytes + at, line);
        at += line;
    }
    if (found < 2) {
        return false;
    }
    bool runs = app->list.out_count > 0;
    app_list_begin(app, "what was pasted");
    for (size_t at = 0; at < length; at++) {
        size_t line = line_length(bytes + at, length - at);
        add_line(app, bytes + at, line);
        at += line;
    }
    added = app->list.count - added;
    app->list.stopped = !runs;
    app->list.reading = false;
    char said[SAID_MAX];
    (void)snprintf(said, sizeof said, runs ? "%zu lines join the list" : "%zu lines are in the list; x asks for them",
                   added);
    app_say(app, said);
    if (app->list.left_out > 0) {
        app_list_end(app, NULL);
    }
    if (runs) {
        feed(app);
    }
    return true;
}
