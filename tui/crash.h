#ifndef TUI_CRASH_H
#define TUI_CRASH_H

#include <stddef.h>
#include <termios.h>

/* The terminal is given back even when the program dies of SIGSEGV, SIGBUS, SIGFPE, SIGILL or SIGABRT, or when
 * something calls exit() under a screen: one write of a string that was prepared before, tcsetattr, and the signal
 * again with its default action. Main thread only, except for the handler itself. */

enum { CRASH_OFF_MAX = 512 };

/* From now on `off` (at most CRASH_OFF_MAX bytes, copied) is written to standard output and `termios` (copied) is set
 * on standard input when the program dies. */
void crash_arm(const char *off, size_t length, const struct termios *termios);

/* The terminal has been given back: nothing is left to do. */
void crash_disarm(void);

/* Sets `termios` and writes nothing: for a terminal that takes no output. Safe in a signal handler. */
void crash_set_modes_back(void);

/* Keeps what is written to standard error from the screen: it goes to a file that has no name, until errors_release()
 * shows it. Does nothing when standard error is no terminal. */
void errors_keep(void);
void errors_release(void);

#endif
