#ifndef TUI_DEMO_WATCH_H
#define TUI_DEMO_WATCH_H

#include "tui/demo/demo.h"
#include "tui/demo/play.h"

/* The parts of the demo that --serve needs beside demo.h. */

/* One call, told when its answer leaves. */
struct demo_event {
    int64_t at_ms; /* when it arrived, since the demo was started */
    enum verdict verdict;
    int status;         /* 0: the connection was dropped without an answer */
    const char *method; /* printable, as `path` is */
    const char *path;
};

/* Called on many threads at once. */
typedef void demo_watcher(void *context, const struct demo_event *event);

/* demo_start() that tells `watcher` about each call. */
struct demo *demo_start_watched(const char *scenario, uint16_t port, demo_watcher *watcher, void *context, char *why,
                                size_t size);

/* Answers nobody any more and waits until all threads are gone; the counts can still be read. demo_stop() does it too.
 */
void demo_halt(struct demo *demo);

#endif
