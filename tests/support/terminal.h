#ifndef TESTS_SUPPORT_TERMINAL_H
#define TESTS_SUPPORT_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>

/* A program on a pseudo terminal of a known size, and libvterm as the terminal that a person would look at. Waiting is
 * for something to happen, with a limit; nothing sleeps for a fixed time. Limits are multiplied by the environment's
 * TEST_SLOWNESS (valgrind and sanitizers set it). */
struct terminal;

struct terminal_options {
    int rows, columns;              /* 0x0 is a size, too */
    const char *const *arguments;   /* the program and its arguments, NULL behind the last */
    const char *const *environment; /* "NAME=value" sets, "NAME" removes; NULL behind the last; NULL: nothing changes */
    bool ignore_hangup;             /* start it with SIGHUP ignored */
    bool stalled;                   /* start it on a line that takes nothing */
    const char *input;              /* standard input from this file instead of the terminal; NULL: the terminal */
    const char *output;             /* standard output to this file instead of the terminal; NULL: the terminal */
};

/* Starts it. The environment is a small clean one (PATH, HOME, TERM=xterm-256color, LANG=C.UTF-8, and what sanitizers
 * read), then `environment`. Ends the test program with a message when that cannot be. If VINDECODE_UNDER is set, its
 * words stand in front of the program (valgrind). */
struct terminal *terminal_start(const struct terminal_options *options);

/* Kills what still runs and frees everything. */
void terminal_end(struct terminal *terminal);

pid_t terminal_pid(const struct terminal *terminal);

/* What the user does. */
void terminal_send(struct terminal *terminal, const char *keys);
void terminal_send_bytes(struct terminal *terminal, const char *bytes, size_t length);
void terminal_resize(struct terminal *terminal, int rows, int columns);
void terminal_lose_size(struct terminal *terminal); /* it says 0x0 from here on */
void terminal_hang_up(struct terminal *terminal);   /* the window is closed: nothing can be read or sent any more */

/* The line stalls: what the program writes is taken no more, until it is let go on. */
void terminal_stall(struct terminal *terminal, bool stalled);

/* How much of what was sent the program has not read yet. */
int terminal_unread(const struct terminal *terminal);

/* Waiting, at most `limit_ms`. False, with the screen printed, when it did not happen. */
bool terminal_wait_text(struct terminal *terminal, const char *text, int limit_ms);
bool terminal_wait_no_text(struct terminal *terminal, const char *text, int limit_ms);
typedef bool terminal_condition(struct terminal *terminal, void *context);
bool terminal_wait(struct terminal *terminal, terminal_condition *condition, void *context, const char *what,
                   int limit_ms);

/* Reads until the program has been silent for `gap_ms`. Returns the bytes that came. */
size_t terminal_settle(struct terminal *terminal, int gap_ms);

/* Reads whatever comes for exactly `ms`, whatever TEST_SLOWNESS says. Returns the bytes. */
size_t terminal_watch(struct terminal *terminal, int ms);

/* Whether the program takes this signal itself: it has come past its very beginning. False where nobody tells. */
bool terminal_catches(const struct terminal *terminal, int number);

/* Waits for the end of the program: its status as from waitpid. */
bool terminal_wait_exit(struct terminal *terminal, int *status, int limit_ms);

/* Whether it has ended by now; what it wrote until then has been read. */
bool terminal_has_ended(struct terminal *terminal);

/* Milliseconds now, and when the last bytes came, for measuring. */
double terminal_clock_ms(void);
double terminal_last_output_ms(const struct terminal *terminal);
int terminal_slowness(void);

/* The screen as text: lines of UTF-8 without trailing blanks. Valid until the next call. */
const char *terminal_text(struct terminal *terminal);
const char *terminal_row(struct terminal *terminal, int row);
bool terminal_shows(struct terminal *terminal, const char *text);
void terminal_cursor(const struct terminal *terminal, int *row, int *column, bool *visible);
bool terminal_alternate_screen(const struct terminal *terminal);

/* Everything that was written so far. */
const char *terminal_output(const struct terminal *terminal, size_t *length);
size_t
terminal_answers(const struct terminal *terminal); /* bytes that a terminal would have answered: questions asked */

/* Whether a DEC private mode (2004, 1049, ...) is on by what was written. */
bool terminal_mode(const struct terminal *terminal, int mode);

/* What is not as it was before the program ran: modes, cursor, colours, termios, O_NONBLOCK. "" when all is well; else
 * a line about it. Valid until the next call. */
const char *terminal_left_behind(struct terminal *terminal);

/* The most memory that the running program ever had, in KiB; 0 where nobody tells. */
long terminal_most_memory(const struct terminal *terminal);

/* Processor time and voluntary context switches of all threads of the running program. */
void terminal_effort(const struct terminal *terminal, double *cpu_ms, long *wake_ups);

#endif
