#ifndef TUI_VIEW_H
#define TUI_VIEW_H

#include "tui/app.h"
#include "tui/frame.h"

/* Draws the whole screen of `app` as it is at `now`. A pure function of its arguments; the frame's size is the
 * window's. */
void view(const struct app *app, monotime now, walltime wall, struct frame *frame);

#endif
