#ifndef TUI_LINE_EDITOR_H
#define TUI_LINE_EDITOR_H

#include <stdbool.h>
#include <stddef.h>

/* One line of text and a cursor, with readline's commands and an undo. It keeps what was typed, byte for byte; what is
 * made of it is somebody else's business. UI thread only. */
enum { LINE_EDITOR_MAX = 4096, LINE_EDITOR_UNDO_MAX = 64 };

enum line_command {
    LINE_LEFT,
    LINE_RIGHT,
    LINE_HOME,
    LINE_END,
    LINE_WORD_LEFT,
    LINE_WORD_RIGHT,
    LINE_RUB_OUT, /* the character before the cursor */
    LINE_DELETE,  /* the one under it */
    LINE_KILL_TO_END,
    LINE_KILL_TO_START,
    LINE_KILL_WORD_BACK,
    LINE_KILL_WORD_FORWARD,
    LINE_YANK, /* what was killed last comes back at the cursor */
    LINE_UNDO
};

/* What the last command was, so that a run of typing is one step of the undo and a run of kills one text to yank. */
enum line_run { LINE_RUN_NONE, LINE_RUN_TYPING, LINE_RUN_RUBBING, LINE_RUN_KILLING };

struct line_state {
    char *text; /* owned */
    size_t length, cursor;
};

struct line_editor {
    char text[LINE_EDITOR_MAX + 1]; /* bytes, with a NUL behind them; may hold NULs */
    size_t length;
    size_t cursor; /* in bytes, always between two characters */
    enum line_run run;
    struct line_state undo[LINE_EDITOR_UNDO_MAX]; /* oldest first */
    size_t undo_count;
    char killed[LINE_EDITOR_MAX + 1];
    size_t killed_length;
};

void line_editor_init(struct line_editor *editor);
void line_editor_clear(struct line_editor *editor); /* frees */

/* Replaces the text, the cursor behind it. One step of the undo. */
void line_editor_set(struct line_editor *editor, const char *bytes, size_t length);

/* Puts `length` bytes at the cursor. `typed`: a key, which joins the run of typing before it; else a step of its own.
 * False when there was not room for all: then what fits was put. */
bool line_editor_insert(struct line_editor *editor, const char *bytes, size_t length, bool typed);

/* Carries out a command; false when it changed nothing. */
bool line_editor_do(struct line_editor *editor, enum line_command command);

/* Where the cursor would be one character to the left or to the right. */
size_t line_editor_left(const struct line_editor *editor);
size_t line_editor_right(const struct line_editor *editor);

/* Whether there is something to undo. */
bool line_editor_can_undo(const struct line_editor *editor);

/* Whether the whole text came in one step, as from a scanner or by a paste: the undo would leave nothing. */
bool line_editor_in_one_step(const struct line_editor *editor);

#endif
