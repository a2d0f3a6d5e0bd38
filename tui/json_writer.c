#include "tui/record.h"

#include "core/base/text.h"
#include "core/vpic/json_arena.h"
#include "core/vpic/notes.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Making the object */

static void add_text(cJSON *object, const char *name, const char *text)
{
    if (text != NULL && text[0] != '\0') {
        cJSON_AddStringToObject(object, name, text);
    } else {
        cJSON_AddNullToObject(object, name);
    }
}

/* A whole number, written by us: cJSON goes by way of floating point, forth and back. */
static cJSON *make_number(int64_t number)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%lld", (long long)number);
    return cJSON_CreateRaw(digits);
}

static void add_number(cJSON *object, const char *name, int64_t number)
{
    cJSON_AddItemToObject(object, name, make_number(number));
}

/* A number of something that may not have happened: 0 is null. */
static void add_positive(cJSON *object, const char *name, int64_t number)
{
    if (number > 0) {
        add_number(object, name, number);
    } else {
        cJSON_AddNullToObject(object, name);
    }
}

static void add_effort(cJSON *object, int attempts, int64_t waited_ms, int64_t elapsed_ms, int status)
{
    add_number(object, "attempts", attempts);
    add_number(object, "waited_ms", waited_ms);
    add_number(object, "elapsed_ms", elapsed_ms);
    add_positive(object, "http_status", status);
}

static void add_check_digit(cJSON *object, const struct vin_check *check)
{
    if (!check->has_check_digit) {
        cJSON_AddNullToObject(object, "check_digit");
        return;
    }
    const char expected[2] = {check->check_expected}, actual[2] = {check->check_actual};
    cJSON *digit = cJSON_AddObjectToObject(object, "check_digit");
    cJSON_AddStringToObject(digit, "expected", expected);
    cJSON_AddStringToObject(digit, "actual", actual);
    cJSON_AddBoolToObject(digit, "ok", check->check_ok);
}

static void add_notes(cJSON *object, const struct vehicle *vehicle)
{
    cJSON *codes = cJSON_AddArrayToObject(object, "codes");
    for (size_t i = 0; i < vehicle_code_count(vehicle); i++) {
        cJSON_AddItemToArray(codes, make_number(vehicle_code_at(vehicle, i)));
    }
    struct note notes[NOTES_MAX];
    size_t count = notes_read(vehicle, notes);
    cJSON *list = cJSON_AddArrayToObject(object, "notes");
    for (size_t i = 0; i < count; i++) {
        cJSON *note = cJSON_CreateObject();
        add_number(note, "code", notes[i].code);
        cJSON_AddStringToObject(note, "severity", severity_name(notes[i].severity));
        cJSON_AddStringToObject(note, "text", notes[i].text);
        cJSON_AddItemToArray(list, note);
    }
}

static void add_suggestion(cJSON *object, const struct vehicle *vehicle, const char *vin)
{
    struct suggestion suggestions[SUGGESTIONS_MAX];
    size_t count = notes_suggestions(vehicle, vin, suggestions);
    add_text(object, "suggested_vin", count > 0 ? suggestions[0].vin : NULL);
}

/* The fields under NHTSA's names. */
static void add_fields(cJSON *object, const struct vehicle *vehicle, const struct record_context *context)
{
    cJSON *result = cJSON_AddObjectToObject(object, "result");
    for (size_t i = 0; i < vehicle_field_count(vehicle); i++) {
        struct vehicle_field field = vehicle_field_at(vehicle, i);
        if (record_wants(context, &field)) {
            /* Both live longer than the object: no copies. */
            cJSON_AddItemToObjectCS(result, field.name, cJSON_CreateStringReference(field.value));
        }
    }
}

static void add_decoded(cJSON *object, const struct record *record, const struct record_context *context)
{
    const struct event_decoded *decoded = &record->event->as.decoded;
    cJSON_AddStringToObject(object, "source", decoded->from_cache ? "cache" : "upstream");
    add_effort(object, decoded->attempts, decoded->waited_ms, decoded->elapsed_ms, decoded->status);
    add_notes(object, decoded->vehicle);
    add_check_digit(object, &record->scan.check);
    add_suggestion(object, decoded->vehicle, record->event->key.vin);
    add_fields(object, decoded->vehicle, context);
}

