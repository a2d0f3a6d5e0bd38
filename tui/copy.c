#include "tui/copy.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

bool copy_has_clipboard(const char *term)
{
    static const char *const without[] = {"linux", "vt", "ansi", "dumb", "cons25", "sun"};
    for (size_t i = 0; i < sizeof without / sizeof without[0]; i++) {
        if (strncmp(term, without[i], strlen(without[i])) == 0) {
            return false;
        }
    }
    return true;
}

/* RFC 4648, section 4. */
static void put_base64(const unsigned char *bytes, size_t length, struct buffer *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t at = 0; at < length; at += 3) {
        size_t left = length - at;
        unsigned group = (unsigned)bytes[at] << 16 | (left > 1 ? (unsigned)bytes[at + 1] << 8 : 0) |
                         (left > 2 ? (unsigned)bytes[at + 2] : 0);
        buffer_putc(out, digits[group >> 18]);
        buffer_putc(out, digits[group >> 12 & 63]);
        buffer_putc(out, left > 1 ? digits[group >> 6 & 63] : '=');
        buffer_putc(out, left > 2 ? digits[group & 63] : '=');
    }
}

/* GNU screen passes on what stands between ESC P and ESC \, up to 768 bytes of it at a time. */
static void wrap_for_screen(const struct buffer *sequence, struct buffer *out)
{
    enum { PIECE = 700 };
    for (size_t at = 0; at < sequence->length; at += PIECE) {
        size_t left = sequence->length - at;
        buffer_puts(out, "\033P");
        buffer_put(out, sequence->data + at, left < PIECE ? left : PIECE);
        buffer_puts(out, "\033\\");
    }
}

void copy_sequence(const char *text, size_t length, bool in_screen, struct buffer *out)
{
    struct buffer sequence;
    buffer_init(&sequence, 2 * COPY_MAX);
    buffer_puts(&sequence, "\033]52;c;");
    put_base64((const unsigned char *)text, length, &sequence);
    buffer_putc(&sequence, '\a');
    if (in_screen) {
        wrap_for_screen(&sequence, out);
    } else {
        buffer_put(out, sequence.data, sequence.length);
    }
    buffer_clear(&sequence);
}

/* The pipes to and from the child; `done` is at its end when nobody holds the other side any more. */
struct pipes {
    int text[2], done[2];
};

static void close_both(int ends[2])
{
    close(ends[0]);
    close(ends[1]);
}

static bool open_pipes(struct pipes *pipes)
{
    if (pipe(pipes->text) != 0) {
        return false;
    }
    if (pipe(pipes->done) != 0) {
        close_both(pipes->text);
        return false;
    }
    fcntl(pipes->text[1], F_SETFD, FD_CLOEXEC);
    fcntl(pipes->done[0], F_SETFD, FD_CLOEXEC);
    fcntl(pipes->text[1], F_SETFL, O_NONBLOCK);
    return true;
}

static int start_tmux(const struct pipes *pipes, pid_t *pid)
{
    static char tmux[] = "tmux", load[] = "load-buffer", to_terminal[] = "-w", standard_input[] = "-";
    char *arguments[] = {tmux, load, to_terminal, standard_input, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    sigemptyset(&none);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, pipes->text[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, pipes->done[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, pipes->done[1], STDERR_FILENO);
    posix_spawn_file_actions_addclose(&actions, pipes->text[0]);
    posix_spawn_file_actions_addclose(&actions, pipes->done[1]);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, &none);
    int error = posix_spawnp(pid, tmux, &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

bool copy_to_tmux(struct copy_child *child, const char *text, size_t length)
{
    struct pipes pipes;
    pid_t pid;
    if (child->pid != 0 || !open_pipes(&pipes)) {
        return false;
    }
    if (start_tmux(&pipes, &pid) != 0) {
        close_both(pipes.text);
        close_both(pipes.done);
        return false;
    }
    /* A pipe holds 64 KiB; what does not fit at once is not copied in part. */
    bool handed = write(pipes.text[1], text, length) == (ssize_t)length;
    close_both(pipes.text);
    close(pipes.done[1]);
    *child = (struct copy_child){.pid = pid, .done = pipes.done[0], .length = length};
    if (!handed) {
        copy_abandon(child);
    }
    return handed;
}

bool copy_reap(struct copy_child *child, bool *well)
{
    char said[256];
    int status = 0;
    if (read(child->done, said, sizeof said) > 0) {
        return false; /* it complains, and will end */
    }
    close(child->done);
    while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR) {
    }
    child->pid = 0;
    *well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    return true;
}

void copy_abandon(struct copy_child *child)
{
    if (child->pid == 0) {
        return;
    }
    kill(child->pid, SIGKILL);
    close(child->done);
    while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR) {
    }
    child->pid = 0;
}
