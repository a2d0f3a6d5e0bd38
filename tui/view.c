#include "tui/view.h"

#include "tui/view_parts.h"
#include "tui/words.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define DEMO_WORDS "DEMO \xe2\x80\x93 simulated NHTSA"

/* A text that is too wide is cut, and dots say so. */
static void put_cut(struct frame *frame, int row, int column, enum role role, const char *text, size_t length)
{
    const char *dots = frame->utf8 ? "\xe2\x80\xa6" : "...";
    int room = frame->columns - column;
    bool fits = frame_width(text, length, frame->utf8) <= room;
    int end = fits ? room : room - frame_width(dots, strlen(dots), frame->utf8);
    int drawn = frame_text(frame, row, column, end, role, text, length);
    if (!fits) {
        (void)frame_puts(frame, row, column + drawn, room - drawn, role, dots);
    }
}

int view_wrapped(struct frame *frame, int row, int rows, int column, enum role role, const char *text)
{
    size_t length = strlen(text);
    int used = 0, room = frame->columns - column;
    while (length > 0 && used < rows) {
        size_t taken = frame_wrap(text, length, room, frame->utf8);
        if (used == rows - 1 && taken < length) {
            put_cut(frame, row + used, column, role, text, length);
            return rows;
        }
        (void)frame_text(frame, row + used, column, room, role, text, taken);
        used++;
        text += taken;
        length -= taken;
        while (length > 0 && *text == ' ') {
            text++;
            length--;
        }
    }
    return used;
}

/* What is known about the connection, from what happened last. */
static const char *connection(const struct app *app, monotime now)
{
    if ((app->open.ticket != 0 && app->open.stage != STAGE_WAITING) || list_calling(&app->list) > 0) {
        return "asking";
    }
    if (app_gate_closed(app, now)) {
        return "wait asked for";
    }
    if (app_breaker_open(app, now)) {
        return "not answering";
    }
    bool retries = app->open.ticket != 0 && app->open.waiting.reason != REASON_NONE;
    if (app->failed_before || retries) {
        return "last try failed";
    }
    return app->answered_before ? "answering" : "not asked yet";
}

/* How far the list is that runs behind whatever is on the screen. */
static bool list_runs_on(const struct app *app, char *out, size_t size)
{
    const struct list *list = &app->list;
    (void)snprintf(out, size, "list %zu/%zu", list_done(list), list->count);
    return list->out_count > 0 && !app_on_top(app, OVERLAY_LIST);
}

/* The gate's clock stands here only while the status line has none: two clocks would be two changes a second. */
void view_title(const struct app *app, monotime now, struct frame *frame)
{
    struct verdict verdict = can_decode(app, now);
    char clock[32] = "", countdown[24];
    frame_fill(frame, 0, 0, frame->columns, ' ', ROLE_TITLE);
    if (app_wait_shown(&app->host.gate, now) && !app_wait_shown(&verdict.off, now)) {
        words_countdown(app->host.gate.until - now, countdown, sizeof countdown);
        (void)snprintf(clock, sizeof clock, "gate %s", countdown);
    }
    int end = frame->columns - (clock[0] != '\0' ? (int)strlen(clock) + 2 : 0);
    int at = 1 + frame_puts(frame, 0, 1, end - 1, ROLE_TITLE, "vindecode");
    if (app->demo != NULL) {
        at += 2 + frame_puts(frame, 0, at + 2, end - at - 2, ROLE_DEMO, DEMO_WORDS);
        int width = frame_width(app->demo, strlen(app->demo), frame->utf8);
        if (at + 2 + width <= end) {
            at += 2 + frame_puts(frame, 0, at + 2, width, ROLE_TITLE, app->demo);
        }
    } else {
        at += 2 + frame_puts(frame, 0, at + 2, end - at - 2, ROLE_TITLE, app->upstream);
    }
    const char *state = connection(app, now);
    char list[64];
    if (list_runs_on(app, list, sizeof list) && at + 2 + (int)strlen(list) <= end) {
        at += 2 + frame_puts(frame, 0, at + 2, end - at - 2, ROLE_TITLE, list);
    }
    if (at + 2 + (int)strlen(state) <= end) {
        (void)frame_puts(frame, 0, at + 2, end - at - 2, ROLE_TITLE, state);
    }
    (void)frame_puts(frame, 0, end + 1, frame->columns - end - 1, ROLE_TITLE, clock);
}

/* The longest line that fits asks for more room. */
static void ask_for_room(const struct app *app, struct frame *frame)
{
    char long_line[96];
    (void)snprintf(long_line, sizeof long_line, "%s: needs 40 x 12, has %d x %d",
                   app->demo != NULL ? DEMO_WORDS : "vindecode", frame->columns, frame->rows);
    const char *const lines[] = {long_line, "needs 40 x 12", "40x12", "+"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        if (frame_width(lines[i], strlen(lines[i]), frame->utf8) <= frame->columns) {
            (void)frame_puts(frame, 0, 0, frame->columns, ROLE_TEXT, lines[i]);
            break;
        }
    }
    frame->cursor_row = 0;
    frame->cursor_column = 0;
}

