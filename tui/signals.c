#include "tui/signals.h"

#include "tui/crash.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

static const int watched[] = {SIGWINCH, SIGTSTP, SIGCONT, SIGINT, SIGTERM, SIGHUP, SIGQUIT};

enum { WATCHED_COUNT = sizeof(watched) / sizeof(watched[0]) };

/* Those that end the program are the last of them. */
enum { ENDING_FIRST = 3 };

/* What takes nothing for so long after a signal is not waited for. */
enum { STUCK_MS = 30 };

/* Linux queues a signal that is blocked even when it is ignored, so what nohup asked for has to be looked up. */
static bool is_ignored(int number)
{
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

enum { NOTHING = -1, NOT_YET_HELD = -2 };

/* What is being written to; NOTHING that may hold us up; or nobody reads signals yet. */
static volatile sig_atomic_t written_to = NOT_YET_HELD;

/* Only functions that are safe in a signal handler. Ends the program if nobody would read the signal, or if what is
 * written to takes nothing. */
static void leave_if_stuck(int number)
{
    if (written_to == NOT_YET_HELD) {
        _exit(128 + number);
    }
    struct pollfd terminal = {.fd = written_to, .events = POLLOUT};
    int kept = errno;
    if (poll(&terminal, 1, STUCK_MS) == 0) {
        crash_set_modes_back();
        _exit(128 + number);
    }
    errno = kept;
}

/* A reader of our output that goes away, and a file that may not grow, are errors of write(). */
static void ignore_write_signals(void)
{
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

#ifdef __linux__

#include <sys/signalfd.h>

static sigset_t heeded, ending;    /* ending: those of them that end the program */
static volatile sig_atomic_t came; /* the first signal that came during a write */

/* Runs before the first signals_hold(), and between signals_let_through() and signals_hold(). */
static void handle(int number)
{
    leave_if_stuck(number);
    came = came == 0 ? number : came;
}

int signals_open(void)
{
    sigemptyset(&heeded);
    sigemptyset(&ending);
    for (size_t i = 0; i < WATCHED_COUNT; i++) {
        if (!is_ignored(watched[i])) {
            sigaddset(&heeded, watched[i]);
        }
    }
    ignore_write_signals();
    struct sigaction action = {.sa_handler = handle, .sa_mask = heeded, .sa_flags = SA_RESTART};
    for (size_t i = ENDING_FIRST; i < WATCHED_COUNT; i++) {
        if (sigismember(&heeded, watched[i]) == 1) {
            sigaddset(&ending, watched[i]);
            sigaction(watched[i], &action, NULL);
        }
    }
    pthread_sigmask(SIG_UNBLOCK, &ending, NULL); /* whoever started us may have blocked them */
    return signalfd(-1, &heeded, SFD_CLOEXEC | SFD_NONBLOCK);
}

void signals_let_through(int descriptor)
{
    written_to = descriptor;
    pthread_sigmask(SIG_UNBLOCK, &ending, NULL);
}

void signals_hold(void)
{
    pthread_sigmask(SIG_BLOCK, &heeded, NULL);
    written_to = NOTHING;
    if (came != 0) {
        int number = came;
        came = 0;
        raise(number); /* it waits to be read like any other */
    }
}

int signals_next(int descriptor)
{
    struct signalfd_siginfo info;
    return read(descriptor, &info, sizeof info) == (ssize_t)sizeof info ? (int)info.ssi_signo : 0;
}

#else

#include <fcntl.h>

/* The pipe that a handler writes the signal's number to. Handlers run in the main thread only: every other thread is
 * created with all signals blocked. */
static int pipe_ends[2] = {-1, -1};

static void handle(int number)
{
    int kept = errno;
    unsigned char byte = (unsigned char)number;
    for (size_t i = ENDING_FIRST; written_to != NOTHING && i < WATCHED_COUNT; i++) {
        if (watched[i] == number) {
            leave_if_stuck(number);
        }
    }
    /* A full pipe holds hundreds of signals already; one more says nothing new. */
    if (write(pipe_ends[1], &byte, 1) < 0) {
        errno = kept;
    }
    errno = kept;
}

int signals_open(void)
{
    if (pipe(pipe_ends) != 0) {
        return -1;
    }
    for (size_t i = 0; i < 2; i++) {
        fcntl(pipe_ends[i], F_SETFL, O_NONBLOCK);
        fcntl(pipe_ends[i], F_SETFD, FD_CLOEXEC);
    }
    ignore_write_signals();
    for (size_t i = 0; i < WATCHED_COUNT; i++) {
        struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
        sigemptyset(&action.sa_mask);
        if (!is_ignored(watched[i])) {
            sigaction(watched[i], &action, NULL);
        }
    }
    return pipe_ends[0];
}

void signals_let_through(int descriptor)
{
    written_to = descriptor;
}

void signals_hold(void)
{
    written_to = NOTHING;
}

int signals_next(int descriptor)
{
    unsigned char byte;
    return read(descriptor, &byte, 1) == 1 ? byte : 0;
}

#endif
