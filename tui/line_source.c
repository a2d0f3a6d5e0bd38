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
    buffer_init(&source->line, FIRST_LINE_MAX_BYTES);
    return true;
}

static void end_file(struct line_source *source)
{
    if (source->descriptor > STDERR_FILENO) {
        close(source->descriptor);
    }
    source->descriptor = -1;
}

/* Something is wrong with the content: nothing more is read. */
static void give_up(struct line_source *source, const char *wrong)
{
    source->wrong = wrong;
    source->used = source->filled = 0;
    buffer_reset(&source->line);
    end_file(source);
}

void line_source_close(struct line_source *source)
{
    end_file(source);
    buffer_clear(&source->line);
    if (source->kind == LINES_CSV) {
        csv_reader_clear(&source->csv);
    }
}

static bool is_line_end(char byte)
{
    return byte == '\n' || byte == '\r';
}

/* Whether NULs stand there otherwise than behind the text of a line, where what reads a vehicle's bus pads with them:
 * then it is no text, or UTF-16. */
static bool is_no_text(const char *bytes, size_t length)
{
    enum { END_OF_TRANSMISSION = 0x04 }; /* ends an envelope of ISO 15434 */
    bool padding = false, padded = false, controls = false;
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] != '\0' && padding && !is_line_end(bytes[i])) {
            return true;
        }
        padding = bytes[i] == '\0';
        padded = padded || padding;
        controls = controls || bytes[i] == 0x7f || (bytes[i] > 0 && bytes[i] < '\t' && bytes[i] != END_OF_TRANSMISSION);
    }
    return padded && controls;
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
    } else if (source->at_start && is_no_text(source->bytes, source->filled)) {
        give_up(source, "it is no text, or not in UTF-8");
    }
    source->at_start = source->at_start && count < 0;
}

/* The bytes up to the next line end, and that; all there are when there is none. */
static size_t piece_length(const struct line_source *source)
{
    const char *from = source->bytes + source->used;
    size_t left = source->filled - source->used, length = 0;
    while (length < left && from[length] != '\n' && from[length] != '\r') {
        length++;
    }
    return length < left ? length + 1 : length;
}

/* Puts the bytes up to the next line end into `line`; true when the line is whole. */
static bool gather(struct line_source *source)
{
    const char *from = source->bytes + source->used;
    size_t length = piece_length(source);
    bool ended = length > 0 && is_line_end(from[length - 1]);
    size_t most = source->kind == LINES_UNDECIDED ? FIRST_LINE_MAX_BYTES : LINE_MAX_BYTES;
    size_t room = most - source->line.length, text = length - (ended ? 1 : 0);
    buffer_put(&source->line, from, text < room ? text : room);
    source->used += length;
    return ended || (source->descriptor < 0 && source->line.length > 0);
}

/* What the line says without comment and blanks at its ends. */
static const char *entry(const struct line_source *source, size_t *length)
{
    const char *text = source->line.data;
    *length = source->line.length;
    const char *comment = memchr(text, '#', *length);
    if (comment != NULL) {
        *length = (size_t)(comment - text);
    }
    return text_trim(text, length);
}

/* The first line: plain or CSV */

static bool has_name(const struct csv_reader *row, size_t index, const char *name)
{
    const char *field = csv_reader_field(row, index);
    size_t length = strlen(field);
    field = text_trim(field, &length);
    return text_is(field, length, name);
}

static size_t find_column(const struct csv_reader *row, const char *name)
{
    size_t index = 0;
    while (index < row->count && !has_name(row, index, name)) {
        index++;
    }
    return index;
}

/* Whether the first line speaks of columns: three or more, or two without a digit in them ("VIN,YEAR" has some). */
static bool is_table(const struct csv_reader *row, const char *line)
{
    return row->count > 2 || (row->count == 2 && strpbrk(line, "0123456789") == NULL);
}

/* Reads the line into source->csv as one row; the caller clears that. */
static void read_row(struct line_source *source, char delimiter, const char *line, size_t length)
{
    csv_reader_init(&source->csv, delimiter);
    csv_reader_put(&source->csv, line, length);
    csv_reader_end(&source->csv);
}

