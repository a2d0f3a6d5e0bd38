#ifndef TUI_INPUT_H
#define TUI_INPUT_H

#include <stddef.h>
#include <stdint.h>

/* One thing that a person did, as screen.c read it. */
enum key {
    KEY_CHARACTER, /* see code */
    KEY_ENTER,     /* CR, LF and CRLF */
    KEY_ESCAPE,
    KEY_TAB,
    KEY_BACK_TAB,
    KEY_RUBOUT /* Backspace */,
    KEY_DELETE,
    KEY_GO_UP,
    KEY_GO_DOWN,
    KEY_GO_LEFT,
    KEY_GO_RIGHT,
    KEY_GO_HOME,
    KEY_GO_END,
    KEY_GO_PAGE_UP,
    KEY_GO_PAGE_DOWN,
    KEY_FUNCTION, /* code: 1 to 12 */
    KEY_CONTROL,  /* code: 'A' to 'Z', '_', ... as the letter that is held with Ctrl */
    KEY_ALT,      /* code: the character that is held with Alt */
    KEY_PASTE,    /* bytes, length: a bracketed paste, whole; owned by the input */
    KEY_CLICK,
    KEY_WHEEL_UP,
    KEY_WHEEL_DOWN, /* row, column */
    KEY_UNKNOWN
};

struct input {
    enum key key;
    uint32_t code;
    int row, column;
    char *bytes;
    size_t length;
};

#endif
