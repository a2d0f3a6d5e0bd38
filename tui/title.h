#ifndef TUI_TITLE_H
#define TUI_TITLE_H

#include "core/base/buffer.h"

#include <stdbool.h>

/* The title of the terminal's window, where there is one: the bytes that set it and put the old one back. No terminal
 * is asked for its title; it keeps it on a stack (XTWINOPS 22 and 23), which may be part of the alternate screen. */
struct title {
    bool able;    /* this kind of terminal has a title */
    bool stacked; /* we put the old one on the stack ourselves */
    char begin[32], end[16];
};

/* `term` is TERM; the others are terminfo's tsl, fsl and smcup, NULL without one. */
void title_init(struct title *title, const char *term, const char *tsl, const char *fsl, const char *smcup);

/* Adds the bytes that save the old title, name the new one, or bring the old one back. Text is cleaned here (frame.h),
 * so that nothing in it can end the sequence. */
void title_save(const struct title *title, struct buffer *out);
void title_name(const struct title *title, const char *text, bool utf8, struct buffer *out);
void title_restore(const struct title *title, struct buffer *out);

#endif
