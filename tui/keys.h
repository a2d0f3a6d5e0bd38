#ifndef TUI_KEYS_H
#define TUI_KEYS_H

#include "core/base/buffer.h"
#include "tui/input.h"

#include <stdbool.h>
#include <stddef.h>

/* The one table of keys: app_input() reads it, the key line, the help and the man page's part on keys are made of it,
 * the tests press every key of it. Source: screen.md, "Keys and habits". Constant; any thread. */

enum key_context {
    KEYS_EVERYWHERE, /* in a prompt only keys that are no characters: there those are text */
    KEYS_LINE,       /* where a line is edited: in the field and in a prompt */
    KEYS_FIELD,
    KEYS_PROMPT,
    KEYS_OUTSIDE, /* of the field: the card and the overlays */
    KEYS_CONTEXT_COUNT
};

enum command {
    COMMAND_NONE,

    /* Of a line */
    COMMAND_LEFT,
    COMMAND_RIGHT,
    COMMAND_HOME,
    COMMAND_END,
    COMMAND_WORD_LEFT,
    COMMAND_WORD_RIGHT,
    COMMAND_RUB_OUT,
    COMMAND_DELETE,
    COMMAND_KILL_TO_END,
    COMMAND_KILL_TO_START,
    COMMAND_KILL_WORD_BACK,
    COMMAND_KILL_WORD_FORWARD,
    COMMAND_YANK,
    COMMAND_UNDO,
    COMMAND_LINE_LAST = COMMAND_UNDO,

    /* Of the field */
    COMMAND_DECODE,
    COMMAND_AGAIN,
    COMMAND_TO_CARD,
    COMMAND_TO_FIELD,
    COMMAND_OLDER,
    COMMAND_NEWER,

    /* Of a prompt */
    COMMAND_ANSWER,

    /* Of the page */
    COMMAND_LINE_UP,
    COMMAND_LINE_DOWN,
    COMMAND_PAGE_UP,
    COMMAND_PAGE_DOWN,
    COMMAND_TOP,
    COMMAND_BOTTOM,
    COMMAND_TAKE,
    COMMAND_SEARCH,
    COMMAND_FIND_NEXT,
    COMMAND_FIND_BEFORE,
    COMMAND_EMPTY_FIELDS,
    COMMAND_DETAILS,
    COMMAND_CHOOSE,
    COMMAND_COPY,
    COMMAND_SAVE,

    /* Of the list */
    COMMAND_LIST,
    COMMAND_LIST_FILE,
    COMMAND_LIST_RUN,
    COMMAND_LIST_RETRY,
    COMMAND_LIST_CLEAR,

    /* Of the program */
    COMMAND_HELP,
    COMMAND_HISTORY,
    COMMAND_METER,
    COMMAND_LARGE,
    COMMAND_SCENARIO,
    COMMAND_MOUSE,
    COMMAND_ESCAPE,
    COMMAND_INTERRUPT,
    COMMAND_REDRAW,
    COMMAND_SUSPEND,
    COMMAND_LEAVE
};

struct key_binding {
    enum key_context context;
    enum key key;
    uint32_t code;    /* of KEY_CHARACTER, KEY_FUNCTION, KEY_CONTROL and KEY_ALT */
    const char *name; /* as people read it: "F1", "Ctrl-Q" */
    enum command command;
    const char *brief; /* in the key line; NULL: never there */
    const char *help;  /* a line of the help; rows of the same command that follow each other share it */
};

size_t keys_count(void);
const struct key_binding *keys_at(size_t index);

/* What a key does in a context, KEYS_FIELD, KEYS_PROMPT or KEYS_OUTSIDE; NULL: nothing. */
const struct key_binding *keys_find(enum key_context context, const struct input *input);

/* Whether a row of the table holds in that context. */
bool keys_hold(const struct key_binding *binding, enum key_context context);

/* Whether two rows that follow each other stand in one line of the help. */
bool keys_share_line(const struct key_binding *a, const struct key_binding *b);

const char *key_context_name(enum key_context context);

/* The table as the manual's part on keys: mdoc source, a subsection for each context. */
void keys_write_man(struct buffer *out);

#endif
