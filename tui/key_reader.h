#ifndef TUI_KEY_READER_H
#define TUI_KEY_READER_H

#include "core/base/buffer.h"
#include "core/base/clock.h"
#include "tui/input.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * From what the terminal sends to what a person did: bytes to characters, CR LF to one Enter, Esc and a character to
 * Alt, reports of the mouse to clicks and the wheel, sequences that nobody knows to one unknown key, the bytes between
 * two paste brackets to one paste. It knows no curses and reads no clock. screen.c feeds it.
 */

enum token_kind {
    TOKEN_BYTE,        /* code: 0 to 255 */
    TOKEN_KEY,         /* key, code: a sequence that terminfo or screen.c knows; text: the bytes of it */
    TOKEN_PASTE_BEGIN, /* "\033[200~" */
    TOKEN_PASTE_END    /* "\033[201~" */
};

enum { TOKEN_TEXT_MAX = 16 };

struct token {
    enum token_kind kind;
    enum key key;
    uint32_t code;
    char text[TOKEN_TEXT_MAX]; /* only looked at inside a paste */
};

enum escape_state {
    ESCAPE_NONE,
    ESCAPE_SEEN,
    ESCAPE_CSI,
    ESCAPE_SS3,
    ESCAPE_STRING,
    ESCAPE_MOUSE,    /* "\033[<", numbers, M or m */
    ESCAPE_MOUSE_OLD /* "\033[M" and three bytes, of terminals that do not know the other form */
};

enum { MOUSE_NUMBERS = 3 };
enum paste_state { PASTE_NONE, PASTE_OPEN, PASTE_IN_DOUBT };

enum { KEY_READER_TAIL = 64, KEY_READER_QUEUE = 2 * KEY_READER_TAIL + 4 };

/* Longer pastes lose their end. */
#define KEY_READER_PASTE_MAX ((size_t)4 << 20)

/* LF so soon after CR belongs to it. */
#define KEY_READER_CRLF_MS 100

/* When the end of a paste was lost, what is typed after so long a silence is keys again. */
#define KEY_READER_PASTE_SILENCE_MS 5000

struct key_reader {
    enum escape_state escape;
    uint32_t escape_first;    /* the character behind Esc */
    size_t escape_length;     /* characters behind it */
    int mouse[MOUSE_NUMBERS]; /* of a report: the button, column and row from 1 */
    size_t mouse_count;       /* the numbers that are whole */
    char utf8[4];
    size_t utf8_length;
    bool cr_before;
    monotime cr_at;
    enum paste_state paste;
    monotime paste_at; /* when its last token came */
    struct buffer pasted;
    bool end_is_text;                   /* the last end was taken for text, and stands in pasted */
    struct token tail[KEY_READER_TAIL]; /* what came behind an end of paste that may have been a part of the text */
    size_t tail_length;
    struct input queue[KEY_READER_QUEUE];
    size_t queue_first, queue_length;
};

void key_reader_init(struct key_reader *reader);
void key_reader_clear(struct key_reader *reader);

/* One token that came at `now`. After each, take the inputs with key_reader_next() until there are none. */
void key_reader_put(struct key_reader *reader, const struct token *token, monotime now);

/* Nothing more is pending: an Esc that stands alone is Esc, an end of paste is the end. */
void key_reader_idle(struct key_reader *reader);

/* Whether an end of paste was seen that only silence confirms; and whether a paste is open at all. */
bool key_reader_in_doubt(const struct key_reader *reader);
bool key_reader_pasting(const struct key_reader *reader);

/* The next input; false when there is none. The caller owns its bytes. */
bool key_reader_next(struct key_reader *reader, struct input *out);

#endif
