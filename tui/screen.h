#ifndef TUI_SCREEN_H
#define TUI_SCREEN_H

#include "tui/frame.h"
#include "tui/input.h"
#include "tui/theme.h"

/* ncurses, and nothing else in the program includes it: frames to the terminal, bytes from the terminal to inputs. UI
 * thread only. terminal.md is the source of the rules. The terminal is standard input and output; whoever waits for
 * keys polls STDIN_FILENO, and reads with screen_read() until it says that nothing is pending. */

struct screen_options {
    bool ascii;                /* no more than ASCII, whatever the locale says */
    const struct theme *theme; /* borrowed until screen_open() returns */
    enum depth most;           /* no more colours than that */
    bool direct;               /* take the direct colours of this kind of terminal, if the system knows them */
};

/* Takes the terminal over. NULL with one clear line in `why` (at most `size` bytes) when that cannot be: standard input
 * or output is no terminal, TERM is unset, unknown or without cursor addressing. Then nothing has been written. Reads
 * the environment and sets LC_CTYPE. */
struct screen *screen_open(const struct screen_options *options, char *why, size_t size);

/* Gives the terminal back as it was. `gone`: the terminal has hung up, do not write to it. */
void screen_close(struct screen *screen, bool gone);

/* The size now, and whether the terminal takes UTF-8. */
void screen_size(const struct screen *screen, int *rows, int *columns);
bool screen_utf8(const struct screen *screen);

/* Asks the system for the size again (SIGWINCH) and draws everything with the next frame. */
void screen_resized(struct screen *screen);

/* Asks again a moment later, and does the same if the size is another one. Linux sends the signal before it has changed
 * the size that the terminal's user sees: who asks at once can be told the old one, and hears nothing more. */
bool screen_resized_since(struct screen *screen);

/* Draws everything with the next frame (Ctrl-L). */
void screen_redraw(struct screen *screen);

/* Puts the frame on the terminal; writes only what differs. */
void screen_draw(struct screen *screen, const struct frame *frame);

/* Calls the window "vindecode – STATE", where the terminal has a title; the old one comes back with the terminal.
 * Writes only when it changes. */
void screen_title(struct screen *screen, const char *state);

void screen_bell(struct screen *screen);

/* Takes the mouse, or gives it back to the terminal. */
void screen_mouse(struct screen *screen, bool on);

/* Sends bytes to the terminal as they are, between two frames (the clipboard's sequence). False when it takes no more.
 */
bool screen_send(struct screen *screen, const char *bytes, size_t length);

/* The next pending key; false when none is pending. A paste is returned whole, when its end has come. */
bool screen_read(struct screen *screen, struct input *out);

/* Whether reading said that the terminal is gone. */
bool screen_gone(const struct screen *screen);

/* Stops the process with the terminal given back (Ctrl-Z), and takes it over again when it continues. Does nothing when
 * no shell is there to continue it. */
void screen_suspend(struct screen *screen);

/* SIGCONT: whoever stopped us may have left the terminal in any state; takes it over again. */
void screen_continued(struct screen *screen);

#endif
