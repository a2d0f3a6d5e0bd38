#ifndef TUI_SIGNALS_H
#define TUI_SIGNALS_H

/* Signals as something to read: blocked in every thread, read through one descriptor, so that no handler ever runs
 * between two lines of the program (terminal.md, "Terminal manners"). Main thread only. */

/* Blocks SIGWINCH, SIGTSTP, SIGCONT, SIGINT, SIGTERM, SIGHUP and SIGQUIT and ignores SIGPIPE. Call before any thread
 * starts: threads inherit it. Returns the descriptor that is readable while a signal waits, -1 when there is none. */
int signals_open(void);

/* The next signal that waits, 0 when there is none. A signal that was ignored when the program started (nohup) never
 * comes. */
int signals_next(int descriptor);

#endif
