#ifndef TUI_COPY_H
#define TUI_COPY_H

#include "core/base/buffer.h"

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * Text to the clipboard of the person's own terminal, wherever that is: through OSC 52, which goes over SSH, or inside
 * tmux through `tmux load-buffer -w`, which makes tmux do the same and keeps the text in its own buffers, too.
 */

/* More is refused: terminals drop longer sequences without a word. */
enum { COPY_MAX = 74994 };

/* Whether a terminal of this kind (TERM) can have a clipboard at all. */
bool copy_has_clipboard(const char *term);

/* The sequence that asks the terminal to take `length` bytes; inside GNU screen in its wrapping. */
void copy_sequence(const char *text, size_t length, bool in_screen, struct buffer *out);

/* tmux load-buffer, on its way. */
struct copy_child {
    pid_t pid; /* 0: none */
    int done;  /* readable when it has ended */
    size_t length;
};

/* Starts it and hands it the text. False when that cannot be: then try the sequence. */
bool copy_to_tmux(struct copy_child *child, const char *text, size_t length);

/* `done` is readable. True when it has ended, and `well` says how; then there is no child any more. */
bool copy_reap(struct copy_child *child, bool *well);

/* Gives up what is under way. */
void copy_abandon(struct copy_child *child);

#endif
