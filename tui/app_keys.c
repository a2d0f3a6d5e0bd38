#include "tui/app_model.h"
#include "tui/view_page.h"

#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/vin/clean.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

const struct overlay *app_overlay(const struct app *app)
{
    return app->overlay_count > 0 ? &app->overlays[app->overlay_count - 1] : NULL;
}

bool app_in_field(const struct app *app)
{
    return !app->in_card && app->overlay_count == 0;
}

static bool has_list(const struct overlay *top)
{
    return top != NULL && (top->kind == OVERLAY_HISTORY || top->kind == OVERLAY_CHOOSE);
}

/* The VIN of a history entry as text for the field: with its year where the year is not the one that is sent anyway. */
static void key_text(const struct app *app, const struct vin_key *key, char *out, size_t size)
{
    if (key->year != app->model_year && key->year != 0) {
        (void)snprintf(out, size, "%s,%d", key->vin, key->year);
    } else {
        (void)snprintf(out, size, "%s", key->vin);
    }
}

static size_t list_length(const struct app *app, const struct overlay *top)
{
    struct choice choices[CHOICES_MAX];
    return top->kind == OVERLAY_HISTORY ? app->results.count : app_choices(app, choices);
}

static size_t page_rows(const struct app *app, monotime now)
{
    struct layout layout = view_layout(app, app->rows, app->columns, true, now, 0);
    return layout.page_rows > 0 ? (size_t)layout.page_rows : 1;
}

/* Where F5 skips both caches; under Ready and Check it is an Enter. Nothing skips the gate or the breaker. */
static bool asks_again(enum state_word word)
{
    return word == STATE_DECODED || word == STATE_FAILED || word == STATE_RESTING;
}

bool app_can(const struct app *app, enum command command, monotime now)
{
    const struct overlay *top = app_overlay(app);
    struct choice choices[CHOICES_MAX];
    switch (command) {
    case COMMAND_DECODE:
        return can_decode(app, now).action_on;
    case COMMAND_AGAIN:
        return asks_again(can_decode(app, now).word);
    case COMMAND_ESCAPE:
        return top != NULL || app->open.ticket != 0;
    case COMMAND_UNDO:
        return line_editor_can_undo(&app->field);
    case COMMAND_TAKE:
        return has_list(top) && list_length(app, top) > 0;
    case COMMAND_HISTORY:
        return app->results.count > 0;
    case COMMAND_EMPTY_FIELDS:
        return top == NULL && app_vehicle(app) != NULL;
    case COMMAND_CHOOSE:
        return (top == NULL || top->kind != OVERLAY_CHOOSE) && app_choices(app, choices) > 0;
    case COMMAND_LINE_UP:
    case COMMAND_LINE_DOWN:
    case COMMAND_PAGE_UP:
    case COMMAND_PAGE_DOWN:
    case COMMAND_TOP:
    case COMMAND_BOTTOM:
        return view_page_lines(app, now) > page_rows(app, now) || (has_list(top) && list_length(app, top) > 1);
    default:
        return true;
    }
}

/* Enter and F5: sends, or leaves behind why not. */
static void decode(struct app *app, bool past_caches, enum notice before, monotime now)
{
    struct verdict verdict = can_decode(app, now);
    if (app->scan.check.length == 0 && !app->scan.year_bad) {
        return; /* scanners send an Enter first, and a hand rests on the key */
    }
    if (!verdict.action_on && !(past_caches && asks_again(verdict.word))) {
        app->notice = NOTICE_REFUSED;
    } else if (verdict.word == STATE_CHECK && before != NOTICE_ASKED) {
        app->notice = NOTICE_ASKED;
    } else {
        app_submit(app, past_caches, now);
    }
}

static void open_overlay(struct app *app, enum overlay_kind kind)
{
    size_t kept = 0;
    for (size_t i = 0; i < app->overlay_count; i++) {
        if (app->overlays[i].kind != kind) {
            app->overlays[kept++] = app->overlays[i];
        }
    }
    app->overlays[kept] = (struct overlay){.kind = kind};
    app->overlay_count = kept + 1;
    if (kind == OVERLAY_METER) {
        app_effect(app, &(struct effect){.kind = EFFECT_ASK_METER});
    }
}

/* The same key opens and closes. */
static void toggle_overlay(struct app *app, enum overlay_kind kind)
{
    const struct overlay *top = app_overlay(app);
    if (top != NULL && top->kind == kind) {
        app->overlay_count--;
    } else {
        open_overlay(app, kind);
    }
}

static void leave(struct app *app, int status)
{
    app_effect(app, &(struct effect){.kind = EFFECT_LEAVE, .status = status});
}

static void interrupt(struct app *app)
{
    if (app->overlay_count == 0 && app->open.ticket == 0) {
        leave(app, 130);
        return;
    }
    app->overlay_count = 0;
    if (app->open.ticket != 0) {
        app_cancel(app);
        app->notice = NOTICE_CANCELLED;
    }
}

