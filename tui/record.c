#include "tui/record.h"

#include "tui/words.h"

#include <stdio.h>
#include <string.h>

const char *record_status_name(enum record_status status)
{
    static const char *const names[] = {
#define X(name, text, exit_status) text,
        RECORD_STATUSES(X)
#undef X
    };
    return names[status];
}

int record_exit_status(enum record_status status)
{
    static const int statuses[] = {
#define X(name, text, exit_status) exit_status,
        RECORD_STATUSES(X)
#undef X
    };
    return statuses[status];
}

/* cli.md: "From planner code to status". */
enum record_status record_status(const struct record *record)
{
    if (record->event == NULL) {
        return RECORD_INVALID;
    }
    if (record->event->kind == EVENT_DECODED) {
        return RECORD_DECODED;
    }
    switch (record->event->as.failed.code) {
    case CODE_UPSTREAM_THROTTLE:
        return RECORD_THROTTLED;
    case CODE_EXHAUSTED:
    case CODE_DEADLINE:
        return RECORD_EXHAUSTED;
    case CODE_BAD_REQUEST:
        return record->event->as.failed.reason == REASON_LOCAL_VALIDATION ? RECORD_INVALID : RECORD_REJECTED;
    case CODE_CANCELLED:
        return RECORD_CANCELLED;
    default:
        return RECORD_UNAVAILABLE;
    }
}

void record_message(const struct record *record, const struct record_context *context, char *out, size_t size)
{
    const struct scan *scan = &record->scan;
    if (record->event != NULL) {
        words_failure(&record->event->as.failed, context->host, context->now, context->wall, context->utc_offset_ms,
                      out, size);
        return;
    }
    words_problem(&scan->check, out, size);
    if (out[0] == '\0' && scan->candidate_count > 0) {
        snprintf(out, size, "several VINs stand in one line");
    } else if (out[0] == '\0' && scan->year_bad) {
        snprintf(out, size, "what follows the comma is no model year");
    } else if (out[0] == '\0') {
        snprintf(out, size, "the check digit is %c, the other characters call for %c", scan->check.check_actual,
                 scan->check.check_expected);
    }
}
