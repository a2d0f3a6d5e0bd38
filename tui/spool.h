#ifndef TUI_SPOOL_H
#define TUI_SPOOL_H

#include "core/engine/event.h"

#include <stdbool.h>
#include <stddef.h>

/* How each entry of a list ended, whole, in a temporary file without a name: a hundred thousand answers do not fit in
 * memory, and they go when the program goes. UI thread only. */
struct spool;

struct spool *spool_new(void);
void spool_free(struct spool *spool);

/* Keeps an EVENT_DECODED or EVENT_FAILED under `index`, in place of what was there; borrows it. False with errno when
 * it cannot be written. */
bool spool_put(struct spool *spool, size_t index, const struct event *event);

/* What was kept; the caller ends with event_clear(). False when there is nothing, or it cannot be read. */
bool spool_get(struct spool *spool, size_t index, struct event *out);

/* Forgets everything. */
void spool_forget(struct spool *spool);

#endif
