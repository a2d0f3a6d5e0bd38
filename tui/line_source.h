#ifndef TUI_LINE_SOURCE_H
#define TUI_LINE_SOURCE_H

#include "core/base/buffer.h"
#include "tui/csv_reader.h"

#include <stdbool.h>
#include <stddef.h>

/* VINs to decode, one after the other: the arguments first, then the lines of a file or of standard input, in constant
 * memory. A file whose first line names a column "vin" (any case; separated by commas, semicolons or tabs) is read as
 * CSV, and a column "year" goes with it. It never blocks: whoever waits polls the descriptor. */

enum {
    LINE_MAX_BYTES = 4096,           /* of a line; the rest is left out (it is too long for a VIN anyway) */
    FIRST_LINE_MAX_BYTES = 64 * 1024 /* the first may be a long row of column names */
};

enum line_kind { LINES_UNDECIDED, LINES_PLAIN, LINES_CSV };

struct line_source {
    char **arguments;
    size_t argument_count;
    int descriptor;    /* -1: no file, or it has ended */
    int error;         /* errno of a read that failed */
    const char *wrong; /* constant: what is wrong with the content, NULL: nothing; nothing more is read then */
    enum line_kind kind;
    bool at_start;      /* nothing has been read: a byte order mark may come */
    struct buffer line; /* what is gathered of a line */
    bool given;         /* the line is the caller's until the next call */
    struct csv_reader csv;
    size_t vin_column, year_column; /* year_column may lie past the last: none */
    char bytes[16384];
    size_t used, filled; /* of bytes */
};

/* `path`: NULL for no file, "-" for standard input. False with errno when it cannot be opened; then nothing is to be
 * closed. The source is not moved afterwards. */
bool line_source_open(struct line_source *source, char **arguments, size_t count, const char *path);
void line_source_close(struct line_source *source);

enum line_state {
    LINE_READY,
    LINE_LATER, /* poll the descriptor, then line_source_fill() */
    LINE_END    /* also when something went wrong: see `error` and `wrong` */
};

/* The next entry, "VIN" or "VIN,YEAR": without blanks at its ends and without comments; empty only for a row of CSV
 * whose VIN is missing. Valid until the next call. */
enum line_state line_source_next(struct line_source *source, const char **text, size_t *length);

/* Reads once from the descriptor; poll said that it is readable. */
void line_source_fill(struct line_source *source);

#endif
