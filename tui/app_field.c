#include "tui/app_model.h"

#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/vin/clean.h"

#include <stdlib.h>
#include <string.h>

/* Keys for the field. */

void app_replace_field(struct app *app, const char *text)
{
    line_editor_set(&app->field, text, strlen(text));
    app_field_changed(app);
}

/* Up and Down walk through the session's VINs; what stood in the field before lies at the near end. */
void app_walk(struct app *app, bool older)
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
    char text[KEY_TEXT_MAX];
    if (result != NULL) {
        app_key_text(app, &result->key, text, sizeof text);
    }
    app_replace_field(app, result != NULL ? text : app->draft);
    app->walked = step;
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

static enum line_command line_command_of(enum command command)
{
    static const enum line_command commands[] = {
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
    return commands[command];
}

bool app_line_do(struct line_editor *line, enum command command)
{
    return line_editor_do(line, line_command_of(command));
}

void app_edit(struct app *app, enum command command)
{
    app->entered = false;
    if (command == COMMAND_UNDO && app->scan.removed[0] != '\0' && line_editor_in_one_step(&app->field)) {
        app_field_original(app); /* cleaning was the last thing that happened to a scan: it is undone first */
        return;
    }
    bool moves = command < COMMAND_RUB_OUT;
    bool by_character =
        command == COMMAND_LEFT || command == COMMAND_RIGHT || command == COMMAND_RUB_OUT || command == COMMAND_DELETE;
    bool changed = by_character ? do_seen(&app->field, line_command_of(command)) : app_line_do(&app->field, command);
    if (changed && !moves) {
        app->walked = 0;
        app_field_changed(app);
    }
}

/* Behind a whole VIN a pasted one is another, and behind its Enter so is the next scan: it takes the place of what
 * stands there, and the undo brings that back. A comma or a blank goes on with the old one; so does whatever is typed
 * once the cursor was moved. */
static bool begins_another(const struct app *app, const char *bytes, size_t length, bool typed)
{
    struct scan scan;
    if (app->scan.check.length != VIN_LENGTH || app->field.cursor != app->field.length) {
        return false;
    }
    if (typed) {
        return app->entered && (text_is_letter(bytes[0]) || text_is_digit(bytes[0]));
    }
    scan_clean(bytes, length, app->this_year, &scan);
    return scan.check.length >= VIN_LENGTH;
}

void app_type(struct app *app, const char *bytes, size_t length, bool typed)
{
    if (begins_another(app, bytes, length, typed)) {
        line_editor_set(&app->field, "", 0);
    }
    if (!line_editor_insert(&app->field, bytes, length, typed)) {
        app->notice = NOTICE_CUT;
    }
    app->walked = 0;
    app_field_changed(app);
}

/* A paste is one edit of the field, wherever the focus was; line ends inside are data and send nothing. More than one
 * VIN is a list. */
void app_paste(struct app *app, const char *bytes, size_t length)
{
    if (length == 0 || app_list_paste(app, bytes, length)) {
        return;
    }
    app->overlay_count = 0;
    app->in_card = false;
    app_type(app, bytes, length, false);
}
