#ifndef TESTS_SUPPORT_PTY_H
#define TESTS_SUPPORT_PTY_H

#include "tests/support/terminal.h"

/* The system's side of a program on a pseudo terminal. terminal.c is the user's side. */
struct pty {
    int master;
    int slave; /* the same open file as the program's descriptors 0 to 2 */
    int alive; /* reads as ended when the program has ended */
    pid_t pid;
    bool ended;
    int status; /* when ended */
    struct termios termios_before;
    int flags_before;
};

void pty_start(struct pty *pty, const struct terminal_options *options);
void pty_end(struct pty *pty);
void pty_resize(const struct pty *pty, int rows, int columns);

/* Waits for output or for the end, at most `limit_ms` (-1: for ever). Returns the bytes that were read into `bytes`; 0
 * when there were none. */
size_t pty_read(struct pty *pty, char *bytes, size_t size, int limit_ms);
void pty_write(const struct pty *pty, const char *bytes, size_t length);

/* Takes the program's status when it has ended; true then. */
bool pty_reap(struct pty *pty);

#endif
