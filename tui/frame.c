#include "tui/frame.h"

#include "core/base/buffer.h"
#include "core/base/memory.h"
#include "tui/text_piece.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

static const struct cell blank = {.code = ' ', .width = 1, .role = ROLE_TEXT};

void frame_init(struct frame *frame, int rows, int columns, bool utf8)
{
    *frame = (struct frame){.utf8 = utf8};
    frame_resize(frame, rows, columns);
}

void frame_clear(struct frame *frame)
{
    free(frame->cells);
    *frame = (struct frame){0};
}

void frame_erase(struct frame *frame)
{
    size_t columns = (size_t)frame->columns;
    for (size_t i = 0; i < columns; i++) {
        frame->cells[i] = blank;
    }
    for (size_t row = 1; row < (size_t)frame->rows; row++) {
        memcpy(frame->cells + row * columns, frame->cells, columns * sizeof *frame->cells);
    }
    frame->cursor_row = -1;
    frame->cursor_column = -1;
}

void frame_resize(struct frame *frame, int rows, int columns)
{
    rows = rows < 1 ? 1 : rows;
    columns = columns < 1 ? 1 : columns;
    if (frame->cells == NULL || rows != frame->rows || columns != frame->columns) {
        free(frame->cells);
        frame->cells = memory_get((size_t)rows * (size_t)columns * sizeof *frame->cells);
        frame->rows = rows;
        frame->columns = columns;
    }
    frame_erase(frame);
}

static struct cell *cell_at(const struct frame *frame, int row, int column)
{
    if (row < 0 || column < 0 || row >= frame->rows || column >= frame->columns) {
        return NULL;
    }
    return &frame->cells[(size_t)row * (size_t)frame->columns + (size_t)column];
}

/* Writing over a half of a wide character leaves no lone half behind. */
static void part_from_neighbour(struct frame *frame, int row, int column)
{
    struct cell *cell = cell_at(frame, row, column);
    if (cell->width == 0 && column > 0) {
        *cell_at(frame, row, column - 1) = blank;
    } else if (cell->width == 2 && column + 1 < frame->columns) {
        *cell_at(frame, row, column + 1) = blank;
    }
}

/* A character of one or two columns at a place where all of it fits. */
static void put_character(struct frame *frame, int row, int column, const struct text_piece *piece, enum role role)
{
    struct cell *cell = cell_at(frame, row, column);
    for (int i = 0; i < piece->columns; i++) {
        if (cell[i].width != 1) {
            part_from_neighbour(frame, row, column + i);
        }
        cell[i] = (struct cell){.role = (uint8_t)role};
    }
    cell->code = piece->code;
    cell->width = (uint8_t)piece->columns;
    memcpy(cell->marks, piece->marks, sizeof cell->marks);
}

static void put_piece(struct frame *frame, int row, int column, const struct text_piece *piece, enum role role)
{
    if (piece->code != 0) {
        put_character(frame, row, column, piece, role);
        return;
    }
    for (int i = 0; i < piece->columns; i++) {
        struct text_piece letter = {.bytes = 1, .columns = 1, .code = (uint32_t)(unsigned char)piece->ascii[i]};
        put_character(frame, row, column + i, &letter, role);
    }
}

/* A character as one cell, which may be two columns wide. */
static struct text_piece one_cell(const struct frame *frame, uint32_t code)
{
    struct text_piece piece;
    text_piece_of(code, frame->utf8, &piece);
    if (piece.code == 0) { /* one cell is all there is */
        piece.code = piece.columns == 1 ? (uint32_t)(unsigned char)piece.ascii[0] : '?';
        piece.columns = 1;
    }
    return piece;
}

static void put_cell(struct frame *frame, int row, int column, const struct text_piece *piece, enum role role)
{
    if (cell_at(frame, row, column) != NULL && cell_at(frame, row, column + piece->columns - 1) != NULL) {
        put_character(frame, row, column, piece, role);
    }
}

void frame_put(struct frame *frame, int row, int column, uint32_t code, enum role role)
{
    const struct text_piece piece = one_cell(frame, code);
    put_cell(frame, row, column, &piece, role);
}

void frame_fill(struct frame *frame, int row, int from, int to, uint32_t code, enum role role)
{
    const struct text_piece piece = one_cell(frame, code);
    for (int column = from; column < to; column++) {
        put_cell(frame, row, column, &piece, role);
    }
}

