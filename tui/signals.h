#ifndef TUI_SIGNALS_H
#define TUI_SIGNALS_H

/* Signals as something to read: blocked in every thread, read through one descriptor, so that no handler ever runs
 * between two lines of the program (terminal.md, "Terminal manners"). The one exception is a write that may never
 * return. Main thread only. */

/* The first thing that the program does. SIGPIPE and SIGXFSZ are ignored, and until the first signals_hold(), while
 * there is nothing to clean up, SIGINT, SIGTERM, SIGHUP and SIGQUIT end the program at once, with 128 + their number.
 * Returns the descriptor that is readable while a signal waits, -1 when there is none. */
int signals_open(void);

/* From here on SIGWINCH, SIGTSTP, SIGCONT, SIGINT, SIGTERM, SIGHUP and SIGQUIT wait until they are read. Whoever calls
 * it reads them. */
void signals_hold(void);

/* The next signal that waits, 0 when there is none. A signal that was ignored when the program started (nohup) never
 * comes. */
int signals_next(int descriptor);

/* Around writes to a terminal, or to a pipe that may be full: a line that stalls holds a write for ever. If
 * `descriptor` takes nothing, a signal that ends the program gives the terminal's modes back and ends it at once, with
 * 128 + its number. If it does take output, the signal waits until signals_hold(), and is read as usual. Safe in a
 * signal handler. */
void signals_let_through(int descriptor);

#endif
