/* sigaltstack is in the XSI part of POSIX. */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "tui/crash.h"

#include "tui/signals.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the handler needs, prepared before, because it may neither allocate nor use stdio or curses. */
static volatile sig_atomic_t armed;
static char off_sequences[CRASH_OFF_MAX];
static size_t off_length;
static struct termios termios_before;

/* Standard error as it was, and the nameless file that stands in for it; -1 while nothing is kept. */
static volatile sig_atomic_t errors_before = -1;
static volatile sig_atomic_t errors_file = -1;

/* Only functions that are safe in a signal handler. */
static void write_all(int descriptor, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t written = write(descriptor, bytes, length);
        if (written <= 0) {
            return;
        }
        bytes += written;
        length -= (size_t)written;
    }
}

/* Only functions that are safe in a signal handler. */
void errors_release(void)
{
    if (errors_before < 0) {
        return;
    }
    char bytes[1024];
    ssize_t length;
    for (off_t at = 0; (length = pread(errors_file, bytes, sizeof bytes, at)) > 0; at += length) {
        write_all(errors_before, bytes, (size_t)length);
    }
    dup2(errors_before, STDERR_FILENO);
    close(errors_before);
    close(errors_file);
    errors_before = errors_file = -1;
}

void errors_keep(void)
{
    if (errors_before >= 0 || !isatty(STDERR_FILENO)) {
        return;
    }
    FILE *file = tmpfile();
    if (file == NULL) {
        return;
    }
    errors_file = dup(fileno(file));
    errors_before = dup(STDERR_FILENO);
    fclose(file);
    if (errors_file >= 0 && errors_before >= 0) {
        dup2(errors_file, STDERR_FILENO);
    }
}

void crash_set_modes_back(void)
{
    if (armed) {
        /* A background process that sets the terminal's modes would be stopped instead of dying. */
        signal(SIGTTOU, SIG_IGN);
        tcsetattr(STDIN_FILENO, TCSANOW, &termios_before);
    }
}

/* Only functions that are safe in a signal handler. */
static void give_back(void)
{
    if (!armed) {
        return;
    }
    crash_set_modes_back();
    signals_let_through(STDOUT_FILENO); /* a line that stalls holds the write for ever: then SIGTERM still ends us */
    write_all(STDOUT_FILENO, off_sequences, off_length);
    armed = 0;
    errors_release();
}

static void die(int number)
{
    give_back();
    /* SA_RESETHAND has restored the default action; the signal arrives when this handler returns. */
    raise(number);
}

static void install(void)
{
    /* A stack of its own, so that an overflow of the stack is survived as well. */
    static char stack[64 * 1024];
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&alternate, NULL);

    static const int deadly[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; i++) {
        struct sigaction action = {.sa_handler = die, .sa_flags = (int)(SA_RESETHAND | SA_ONSTACK)};
        sigemptyset(&action.sa_mask);
        sigaction(deadly[i], &action, NULL);
    }
    atexit(give_back);
}

void crash_arm(const char *off, size_t length, const struct termios *termios)
{
    static bool installed;
    armed = 0;
    off_length = length < CRASH_OFF_MAX ? length : CRASH_OFF_MAX;
    memcpy(off_sequences, off, off_length);
    termios_before = *termios;
    armed = 1;
    if (!installed) {
        installed = true;
        install();
    }
}

void crash_disarm(void)
{
    armed = 0;
}