/* `text` is what the line says without its comment: a "#" may also stand in the name of a column. */
static void decide(struct line_source *source, const char *text, size_t length)
{
    static const char delimiters[] = ",;\t";
    bool table = false;
    for (size_t i = 0; i < sizeof delimiters - 1; i++) {
        read_row(source, delimiters[i], source->line.data, source->line.length);
        source->vin_column = find_column(&source->csv, "vin");
        source->year_column = find_column(&source->csv, "year");
        if (source->vin_column < source->csv.count) {
            source->kind = LINES_CSV;
            return;
        }
        csv_reader_clear(&source->csv);
        read_row(source, delimiters[i], text, length);
        table = table || is_table(&source->csv, source->line.data);
        csv_reader_clear(&source->csv);
    }
    source->kind = LINES_PLAIN;
    if (table) {
        give_up(source, "it has columns, and none is called \"vin\" in the first line");
    }
}

static void drop_byte_order_mark(struct line_source *source)
{
    static const char mark[] = "\xef\xbb\xbf";
    struct buffer *line = &source->line;
    if (line->length >= 3 && memcmp(line->data, mark, 3) == 0) {
        line->length -= 3;
        memmove(line->data, line->data + 3, line->length + 1);
    }
}

/* Lines */

static enum line_state next_plain(struct line_source *source, const char **text, size_t *length)
{
    while (gather(source)) {
        if (source->kind == LINES_UNDECIDED) {
            drop_byte_order_mark(source);
        }
        *text = entry(source, length);
        if (*length > 0 && source->kind == LINES_UNDECIDED) {
            decide(source, *text, *length);
        }
        if (source->kind == LINES_CSV || source->wrong != NULL) {
            buffer_reset(&source->line);
            return LINE_LATER; /* as CSV, or never */
        }
        if (*length > 0) {
            *length = *length < LINE_MAX_BYTES ? *length : LINE_MAX_BYTES;
            source->given = true;
            return LINE_READY;
        }
        buffer_reset(&source->line);
    }
    return source->descriptor < 0 ? LINE_END : LINE_LATER;
}

/* A row as an entry. */
static void put_row(struct line_source *source)
{
    const char *vin = csv_reader_field(&source->csv, source->vin_column);
    const char *year = csv_reader_field(&source->csv, source->year_column);
    size_t vin_length = strlen(vin), year_length = strlen(year);
    vin = text_trim(vin, &vin_length);
    year = text_trim(year, &year_length);
    buffer_put(&source->line, vin, vin_length < LINE_MAX_BYTES ? vin_length : LINE_MAX_BYTES);
    if (vin_length > 0 && year_length > 0 && year_length < 16) {
        buffer_putc(&source->line, ',');
        buffer_put(&source->line, year, year_length);
    }
}

static bool has_content(const struct csv_reader *row)
{
    for (size_t i = 0; i < row->count; i++) {
        if (csv_reader_field(row, i)[0] != '\0') {
            return true;
        }
    }
    return false;
}

static enum line_state next_row(struct line_source *source, const char **text, size_t *length)
{
    bool ended = false;
    while (!ended && !source->csv.failed) {
        size_t piece = piece_length(source);
        ended = piece == 0;
        if (ended && source->descriptor >= 0) {
            return LINE_LATER;
        }
        bool complete =
            ended ? csv_reader_end(&source->csv) : csv_reader_put(&source->csv, source->bytes + source->used, piece);
        source->used += piece;
        if (complete && has_content(&source->csv)) {
            put_row(source);
            *text = source->line.data;
            *length = source->line.length;
            source->given = true;
            return LINE_READY;
        }
    }
    if (source->csv.failed) {
        give_up(source, "a row is too long, or a quote is never closed");
    }
    return LINE_END;
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
    if (source->wrong == NULL && source->kind != LINES_CSV) {
        enum line_state state = next_plain(source, text, length);
        if (source->kind != LINES_CSV) {
            return source->wrong != NULL ? LINE_END : state;
        }
    }
    return source->wrong != NULL ? LINE_END : next_row(source, text, length);
}
