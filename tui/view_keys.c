#include "tui/view_parts.h"

#include "core/base/text.h"

#include <stdio.h>
#include <string.h>

/* The last row: the keys that do something now, or a prompt. */

enum { KEYS_LINE_MAX = 32, SHORTEST_KEY = 8 /* columns of "y copy" and two blanks */ };

static const char *brief(const struct app *app, const struct key_binding *binding)
{
    if (binding->command == COMMAND_ESCAPE && app->overlay_count > 0) {
        return "close";
    }
    if (binding->command == COMMAND_DECODE && app->notice == NOTICE_ASKED) {
        return "send";
    }
    if (binding->command == COMMAND_LIST_RUN && app->list.stopped) {
        return list_has_begun(&app->list) ? "go on" : "start";
    }
    return binding->brief;
}

/* Undo is worth its place when something was taken away: by cleaning, or all of it. */
static bool undo_matters(const struct app *app)
{
    return app->scan.removed[0] != '\0' || app->original || app->field.length == 0;
}

/* The key that opened what lies on top; Esc is shown instead. */
static bool opened_the_top(const struct app *app, enum command command)
{
    enum overlay_kind kind;
    return app_overlay_of(command, &kind) && app_on_top(app, kind);
}

static bool key_shows(const struct app *app, const struct key_binding *binding, monotime now)
{
    if (binding->brief == NULL || !keys_hold(binding, app_context(app)) || opened_the_top(app, binding->command) ||
        (binding->command == COMMAND_UNDO && !undo_matters(app))) {
        return false;
    }
    return app_can(app, binding->command, now);
}

static int key_width(const struct app *app, const struct key_binding *binding)
{
    return (int)(strlen(binding->name) + 1 + strlen(brief(app, binding)) + 2);
}

static bool always_there(enum command command)
{
    return command == COMMAND_HELP || command == COMMAND_LEAVE;
}

/* Where each key stands: help and leave keep their place when there is not room for all. */
struct keys_line {
    struct {
        const struct key_binding *binding;
        int column, width;
    } keys[KEYS_LINE_MAX];
    size_t count;
};

static void lay_keys(const struct app *app, int columns, monotime now, struct keys_line *line)
{
    int room = columns + 2, at = 0; /* nothing follows the last one */
    line->count = 0;
    for (size_t i = 0; i < keys_count(); i++) {
        if (always_there(keys_at(i)->command) && key_shows(app, keys_at(i), now)) {
            room -= key_width(app, keys_at(i));
        }
    }
    for (size_t i = 0; i < keys_count() && line->count < KEYS_LINE_MAX; i++) {
        const struct key_binding *binding = keys_at(i);
        if (binding->brief == NULL || (room < SHORTEST_KEY && !always_there(binding->command)) ||
            !key_shows(app, binding, now)) {
            continue;
        }
        int width = key_width(app, binding);
        if (!always_there(binding->command)) {
            if (width > room) {
                continue;
            }
            room -= width;
        }
        line->keys[line->count].binding = binding;
        line->keys[line->count].column = at;
        line->keys[line->count++].width = width;
        at += width;
    }
}

const struct key_binding *view_key_at(const struct app *app, int column, monotime now)
{
    struct keys_line line;
    lay_keys(app, app->columns, now, &line);
    for (size_t i = 0; i < line.count; i++) {
        if (column >= line.keys[i].column && column < line.keys[i].column + line.keys[i].width) {
            return line.keys[i].binding;
        }
    }
    return NULL;
}

void view_keys(const struct app *app, const struct layout *layout, monotime now, struct frame *frame)
{
    struct keys_line line;
    int row = layout->keys_row;
    lay_keys(app, frame->columns, now, &line);
    frame_fill(frame, row, 0, frame->columns, ' ', ROLE_KEYS);
    for (size_t i = 0; i < line.count; i++) {
        const struct key_binding *binding = line.keys[i].binding;
        int at = line.keys[i].column;
        at += frame_puts(frame, row, at, frame->columns - at, ROLE_KEY, binding->name) + 1;
        (void)frame_puts(frame, row, at, frame->columns - at, ROLE_KEYS, brief(app, binding));
    }
}

/* The end of what is typed that fits before the cursor, and the cursor. */
void view_prompt(const struct app *app, const struct layout *layout, struct frame *frame)
{
    const struct line_editor *line = &app->prompt.line;
    const char *label = app_prompt_label(app->prompt.kind);
    int row = layout->keys_row;
    frame_fill(frame, row, 0, frame->columns, ' ', ROLE_KEYS);
    int at = frame_puts(frame, row, 0, frame->columns, ROLE_KEY, label);
    size_t from = 0;
    while (from < line->cursor &&
           frame_width(line->text + from, line->cursor - from, frame->utf8) >= frame->columns - at) {
        uint32_t character;
        from += text_character(line->text + from, line->length - from, &character);
    }
    int end = at + frame_text(frame, row, at, frame->columns - at, ROLE_KEYS, line->text + from, line->length - from);
    frame->cursor_row = row;
    frame->cursor_column = at + frame_width(line->text + from, line->cursor - from, frame->utf8);
    const char *hint =
        app->prompt.kind == PROMPT_SEARCH && line->length > 0 && !app->found ? "not here" : "Enter done  Esc close";
    int width = (int)strlen(hint);
    if (end + 2 + width <= frame->columns) {
        (void)frame_puts(frame, row, frame->columns - width, width, ROLE_KEYS, hint);
    }
}
