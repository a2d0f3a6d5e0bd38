#include "tui/view_page.h"
#include "tui/words.h"

#include <stdio.h>
#include <string.h>

/* F7: the countdown so large that the last row of a hall can read it. */

enum { GLYPH_ROWS = 5, GLYPH_COLUMNS = 3 };

/* A bit for each dot, the highest on the left. */
static const unsigned char glyphs[][GLYPH_ROWS] = {
    {7, 5, 5, 5, 7}, {2, 6, 2, 2, 7}, {7, 1, 7, 4, 7}, {7, 1, 7, 1, 7}, {5, 5, 7, 1, 1},
    {7, 4, 7, 1, 7}, {7, 4, 7, 5, 7}, {7, 1, 1, 1, 1}, {7, 5, 7, 5, 7}, {7, 5, 7, 1, 7},
};
static const unsigned char colon[GLYPH_ROWS] = {0, 1, 0, 1, 0};

static int glyph_columns(char character)
{
    return character == ':' ? 1 : GLYPH_COLUMNS;
}

/* Dots across, with one between two characters. */
static int dots_across(const char *text)
{
    int dots = 0;
    for (; *text != '\0'; text++) {
        dots += glyph_columns(*text) + (text[1] != '\0' ? 1 : 0);
    }
    return dots;
}

/* One row of dots, each `across` columns wide, in the middle of the page. */
static void add_row(const char *text, int row, int across, struct page *page)
{
    const char *dot = page->utf8 ? "\xe2\x96\x88" : "#", *line = "";
    int left = (page->columns - dots_across(text) * across) / 2;
    for (; *text != '\0'; text++) {
        unsigned bits = *text == ':' ? colon[row] : glyphs[*text - '0'][row];
        for (int column = glyph_columns(*text) - 1; column >= (text[1] != '\0' ? -1 : 0); column--) {
            for (int i = 0; i < across; i++) {
                line = page_keep(page, "%s%s", line, column >= 0 && (bits >> column & 1) != 0 ? dot : " ");
            }
        }
    }
    page_add(page);
    page_put(page, left, ROLE_EMPHASIS, line);
}

/* A dot is twice as wide as high, which is about square. */
static void add_digits(const char *text, size_t rows, struct page *page)
{
    /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): a countdown is never an empty text */
    int scale = (int)rows / GLYPH_ROWS, fits = page->columns / (2 * dots_across(text));
    scale = scale < fits ? scale : fits;
    if (scale < 1) {
        page_puts(page, 0, ROLE_EMPHASIS, page_keep(page, "%s", text));
        return;
    }
    for (int row = 0; row < GLYPH_ROWS; row++) {
        for (int i = 0; i < scale; i++) {
            add_row(text, row, 2 * scale, page);
        }
    }
}

void view_large(const struct app *app, size_t rows, monotime now, struct page *page)
{
    struct verdict verdict = can_decode(app, now);
    const struct wait *wait = app_wait_shown(&verdict.off, now) ? &verdict.off : &app->host.gate;
    char countdown[24], origin[128];
    if (!app_wait_shown(wait, now)) {
        (void)snprintf(page->title, sizeof page->title, "Nothing is waited for");
        page_puts(page, 0, ROLE_TEXT, "Here a countdown stands in large digits while there is one.");
        return;
    }
    words_countdown(wait->until - now, countdown, sizeof countdown);
    words_origin(wait, app->upstream, app->utc_offset_ms, origin, sizeof origin);
    (void)snprintf(page->title, sizeof page->title, "%.80s", origin);
    add_digits(countdown, rows, page);
}
