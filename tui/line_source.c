#include "tui/line_source.h"

#include "core/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

bool line_source_open(struct line_source *source, char **arguments, size_t count, const char *path)
{
    *source = (struct line_source){.arguments = arguments, .argument_count = count, .descriptor = -1, .at_start = true};
    if (path != NULL) {
        source->descriptor = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
        if (source->descriptor < 0) {
            return false;
        }
    }
    buffer_init(&source->line, LINE_MAX_BYTES);
    return true;
}

static void end_file(struct line_source *source)
{
    if (source->descriptor > STDERR_FILENO) {
        close(source->descriptor);
    }
    source->descriptor = -1;
}

void line_source_close(struct line_source *source)
{
    end_file(source);
    buffer_clear(&source->line);
}

void line_source_fill(struct line_source *source)
{
    ssize_t count = read(source->descriptor, source->bytes, sizeof source->bytes);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) {
        return;
    }
    source->error = count < 0 ? errno : 0;
    source->used = 0;
    source->filled = count > 0 ? (size_t)count : 0;
    if (count <= 0) {
        end_file(source);
    }
}

/* Puts the bytes up to the next line end into `line`; true when the line is whole. */
static bool gather(struct line_source *source)
{
    const char *from = source->bytes + source->used;
    size_t left = source->filled - source->used;
    const char *end = memchr(from, '\n', left);
    size_t length = end ? (size_t)(end - from) : left;
    size_t room = LINE_MAX_BYTES - source->line.length;
    buffer_put(&source->line, from, length < room ? length : room);
    source->used += length + (end ? 1 : 0);
    return end != NULL || (source->descriptor < 0 && source->line.length > 0);
}

/* The entry in `line`; empty when it holds none. */
static const char *entry(struct line_source *source, size_t *length)
{
    static const char mark[] = "\xef\xbb\xbf";
    const char *text = source->line.data;
    *length = source->line.length;
    if (source->at_start && *length >= 3 && memcmp(text, mark, 3) == 0) {
        text += 3;
        *length -= 3;
    }
    source->at_start = false;
    const char *comment = memchr(text, '#', *length);
    if (comment != NULL) {
        *length = (size_t)(comment - text);
    }
    return text_trim(text, length);
}

enum line_state line_source_next(struct line_source *source, const char **text, size_t *length)
{
    if (source->argument_count > 0) {
        *text = *source->arguments++;
        *length = strlen(*text);
        source->argument_count--;
        return LINE_READY;
    }
    if (source->given) {
        buffer_reset(&source->line);
        source->given = false;
    }
    while (gather(source)) {
        *text = entry(source, length);
        if (*length > 0) {
            source->given = true;
            return LINE_READY;
        }
        buffer_reset(&source->line);
    }
    return source->descriptor < 0 ? LINE_END : LINE_LATER;
}
