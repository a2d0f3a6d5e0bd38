#ifndef TUI_TEXT_PIECE_H
#define TUI_TEXT_PIECE_H

#include "tui/frame.h"

/*
 * What may stand in a cell, decided in one place. Bytes from outside are taken apart into pieces: a character with its
 * combining marks, or a few ASCII characters that stand for something that must not reach a terminal (^[, <9B>,
 * <U+202E>) or that it cannot show (e for an e with an accent). frame_text(), frame_clean(), frame_wrap() and
 * frame_width() all read the same pieces. Pure; any thread.
 */
enum { TEXT_ASCII_MAX = 15 };

struct text_piece {
    size_t bytes;                   /* how many bytes it was made of; at least 1 */
    int columns;                    /* that it takes; 0: it is dropped */
    uint32_t code;                  /* the character, 0 when `ascii` stands for it */
    uint32_t marks[CELL_MARKS];     /* its combining marks, 0 behind the last */
    char ascii[TEXT_ASCII_MAX + 1]; /* "" when there is a character */
};

/* The piece at the beginning of `length` bytes, length > 0. `utf8`: whether the terminal takes more than ASCII. */
void text_piece_next(const char *bytes, size_t length, bool utf8, struct text_piece *out);

/* One code point as a piece, by the same rules. */
void text_piece_of(uint32_t code, bool utf8, struct text_piece *out);

#endif
