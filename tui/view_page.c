#include "tui/view_page.h"
#include "tui/view_parts.h"

#include "core/base/memory.h"
#include "core/base/text.h"

#include <stdarg.h>
#include <stdint.h>
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
    free(page->texts);
    free(page->lines);
    memset(page, 0, sizeof *page);
}

void page_add(struct page *page)
{
    if (page->count == page->capacity) {
        page->capacity = page->capacity == 0 ? 64 : page->capacity * 2;
        page->lines = memory_resize(page->lines, page->capacity * sizeof *page->lines);
    }
    page->lines[page->count++] = (struct page_line){0};
}

static void put_span(struct page *page, size_t line, int column, enum role role, const char *text, size_t length)
{
    struct page_line *to = &page->lines[line];
    if (to->span_count < PAGE_SPANS_MAX) {
        to->spans[to->span_count++] =
            (struct page_span){.column = column, .role = role, .text = text, .length = length};
    }
}

static void note_text(struct page *page, size_t line, const char *text, size_t length)
{
    if (page->text_count == page->text_capacity) {
        page->text_capacity = page->text_capacity == 0 ? 64 : page->text_capacity * 2;
        page->texts = memory_resize(page->texts, page->text_capacity * sizeof *page->texts);
    }
    page->texts[page->text_count++] = (struct page_text){.line = line, .text = text, .length = length};
}

void page_put(struct page *page, int column, enum role role, const char *text)
{
    size_t length = strlen(text);
    put_span(page, page->count - 1, column, role, text, length);
    note_text(page, page->count - 1, text, length);
}

size_t page_wrap(struct page *page, size_t first, int column, int end, enum role role, const char *text, size_t length)
{
    size_t lines = 0;
    text = text_trim(text, &length);
    note_text(page, first, text, length);
    do {
        size_t taken = frame_wrap(text, length, end > column ? end - column : 1, page->utf8);
        while (first + lines >= page->count) {
            page_add(page);
        }
        put_span(page, first + lines, column, role, text, taken);
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

size_t page_lines(const struct page *page)
{
    return page->total > 0 ? page->total : page->count - page->fixed;
}

void page_entry(struct page *page, int column, const char *label, const char *text)
{
    size_t first = page->count;
    (void)page_wrap(page, first, 0, column, ROLE_LABEL, label, strlen(label));
    (void)page_wrap(page, first, column, page->columns, ROLE_TEXT, text, strlen(text));
}

void view_page_build(const struct app *app, size_t rows, monotime now, walltime wall, struct page *page)
{
    const struct overlay *top = app_overlay(app);
    switch (top != NULL ? top->kind : OVERLAYS_MAX) {
    case OVERLAY_HELP:
        view_help(page);
        break;
    case OVERLAY_HISTORY:
        view_history(app, now, wall, page);
        break;
    case OVERLAY_LIST:
        view_list(app, rows, now, page);
        break;
    case OVERLAY_METER:
        view_meter(app, now, page);
        break;
    case OVERLAY_CHOOSE:
        view_choose(app, page);
        break;
    case OVERLAY_DETAILS:
        view_details(app, now, wall, page);
        break;
    case OVERLAY_LARGE:
        view_large(app, rows, now, page);
        break;
    case OVERLAYS_MAX:
        view_card(app, now, wall, page);
        break;
    }
}

static struct page_size measure(const struct app *app, monotime now, bool utf8)
{
    struct page page;
    page_init(&page, app->columns - PAGE_MARGIN, utf8);
    view_page_build(app, 0, now, 0, &page);
    struct page_size size = {.lines = page_lines(&page), .fixed = page.fixed};
    page_clear(&page);
    return size;
}

/* Transliteration changes widths, and the model does not know the terminal: enough for both. */
struct page_size view_page_size(const struct app *app, monotime now)
{
    struct page_size utf8 = measure(app, now, true), ascii = measure(app, now, false);
    return utf8.lines > ascii.lines ? utf8 : ascii;
}

/* Searching */

const char *view_find(const char *bytes, size_t length, const char *text)
{
    size_t wanted = strlen(text);
    for (size_t at = 0; wanted > 0 && at + wanted <= length; at++) {
        if (text_is(bytes + at, wanted, text)) {
            return bytes + at;
        }
    }
    return NULL;
}

bool view_holds(const char *bytes, size_t length, const char *text)
{
    return view_find(bytes, length, text) != NULL;
}

/* How far `to` lies from `from` on the way round. */
static size_t steps(size_t from, size_t to, size_t lines, bool before)
{
    return before ? (from + lines - to) % lines : (to + lines - from) % lines;
}

size_t view_page_find(const struct app *app, const char *text, size_t line, bool before, monotime now)
{
    struct page page;
    size_t found = SIZE_MAX;
    page_init(&page, app->columns - PAGE_MARGIN, true);
    view_page_build(app, 0, now, 0, &page);
    size_t lines = page_lines(&page);
    for (size_t i = 0; i < page.text_count; i++) {
        const struct page_text *candidate = &page.texts[i];
        if (candidate->line < page.fixed || !view_holds(candidate->text, candidate->length, text)) {
            continue;
        }
        size_t at = candidate->line - page.fixed;
        if (found == SIZE_MAX || steps(line, at, lines, before) < steps(line, found, lines, before)) {
            found = at;
        }
    }
    page_clear(&page);
    return found;
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
