#ifndef TUI_LINE_SOURCE_H
#define TUI_LINE_SOURCE_H

#include "core/base/buffer.h"

#include <stdbool.h>
#include <stddef.h>

/* VINs to decode, one after the other: the arguments first, then the lines of a file or of standard input, in constant
 * memory. It never blocks: whoever waits polls the descriptor. */

/* What a line may hold; the rest of a longer one is left out (it is too long for a VIN anyway). */
enum { LINE_MAX_BYTES = 4096 };

struct line_source {
    char **arguments;
    size_t argument_count;
    int descriptor; /* -1: no file, or it has ended */
    bool at_start;  /* nothing of the file has been read: a byte order mark may come */
    int error;      /* errno of a read that failed */
    struct buffer line;
    bool given; /* the line is the caller's until the next call */
    char bytes[16384];
    size_t used, filled; /* of bytes */
};

/* `path`: NULL for no file, "-" for standard input. False with errno when it cannot be opened. */
bool line_source_open(struct line_source *source, char **arguments, size_t count, const char *path);
void line_source_close(struct line_source *source);

enum line_state {
    LINE_READY,
    LINE_LATER, /* poll the descriptor, then line_source_fill() */
    LINE_END
};

/* The next entry: without blanks at its ends, without comments, never empty. Valid until the next call. */
enum line_state line_source_next(struct line_source *source, const char **text, size_t *length);

/* Reads once from the descriptor; poll said that it is readable. */
void line_source_fill(struct line_source *source);

#endif