int frame_text(struct frame *frame, int row, int column, int columns, enum role role, const char *bytes, size_t length)
{
    int used = 0;
    if (cell_at(frame, row, column) == NULL) {
        return 0;
    }
    columns = columns > frame->columns - column ? frame->columns - column : columns;
    while (length > 0) {
        struct text_piece piece;
        text_piece_next(bytes, length, frame->utf8, &piece);
        if (piece.columns > columns - used) {
            break;
        }
        put_piece(frame, row, column + used, &piece, role);
        used += piece.columns;
        bytes += piece.bytes;
        length -= piece.bytes;
    }
    return used;
}

int frame_puts(struct frame *frame, int row, int column, int columns, enum role role, const char *text)
{
    return frame_text(frame, row, column, columns, role, text, strlen(text));
}

int frame_printf(struct frame *frame, int row, int column, int columns, enum role role, const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *line = memory_get((size_t)(length > 0 ? length : 0) + 1);
    (void)vsnprintf(line, (size_t)(length > 0 ? length : 0) + 1, format, list);
    va_end(list);
    int used = frame_puts(frame, row, column, columns, role, line);
    free(line);
    return used;
}

/* A piece as UTF-8 bytes; returns how many, at most 4 * (1 + CELL_MARKS). */
static size_t encode(const struct text_piece *piece, char *out)
{
    if (piece->code == 0) {
        size_t length = strlen(piece->ascii);
        memcpy(out, piece->ascii, length);
        return length;
    }
    utf8proc_uint8_t *at = (utf8proc_uint8_t *)out;
    at += utf8proc_encode_char((utf8proc_int32_t)piece->code, at);
    for (size_t i = 0; i < CELL_MARKS && piece->marks[i] != 0; i++) {
        at += utf8proc_encode_char((utf8proc_int32_t)piece->marks[i], at);
    }
    return (size_t)(at - (utf8proc_uint8_t *)out);
}

size_t frame_clean(const char *bytes, size_t length, bool utf8, char *out, size_t size)
{
    size_t written = 0;
    while (length > 0 && size > 0) {
        struct text_piece piece;
        char encoded[4 * (1 + CELL_MARKS)];
        text_piece_next(bytes, length, utf8, &piece);
        size_t count = encode(&piece, encoded);
        if (written + count > size - 1) {
            break;
        }
        memcpy(out + written, encoded, count);
        written += count;
        bytes += piece.bytes;
        length -= piece.bytes;
    }
    if (size > 0) {
        out[written] = '\0';
    }
    return written;
}

size_t frame_wrap(const char *bytes, size_t length, int columns, bool utf8)
{
    size_t taken = 0, blank_at = 0;
    int used = 0;
    while (taken < length) {
        struct text_piece piece;
        text_piece_next(bytes + taken, length - taken, utf8, &piece);
        if (piece.code == ' ') {
            blank_at = taken;
        }
        if (used + piece.columns > columns) {
            if (taken == 0) {
                return piece.bytes;
            }
            return blank_at > 0 ? blank_at : taken;
        }
        used += piece.columns;
        taken += piece.bytes;
    }
    return length;
}

int frame_width(const char *bytes, size_t length, bool utf8)
{
    int64_t width = 0;
    while (length > 0) {
        struct text_piece piece;
        text_piece_next(bytes, length, utf8, &piece);
        width += piece.columns;
        bytes += piece.bytes;
        length -= piece.bytes;
    }
    return width > INT32_MAX ? INT32_MAX : (int)width;
}

static void dump_row(const struct frame *frame, int row, struct buffer *out)
{
    int last = frame->columns - 1;
    while (last >= 0 && cell_at(frame, row, last)->code == ' ' && cell_at(frame, row, last)->marks[0] == 0) {
        last--;
    }
    for (int column = 0; column <= last; column++) {
        const struct cell *cell = cell_at(frame, row, column);
        struct text_piece piece = {.code = cell->code};
        char encoded[4 * (1 + CELL_MARKS)];
        if (cell->width > 0) {
            memcpy(piece.marks, cell->marks, sizeof piece.marks);
            buffer_put(out, encoded, encode(&piece, encoded));
        }
    }
    buffer_putc(out, '\n');
}

char *frame_dump(const struct frame *frame)
{
    struct buffer out;
    buffer_init(&out, SIZE_MAX / 2);
    for (int row = 0; row < frame->rows; row++) {
        dump_row(frame, row, &out);
    }
    char *text = buffer_take(&out);
    buffer_clear(&out);
    return text;
}
