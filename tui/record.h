#ifndef TUI_RECORD_H
#define TUI_RECORD_H

#include "core/base/buffer.h"
#include "core/engine/event.h"
#include "core/vin/scan.h"

/* What a run without a screen says about one VIN: the one thing that every writer (JSON now) is made from. */

/* The stable spellings of cli.md, and the exit status that each asks for. */
#define RECORD_STATUSES(X)                                                                                             \
    X(DECODED, "decoded", 0)                                                                                           \
    X(INVALID, "invalid", 3)                                                                                           \
    X(THROTTLED, "throttled", 4)                                                                                       \
    X(UNAVAILABLE, "unavailable", 5)                                                                                   \
    X(EXHAUSTED, "exhausted", 5)                                                                                       \
    X(REJECTED, "rejected", 6)                                                                                         \
    X(CANCELLED, "cancelled", 5)

enum record_status {
#define X(name, text, exit_status) RECORD_##name,
    RECORD_STATUSES(X)
#undef X
};

const char *record_status_name(enum record_status status);
int record_exit_status(enum record_status status);

struct record {
    const char *input; /* as it was given; bytes */
    size_t input_length;
    struct scan scan;
    const struct event *event; /* EVENT_DECODED or EVENT_FAILED; NULL: the local check found it invalid */
};

/* What the words for people need. */
struct record_context {
    const char *host; /* as for tui/words.h */
    monotime now;
    walltime wall;
    int64_t utc_offset_ms;
};

enum record_status record_status(const struct record *record);

enum { RECORD_MESSAGE_MAX = 512 };

/* One sentence about a record without a result, bytes. */
void record_message(const struct record *record, const struct record_context *context, char *out, size_t size);

/* The object of cli.md, one line with its line end. Never a control character, a bidi override or broken UTF-8 in it.
 */
void json_write(const struct record *record, const struct record_context *context, struct buffer *out);

#endif
