#include "tui/signals.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

static const int watched[] = {SIGWINCH, SIGTSTP, SIGCONT, SIGINT, SIGTERM, SIGHUP, SIGQUIT};

enum { WATCHED_COUNT = sizeof(watched) / sizeof(watched[0]) };

/* Linux queues a signal that is blocked even when it is ignored, so what nohup asked for has to be looked up. */
static bool is_ignored(int number)
{
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

#ifdef __linux__

#include <sys/signalfd.h>

int signals_open(void)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < WATCHED_COUNT; i++) {
        if (!is_ignored(watched[i])) {
            sigaddset(&set, watched[i]);
        }
    }
    signal(SIGPIPE, SIG_IGN);
    if (sigprocmask(SIG_BLOCK, &set, NULL) != 0) {
        return -1;
    }
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int signals_next(int descriptor)
{
    struct signalfd_siginfo info;
    return read(descriptor, &info, sizeof info) == (ssize_t)sizeof info ? (int)info.ssi_signo : 0;
}

#else

#include <errno.h>
#include <fcntl.h>

/* The pipe that a handler writes the signal's number to. Handlers run in the main thread only: every other thread is
 * created with all signals blocked. */
static int pipe_ends[2] = {-1, -1};

static void handle(int number)
{
    int kept = errno;
    unsigned char byte = (unsigned char)number;
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
    signal(SIGPIPE, SIG_IGN);
    for (size_t i = 0; i < WATCHED_COUNT; i++) {
        struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
        sigemptyset(&action.sa_mask);
        if (!is_ignored(watched[i])) {
            sigaction(watched[i], &action, NULL);
        }
    }
    return pipe_ends[0];
}

int signals_next(int descriptor)
{
    unsigned char byte;
    return read(descriptor, &byte, 1) == 1 ? byte : 0;
}

#endif
