#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* posix_openpt */
#endif
#include "tests/support/pty.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void give_up(const char *what)
{
    fprintf(stderr, "pseudo terminal: %s: %s\n", what, strerror(errno));
    exit(1);
}

/* In the child. */

static void set_environment(const char *const *changes)
{
    static const char *const dropped[] = {"SSH_TTY",   "SSH_CONNECTION",  "ESCDELAY",    "NO_COLOR",
                                          "COLORFGBG", "LINES",           "COLUMNS",     "LC_ALL",
                                          "LC_CTYPE",  "http_proxy",      "https_proxy", "VINDECODE_UPSTREAM",
                                          "TMUX",      "POSIXLY_CORRECT", "no_proxy"};
    for (size_t i = 0; i < sizeof dropped / sizeof dropped[0]; i++) {
        unsetenv(dropped[i]);
    }
    setenv("TERM", "xterm-256color", 1);
    setenv("LANG", "C.UTF-8", 1);
    for (; changes != NULL && *changes != NULL; changes++) {
        char *copy = strdup(*changes);
        char *equals = strchr(copy, '=');
        if (equals == NULL) {
            unsetenv(copy);
        } else {
            *equals = '\0';
            setenv(copy, equals + 1, 1);
        }
        free(copy);
    }
    if (getenv("LD_PRELOAD") != NULL) { /* stands before the address sanitizer's run-time, which does not like that */
        const char *given = getenv("ASAN_OPTIONS");
        char options[512];
        snprintf(options, sizeof options, "%s%sverify_asan_link_order=0", given ? given : "", given ? ":" : "");
        setenv("ASAN_OPTIONS", options, 1);
    }
}

static void redirect(const char *path, int flags, int descriptor)
{
    int file = path ? open(path, flags, 0600) : -1;
    if (path != NULL && (file < 0 || dup2(file, descriptor) < 0)) {
        _exit(127);
    }
    if (file > STDERR_FILENO) {
        close(file);
    }
}

/* The program with the words of VINDECODE_UNDER in front. */
static void execute(const char *const *arguments)
{
    const char *words[64];
    size_t count = 0;
    char *under = getenv("VINDECODE_UNDER") ? strdup(getenv("VINDECODE_UNDER")) : NULL;
    for (char *word = under ? strtok(under, " ") : NULL; word != NULL && count < 30; word = strtok(NULL, " ")) {
        words[count++] = word;
    }
    for (; *arguments != NULL && count < 63; arguments++) {
        words[count++] = *arguments;
    }
    words[count] = NULL;
    union {
        const char **constant;
        char **plain;
    } list = {words}; /* exec takes char *const[] for historical reasons */
    execvp(list.plain[0], list.plain);
    perror(words[0]);
    _exit(127);
}

static void run_child(const struct pty *pty, const struct terminal_options *options)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGHUP, options->ignore_hangup ? SIG_IGN : SIG_DFL);
    setsid();
    ioctl(pty->slave, TIOCSCTTY, 0);
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++) {
        dup2(pty->slave, i);
    }
    redirect(options->input, O_RDONLY, STDIN_FILENO);
    redirect(options->output, O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
    set_environment(options->environment);
    execute(options->arguments);
}

/* In the test. */

void pty_resize(const struct pty *pty, int rows, int columns)
{
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    ioctl(pty->master, TIOCSWINSZ, &size);
}

void pty_start(struct pty *pty, const struct terminal_options *options)
{
    int alive[2];
    *pty = (struct pty){.master = posix_openpt(O_RDWR | O_NOCTTY)};
    if (pty->master < 0 || grantpt(pty->master) != 0 || unlockpt(pty->master) != 0 || pipe(alive) != 0) {
        give_up("cannot be made");
    }
    pty->slave = open(ptsname(pty->master), O_RDWR | O_NOCTTY);
    if (pty->slave < 0) {
        give_up("cannot be opened");
    }
    fcntl(pty->master, F_SETFD, FD_CLOEXEC);
    fcntl(pty->slave, F_SETFD, FD_CLOEXEC);
    fcntl(alive[0], F_SETFD, FD_CLOEXEC);
    pty->alive = alive[0];
    pty_resize(pty, options->rows, options->columns);
    tcgetattr(pty->slave, &pty->termios_before);
    if (options->stalled) {
        tcflow(pty->slave, TCOOFF);
    }
    pty->flags_before = fcntl(pty->slave, F_GETFL);
    pty->pid = fork();
    if (pty->pid < 0) {
        give_up("fork");
    }
    if (pty->pid == 0) {
        run_child(pty, options);
    }
    close(alive[1]);
}

bool pty_reap(struct pty *pty)
{
    if (!pty->ended && waitpid(pty->pid, &pty->status, WNOHANG) == pty->pid) {
        pty->ended = true;
    }
    return pty->ended;
}

size_t pty_read(struct pty *pty, char *bytes, size_t size, int limit_ms)
{
    struct pollfd ready[2] = {{.fd = pty->master, .events = POLLIN},
                              {.fd = pty->ended ? -1 : pty->alive, .events = POLLIN}};
    if (poll(ready, 2, limit_ms) <= 0) {
        return 0;
    }
    if ((ready[0].revents & POLLIN) != 0) {
        ssize_t count = read(pty->master, bytes, size);
        return count > 0 ? (size_t)count : 0;
    }
    if (ready[1].revents != 0) {
        /* The last descriptor is closed; the process is gone an instant later. */
        int status;
        if (waitpid(pty->pid, &status, 0) == pty->pid) {
            pty->status = status;
            pty->ended = true;
        }
    }
    return 0;
}

void pty_write(const struct pty *pty, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t count = write(pty->master, bytes, length);
        if (count <= 0) {
            return;
        }
        bytes += count;
        length -= (size_t)count;
    }
}

void pty_end(struct pty *pty)
{
    if (!pty_reap(pty)) {
        kill(pty->pid, SIGKILL);
        waitpid(pty->pid, &pty->status, 0);
        pty->ended = true;
    }
    if (pty->master >= 0) {
        close(pty->master);
    }
    close(pty->slave);
    close(pty->alive);
}
