/* Any bytes as text from outside: what reaches cells, and what frame_clean() writes, is harmless and counts its
 * columns. */
#include "fuzz/promise.h"
#include "tui/frame.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void check_cells(const struct frame *frame, int from, int to)
{
    for (int column = 0; column < frame->columns; column++) {
        const struct cell *cell = &frame->cells[column];
        bool inside = column >= from && column < to;
        promise(inside || cell->code == ' ', "nothing is written outside the columns asked for");
        promise(cell->width <= 2, "a cell has no more than two columns");
        promise(cell->width == 0 ||
                    (cell->code >= 0x20 && cell->code != 0x7f && (cell->code < 0x80 || cell->code >= 0xa0)),
                "no control character stands in a cell");
        promise(frame->utf8 || cell->code < 0x80, "ASCII only");
        promise(cell->width != 2 || (column + 1 < frame->columns && frame->cells[column + 1].width == 0),
                "a wide character has its right half");
        promise(cell->width != 0 || (column > 0 && frame->cells[column - 1].width == 2), "no lone right half");
    }
}

static void check_clean(const char *text, size_t length, bool utf8)
{
    char small[32];
    char *out = malloc(length * 16 + 1);
    promise(out != NULL, "memory");
    size_t written = frame_clean(text, length, utf8, out, length * 16 + 1);
    promise(strlen(out) == written, "what is cleaned holds no NUL");
    for (size_t i = 0; i < written; i++) {
        unsigned char byte = (unsigned char)out[i];
        promise(byte >= 0x20 && byte != 0x7f && (utf8 || byte < 0x80), "no byte that acts on a terminal");
    }
    promise(frame_width(out, written, utf8) == frame_width(text, length, utf8), "cleaning keeps the width");
    size_t cut = frame_clean(text, length, utf8, small, sizeof small);
    promise(cut < sizeof small && memcmp(small, out, cut) == 0, "a small buffer holds the beginning");
    free(out);
}

static void check_wrap(const char *text, size_t length, int columns, bool utf8)
{
    while (length > 0) {
        size_t taken = frame_wrap(text, length, columns, utf8);
        promise(taken > 0 && taken <= length, "wrapping goes on");
        promise(frame_width(text, taken, utf8) <= columns || taken <= 128 ||
                    frame_wrap(text, taken, columns, utf8) == taken,
                "a line fits, or is one character");
        text += taken;
        length -= taken;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 3) {
        return 0;
    }
    bool utf8 = (data[0] & 1) != 0;
    int column = data[1] % 48, columns = data[2] % 48;
    const char *text = (const char *)data + 3;
    size_t length = size - 3;
    struct frame frame;
    frame_init(&frame, 1, 40, utf8);
    int used = frame_text(&frame, 0, column, columns, ROLE_TEXT, text, length);
    promise(used >= 0 && used <= columns, "no more columns than asked for");
    check_cells(&frame, column, column + columns);
    (void)frame_text(&frame, 0, columns, column, ROLE_TEXT, text, length / 2);
    check_cells(&frame, 0, 48);
    char *dump = frame_dump(&frame);
    promise(dump != NULL && strchr(dump, '\n') == dump + strlen(dump) - 1, "a frame of one row is one line");
    free(dump);
    frame_clear(&frame);
    check_clean(text, length, utf8);
    check_wrap(text, length, 1 + columns, utf8);
    return 0;
}
