#include "tui/view.h"

#include "tui/view_parts.h"
#include "tui/words.h"

#include <stdio.h>
#include <string.h>

#define DEMO_WORDS "DEMO \xe2\x80\x93 simulated NHTSA"

int view_wrapped(struct frame *frame, int row, int rows, int column, enum role role, const char *text)
{
    size_t length = strlen(text);
    int used = 0, room = frame->columns - column;
    while (length > 0 && used < rows) {
        size_t taken = frame_wrap(text, length, room, frame->utf8);
        if (used == rows - 1 && taken < length) {
            const char *dots = frame->utf8 ? "\xe2\x80\xa6" : "...";
            int end = room - frame_width(dots, strlen(dots), frame->utf8);
            int drawn = frame_text(frame, row + used, column, end, role, text, length);
            (void)frame_puts(frame, row + used, column + drawn, room - drawn, role, dots);
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
    if (app->open.ticket != 0 && app->open.stage != STAGE_WAITING) {
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

/* The gate's clock stands here only while the status line has none: two clocks would be two changes a second. */
void view_title(const struct app *app, monotime now, struct frame *frame)
{
    struct verdict verdict = can_decode(app, now);
    char clock[32] = "", countdown[24];
    for (int column = 0; column < frame->columns; column++) {
        frame_put(frame, 0, column, ' ', ROLE_TITLE);
    }
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
    if (at + 2 + (int)strlen(state) <= end) {
        (void)frame_puts(frame, 0, at + 2, end - at - 2, ROLE_TITLE, state);
    }
    (void)frame_puts(frame, 0, end + 1, frame->columns - end - 1, ROLE_TITLE, clock);
}

static const char *brief(const struct app *app, const struct key_binding *binding)
{
    if (binding->command == COMMAND_ESCAPE && app->overlay_count > 0) {
        return "close";
    }
    if (binding->command == COMMAND_DECODE && app->notice == NOTICE_ASKED) {
        return "send";
    }
    return binding->brief;
}

/* Undo is worth its place when something was taken away: by cleaning, or all of it. */
static bool undo_matters(const struct app *app)
{
    return app->scan.removed[0] != '\0' || app->field.length == 0;
}

/* The key that opened what lies on top; Esc is shown instead. */
static bool opened_the_top(const struct app *app, enum command command)
{
    const struct overlay *top = app_overlay(app);
    return top != NULL && ((command == COMMAND_METER && top->kind == OVERLAY_METER) ||
                           (command == COMMAND_HISTORY && top->kind == OVERLAY_HISTORY) ||
                           (command == COMMAND_HELP && top->kind == OVERLAY_HELP));
}

static bool key_shows(const struct app *app, const struct key_binding *binding, monotime now)
{
    enum key_context context = app_in_field(app) ? KEYS_FIELD : KEYS_OUTSIDE;
    if (binding->brief == NULL || (binding->context != context && binding->context != KEYS_EVERYWHERE) ||
        opened_the_top(app, binding->command) || (binding->command == COMMAND_UNDO && !undo_matters(app))) {
        return false;
    }
    return app_can(app, binding->command, now);
}

static int key_width(const struct app *app, const struct key_binding *binding)
{
    return (int)(strlen(binding->name) + 1 + strlen(brief(app, binding)) + 2);
}

static bool always_there(enum command command)
{
    return command == COMMAND_HELP || command == COMMAND_LEAVE;
}

/* Only keys that do something now; help and leave keep their place when there is not room for all. */
void view_keys(const struct app *app, const struct layout *layout, monotime now, struct frame *frame)
{
    int row = layout->keys_row, room = frame->columns + 2, at = 0; /* nothing follows the last one */
    for (int column = 0; column < frame->columns; column++) {
        frame_put(frame, row, column, ' ', ROLE_KEYS);
    }
    for (size_t i = 0; i < keys_count(); i++) {
        if (always_there(keys_at(i)->command) && key_shows(app, keys_at(i), now)) {
            room -= key_width(app, keys_at(i));
        }
    }
    for (size_t i = 0; i < keys_count(); i++) {
        const struct key_binding *binding = keys_at(i);
        if (!key_shows(app, binding, now)) {
            continue;
        }
        int width = key_width(app, binding);
        if (!always_there(binding->command)) {
            if (width > room) {
                continue;
            }
            room -= width;
        }
        int used = frame_puts(frame, row, at, frame->columns - at, ROLE_KEY, binding->name);
        (void)frame_puts(frame, row, at + used + 1, frame->columns - at - used - 1, ROLE_KEYS, brief(app, binding));
        at += width;
    }
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
                            monotime now, struct frame *frame)
{
    int row = layout->title_row;
    char position[64] = "";
    size_t rows = (size_t)layout->page_rows;
    if (page->count > rows) {
        (void)snprintf(position, sizeof position, "%zu-%zu of %zu", from + 1,
                       from + rows < page->count ? from + rows : page->count, page->count);
    }
    for (int column = 0; column < frame->columns; column++) {
        frame_put(frame, row, column, frame->utf8 ? 0x2500 : '-', ROLE_LABEL);
    }
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

static void draw_line(const struct page_line *line, int row, bool selected, struct frame *frame)
{
    for (int column = 0; selected && column < frame->columns; column++) {
        frame_put(frame, row, column, ' ', ROLE_SELECTED);
    }
    for (size_t i = 0; i < line->span_count; i++) {
        const struct page_span *span = &line->spans[i];
        (void)frame_text(frame, row, PAGE_MARGIN + span->column, frame->columns - PAGE_MARGIN - span->column,
                         selected ? ROLE_SELECTED : span->role, span->text, span->length);
    }
}

static void draw_page(const struct app *app, const struct layout *layout, monotime now, walltime wall,
                      struct frame *frame)
{
    const struct overlay *top = app_overlay(app);
    bool list = top != NULL && (top->kind == OVERLAY_HISTORY || top->kind == OVERLAY_CHOOSE);
    size_t rows = (size_t)layout->page_rows, from = top != NULL ? top->scroll : app->card_scroll;
    struct page page;
    page_init(&page, frame->columns - PAGE_MARGIN, frame->utf8);
    view_page_build(app, now, wall, &page);
    if (from + rows > page.count) {
        from = page.count > rows ? page.count - rows : 0;
    }
    draw_page_title(app, &page, layout, from, now, frame);
    for (size_t i = 0; i < rows && from + i < page.count; i++) {
        draw_line(&page.lines[from + i], layout->page_row + (int)i, list && from + i == top->selected, frame);
    }
    if (!app_in_field(app)) {
        frame->cursor_row = layout->page_row + (list && top->selected >= from ? (int)(top->selected - from) : 0);
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
    view_keys(app, &layout, now, frame);
}