/* The page's title, a rule, and which lines of how many are in sight. In a low window the rule is the bar. */
static void draw_page_title(const struct app *app, const struct page *page, const struct layout *layout, size_t from,
                            size_t visible, monotime now, struct frame *frame)
{
    int row = layout->title_row;
    char position[64] = "";
    size_t lines = page_lines(page);
    if (lines > visible) {
        (void)snprintf(position, sizeof position, "%zu-%zu of %zu", from + 1, from + visible, lines);
    }
    frame_fill(frame, row, 0, frame->columns, frame->utf8 ? 0x2500 : '-', ROLE_LABEL);
    int width = (int)strlen(position), end = frame->columns;
    int used = frame_width(page->title, strlen(page->title), frame->utf8);
    bool placed = width > 0 && used + width + 4 <= frame->columns;
    used += used > 0 ? 1 : 0;
    end -= placed ? width + 2 : 0;
    if (layout->bar_row == row) {
        view_bar(app, row, used, end, now, frame);
    }
    if (used > 0) {
        (void)frame_puts(frame, row, 0, frame->columns, ROLE_HEADING, page->title);
        frame_put(frame, row, used - 1, ' ', ROLE_LABEL);
    }
    if (placed) {
        frame_put(frame, row, frame->columns - width - 2, ' ', ROLE_LABEL);
        (void)frame_puts(frame, row, frame->columns - width - 1, width, ROLE_LABEL, position);
        frame_put(frame, row, frame->columns - 1, ' ', ROLE_LABEL);
    }
}

/* What was searched for stands out wherever it is seen. */
static void mark_found(const struct app *app, const struct page_span *span, int row, struct frame *frame)
{
    size_t wanted = strlen(app->search);
    const char *end = span->text + span->length, *at = span->text;
    while (app->found && (at = view_find(at, (size_t)(end - at), app->search)) != NULL) {
        int column = PAGE_MARGIN + span->column + frame_width(span->text, (size_t)(at - span->text), frame->utf8);
        (void)frame_text(frame, row, column, frame->columns - column, ROLE_SELECTED, at, wanted);
        at += wanted;
    }
}

static void draw_line(const struct app *app, const struct page_line *line, int row, bool selected, struct frame *frame)
{
    if (selected) {
        frame_fill(frame, row, 0, frame->columns, ' ', ROLE_SELECTED);
    }
    for (size_t i = 0; i < line->span_count; i++) {
        const struct page_span *span = &line->spans[i];
        put_cut(frame, row, PAGE_MARGIN + span->column, selected ? ROLE_SELECTED : span->role, span->text,
                span->length);
        mark_found(app, span, row, frame);
    }
}

/* The lines that do not scroll, and behind them those in sight of the others. */
static void draw_lines(const struct app *app, const struct page *page, const struct layout *layout, size_t from,
                       struct frame *frame)
{
    size_t rows = (size_t)layout->page_rows, chosen = app_has_choice(app) ? app_overlay(app)->place.selected : SIZE_MAX;
    for (size_t i = 0; i < rows && i < page->fixed; i++) {
        draw_line(app, &page->lines[i], layout->page_row + (int)i, false, frame);
    }
    for (size_t i = page->fixed; i < rows && from + i - page->above < page->count; i++) {
        size_t line = from + i - page->fixed;
        draw_line(app, &page->lines[line - page->above + page->fixed], layout->page_row + (int)i, line == chosen,
                  frame);
    }
}

static void draw_page(const struct app *app, const struct layout *layout, monotime now, walltime wall,
                      struct frame *frame)
{
    const struct overlay *top = app_overlay(app);
    const struct place *place = top != NULL ? &top->place : &app->card;
    size_t rows = layout->page_rows > 0 ? (size_t)layout->page_rows : 0, from = place->scroll;
    struct page page;
    page_init(&page, frame->columns - PAGE_MARGIN, frame->utf8);
    view_page_build(app, rows, now, wall, &page);
    size_t lines = page_lines(&page), visible = rows > page.fixed ? rows - page.fixed : 0;
    if (from + visible > lines) {
        from = lines > visible ? lines - visible : 0;
    }
    draw_page_title(app, &page, layout, from, visible, now, frame);
    draw_lines(app, &page, layout, from, frame);
    if (!app_in_field(app)) {
        bool points = app_has_choice(app) || (app->search[0] != '\0' && app->found);
        bool chosen = points && place->selected >= from && place->selected < from + visible;
        frame->cursor_row = layout->page_row + (chosen ? (int)(page.fixed + place->selected - from) : 0);
        frame->cursor_column = 0;
    }
    page_clear(&page);
}

void view(const struct app *app, monotime now, walltime wall, struct frame *frame)
{
    struct layout layout = view_layout(app, frame->rows, frame->columns, frame->utf8, now, wall);
    frame_erase(frame);
    if (!layout.fits) {
        ask_for_room(app, frame);
        return;
    }
    view_title(app, now, frame);
    view_field(app, &layout, frame);
    view_local(app, &layout, frame);
    view_status(app, &layout, now, wall, frame);
    draw_page(app, &layout, now, wall, frame);
    if (app->prompt.kind != PROMPT_NONE) {
        view_prompt(app, &layout, frame);
    } else {
        view_keys(app, &layout, now, frame);
    }
}
