#ifndef TUI_SIGNALS_H
#define TUI_SIGNALS_H

/* Signals as something to read: blocked in every thread, read through one descriptor, so that no handler ever runs
 * between two lines of the program (terminal.md, "Terminal manners"). The one exception is a write that may never
 * return. Main thread only. */

/* Blocks SIGWINCH, SIGTSTP, SIGCONT, SIGINT, SIGTERM, SIGHUP and SIGQUIT and ignores SIGPIPE and SIGXFSZ. Call before
 * any thread starts: threads inherit it. Returns the descriptor that is readable while a signal waits, -1 when there is
 * none. */
int signals_open(void);

/* The next signal that waits, 0 when there is none. A signal that was ignored when the program started (nohup) never
 * comes. */
int signals_next(int descriptor);

/* Around writes to a terminal, or to a pipe that may be full: a line that stalls holds a write for ever. If
 * `descriptor` takes nothing, a signal that ends the program gives the terminal's modes back and ends it at once, with
 * 128 + its number. If it does take output, the signal waits until signals_hold(), and is read as usual. */
void signals_let_through(int descriptor);
void signals_hold(void);

#endif
