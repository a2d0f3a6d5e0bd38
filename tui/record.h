#ifndef TUI_RECORD_H
#define TUI_RECORD_H

#include "core/base/buffer.h"
#include "core/engine/event.h"
#include "core/vin/scan.h"
#include "tui/field_choice.h"

/* What a run without a screen says about one VIN: the one thing that every writer is made from. */

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

/* The exit status of a decoded VIN with a warning under --strict. */
enum { RECORD_EXIT_WARNING = 7 };

const char *record_status_name(enum record_status status);
int record_exit_status(enum record_status status);

struct record {
    const char *input; /* as it was given; bytes */
    size_t input_length;
    struct scan scan;          /* with an event only its check, of the VIN that was sent */
    const struct event *event; /* EVENT_DECODED or EVENT_FAILED; NULL: the local check found it invalid */
};

/* What writers need beside the record. */
struct record_context {
    const char *host; /* as for tui/words.h */
    monotime now;
    walltime wall;
    int64_t utc_offset_ms;
    const struct field_choice *fields; /* the wanted ones; none chosen: all */
    bool show_empty;                   /* fields without a value too */
    bool utf8;                         /* text for people may leave ASCII */
};

enum record_status record_status(const struct record *record);

/* What is known about a record that is not decoded, the local check's refusal included. */
const struct event_failed *record_failure(const struct record *record);

/* How long its failure says to stay away: what the upstream named, else until the pause ends that is known; 0: nothing.
 */
int64_t record_retry_after_ms(const struct record *record, const struct record_context *context);

/* The VIN that the record is about, cleaned. */
const char *record_vin(const struct record *record);

/* Whether NHTSA's notes on it hold a warning or a problem. */
bool record_has_warning(const struct record *record);

/* Whether the field is wanted: one of the chosen, and with a value unless empty ones are shown. */
bool record_wants(const struct record_context *context, const struct vehicle_field *field);

enum { RECORD_MESSAGE_MAX = 512 };

/* One sentence about a record without a result, bytes. */
void record_message(const struct record *record, const struct record_context *context, char *out, size_t size);

/* The object of cli.md, one line with its line end. Never a control character, a bidi override or broken UTF-8 in it.
 */
void json_write(const struct record *record, const struct record_context *context, struct buffer *out);

/* CSV (RFC 4180, UTF-8): a header row, then a row per record. Columns of our own come first, NHTSA's fields in the
 * order of the catalogue, or of the choice. No line end and no control character stands inside a field. */
void csv_header_write(const struct record_context *context, struct buffer *out);
void csv_row_write(const struct record *record, const struct record_context *context, struct buffer *out);

/* A card for people, with an empty line behind it. */
void text_write(const struct record *record, const struct record_context *context, struct buffer *out);

/* Bytes from outside, made harmless by frame_clean(); and the same without the blanks at their ends. */
void record_put_clean(const char *bytes, bool utf8, struct buffer *out);
void record_put_trimmed(const char *bytes, bool utf8, struct buffer *out);

#endif
