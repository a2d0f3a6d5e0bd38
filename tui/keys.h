#ifndef TUI_KEYS_H
#define TUI_KEYS_H

#include "tui/input.h"

#include <stdbool.h>
#include <stddef.h>

/* The one table of keys: app_input() reads it, the key line and the help are made of it, the tests press every key of
 * it. Source: screen.md, "Keys and habits". Constant; any thread. */

enum key_context {
    KEYS_EVERYWHERE,
    KEYS_FIELD,
    KEYS_OUTSIDE, /* of the field: the card and the overlays */
    KEYS_CONTEXT_COUNT
};

enum command {
    COMMAND_NONE,
    COMMAND_HELP,
    COMMAND_LEAVE,
    COMMAND_INTERRUPT,
    COMMAND_ESCAPE,
    COMMAND_REDRAW,
    COMMAND_SUSPEND,
    COMMAND_AGAIN,
    COMMAND_HISTORY,
    COMMAND_METER,
    COMMAND_DECODE,
    COMMAND_TO_CARD,
    COMMAND_TO_FIELD,
    COMMAND_OLDER,
    COMMAND_NEWER,
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
    COMMAND_LINE_UP,
    COMMAND_LINE_DOWN,
    COMMAND_PAGE_UP,
    COMMAND_PAGE_DOWN,
    COMMAND_TOP,
    COMMAND_BOTTOM,
    COMMAND_EMPTY_FIELDS,
    COMMAND_CHOOSE,
    COMMAND_TAKE
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

/* What a key does in a context, KEYS_FIELD or KEYS_OUTSIDE, or everywhere; NULL: nothing. */
const struct key_binding *keys_find(enum key_context context, const struct input *input);

const char *key_context_name(enum key_context context);

#endif