static void escape(struct app *app)
{
    if (app->overlay_count > 0) {
        app->overlay_count--;
    } else if (app->open.ticket != 0) {
        app_cancel(app);
        app->notice = NOTICE_CANCELLED;
    }
}

static void replace_field(struct app *app, const char *text)
{
    line_editor_set(&app->field, text, strlen(text));
    app_field_changed(app);
}

/* Up and Down walk through the session's VINs; what stood in the field before lies at the near end. */
static void walk(struct app *app, bool older)
{
    size_t step = app->walked;
    const struct result *result = NULL;
    do {
        if (!older && step == 0) {
            return;
        }
        step = older ? step + 1 : step - 1;
        result = step > 0 ? results_newest(&app->results, step - 1) : NULL;
    } while (result != NULL && app->has_key && vin_key_equal(&result->key, &app->key));
    if (step > 0 && result == NULL) {
        return;
    }
    if (app->walked == 0) {
        free(app->draft);
        app->draft = memory_string(app->field.text);
    }
    char text[VIN_LENGTH + 16];
    if (result != NULL) {
        key_text(app, &result->key, text, sizeof text);
    }
    replace_field(app, result != NULL ? text : app->draft);
    app->walked = step;
}

/* Puts the chosen line of a list into the field. */
static void take(struct app *app)
{
    const struct overlay *top = app_overlay(app);
    char text[VIN_LENGTH + 16] = "";
    if (top == NULL) {
        return;
    }
    if (top->kind == OVERLAY_HISTORY) {
        const struct result *result = results_newest(&app->results, top->selected);
        if (result != NULL) {
            key_text(app, &result->key, text, sizeof text);
        }
    } else if (top->kind == OVERLAY_CHOOSE) {
        struct choice choices[CHOICES_MAX];
        size_t count = app_choices(app, choices);
        if (top->selected < count) {
            (void)snprintf(text, sizeof text, "%s", choices[top->selected].vin);
        }
    }
    if (text[0] != '\0') {
        app->overlay_count = 0;
        app->in_card = false;
        app->walked = 0;
        replace_field(app, text);
    }
}

static size_t moved(size_t at, enum command command, size_t page, size_t last)
{
    size_t far = page > 1 ? page - 1 : 1; /* a line of the page before stays in sight */
    switch (command) {
    case COMMAND_LINE_UP:
        return at > 0 ? at - 1 : 0;
    case COMMAND_LINE_DOWN:
        return at < last ? at + 1 : last;
    case COMMAND_PAGE_UP:
        return at > far ? at - far : 0;
    case COMMAND_PAGE_DOWN:
        return last - (at < last ? at : last) > far ? at + far : last;
    case COMMAND_TOP:
        return 0;
    default:
        return last;
    }
}

static void scroll(struct app *app, enum command command, monotime now)
{
    size_t page = page_rows(app, now), lines = view_page_lines(app, now);
    struct overlay *top = app->overlay_count > 0 ? &app->overlays[app->overlay_count - 1] : NULL;
    if (has_list(top)) {
        size_t count = list_length(app, top);
        top->selected = moved(top->selected, command, page, count > 0 ? count - 1 : 0);
        if (top->selected < top->scroll) {
            top->scroll = top->selected;
        } else if (top->selected >= top->scroll + page) {
            top->scroll = top->selected - page + 1;
        }
        return;
    }
    size_t *at = top != NULL ? &top->scroll : &app->card_scroll;
    *at = moved(*at, command, page, lines > page ? lines - page : 0);
}

/* Separators are in what was typed but not in what is shown: a key that moves over or deletes one goes on to the next
 * character that is seen. */
static bool is_separator(const struct line_editor *field, size_t from, size_t to)
{
    uint32_t character;
    return to > from && text_character(field->text + from, to - from, &character) == to - from &&
           clean_kind(character) >= CLEAN_BLANK;
}

static bool do_seen(struct line_editor *field, enum line_command command)
{
    bool to_the_left = command == LINE_LEFT || command == LINE_RUB_OUT;
    bool changed = false, goes_on = true;
    while (goes_on) {
        size_t from = to_the_left ? line_editor_left(field) : field->cursor;
        size_t to = to_the_left ? field->cursor : line_editor_right(field);
        goes_on = is_separator(field, from, to) && line_editor_do(field, command);
        changed = changed || goes_on;
    }
    return line_editor_do(field, command) || changed;
}

