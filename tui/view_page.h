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

struct page {
    int columns;
    bool utf8;
    char title[96]; /* stands above the lines and does not scroll */
    struct page_line *lines;
    size_t count, capacity;
    char **kept;
    size_t kept_count, kept_capacity;
};

void page_init(struct page *page, int columns, bool utf8);
void page_clear(struct page *page);

/* A new line; it lives until the next one is added. */
struct page_line *page_add(struct page *page);

/* Another text on a line; false when the line is full. */
void page_span(struct page_line *line, int column, enum role role, const char *text, size_t length);

/* `text` wrapped from `column` to `end`, from line `first` on; lines are added as needed. Returns how many it took, at
 * least 1. Blanks at both ends are left out. */
size_t page_wrap(struct page *page, size_t first, int column, int end, enum role role, const char *text, size_t length);

/* A text of the page's own. */
const char *page_keep(struct page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* One whole line, or as many as wrapping takes. */
void page_puts(struct page *page, int column, enum role role, const char *text);

/* The pages. view_page_build() picks the one that shows. */
void view_page_build(const struct app *app, monotime now, walltime wall, struct page *page);
void view_card(const struct app *app, monotime now, walltime wall, struct page *page);
void view_help(struct page *page);
void view_history(const struct app *app, monotime now, walltime wall, struct page *page);
void view_meter(const struct app *app, monotime now, struct page *page);
void view_choose(const struct app *app, struct page *page);

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

/* How many lines the page has that shows now, whatever the terminal's character set. For scrolling. */
size_t view_page_lines(const struct app *app, monotime now);

#endif
