/*
 * Draws a situation of the screen as SVG, as a terminal with a dark ground would show it.
 *
 *     picture SITUATION FILE.svg      draws one
 *     picture --update DIRECTORY      draws those of the README anew
 *     picture --check DIRECTORY       compares those with what the screen looks like now
 */
#include "screen/golden.h"
#include "screen/situations.h"
#include "tui/theme.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

enum { ROWS = 24, COLUMNS = 80, CELL_WIDTH = 9, CELL_HEIGHT = 19, BASELINE = 14, MARGIN = 12 };
enum { OWN_TEXT = 0xd6d6d6, OWN_GROUND = 0x16181d };

/* Those of the README. */
static const char *const pictures[] = {"decoding", "waiting", "throttled-other-vin", "decoded", "list-waits",
                                       "help",     "meter"};

/* Shades for the palette's names that are calm on a dark ground. */
static uint32_t rgb_of(int32_t colour, uint32_t own)
{
    static const uint32_t shades[8] = {0x2b2d33, 0xe06c6c, 0x86c27a, 0xdfc06a, 0x7aa6e0, 0xc98bd6, 0x6cc3cc, 0xd6d6d6};
    return colour < 0 ? own : colour < 8 ? shades[colour] : theme_palette(colour);
}

struct ink {
    uint32_t text, ground;
    unsigned attributes; /* without reverse */
};

static struct ink ink_of(const struct theme *theme, const struct cell *cell)
{
    struct look look = theme_look(theme, (enum role)cell->role, DEPTH_256);
    struct ink ink = {rgb_of(look.text, OWN_TEXT), rgb_of(look.ground, OWN_GROUND), look.attributes};
    if ((look.attributes & ATTRIBUTE_REVERSE) != 0) {
        ink = (struct ink){ink.ground, ink.text, look.attributes & ~(unsigned)ATTRIBUTE_REVERSE};
    }
    return ink;
}

static bool same_ink(const struct ink *a, const struct ink *b)
{
    return a->text == b->text && a->ground == b->ground && a->attributes == b->attributes;
}

static void put_code(struct buffer *out, uint32_t code)
{
    utf8proc_uint8_t bytes[4];
    switch (code) {
    case '&':
        buffer_puts(out, "&amp;");
        break;
    case '<':
        buffer_puts(out, "&lt;");
        break;
    case '>':
        buffer_puts(out, "&gt;");
        break;
    default:
        buffer_put(out, bytes, (size_t)utf8proc_encode_char((utf8proc_int32_t)code, bytes));
        break;
    }
}

static void put_text(struct buffer *out, const struct cell *cells, int count)
{
    for (int i = 0; i < count; i++) {
        for (size_t k = 0; cells[i].width > 0 && k <= CELL_MARKS; k++) {
            uint32_t code = k == 0 ? cells[i].code : cells[i].marks[k - 1];
            if (code != 0) {
                put_code(out, code);
            }
        }
    }
}

/* Cells of one ink, without blanks at the end. Each run is given its exact length, so that columns stay under each
 * other in whatever font is there. */
static void put_run(struct buffer *out, const struct cell *cells, int count, int row, int column, const struct ink *ink)
{
    int x = MARGIN + column * CELL_WIDTH, y = MARGIN + row * CELL_HEIGHT;
    if (ink->ground != OWN_GROUND) {
        buffer_printf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n", x, y,
                      count * CELL_WIDTH, CELL_HEIGHT, ink->ground);
    }
    while (count > 0 && cells[count - 1].code == ' ') {
        count--;
    }
    if (count == 0) {
        return;
    }
    buffer_printf(out, "<text x=\"%d\" y=\"%d\" textLength=\"%d\" lengthAdjust=\"spacingAndGlyphs\"", x, y + BASELINE,
                  count * CELL_WIDTH);
    if (ink->text != OWN_TEXT) {
        buffer_printf(out, " fill=\"#%06x\"", ink->text);
    }
    buffer_puts(out, ink->attributes & ATTRIBUTE_BOLD ? " font-weight=\"bold\"" : "");
    buffer_puts(out, ink->attributes & ATTRIBUTE_UNDERLINE ? " text-decoration=\"underline\"" : "");
    buffer_putc(out, '>');
    put_text(out, cells, count);
    buffer_puts(out, "</text>\n");
}

