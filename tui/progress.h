#ifndef TUI_PROGRESS_H
#define TUI_PROGRESS_H

#include "core/engine/event.h"

#include <stdbool.h>
#include <stddef.h>

/* One line on standard error that says how far a list is, for a person who watches: done and total, the wait that holds
 * it up with its origin, and an estimate. At most four times a second, and never when standard error is no terminal. */
enum { PROGRESS_MAX = 256 };

struct progress {
    bool on;
    const char *host; /* for origins, as for tui/words.h */
    int64_t utc_offset_ms;
    monotime started_at;
    size_t done, total;       /* total 0: not known yet */
    struct wait wait;         /* what holds it up; until 0 or in the past: nothing */
    monotime drawn_at;        /* 0: never */
    bool stale;               /* there is something else to show, as soon as a quarter of a second has gone by */
    char shown[PROGRESS_MAX]; /* what stands there now */
};

/* `descriptor` is standard error; `quiet` is the person's wish. */
void progress_init(struct progress *progress, bool quiet, const char *host, int64_t utc_offset_ms, monotime now);

/* Draws the line if it has changed and a quarter of a second has gone by since the last time. */
void progress_draw(struct progress *progress, monotime now);

/* Takes the line away, so that something else can be written. */
void progress_hide(struct progress *progress);

/* How long until there is something new to draw; -1: only news will bring it. */
int progress_due_ms(const struct progress *progress, monotime now);

/* The line's text in at most `columns` columns. */
void progress_text(const struct progress *progress, monotime now, int columns, char *out, size_t size);

#endif