static void add_failed(cJSON *object, const struct record *record, const struct record_context *context)
{
    const struct event_failed *failed = record_failure(record);
    char message[RECORD_MESSAGE_MAX];
    record_message(record, context, message, sizeof message);
    cJSON *error = cJSON_AddObjectToObject(object, "error");
    cJSON_AddStringToObject(error, "code", code_name(failed->code));
    cJSON_AddStringToObject(error, "reason", reason_name(failed->reason));
    cJSON_AddStringToObject(error, "message", message);
    add_positive(error, "retry_after_ms", record_retry_after_ms(record, context));
    add_text(error, "hint_source", failed->hint_source == HINT_NONE ? NULL : hint_source_name(failed->hint_source));
    add_effort(object, failed->attempts, failed->waited_ms, failed->elapsed_ms, failed->status);
    add_check_digit(object, &record->scan.check);
    cJSON_AddNullToObject(object, "result");
}

/* Printing it */

/* Room for nearly every record. */
enum { PRINT_SIZE = 32 * 1024 };

/* Characters that a terminal might obey or that turn text around; JSON lets them be written as escapes. */
static bool is_hazard(uint32_t character)
{
    return (character >= 0x7f && character <= 0x9f) || (character >= 0x200b && character <= 0x200f) ||
           (character >= 0x2028 && character <= 0x202e) || (character >= 0x2060 && character <= 0x206f) ||
           character == 0xfeff || (character >= 0xe0000 && character <= 0xe0fff);
}

static void put_escaped(struct buffer *out, uint32_t character)
{
    if (character > 0xffff) {
        buffer_printf(out, "\\u%04x\\u%04x", 0xd800u + ((character - 0x10000) >> 10), 0xdc00u + (character & 0x3ff));
    } else {
        buffer_printf(out, "\\u%04x", character);
    }
}

/* How many bytes in front need no second look; in steps, which a processor takes in one. */
static size_t plain_length(const char *json, size_t length)
{
    enum { STEP = 16 };
    size_t plain = 0;
    for (bool all = true; all && length - plain >= STEP; plain += all ? STEP : 0) {
        for (size_t i = 0; i < STEP; i++) {
            all &= (unsigned char)json[plain + i] < 0x7f;
        }
    }
    while (plain < length && (unsigned char)json[plain] < 0x7f) {
        plain++;
    }
    return plain;
}

/* cJSON escapes what JSON demands; bytes beyond ASCII stand only inside its strings and come out as they came in. */
static void put_line(struct buffer *out, const char *json)
{
    for (size_t left = strlen(json); left > 0;) {
        size_t plain = plain_length(json, left);
        buffer_put(out, json, plain);
        json += plain;
        left -= plain;
        if (left == 0) {
            break;
        }
        uint32_t character;
        size_t used = text_character(json, left, &character);
        if (character == TEXT_BROKEN) {
            put_escaped(out, 0xfffd);
        } else if (is_hazard(character)) {
            put_escaped(out, character);
        } else {
            buffer_put(out, json, used);
        }
        json += used;
        left -= used;
    }
    buffer_putc(out, '\n');
}

static void print(cJSON *object, struct buffer *out)
{
    char small[PRINT_SIZE];
    const char *json =
        cJSON_PrintPreallocated(object, small, PRINT_SIZE, false) ? small : cJSON_PrintUnformatted(object);
    if (json == NULL) {
        out->failed = true; /* out of memory */
    } else {
        put_line(out, json);
    }
}

void json_write(const struct record *record, const struct record_context *context, struct buffer *out)
{
    struct json_arena arena;
    json_arena_init(&arena);
    json_arena_enter(&arena);
    cJSON *object = cJSON_CreateObject();
    enum record_status status = record_status(record);
    cJSON_AddStringToObject(object, "vin", record_vin(record));
    cJSON_AddStringToObject(object, "input", record->input);
    cJSON_AddStringToObject(object, "status", record_status_name(status));
    if (status == RECORD_DECODED) {
        add_decoded(object, record, context);
    } else {
        add_failed(object, record, context);
    }
    print(object, out);
    json_arena_leave();
    json_arena_clear(&arena);
}
