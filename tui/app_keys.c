#include "tui/app_model.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

/* A key, and what becomes of it. */

/* Enter and F5: sends, or leaves behind why not. */
static void decode(struct app *app, bool past_caches, enum notice before, monotime now)
{
    struct verdict verdict = can_decode(app, now);
    if (app->scan.check.length == 0 && !app->scan.year_bad) {
        return; /* scanners send an Enter first, and a hand rests on the key */
    }
    app->entered = true;
    if (!verdict.action_on && !(past_caches && app_asks_again(verdict.word))) {
        app->notice = NOTICE_REFUSED;
    } else if (verdict.word == STATE_CHECK && before != NOTICE_ASKED) {
        app->notice = NOTICE_ASKED;
    } else {
        app_submit(app, past_caches, now);
    }
}

void app_open_overlay(struct app *app, enum overlay_kind kind)
{
    size_t kept = 0;
    for (size_t i = 0; i < app->overlay_count; i++) {
        if (app->overlays[i].kind != kind) {
            app->overlays[kept++] = app->overlays[i];
        }
    }
    app->overlays[kept] = (struct overlay){.kind = kind};
    app->overlay_count = kept + 1;
    app->search[0] = '\0';
    if (kind == OVERLAY_METER) {
        app_effect(app, &(struct effect){.kind = EFFECT_ASK_METER});
    }
}

static void close_overlay(struct app *app)
{
    app->overlay_count--;
    app->search[0] = '\0';
}

/* The same key opens and closes. */
static void toggle_overlay(struct app *app, enum overlay_kind kind)
{
    if (app_on_top(app, kind)) {
        close_overlay(app);
    } else {
        app_open_overlay(app, kind);
    }
}

/* Answers that took a list so long to get are not thrown away by one key. */
static void leave(struct app *app, int status, enum notice before)
{
    if (app->list_unsaved && before != NOTICE_UNSAVED) {
        app->notice = NOTICE_UNSAVED;
    } else {
        app_effect(app, &(struct effect){.kind = EFFECT_LEAVE, .status = status});
    }
}

static bool list_runs(const struct app *app)
{
    return app->list.out_count > 0;
}

static void interrupt(struct app *app, enum notice before)
{
    if (app->overlay_count == 0 && app->open.ticket == 0 && !list_runs(app)) {
        leave(app, 130, before);
        return;
    }
    app->overlay_count = 0;
    if (app->open.ticket != 0 || list_runs(app)) {
        app_cancel(app);
        app_list_stop(app);
        app->notice = NOTICE_CANCELLED;
    }
}

static void escape(struct app *app)
{
    if (app->overlay_count > 0) {
        close_overlay(app);
    } else if (app->open.ticket != 0) {
        app_cancel(app);
        app->notice = NOTICE_CANCELLED;
    }
}

static void to_field(struct app *app)
{
    app->overlay_count = 0;
    app->in_card = false;
    app->search[0] = '\0';
}

static void copy(struct app *app)
{
    char vin[KEY_TEXT_MAX];
    struct effect effect = {.kind = EFFECT_COPY};
    if (app_chosen_vin(app, vin, sizeof vin)) {
        effect.text = vin;
    } else if (app_vehicle(app) == NULL) {
        effect.text = app->key.vin;
    }
    app_effect(app, &effect);
}

static void mouse(struct app *app)
{
    app->mouse = !app->mouse;
    app_effect(app, &(struct effect){.kind = EFFECT_MOUSE, .on = app->mouse});
    app_say(app, app->mouse ? "The mouse is on: click a button, a pane or a line; the wheel scrolls"
                            : "The mouse is off: the terminal has it back");
}

/* Commands of the page and of what lies on it; they do nothing where they can do nothing. */
static void run_on_page(struct app *app, enum command command, enum notice before, monotime now)
{
    if (!app_can(app, command, now)) {
        return;
    }
    switch (command) {
    case COMMAND_TAKE:
        app_take(app);
        break;
    case COMMAND_SEARCH:
        app_open_prompt(app, PROMPT_SEARCH);
        break;
    case COMMAND_FIND_NEXT:
    case COMMAND_FIND_BEFORE:
        app_find(app, command, now);
        break;
    case COMMAND_EMPTY_FIELDS:
        app->show_empty = !app->show_empty;
        break;
    case COMMAND_CHOOSE:
        app_open_overlay(app, OVERLAY_CHOOSE);
        break;
    case COMMAND_COPY:
        copy(app);
        break;
    case COMMAND_SAVE:
        app_open_prompt(app, PROMPT_SAVE);
        break;
    case COMMAND_LIST_FILE:
        app_open_prompt(app, PROMPT_LIST_FILE);
        break;
    case COMMAND_LIST_RUN:
    case COMMAND_LIST_RETRY:
    case COMMAND_LIST_CLEAR:
        app_list_run(app, command, before);
        break;
    default:
        app_scroll(app, command, now);
        break;
    }
}

