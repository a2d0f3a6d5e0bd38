#include "tui/record.h"

#include "core/base/text.h"
#include "core/vpic/notes.h"
#include "tui/frame.h"
#include "tui/words.h"

#include <stdio.h>
#include <string.h>

enum { LABEL_WIDTH = 30, SUGGESTIONS_SHOWN = 4 };

/* Cleaned text and then blanks, to `width` columns. */
static void put_padded(const char *text, int width, bool utf8, struct buffer *out)
{
    record_put_clean(text, utf8, out);
    for (int used = frame_width(text, strlen(text), utf8); used < width; used++) {
        buffer_putc(out, ' ');
    }
}

static bool has_value(const char *value)
{
    size_t length = strlen(value);
    value = text_trim(value, &length);
    return length > 0 && !text_is(value, length, "Not Applicable");
}

/* Year, make, model and trim. */
static void put_headline(const struct vehicle *vehicle, bool utf8, struct buffer *out)
{
    static const char *const names[] = {"ModelYear", "Make", "Model", "Trim"};
    bool any = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = vehicle_value(vehicle, names[i]);
        if (has_value(value)) {
            buffer_puts(out, any ? " " : "");
            record_put_trimmed(value, utf8, out);
            any = true;
        }
    }
    buffer_puts(out, any ? "\n" : "NHTSA names no year, make or model\n");
}

/* With its difference and its check digit judged; it is never taken by itself. */
static void put_suggestion(const struct suggestion *suggestion, struct buffer *out)
{
    const char *digit = suggestion->check_expected == 0 ? ""
                        : suggestion->check_ok          ? "; its check digit matches"
                                                        : "; its check digit does not match";
    size_t differing = 0;
    buffer_printf(out, "  NHTSA suggests %s", suggestion->vin);
    for (size_t i = 0; i < VIN_LENGTH; i++) {
        if (suggestion->differs[i]) {
            buffer_printf(out, "%s%zu", differing++ == 0 ? " (differs at " : ", ", i + 1);
        }
    }
    buffer_printf(out, "%s%s\n", differing > 0 ? ")" : "", digit);
}

static void put_notes(const struct record *record, bool utf8, struct buffer *out)
{
    const struct vehicle *vehicle = record->event->as.decoded.vehicle;
    struct note notes[NOTES_MAX];
    struct suggestion suggestions[SUGGESTIONS_MAX];
    size_t count = notes_read(vehicle, notes);
    for (size_t i = 0; i < count; i++) {
        buffer_printf(out, "  %s: ", severity_name(notes[i].severity));
        record_put_clean(notes[i].text, utf8, out);
        buffer_putc(out, '\n');
    }
    if (notes_cut(vehicle)) {
        buffer_puts(out, "  NHTSA cut its own text at 500 characters\n");
    }
    count = notes_suggestions(vehicle, record->event->key.vin, suggestions);
    char open[VIN_LENGTH + 1];
    if (count == 0 && notes_open_suggestion(vehicle, open)) {
        buffer_puts(out, "  NHTSA suggests ");
        record_put_clean(open, utf8, out);
        buffer_puts(out, ", with more that fits at ! than can be listed\n");
    }
    for (size_t i = 0; i < count && i < SUGGESTIONS_SHOWN; i++) {
        put_suggestion(&suggestions[i], out);
    }
    if (count > SUGGESTIONS_SHOWN) {
        buffer_printf(out, "  and %zu more\n", count - SUGGESTIONS_SHOWN);
    }
}

static void put_field(const struct vehicle_field *field, const struct catalogue_field *known, bool utf8,
                      struct buffer *out)
{
    buffer_puts(out, "    ");
    put_padded(known ? known->label : field->name, LABEL_WIDTH, utf8, out);
    buffer_puts(out, "  ");
    size_t length = strlen(field->value);
    const char *value = text_trim(field->value, &length);
    char number[WORDS_NUMBER_MAX];
    if (field->state == FIELD_NO_DATA) {
        buffer_puts(out, "-");
    } else if (words_number(value, length, number, sizeof number)) {
        buffer_puts(out, number);
    } else {
        record_put_trimmed(field->value, utf8, out);
    }
    if (field->state == FIELD_VALUE && known != NULL && known->unit[0] != '\0') {
        buffer_printf(out, " %s", known->unit);
    }
    buffer_putc(out, '\n');
}

/* Fields of one group under its title; `group` NULL: those that the catalogue does not know. */
static void put_group(const struct vehicle *vehicle, const char *group, const struct record_context *context,
                      struct buffer *out)
{
    bool titled = false;
    for (size_t i = 0; i < vehicle_field_count(vehicle); i++) {
        struct vehicle_field field = vehicle_field_at(vehicle, i);
        const struct catalogue_field *known = catalogue_find(field.name);
        bool here = known ? group != NULL && strcmp(known->group, group) == 0 : group == NULL;
        if (!here || !record_wants(context, &field)) {
            continue;
        }
        if (!titled) {
            buffer_printf(out, "  %s\n", group ? group : "Other");
            titled = true;
        }
        put_field(&field, known, context->utf8, out);
    }
}

static void put_fields(const struct vehicle *vehicle, const struct record_context *context, struct buffer *out)
{
    const char *last = "";
    for (size_t i = 0; i < catalogue_count(); i++) {
        const char *group = catalogue_at(i)->group;
        /* Unasked, NHTSA's remarks stand above as notes. */
        bool said = context->fields->count == 0 && strcmp(group, "Decoding") == 0;
        if (strcmp(group, last) != 0 && !said) {
            put_group(vehicle, group, context, out);
        }
        last = group;
    }
    put_group(vehicle, NULL, context, out);
}

void text_write(const struct record *record, const struct record_context *context, struct buffer *out)
{
    put_padded(record_vin(record), VIN_LENGTH, context->utf8, out);
    buffer_puts(out, "  ");
    if (record_status(record) != RECORD_DECODED) {
        char message[RECORD_MESSAGE_MAX];
        record_message(record, context, message, sizeof message);
        buffer_printf(out, "%s: ", record_status_name(record_status(record)));
        record_put_clean(message, context->utf8, out);
        buffer_puts(out, "\n\n");
        return;
    }
    const struct vehicle *vehicle = record->event->as.decoded.vehicle;
    put_headline(vehicle, context->utf8, out);
    put_notes(record, context->utf8, out);
    put_fields(vehicle, context, out);
    buffer_putc(out, '\n');
}
