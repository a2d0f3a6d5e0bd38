#ifndef TUI_THEME_H
#define TUI_THEME_H

#include "tui/frame.h"

/* How a role looks, without a terminal. Text is never given a colour of its own, so that every background works;
 * whatever a colour says is said by an attribute or a word as well. Pure; any thread. */

enum look_attribute { LOOK_PLAIN = 0, LOOK_BOLD = 1, LOOK_UNDERLINE = 2, LOOK_REVERSE = 4 };

enum look_colour {
    LOOK_OWN = -1, /* the terminal's own */
    LOOK_BLACK,
    LOOK_RED,
    LOOK_GREEN,
    LOOK_YELLOW,
    LOOK_BLUE,
    LOOK_MAGENTA,
    LOOK_CYAN,
    LOOK_WHITE,
    LOOK_COLOURS
};

struct look {
    enum look_colour colour; /* of the character */
    unsigned attributes;     /* look_attribute, or-ed */
};

const struct look *theme_look(enum role role);

#endif
