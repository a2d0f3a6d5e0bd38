#include "tui/csv_reader.h"

#include <stdlib.h>
#include <string.h>

/* libcsv's state inside a field, which its header does not name. */
enum { INSIDE_FIELD = 2 };

/* libcsv keeps a field until it ends; this is what stops it from keeping the rest of a file. */
static void *resize(void *block, size_t size)
{
    return size <= CSV_ROW_MAX ? realloc(block, size) : NULL;
}

static void end_field(void *bytes, size_t length, void *context)
{
    struct csv_reader *reader = context;
    if (reader->count == CSV_FIELDS_MAX) {
        reader->failed = true;
        return;
    }
    reader->starts[reader->count++] = reader->text.length;
    buffer_put(&reader->text, bytes, length);
    buffer_putc(&reader->text, '\0');
}

static void end_row(int terminator, void *context)
{
    (void)terminator;
    ((struct csv_reader *)context)->complete = true;
}

void csv_reader_init(struct csv_reader *reader, char delimiter)
{
    *reader = (struct csv_reader){0};
    csv_init(&reader->parser, CSV_APPEND_NULL);
    csv_set_delim(&reader->parser, (unsigned char)delimiter);
    csv_set_realloc_func(&reader->parser, resize);
    buffer_init(&reader->text, CSV_ROW_MAX);
}

void csv_reader_clear(struct csv_reader *reader)
{
    csv_free(&reader->parser);
    buffer_clear(&reader->text);
}

static void begin_row(struct csv_reader *reader)
{
    if (reader->complete) {
        buffer_reset(&reader->text);
        reader->count = 0;
        reader->complete = false;
    }
}

bool csv_reader_put(struct csv_reader *reader, const char *bytes, size_t length)
{
    begin_row(reader);
    if (csv_parse(&reader->parser, bytes, length, end_field, end_row, reader) != length || reader->text.failed) {
        reader->failed = true;
    }
    return reader->complete && !reader->failed;
}

bool csv_reader_end(struct csv_reader *reader)
{
    begin_row(reader);
    if (reader->parser.quoted && reader->parser.pstate == INSIDE_FIELD) {
        reader->failed = true;
    }
    csv_fini(&reader->parser, end_field, end_row, reader);
    reader->failed = reader->failed || reader->text.failed;
    return reader->complete && !reader->failed;
}

const char *csv_reader_field(const struct csv_reader *reader, size_t index)
{
    return index < reader->count ? reader->text.data + reader->starts[index] : "";
}
