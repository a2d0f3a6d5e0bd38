#ifndef TUI_VIEW_PAGE_H
#define TUI_VIEW_PAGE_H

#include "tui/app_model.h"
#include "tui/frame.h"

/* What stands in the lower part of the screen, the card or the overlay on top: lines laid out for a width, of which the
 * window shows some. One form for all of them, so that there is one way to scroll. */

struct page_span {
    int column;
    enum role role;
    const char *text; /* borrowed from the model, constant, or kept by the page */
    size_t length;
};

/* Nothing of a page stands in the first column: a line that begins there with a state word is the status line. */
enum { PAGE_SPANS_MAX = 6, PAGE_MARGIN = 1 };

struct page_line {
    struct page_span spans[PAGE_SPANS_MAX];
    size_t span_count;
};

/* A text as a whole, for the search; and the line where it begins. */
struct page_text {
    size_t line;
    const char *text;
    size_t length;
};

struct page {
    int columns;
    bool utf8;
    char title[96]; /* stands above the lines and does not scroll */
    struct page_line *lines;
    size_t count, capacity;
    size_t fixed; /* so many of the first lines do not scroll either */
    size_t above; /* lines that would stand between those and the others, and were not laid out: a long list */
    size_t total; /* lines that scroll, laid out or not; 0: those that are there */
    struct page_text *texts;
    size_t text_count, text_capacity;
    char **kept;
    size_t kept_count, kept_capacity;
};

void page_init(struct page *page, int columns, bool utf8);
void page_clear(struct page *page);

/* A new line. */
void page_add(struct page *page);

/* A text on the last line; nothing when that has no room for another. */
void page_put(struct page *page, int column, enum role role, const char *text);

/* `text` wrapped from `column` to `end`, from line `first` on; lines are added as needed. Returns how many it took, at
 * least 1. Blanks at both ends are left out. */
size_t page_wrap(struct page *page, size_t first, int column, int end, enum role role, const char *text, size_t length);

/* A text of the page's own. */
const char *page_keep(struct page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* One whole line, or as many as wrapping takes. */
void page_puts(struct page *page, int column, enum role role, const char *text);

/* How many lines scroll. */
size_t page_lines(const struct page *page);

/* A label and what it says, each wrapped in its columns. */
void page_entry(struct page *page, int column, const char *label, const char *text);

/* The pages. view_page_build() picks the one that shows; `rows` is what a long list lays out. */
void view_page_build(const struct app *app, size_t rows, monotime now, walltime wall, struct page *page);
void view_card(const struct app *app, monotime now, walltime wall, struct page *page);
void view_details(const struct app *app, monotime now, walltime wall, struct page *page);
void view_help(struct page *page);
void view_history(const struct app *app, monotime now, walltime wall, struct page *page);
void view_list(const struct app *app, size_t rows, monotime now, struct page *page);
void view_meter(const struct app *app, monotime now, struct page *page);
void view_choose(const struct app *app, struct page *page);
void view_large(const struct app *app, size_t rows, monotime now, struct page *page);

/* Whether `length` bytes hold `text`; in ASCII upper and lower case are one. Where: view_find(). */
const char *view_find(const char *bytes, size_t length, const char *text);
bool view_holds(const char *bytes, size_t length, const char *text);

/* The line of the page that shows which holds `text`, from `line` on and round its end, or backwards; SIZE_MAX: none.
 */
size_t view_page_find(const struct app *app, const char *text, size_t line, bool before, monotime now);

/* How the rows of a window are divided. Rows that are not there are -1. */
struct layout {
    bool fits;     /* else one line asks for more room */
    int field_row; /* "VIN " and the input */
    int ruler_row;
    int local_row, local_rows; /* what the VIN itself says */
    int status_row;
    int message_row, message_rows;
    int bar_row;   /* -1: nothing counts down; may be the page's title row, whose rule is the bar then */
    int title_row; /* of the page */
    int page_row, page_rows;
    int keys_row;
};

/* While the focus is on the page, a low window gives it what the VIN pane can do without. The message has as many rows
 * as it needs, up to MESSAGE_ROWS_MAX. */
enum { MESSAGE_ROWS_MAX = 3 };

struct layout view_layout(const struct app *app, int rows, int columns, bool utf8, monotime now, walltime wall);

/* How many lines the page has that shows now, whatever the terminal's character set: those that scroll, and those that
 * do not. */
struct page_size {
    size_t lines, fixed;
};

struct page_size view_page_size(const struct app *app, monotime now);

/* Columns of the action at the right end of the status line. */
int view_action_width(const struct app *app, monotime now);

/* The key whose name stands at `column` of the key line; NULL: none. */
const struct key_binding *view_key_at(const struct app *app, int column, monotime now);

#endif
