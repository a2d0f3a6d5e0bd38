#ifndef TUI_CSV_READER_H
#define TUI_CSV_READER_H

#include "core/base/buffer.h"

#include <csv.h>
#include <stdbool.h>
#include <stddef.h>

/* Rows of CSV (RFC 4180, and what spreadsheets make of it) from pieces of text, with libcsv. It holds one row at a
 * time, of at most CSV_ROW_MAX bytes. Not movable once begun. */
enum { CSV_ROW_MAX = 64 * 1024, CSV_FIELDS_MAX = 1024 };

struct csv_reader {
    struct csv_parser parser;
    struct buffer text;            /* the fields of the row, a NUL behind each */
    size_t starts[CSV_FIELDS_MAX]; /* where they begin */
    size_t count;
    bool complete; /* the row has ended; the next piece begins another */
    bool failed;   /* the row is too long; a quote that nothing closes makes one */
};

void csv_reader_init(struct csv_reader *reader, char delimiter);
void csv_reader_clear(struct csv_reader *reader);

/* Reads `length` bytes that end with a line end, or are a part of a line. True when a row has become complete; more
 * than one row in a piece is the caller's error: cut behind line ends. */
bool csv_reader_put(struct csv_reader *reader, const char *bytes, size_t length);

/* The text has ended: true when this completes a row. A quote that is still open is a failure. */
bool csv_reader_end(struct csv_reader *reader);

/* A field of the complete row, "" past the last. */
const char *csv_reader_field(const struct csv_reader *reader, size_t index);

#endif
