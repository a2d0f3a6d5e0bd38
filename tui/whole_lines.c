#include "tui/whole_lines.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The most that waits at once; whoever adds lines stops long before. */
#define PENDING_MAX ((size_t)64 << 20)

void whole_lines_init(struct whole_lines *lines, int descriptor)
{
    struct stat status;
    *lines = (struct whole_lines){.descriptor = descriptor};
    bool known = fstat(descriptor, &status) == 0;
    lines->is_file = known && S_ISREG(status.st_mode);
    lines->is_terminal = isatty(descriptor) == 1;
    lines->takes_all = lines->is_file || (known && S_ISCHR(status.st_mode) && !lines->is_terminal);
    buffer_init(&lines->pending, PENDING_MAX);
}

void whole_lines_clear(struct whole_lines *lines)
{
    buffer_clear(&lines->pending);
}

size_t whole_lines_pending(const struct whole_lines *lines)
{
    return lines->error != 0 ? 0 : lines->pending.length - lines->written;
}

/* A file that could not take a whole line is cut back to the last one that it holds. */
static void cut_half_line(struct whole_lines *lines)
{
    size_t half = 0;
    while (half < lines->written && lines->pending.data[lines->written - half - 1] != '\n') {
        half++;
    }
    off_t end = half > 0 && lines->is_file ? lseek(lines->descriptor, 0, SEEK_CUR) : 0;
    /* When this fails too there is nothing left to try: the write's own error is what is told. */
    if (end >= (off_t)half && end > 0 && ftruncate(lines->descriptor, end - (off_t)half) == 0) {
        lines->written -= half;
    }
}

/* Forgets lines that were written whole, so that a slow reader who never catches up does not make the buffer grow. */
static void forget_written(struct whole_lines *lines)
{
    struct buffer *pending = &lines->pending;
    if (lines->written == pending->length) {
        buffer_reset(pending);
        lines->written = 0;
        return;
    }
    size_t start = lines->written; /* of the line that is being written */
    while (start > 0 && pending->data[start - 1] != '\n') {
        start--;
    }
    if (start * 2 >= pending->length) {
        pending->length -= start;
        lines->written -= start;
        memmove(pending->data, pending->data + start, pending->length + 1);
    }
}

static void write_once(struct whole_lines *lines, size_t most)
{
    size_t left = whole_lines_pending(lines);
    ssize_t count = write(lines->descriptor, lines->pending.data + lines->written, left < most ? left : most);
    if (count < 0 && errno != EINTR && errno != EAGAIN) {
        lines->error = errno;
        cut_half_line(lines);
    } else if (count > 0) {
        lines->written += (size_t)count;
    }
    if (lines->error == 0) {
        forget_written(lines);
    }
}

void whole_lines_write(struct whole_lines *lines)
{
    /* A pipe that poll calls writable takes this much without blocking. */
    write_once(lines, lines->takes_all ? PENDING_MAX : PIPE_BUF);
}

void whole_lines_finish(struct whole_lines *lines, int limit_ms)
{
    struct buffer *pending = &lines->pending;
    bool whole = lines->written == 0 || pending->data[lines->written - 1] == '\n';
    const char *end = whole ? NULL : memchr(pending->data + lines->written, '\n', pending->length - lines->written);
    pending->length = end ? (size_t)(end + 1 - pending->data) : lines->written;
    while (whole_lines_pending(lines) > 0) {
        struct pollfd output = {.fd = lines->descriptor, .events = POLLOUT};
        if (poll(&output, 1, limit_ms) != 1) {
            return;
        }
        whole_lines_write(lines);
    }
}
