#include "tui/line_editor.h"

#include "core/base/memory.h"
#include "core/base/text.h"

#include <stdlib.h>
#include <string.h>

void line_editor_init(struct line_editor *editor)
{
    memset(editor, 0, sizeof *editor);
}

void line_editor_clear(struct line_editor *editor)
{
    for (size_t i = 0; i < editor->undo_count; i++) {
        free(editor->undo[i].text);
    }
    memset(editor, 0, sizeof *editor);
}

bool line_editor_can_undo(const struct line_editor *editor)
{
    return editor->undo_count > 0;
}

/* Remembers the line as it is, for the undo, unless `run` goes on. */
static void remember(struct line_editor *editor, enum line_run run)
{
    bool goes_on = run == editor->run && (run == LINE_RUN_TYPING || run == LINE_RUN_RUBBING);
    editor->run = run;
    if (goes_on) {
        return;
    }
    if (editor->undo_count == LINE_EDITOR_UNDO_MAX) {
        free(editor->undo[0].text);
        memmove(editor->undo, editor->undo + 1, (LINE_EDITOR_UNDO_MAX - 1) * sizeof editor->undo[0]);
        editor->undo_count--;
    }
    editor->undo[editor->undo_count++] = (struct line_state){
        .text = memory_copy(editor->text, editor->length + 1), .length = editor->length, .cursor = editor->cursor};
}

static bool undo(struct line_editor *editor)
{
    if (editor->undo_count == 0) {
        return false;
    }
    struct line_state *state = &editor->undo[--editor->undo_count];
    memcpy(editor->text, state->text, state->length + 1);
    editor->length = state->length;
    editor->cursor = state->cursor;
    editor->run = LINE_RUN_NONE;
    free(state->text);
    return true;
}

/* The most bytes of `bytes` that are at most `room` and end between two characters. */
static size_t whole_characters(const char *bytes, size_t length, size_t room)
{
    size_t taken = 0;
    while (taken < length) {
        uint32_t character;
        size_t used = text_character(bytes + taken, length - taken, &character);
        if (taken + used > room) {
            break;
        }
        taken += used;
    }
    return taken;
}

static void put(struct line_editor *editor, const char *bytes, size_t length)
{
    memmove(editor->text + editor->cursor + length, editor->text + editor->cursor, editor->length - editor->cursor + 1);
    memcpy(editor->text + editor->cursor, bytes, length);
    editor->length += length;
    editor->cursor += length;
}

bool line_editor_insert(struct line_editor *editor, const char *bytes, size_t length, bool typed)
{
    size_t fits = whole_characters(bytes, length, LINE_EDITOR_MAX - editor->length);
    if (fits > 0) {
        remember(editor, typed ? LINE_RUN_TYPING : LINE_RUN_NONE);
        put(editor, bytes, fits);
    }
    return fits == length;
}

void line_editor_set(struct line_editor *editor, const char *bytes, size_t length)
{
    remember(editor, LINE_RUN_NONE);
    editor->length = 0;
    editor->cursor = 0;
    editor->text[0] = '\0';
    put(editor, bytes, whole_characters(bytes, length, LINE_EDITOR_MAX));
}

static size_t right_of(const struct line_editor *editor, size_t at)
{
    uint32_t character;
    return at == editor->length ? at : at + text_character(editor->text + at, editor->length - at, &character);
}

/* Characters are found from the start: bytes that belong to no character make walking back ambiguous. */
static size_t left_of(const struct line_editor *editor, size_t at)
{
    size_t before = 0, next = 0;
    while (next < at) {
        before = next;
        next = right_of(editor, next);
    }
    return before;
}

size_t line_editor_left(const struct line_editor *editor)
{
    return left_of(editor, editor->cursor);
}

size_t line_editor_right(const struct line_editor *editor)
{
    return right_of(editor, editor->cursor);
}

static bool is_word(const struct line_editor *editor, size_t at)
{
    return text_is_letter(editor->text[at]) || text_is_digit(editor->text[at]);
}

static size_t word_left_of(const struct line_editor *editor, size_t at)
{
    while (at > 0 && !is_word(editor, left_of(editor, at))) {
        at = left_of(editor, at);
    }
    while (at > 0 && is_word(editor, left_of(editor, at))) {
        at = left_of(editor, at);
    }
    return at;
}

static size_t word_right_of(const struct line_editor *editor, size_t at)
{
    while (at < editor->length && !is_word(editor, at)) {
        at = right_of(editor, at);
    }
    while (at < editor->length && is_word(editor, at)) {
        at = right_of(editor, at);
    }
    return at;
}

static bool move_to(struct line_editor *editor, size_t at)
{
    bool moved = at != editor->cursor;
    editor->cursor = at;
    editor->run = LINE_RUN_NONE;
    return moved;
}

static void cut_out(struct line_editor *editor, size_t from, size_t to)
{
    memmove(editor->text + from, editor->text + to, editor->length - to + 1);
    editor->length -= to - from;
    editor->cursor = from;
}

static bool rub_out(struct line_editor *editor, size_t from, size_t to)
{
    if (from == to) {
        return false;
    }
    remember(editor, LINE_RUN_RUBBING);
    cut_out(editor, from, to);
    return true;
}

/* Takes [from, to) away for the yank. Kills in a row join: before what is there when the cut was to the left. */
static bool kill_text(struct line_editor *editor, size_t from, size_t to)
{
    if (from == to) {
        return false;
    }
    size_t length = to - from;
    bool joins = editor->run == LINE_RUN_KILLING && editor->killed_length + length <= LINE_EDITOR_MAX;
    size_t kept = joins ? editor->killed_length : 0;
    size_t at = kept;
    if (from < editor->cursor) {
        memmove(editor->killed + length, editor->killed, kept);
        at = 0;
    }
    memcpy(editor->killed + at, editor->text + from, length);
    editor->killed_length = kept + length;
    remember(editor, LINE_RUN_KILLING);
    cut_out(editor, from, to);
    return true;
}

static bool yank(struct line_editor *editor)
{
    return editor->killed_length > 0 && line_editor_insert(editor, editor->killed, editor->killed_length, false);
}

bool line_editor_do(struct line_editor *editor, enum line_command command)
{
    size_t cursor = editor->cursor;
    switch (command) {
    case LINE_LEFT:
        return move_to(editor, left_of(editor, cursor));
    case LINE_RIGHT:
        return move_to(editor, right_of(editor, cursor));
    case LINE_HOME:
        return move_to(editor, 0);
    case LINE_END:
        return move_to(editor, editor->length);
    case LINE_WORD_LEFT:
        return move_to(editor, word_left_of(editor, cursor));
    case LINE_WORD_RIGHT:
        return move_to(editor, word_right_of(editor, cursor));
    case LINE_RUB_OUT:
        return rub_out(editor, left_of(editor, cursor), cursor);
    case LINE_DELETE:
        return rub_out(editor, cursor, right_of(editor, cursor));
    case LINE_KILL_TO_END:
        return kill_text(editor, cursor, editor->length);
    case LINE_KILL_TO_START:
        return kill_text(editor, 0, cursor);
    case LINE_KILL_WORD_BACK:
        return kill_text(editor, word_left_of(editor, cursor), cursor);
    case LINE_KILL_WORD_FORWARD:
        return kill_text(editor, cursor, word_right_of(editor, cursor));
    case LINE_YANK:
        return yank(editor);
    case LINE_UNDO:
        return undo(editor);
    }
    return false;
}

bool line_editor_in_one_step(const struct line_editor *editor)
{
    return editor->undo_count > 0 && editor->undo[editor->undo_count - 1].length == 0;
}
