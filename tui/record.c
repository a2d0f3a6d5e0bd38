#include "tui/record.h"

#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/vpic/notes.h"
#include "tui/frame.h"
#include "tui/words.h"

#include <stdio.h>
#include <stdlib.h>
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
    size_t used = strlen(out);
    if (used > 0 && scan->chassis_number) {
        snprintf(out + used, size - used, ", perhaps a chassis number");
    } else if (used > 0 && scan->candidate_count > 0) {
        bool several = scan->candidate_count > 1;
        snprintf(out + used, size - used, "; perhaps %s%s%s", scan->candidates[0], several ? " or " : "",
                 several ? scan->candidates[1] : "");
    }
    if (out[0] == '\0' && scan->candidate_count > 0) {
        snprintf(out, size, "several VINs stand in one line");
    } else if (out[0] == '\0' && scan->year_bad) {
        snprintf(out, size, "what follows the comma is no model year");
    } else if (out[0] == '\0') {
        snprintf(out, size, "the check digit is %c, the other characters call for %c", scan->check.check_actual,
                 scan->check.check_expected);
    }
}

const struct event_failed *record_failure(const struct record *record)
{
    static const struct event_failed refused = {.code = CODE_BAD_REQUEST, .reason = REASON_LOCAL_VALIDATION};
    return record->event ? &record->event->as.failed : &refused;
}

int64_t record_retry_after_ms(const struct record *record, const struct record_context *context)
{
    const struct event_failed *failed = record_failure(record);
    if (failed->told_ms > 0 || failed->again.until == MONOTIME_NEVER || failed->again.until <= context->now) {
        return failed->told_ms;
    }
    return failed->again.until - context->now;
}

const char *record_vin(const struct record *record)
{
    return record->event ? record->event->key.vin : record->scan.check.text;
}

bool record_has_warning(const struct record *record)
{
    return record_status(record) == RECORD_DECODED &&
           notes_severity(record->event->as.decoded.vehicle) >= SEVERITY_WARNING;
}

bool record_wants(const struct record_context *context, const struct vehicle_field *field)
{
    if (field->state != FIELD_VALUE && !context->show_empty) {
        return false;
    }
    for (size_t i = 0; i < context->fields->count; i++) {
        if (strcmp(context->fields->fields[i]->name, field->name) == 0) {
            return true;
        }
    }
    return context->fields->count == 0;
}

static void put_clean(const char *bytes, size_t length, bool utf8, struct buffer *out)
{
    char small[512], *text = small;
    size_t size = 8 * length + 1; /* no byte becomes more than eight */
    if (size > sizeof small) {
        text = memory_get(size);
    }
    buffer_put(out, text, frame_clean(bytes, length, utf8, text, size));
    if (text != small) {
        free(text);
    }
}

void record_put_clean(const char *bytes, bool utf8, struct buffer *out)
{
    put_clean(bytes, strlen(bytes), utf8, out);
}

void record_put_trimmed(const char *bytes, bool utf8, struct buffer *out)
{
    size_t length = strlen(bytes);
    bytes = text_trim(bytes, &length);
    put_clean(bytes, length, utf8, out);
}
