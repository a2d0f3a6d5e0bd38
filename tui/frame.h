#ifndef TUI_FRAME_H
#define TUI_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A grid of styled cells: what view() draws on and screen.c puts on the terminal. It knows no terminal. Text from
 * outside becomes cells only here, through frame_text().
 */

/* What a cell is for; the theme alone turns a role into colours and attributes. */
enum role {
    ROLE_TEXT,
    ROLE_TITLE,   /* the title bar */
    ROLE_DEMO,    /* the word DEMO in it */
    ROLE_KEYS,    /* the key line */
    ROLE_KEY,     /* a key's name in it or in the help */
    ROLE_LABEL,   /* field labels, quiet text */
    ROLE_HEADING, /* pane and group titles */
    ROLE_VIN_MAKER,
    ROLE_VIN_DESCRIPTOR,
    ROLE_VIN_CHECK,
    ROLE_VIN_YEAR,
    ROLE_VIN_PLANT,
    ROLE_VIN_SERIAL,
    ROLE_ERROR, /* carets, problems */
    ROLE_WARNING,
    ROLE_INFO,
    ROLE_OK,
    ROLE_STATE_GO,   /* state word: Ready, Decoded */
    ROLE_STATE_BUSY, /* Decoding, Waiting */
    ROLE_STATE_STOP, /* Throttled, Paused, Resting, Failed */
    ROLE_STATE_ASK,  /* Type, Check */
    ROLE_ACTION_ON,
    ROLE_ACTION_OFF,
    ROLE_EMPHASIS, /* "the reason stands out" */
    ROLE_SELECTED,
    ROLE_COUNT
};

enum { CELL_MARKS = 3 };

struct cell {
    uint32_t code;              /* the character; 0: the right half of a wide one */
    uint32_t marks[CELL_MARKS]; /* combining marks, 0 behind the last */
    uint8_t width;              /* 1 or 2 columns; 0 for the right half */
    uint8_t role;
};

struct frame {
    int rows, columns;
    int cursor_row, cursor_column; /* where the hardware cursor stands; -1: nowhere */
    bool utf8;                     /* the terminal takes more than ASCII; else text is transliterated */
    struct cell *cells;            /* rows * columns, owned */
};

/* A blank frame. Sizes from 1x1 to 1000x400 and beyond; sizes below 1 count as 1. */
void frame_init(struct frame *frame, int rows, int columns, bool utf8);
void frame_clear(struct frame *frame);                         /* frees */
void frame_erase(struct frame *frame);                         /* blanks all cells */
void frame_resize(struct frame *frame, int rows, int columns); /* and erases */

/* One cell; outside the grid nothing happens. */
void frame_put(struct frame *frame, int row, int column, uint32_t code, enum role role);

/* The same character from column `from` up to, not including, `to`; it is one column wide. */
void frame_fill(struct frame *frame, int row, int from, int to, uint32_t code, enum role role);

/* Our own text: ASCII or well-formed UTF-8. At most `columns` columns from (row, column), cut at the grid's edge.
 * Returns the columns used. It goes through the same cleaning as frame_text(). */
int frame_puts(struct frame *frame, int row, int column, int columns, enum role role, const char *text);
int frame_printf(struct frame *frame, int row, int column, int columns, enum role role, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* THE choke point: `length` bytes from the network, a file, argv or the clipboard become cells. Strict UTF-8; controls,
 * escapes, bidi overrides, zero-width and tag characters and broken bytes become visible marks (<U+202E>, ^[, <9B>);
 * columns are counted by width; a terminal without UTF-8 gets ASCII. Never writes outside [column, column + columns).
 * Returns the columns used. */
int frame_text(struct frame *frame, int row, int column, int columns, enum role role, const char *bytes, size_t length);

/* The same cleaning into bytes, for standard error, the log, the title and the clipboard: at most `size` - 1 bytes and
 * a NUL. Returns the bytes written. */
size_t frame_clean(const char *bytes, size_t length, bool utf8, char *out, size_t size);

/* How many bytes of `bytes` fit in `columns` columns when wrapped at blanks where possible (at least one character);
 * the next line starts there, leading blanks skipped by the caller. */
size_t frame_wrap(const char *bytes, size_t length, int columns, bool utf8);

/* The columns that `bytes` takes. */
int frame_width(const char *bytes, size_t length, bool utf8);

/* The frame as lines of UTF-8 with trailing blanks cut, one "\n" each: what golden tests compare. malloc'ed. */
char *frame_dump(const struct frame *frame);

#endif