static void edit(struct app *app, enum command command)
{
    static const enum line_command line[] = {
        [COMMAND_LEFT] = LINE_LEFT,
        [COMMAND_RIGHT] = LINE_RIGHT,
        [COMMAND_HOME] = LINE_HOME,
        [COMMAND_END] = LINE_END,
        [COMMAND_WORD_LEFT] = LINE_WORD_LEFT,
        [COMMAND_WORD_RIGHT] = LINE_WORD_RIGHT,
        [COMMAND_RUB_OUT] = LINE_RUB_OUT,
        [COMMAND_DELETE] = LINE_DELETE,
        [COMMAND_KILL_TO_END] = LINE_KILL_TO_END,
        [COMMAND_KILL_TO_START] = LINE_KILL_TO_START,
        [COMMAND_KILL_WORD_BACK] = LINE_KILL_WORD_BACK,
        [COMMAND_KILL_WORD_FORWARD] = LINE_KILL_WORD_FORWARD,
        [COMMAND_YANK] = LINE_YANK,
        [COMMAND_UNDO] = LINE_UNDO,
    };
    bool moves = command < COMMAND_RUB_OUT;
    bool by_character =
        command == COMMAND_LEFT || command == COMMAND_RIGHT || command == COMMAND_RUB_OUT || command == COMMAND_DELETE;
    bool changed = by_character ? do_seen(&app->field, line[command]) : line_editor_do(&app->field, line[command]);
    if (changed && !moves) {
        app->walked = 0;
        app_field_changed(app);
    }
}

static void run(struct app *app, enum command command, enum notice before, monotime now)
{
    switch (command) {
    case COMMAND_NONE:
        break;
    case COMMAND_HELP:
        toggle_overlay(app, OVERLAY_HELP);
        break;
    case COMMAND_HISTORY:
        toggle_overlay(app, OVERLAY_HISTORY);
        break;
    case COMMAND_METER:
        toggle_overlay(app, OVERLAY_METER);
        break;
    case COMMAND_CHOOSE:
        if (app_can(app, COMMAND_CHOOSE, now)) {
            open_overlay(app, OVERLAY_CHOOSE);
        }
        break;
    case COMMAND_LEAVE:
        leave(app, 0);
        break;
    case COMMAND_INTERRUPT:
        interrupt(app);
        break;
    case COMMAND_ESCAPE:
        escape(app);
        break;
    case COMMAND_REDRAW:
        app_effect(app, &(struct effect){.kind = EFFECT_REDRAW});
        break;
    case COMMAND_SUSPEND:
        app_effect(app, &(struct effect){.kind = EFFECT_SUSPEND});
        break;
    case COMMAND_DECODE:
        decode(app, false, before, now);
        break;
    case COMMAND_AGAIN:
        decode(app, true, before, now);
        break;
    case COMMAND_TO_CARD:
        app->in_card = true;
        break;
    case COMMAND_TO_FIELD:
        app->overlay_count = 0;
        app->in_card = false;
        break;
    case COMMAND_OLDER:
    case COMMAND_NEWER:
        walk(app, command == COMMAND_OLDER);
        break;
    case COMMAND_EMPTY_FIELDS:
        app->show_empty = app_can(app, command, now) ? !app->show_empty : app->show_empty;
        break;
    case COMMAND_TAKE:
        take(app);
        break;
    case COMMAND_LINE_UP:
    case COMMAND_LINE_DOWN:
    case COMMAND_PAGE_UP:
    case COMMAND_PAGE_DOWN:
    case COMMAND_TOP:
    case COMMAND_BOTTOM:
        scroll(app, command, now);
        break;
    default:
        edit(app, command);
        break;
    }
}

static void type(struct app *app, const char *bytes, size_t length, bool typed)
{
    if (!line_editor_insert(&app->field, bytes, length, typed)) {
        app->notice = NOTICE_CUT;
    }
    app->walked = 0;
    app_field_changed(app);
}

/* A key that no row of the table names is text, if it is a character; and the separators of a Data Matrix label's
 * envelope (ISO/IEC 15434: FS, GS, RS) arrive from scanners as Ctrl with a sign. */
static void type_key(struct app *app, const struct input *input)
{
    bool separator = input->key == KEY_CONTROL && (input->code == '\\' || input->code == ']' || input->code == '^');
    uint32_t code = separator ? input->code ^ 0x40 : input->code;
    char bytes[4];
    if ((!separator && (input->key != KEY_CHARACTER || code < 0x20)) || code > 0x10FFFF) {
        return;
    }
    utf8proc_ssize_t length = utf8proc_encode_char((utf8proc_int32_t)code, (utf8proc_uint8_t *)bytes);
    if (length > 0) {
        type(app, bytes, (size_t)length, true);
    }
}

/* A paste is one edit of the field, wherever the focus was; line ends inside are data and send nothing. */
static void paste(struct app *app, const struct input *input)
{
    app->overlay_count = 0;
    app->in_card = false;
    if (input->length > 0) {
        type(app, input->bytes, input->length, false);
    }
}

void app_input(struct app *app, struct input *input, monotime now)
{
    enum notice before = app->notice;
    bool in_field = app_in_field(app);
    const struct key_binding *binding = keys_find(in_field ? KEYS_FIELD : KEYS_OUTSIDE, input);
    app->notice = NOTICE_NONE;
    app->key_at = now;
    if (input->key == KEY_PASTE) {
        paste(app, input);
    } else if (in_field && input->key == KEY_TAB && app->scan_end_tab) {
        run(app, COMMAND_DECODE, before, now);
    } else if (binding != NULL) {
        run(app, binding->command, before, now);
    } else if (in_field) {
        type_key(app, input);
    }
    if (input->key == KEY_PASTE) {
        free(input->bytes);
        input->bytes = NULL;
    }
}
