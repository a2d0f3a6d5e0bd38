#include "tui/record.h"

#include "core/vpic/notes.h"

#include <stdio.h>
#include <string.h>

/* Our own columns */

static const char *const columns[] = {"vin",         "input",        "status",        "source",
                                      "attempts",    "waited_ms",    "elapsed_ms",    "http_status",
                                      "error_code",  "error_reason", "error_message", "retry_after_ms",
                                      "hint_source", "codes",        "check_digit",   "suggested_vin"};

enum { COLUMN_COUNT = sizeof columns / sizeof columns[0] };

/* A field, quoted when it has to be (RFC 4180, section 2). */
static void put_field(const char *bytes, struct buffer *out)
{
    size_t start = out->length;
    record_put_clean(bytes, true, out);
    if (out->failed || strpbrk(out->data + start, ",\"") == NULL) {
        return;
    }
    size_t length = out->length - start, quotes = 0;
    for (size_t i = 0; i < length; i++) {
        quotes += out->data[start + i] == '"';
    }
    for (size_t i = 0; i < quotes + 2; i++) {
        buffer_putc(out, '"');
    }
    if (out->failed) {
        return;
    }
    /* From the end: every quote becomes two, and one goes round it all. */
    char *to = out->data + out->length - 1;
    *to-- = '"';
    for (const char *from = out->data + start + length; from-- > out->data + start;) {
        *to-- = *from;
        if (*from == '"') {
            *to-- = '"';
        }
    }
    *to = '"';
}

static void put_text(const char *text, struct buffer *out)
{
    buffer_putc(out, ',');
    put_field(text, out);
}

static void put_number(int64_t number, struct buffer *out)
{
    buffer_printf(out, ",%lld", (long long)number);
}

/* A number of something that may not have happened: 0 is an empty field. */
static void put_positive(int64_t number, struct buffer *out)
{
    if (number > 0) {
        put_number(number, out);
    } else {
        buffer_putc(out, ',');
    }
}

static void put_effort(int attempts, int64_t waited_ms, int64_t elapsed_ms, int status, struct buffer *out)
{
    put_number(attempts, out);
    put_number(waited_ms, out);
    put_number(elapsed_ms, out);
    put_positive(status, out);
}

/* "0", or "1 14". */
static void put_codes(const struct vehicle *vehicle, struct buffer *out)
{
    buffer_putc(out, ',');
    for (size_t i = 0; i < vehicle_code_count(vehicle); i++) {
        buffer_printf(out, "%s%d", i > 0 ? " " : "", vehicle_code_at(vehicle, i));
    }
}

static void put_check_digit(const struct vin_check *check, struct buffer *out)
{
    put_text(!check->has_check_digit ? "" : check->check_ok ? "ok" : "wrong", out);
}

static void put_suggestion(const struct record *record, struct buffer *out)
{
    struct suggestion suggestions[SUGGESTIONS_MAX];
    size_t count = notes_suggestions(record->event->as.decoded.vehicle, record->event->key.vin, suggestions);
    put_text(count > 0 ? suggestions[0].vin : "", out);
}

static void put_decoded(const struct record *record, struct buffer *out)
{
    const struct event_decoded *decoded = &record->event->as.decoded;
    put_text(decoded->from_cache ? "cache" : "upstream", out);
    put_effort(decoded->attempts, decoded->waited_ms, decoded->elapsed_ms, decoded->status, out);
    buffer_puts(out, ",,,,,"); /* no error */
    put_codes(decoded->vehicle, out);
    put_check_digit(&record->scan.check, out);
    put_suggestion(record, out);
}

static void put_failed(const struct record *record, const struct record_context *context, struct buffer *out)
{
    const struct event_failed *failed = record_failure(record);
    char message[RECORD_MESSAGE_MAX];
    record_message(record, context, message, sizeof message);
    put_text("", out);
    put_effort(failed->attempts, failed->waited_ms, failed->elapsed_ms, failed->status, out);
    put_text(code_name(failed->code), out);
    put_text(reason_name(failed->reason), out);
    put_text(message, out);
    put_positive(record_retry_after_ms(record, context), out);
    put_text(failed->hint_source == HINT_NONE ? "" : hint_source_name(failed->hint_source), out);
    put_text("", out);
    put_check_digit(&record->scan.check, out);
    put_text("", out);
}

/* NHTSA's columns */

static size_t field_count(const struct record_context *context)
{
    return context->fields->count > 0 ? context->fields->count : catalogue_count();
}

static const char *field_name(const struct record_context *context, size_t index)
{
    return context->fields->count > 0 ? context->fields->fields[index]->name : catalogue_at(index)->name;
}

static void put_fields(const struct vehicle *vehicle, const struct record_context *context, struct buffer *out)
{
    for (size_t i = 0; i < field_count(context); i++) {
        const char *value = vehicle ? vehicle_value(vehicle, field_name(context, i)) : "";
        bool hidden = !context->show_empty && strcmp(value, "Not Applicable") == 0;
        put_text(hidden ? "" : value, out);
    }
}

void csv_header_write(const struct record_context *context, struct buffer *out)
{
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        buffer_printf(out, "%s%s", i > 0 ? "," : "", columns[i]);
    }
    for (size_t i = 0; i < field_count(context); i++) {
        put_text(field_name(context, i), out);
    }
    buffer_puts(out, "\r\n");
}

void csv_row_write(const struct record *record, const struct record_context *context, struct buffer *out)
{
    enum record_status status = record_status(record);
    put_field(record_vin(record), out);
    put_text(record->input, out);
    put_text(record_status_name(status), out);
    if (status == RECORD_DECODED) {
        put_decoded(record, out);
        put_fields(record->event->as.decoded.vehicle, context, out);
    } else {
        put_failed(record, context, out);
        put_fields(NULL, context, out);
    }
    buffer_puts(out, "\r\n");
}