/* Commands that hold everywhere, and those of the field. */
static void run(struct app *app, enum command command, enum notice before, monotime now)
{
    enum overlay_kind kind;
    if (app_overlay_of(command, &kind)) {
        if (command != COMMAND_DETAILS || app_can(app, command, now)) {
            toggle_overlay(app, kind);
        }
        return;
    }
    switch (command) {
    case COMMAND_SCENARIO:
        if (app->demo != NULL) {
            app_effect(app, &(struct effect){.kind = EFFECT_SCENARIO});
        }
        break;
    case COMMAND_MOUSE:
        mouse(app);
        break;
    case COMMAND_LEAVE:
        leave(app, 0, before);
        break;
    case COMMAND_INTERRUPT:
        interrupt(app, before);
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
        to_field(app);
        break;
    case COMMAND_OLDER:
    case COMMAND_NEWER:
        app_walk(app, command == COMMAND_OLDER);
        break;
    default:
        run_on_page(app, command, before, now);
        break;
    }
}

/* A prompt takes the keys of a line; any other closes it and does what it always does. */
void app_run(struct app *app, enum command command, enum notice before, monotime now)
{
    bool of_a_line = command >= COMMAND_LEFT && command <= COMMAND_LINE_LAST;
    if (app->prompt.kind != PROMPT_NONE) {
        if (of_a_line || command == COMMAND_ANSWER || command == COMMAND_ESCAPE) {
            app_prompt_run(app, command, now);
            return;
        }
        app_close_prompt(app);
        if (command == COMMAND_INTERRUPT) {
            return; /* that was what was open */
        }
    }
    if (of_a_line) {
        app_edit(app, command);
    } else {
        run(app, command, before, now);
    }
}

/* A key that no row of the table names is text, if it is a character; and the separators of a Data Matrix label's
 * envelope (ISO/IEC 15434: FS, GS, RS) arrive from scanners as Ctrl with a sign. */
static void type_key(struct app *app, const struct input *input, monotime now)
{
    bool separator = input->key == KEY_CONTROL && (input->code == '\\' || input->code == ']' || input->code == '^');
    uint32_t code = separator ? input->code ^ 0x40 : input->code;
    char bytes[4];
    if ((!separator && (input->key != KEY_CHARACTER || code < 0x20)) || code > 0x10FFFF) {
        return;
    }
    utf8proc_ssize_t length = utf8proc_encode_char((utf8proc_int32_t)code, (utf8proc_uint8_t *)bytes);
    if (length > 0 && app->prompt.kind != PROMPT_NONE) {
        app_prompt_type(app, bytes, (size_t)length, true, now);
    } else if (length > 0) {
        app_type(app, bytes, (size_t)length, true);
    }
}

static void paste(struct app *app, const struct input *input, monotime now)
{
    if (app->prompt.kind != PROMPT_NONE) {
        app_prompt_type(app, input->bytes, input->length, false, now);
    } else {
        app_paste(app, input->bytes, input->length);
    }
}

void app_input(struct app *app, struct input *input, monotime now)
{
    enum notice before = app->notice;
    enum key_context context = app_context(app);
    const struct key_binding *binding = keys_find(context, input);
    bool of_the_mouse = input->key == KEY_CLICK || input->key == KEY_WHEEL_UP || input->key == KEY_WHEEL_DOWN;
    if (of_the_mouse && !app->mouse) {
        return; /* it was under way when the mouse was given back */
    }
    app->notice = NOTICE_NONE;
    app->key_at = now;
    if (input->key == KEY_PASTE) {
        paste(app, input, now);
        free(input->bytes);
        input->bytes = NULL;
    } else if (of_the_mouse) {
        app_click(app, input, before, now);
    } else if (context == KEYS_FIELD && input->key == KEY_TAB && app->scan_end_tab) {
        app_run(app, COMMAND_DECODE, before, now);
    } else if (binding != NULL) {
        app_run(app, binding->command, before, now);
    } else if (context != KEYS_OUTSIDE) {
        type_key(app, input, now);
    }
}
