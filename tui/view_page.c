#include "tui/view_page.h"
#include "tui/view_parts.h"

#include "core/base/memory.h"
#include "core/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void page_init(struct page *page, int columns, bool utf8)
{
    memset(page, 0, sizeof *page);
    page->columns = columns;
    page->utf8 = utf8;
}

void page_clear(struct page *page)
{
    for (size_t i = 0; i < page->kept_count; i++) {
        free(page->kept[i]);
    }
    free(page->kept);
    free(page->lines);
    memset(page, 0, sizeof *page);
}

struct page_line *page_add(struct page *page)
{
    if (page->count == page->capacity) {
        page->capacity = page->capacity == 0 ? 64 : page->capacity * 2;
        page->lines = memory_resize(page->lines, page->capacity * sizeof *page->lines);
    }
    struct page_line *line = &page->lines[page->count++];
    memset(line, 0, sizeof *line);
    return line;
}

void page_span(struct page_line *line, int column, enum role role, const char *text, size_t length)
{
    if (line->span_count < PAGE_SPANS_MAX) {
        line->spans[line->span_count++] =
            (struct page_span){.column = column, .role = role, .text = text, .length = length};
    }
}

size_t page_wrap(struct page *page, size_t first, int column, int end, enum role role, const char *text, size_t length)
{
    size_t lines = 0;
    text = text_trim(text, &length);
    do {
        size_t taken = frame_wrap(text, length, end > column ? end - column : 1, page->utf8);
        while (first + lines >= page->count) {
            (void)page_add(page);
        }
        page_span(&page->lines[first + lines], column, role, text, taken);
        lines++;
        text += taken;
        length -= taken;
        while (length > 0 && *text == ' ') {
            text++;
            length--;
        }
    } while (length > 0);
    return lines;
}

const char *page_keep(struct page *page, const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    size_t size = (size_t)(length > 0 ? length : 0) + 1;
    char *text = memory_get(size);
    (void)vsnprintf(text, size, format, list);
    va_end(list);
    if (page->kept_count == page->kept_capacity) {
        page->kept_capacity = page->kept_capacity == 0 ? 32 : page->kept_capacity * 2;
        page->kept = memory_resize(page->kept, page->kept_capacity * sizeof *page->kept);
    }
    page->kept[page->kept_count++] = text;
    return text;
}

void page_puts(struct page *page, int column, enum role role, const char *text)
{
    (void)page_wrap(page, page->count, column, page->columns, role, text, strlen(text));
}

void view_page_build(const struct app *app, monotime now, walltime wall, struct page *page)
{
    const struct overlay *top = app_overlay(app);
    if (top == NULL) {
        view_card(app, now, wall, page);
        return;
    }
    switch (top->kind) {
    case OVERLAY_HELP:
        view_help(page);
        break;
    case OVERLAY_HISTORY:
        view_history(app, now, wall, page);
        break;
    case OVERLAY_METER:
        view_meter(app, now, page);
        break;
    case OVERLAY_CHOOSE:
        view_choose(app, page);
        break;
    }
}

static size_t count_lines(const struct app *app, monotime now, bool utf8)
{
    struct page page;
    page_init(&page, app->columns - PAGE_MARGIN, utf8);
    view_page_build(app, now, 0, &page);
    size_t count = page.count;
    page_clear(&page);
    return count;
}

/* Transliteration changes widths, and the model does not know the terminal: enough for both. */
size_t view_page_lines(const struct app *app, monotime now)
{
    size_t utf8 = count_lines(app, now, true);
    size_t ascii = count_lines(app, now, false);
    return utf8 > ascii ? utf8 : ascii;
}

/* How many lines `text` takes when it is wrapped. */
static int wrapped_lines(const char *text, int columns, bool utf8)
{
    size_t length = strlen(text);
    int lines = 0;
    while (length > 0) {
        size_t taken = frame_wrap(text, length, columns, utf8);
        lines++;
        text += taken;
        length -= taken;
        while (length > 0 && *text == ' ') {
            text++;
            length--;
        }
    }
    return lines;
}

static int message_rows(const struct app *app, int columns, bool utf8, monotime now, walltime wall)
{
    char message[VIEW_MESSAGE_MAX];
    view_message(app, now, wall, message, sizeof message);
    int lines = wrapped_lines(message, columns, utf8);
    return lines < 1 ? 1 : lines < MESSAGE_ROWS_MAX ? lines : MESSAGE_ROWS_MAX;
}

struct layout view_layout(const struct app *app, int rows, int columns, bool utf8, monotime now, walltime wall)
{
    struct layout layout = {.fits = rows >= 12 && columns >= 40, .bar_row = -1};
    struct verdict verdict = can_decode(app, now);
    bool counts = app_wait_shown(&verdict.off, now);
    bool low = rows < 16, tall = rows >= 20, narrow = columns < 60;
    bool terse = low && !app_in_field(app);
    int row = 1;
    layout.field_row = row++;
    layout.ruler_row = terse ? -1 : row++;
    layout.local_row = row;
    layout.local_rows = terse ? 0 : low ? 2 : narrow && tall ? 4 : 3;
    row += layout.local_rows;
    layout.status_row = row++;
    layout.message_row = row;
    layout.message_rows = message_rows(app, columns, utf8, now, wall);
    if (low) {
        row += layout.message_rows;
        layout.bar_row = counts ? row : -1;
    } else {
        int usual = tall && narrow ? 3 : 2, needed = layout.message_rows + (counts ? 1 : 0);
        row += needed > usual ? needed : usual;
        layout.bar_row = counts ? row - 1 : -1;
    }
    layout.title_row = row++;
    layout.page_row = row;
    layout.keys_row = rows - 1;
    layout.page_rows = layout.keys_row - row;
    return layout;
}