/* A run ends where the ink changes, and where more than one blank would have to be stretched. */
static void put_row(struct buffer *out, const struct frame *frame, int row, const struct theme *theme)
{
    const struct cell *cells = &frame->cells[row * frame->columns];
    for (int from = 0, to; from < frame->columns; from = to) {
        struct ink ink = ink_of(theme, &cells[from]);
        bool blank = cells[from].code == ' ';
        for (to = from + 1; to < frame->columns; to++) {
            struct ink next = ink_of(theme, &cells[to]);
            bool parts = cells[to].code == ' ' && (to + 1 == frame->columns || cells[to + 1].code == ' ');
            if (!same_ink(&ink, &next) || (!blank && parts) || (blank && cells[to].code != ' ')) {
                break;
            }
        }
        put_run(out, &cells[from], to - from, row, from, &ink);
    }
}

static void put_cursor(struct buffer *out, const struct frame *frame)
{
    if (frame->cursor_row >= 0 && frame->cursor_column >= 0) {
        buffer_printf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\" opacity=\"0.6\"/>\n",
                      MARGIN + frame->cursor_column * CELL_WIDTH, MARGIN + frame->cursor_row * CELL_HEIGHT, CELL_WIDTH,
                      CELL_HEIGHT, (unsigned)OWN_TEXT);
    }
}

static bool draw(const char *name, struct buffer *out)
{
    const struct situation *situation = situation_find(name);
    struct theme theme;
    struct frame frame;
    char why[256];
    if (situation == NULL || !theme_load("default", &theme, why, sizeof why)) {
        (void)fprintf(stderr, "picture: there is no situation \"%s\"\n", name);
        return false;
    }
    frame_init(&frame, ROWS, COLUMNS, true);
    situation_draw(situation, &frame);
    int width = 2 * MARGIN + COLUMNS * CELL_WIDTH, height = 2 * MARGIN + ROWS * CELL_HEIGHT;
    buffer_printf(out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
                  "role=\"img\">\n<title>vindecode: %s</title>\n"
                  "<rect width=\"%d\" height=\"%d\" rx=\"8\" fill=\"#%06x\"/>\n"
                  "<g font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"15\" "
                  "fill=\"#%06x\" xml:space=\"preserve\">\n",
                  width, height, width, height, name, width, height, (unsigned)OWN_GROUND, (unsigned)OWN_TEXT);
    for (int row = 0; row < ROWS; row++) {
        put_row(out, &frame, row, &theme);
    }
    put_cursor(out, &frame);
    buffer_puts(out, "</g>\n</svg>\n");
    frame_clear(&frame);
    return !out->failed;
}

/* Draws one and writes it, or compares it. */
static bool handle(const char *name, const char *path, bool compare)
{
    struct buffer svg;
    buffer_init(&svg, 1 << 24);
    bool good = draw(name, &svg) && (compare ? golden_compare(path, name, &svg) : golden_write(path, &svg));
    buffer_clear(&svg);
    return good;
}

static int handle_all(const char *folder, bool compare)
{
    size_t passed = 0, missed = 0;
    for (size_t i = 0; i < sizeof pictures / sizeof pictures[0]; i++) {
        char path[4096];
        (void)snprintf(path, sizeof path, "%s/%s.svg", folder, pictures[i]);
        if (handle(pictures[i], path, compare)) {
            passed++;
        } else {
            missed++;
        }
    }
    (void)printf("%zu passed, %zu failed\n", passed, missed);
    if (missed > 0 && compare) {
        (void)printf("When the screen is right, draw them anew: build/tests/picture --update %s\n", folder);
    }
    return missed == 0 ? 0 : 1;
}

int main(int count, char **arguments)
{
    if (count != 3) {
        (void)fprintf(stderr, "usage: picture SITUATION FILE.svg | --update DIRECTORY | --check DIRECTORY\n");
        return 2;
    }
    if (strcmp(arguments[1], "--update") == 0 || strcmp(arguments[1], "--check") == 0) {
        return handle_all(arguments[2], strcmp(arguments[1], "--check") == 0);
    }
    return handle(arguments[1], arguments[2], false) ? 0 : 1;
}
