#ifndef TUI_VIEW_PARTS_H
#define TUI_VIEW_PARTS_H

#include "tui/view_page.h"

/* The panes of view(): each draws its rows of the layout. */
void view_title(const struct app *app, monotime now, struct frame *frame);
void view_field(const struct app *app, const struct layout *layout, struct frame *frame);
void view_local(const struct app *app, const struct layout *layout, struct frame *frame);
void view_status(const struct app *app, const struct layout *layout, monotime now, walltime wall, struct frame *frame);
void view_keys(const struct app *app, const struct layout *layout, monotime now, struct frame *frame);
void view_prompt(const struct app *app, const struct layout *layout, struct frame *frame);

/* `text` wrapped into `rows` rows from `column` on; what does not fit ends in dots. Returns the rows used. */
int view_wrapped(struct frame *frame, int row, int rows, int column, enum role role, const char *text);

/* The bar: it empties with the countdown, in whole seconds, so that it moves only when the digits do. */
void view_bar(const struct app *app, int row, int column, int end, monotime now, struct frame *frame);

/* The sentence below the status line. */
enum { VIEW_MESSAGE_MAX = ANSWER_MESSAGE_MAX + 320 };

void view_message(const struct app *app, monotime now, walltime wall, char *out, size_t size);

#endif
