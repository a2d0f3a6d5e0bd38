#include "core/base/buffer.h"
#include "core/base/text.h"
#include "core/vpic/answer.h"
#include "screen/stage.h"
#include "support/sanitized.h"
#include "tui/csv_reader.h"
#include "tui/record.h"
#include "unit/unit.h"

#include <cjson/cJSON.h>

/* What an upstream could send to do harm, through everything that shows it: JSON, CSV, text, the card, the details and
 * the suggestions, in windows of two sizes. Nothing of it acts on a terminal, nothing breaks a line, nothing is lost.
 */

/* Less under a sanitizer, where it would take minutes. */
enum { MEGABYTE = SANITIZED ? 1 << 17 : 1 << 20, MANY_KEYS = SANITIZED ? 2000 : 10000 };

static void put_escapes(struct buffer *out)
{
    buffer_puts(out,
                "\"Make\":\"\\u001b]52;c;aGk=\\u0007\",\"Model\":\"\\u001b[2J\\u009b6n\",\"Trim\":\"a\\rb\\nc\\td\\b\","
                "\"PlantCity\":\"\\u202eevil\\u200b\\ufeff\\u2028\\u007f\",\"Note\":\"\\u0000x\\u001bPq\\u001b\\\\\","
                "\"\\u001b[31mKey\\n\":\"\\u0085\",\"Series\":\"\\udb40\\udc41 \\ud800\",\"ErrorCode\":\"1,77,400\","
                "\"ErrorText\":\"1 - \\u001b[2J; 77 - \\u001b[5m\\r\\n; 400 - x\","
                "\"AdditionalErrorText\":\"Invalid character(s): 4:\\u001b, 5:\\n. \\u009b\","
                "\"SuggestedVIN\":\"1HGCM\\u001b!633A004352\",\"PossibleValues\":\"(7:\\u001b\\u0007A)(8:\\n)\"");
}

static void put_megabytes(struct buffer *out)
{
    static const char *const names[] = {"Make", "Note", "ErrorText", "SuggestedVIN", "PossibleValues", "NewField"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        buffer_printf(out, "%s\"%s\":\"", i > 0 ? "," : "", names[i]);
        for (size_t k = 0; k < (i < 2 ? MEGABYTE : MEGABYTE / 16); k++) {
            buffer_putc(out, i % 2 == 0 ? 'x' : k % 6 == 5 ? ' ' : '(');
        }
        buffer_putc(out, '"');
    }
}

static void put_kinds(struct buffer *out)
{
    buffer_puts(
        out, "\"Doors\":4,\"ABS\":true,\"Make\":{\"a\":[1,{\"b\":\"\\u001b[2J\"}]},\"Model\":[[],[null]],\"Trim\":null,"
             "\"ModelYear\":-1.5e300,\"ErrorCode\":1,\"ErrorText\":[\"\\n\"],\"SuggestedVIN\":{},\"NewField\":1e-7");
}

static void put_doubled(struct buffer *out)
{
    buffer_puts(out, "\"Make\":\"first\",\"Make\":\"second\",\"make\":\"other\",\"\":\"no "
                     "name\",\"ErrorCode\":\"0\",\"ErrorCode\":\"7\"");
}

static void put_many(struct buffer *out)
{
    for (int i = 0; i < MANY_KEYS; i++) {
        buffer_printf(out, "%s\"Key%d\":\"value %d\"", i > 0 ? "," : "", i, i);
    }
}

static void put_broken(struct buffer *out)
{
    buffer_puts(
        out, "\"Make\":\"\xff\xfe\xc3(\xed\xa0\x80\xf4\x90\x80\x80\xc0\xaf\",\"Model\":\"\x9b"
             "2J\x80\",\"Plant\xff"
             "City\":\"\xe2\x80\",\"ErrorCode\":\"77\",\"ErrorText\":\"77 - \xff\xc3\",\"SuggestedVIN\":\"\xff\xff\"");
}

static const struct {
    const char *name;
    void (*put)(struct buffer *out);
    size_t fields; /* with the VIN */
} kinds[] = {
    {"escape sequences", put_escapes, 13},          {"values of a megabyte", put_megabytes, 7},
    {"values of other kinds", put_kinds, 11},       {"doubled keys", put_doubled, 5},
    {"ten thousand keys", put_many, MANY_KEYS + 1}, {"bytes that are no UTF-8", put_broken, 7},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

static struct buffer body_of(size_t kind)
{
    struct buffer body;
    buffer_init(&body, (size_t)1 << 25);
    buffer_puts(&body, "{\"Results\":[{\"VIN\":\"" STAGE_VIN "\",");
    kinds[kind].put(&body);
    buffer_puts(&body, "}]}");
    CHECK(!body.failed);
    return body;
}

/* Whether no byte acts on a terminal; what ends a line may only be the last of it where `lines` is false. */
static bool harmless(const char *what, size_t kind, const char *text, size_t length, bool utf8, bool lines)
{
    for (size_t at = 0; at < length;) {
        uint32_t character;
        size_t used = text_character(text + at, length - at, &character);
        bool ends = at + used == length || (at + 2 == length && text[at] == '\r');
        bool end_of_line = (character == '\n' || (character == '\r' && !lines)) && (lines || ends);
        bool control = character < 0x20 || (character >= 0x7f && character < 0xa0);
        bool turns = (character >= 0x200b && character <= 0x200f) || (character >= 0x2028 && character <= 0x202e) ||
                     (character >= 0x2060 && character <= 0x206f) || character == 0xfeff ||
                     (character >= 0xe0000 && character <= 0xe0fff);
        if (character == TEXT_BROKEN || turns || (control && !end_of_line) || (!utf8 && character >= 0x80)) {
            printf("\n%s, %s: byte %02X at %zu ", what, kinds[kind].name, (unsigned)(unsigned char)text[at], at);
            return false;
        }
        at += used;
    }
    return true;
}

static void write_record(const struct vehicle *vehicle, bool utf8,
                         void (*write)(const struct record *, const struct record_context *, struct buffer *),
                         struct buffer *out)
{
    static const struct field_choice everything;
    struct event event = {.kind = EVENT_DECODED, .key = {.vin = STAGE_VIN}, .as.decoded = {.attempts = 1}};
    event.as.decoded.vehicle = (struct vehicle *)vehicle;
    struct record record = {.input = "\033[2J\xff\n" STAGE_VIN, .input_length = 23, .event = &event};
    vin_check(STAGE_VIN, VIN_LENGTH, 2026, &record.scan.check);
    struct record_context context = {.host = "NHTSA", .fields = &everything, .show_empty = true, .utf8 = utf8};
    buffer_init(out, (size_t)1 << 27);
    write(&record, &context, out);
    CHECK(!out->failed);
}

/* The value as it can stand in JSON: where it was no UTF-8, U+FFFD stands for what was broken. */
static bool same_or_replaced(const char *found, const char *value)
{
    bool broken = false;
    for (size_t at = 0, length = strlen(value); at < length && !broken;) {
        uint32_t character;
        at += text_character(value + at, length - at, &character);
        broken = character == TEXT_BROKEN;
    }
    return broken ? strstr(found, "\xef\xbf\xbd") != NULL : strcmp(found, value) == 0;
}

static void check_json(size_t kind, const struct vehicle *vehicle)
{
    struct buffer out;
    size_t index = 0;
    const cJSON *item;
    write_record(vehicle, true, json_write, &out);
    CHECK(harmless("JSON", kind, out.data, out.length, true, false));
    cJSON *object = cJSON_ParseWithLength(out.data, out.length);
    CHECK(object != NULL);
    const cJSON *result = cJSON_GetObjectItemCaseSensitive(object, "result");
    cJSON_ArrayForEach(item, result)
    {
        struct vehicle_field field = vehicle_field_at(vehicle, index++);
        CHECK(same_or_replaced(item->string, field.name) && same_or_replaced(item->valuestring, field.value));
    }
    CHECK_INT(index, kinds[kind].fields);
    cJSON_Delete(object);
    buffer_clear(&out);
}

static void check_csv(size_t kind, const struct vehicle *vehicle)
{
    static struct csv_reader reader;
    static const struct field_choice everything;
    const struct record_context context = {.fields = &everything};
    struct buffer header, out;
    buffer_init(&header, (size_t)1 << 20);
    csv_header_write(&context, &header);
    write_record(vehicle, true, csv_row_write, &out);
    CHECK(harmless("CSV", kind, out.data, out.length, true, false));
    csv_reader_init(&reader, ',');
    CHECK(csv_reader_put(&reader, header.data, header.length));
    size_t columns = reader.count;
    if (out.length < CSV_ROW_MAX) {
        CHECK(csv_reader_put(&reader, out.data, out.length));
        CHECK_INT(reader.count, columns);
    }
    csv_reader_clear(&reader);
    buffer_clear(&header);
    buffer_clear(&out);
}

static void check_text(size_t kind, const struct vehicle *vehicle)
{
    for (int utf8 = 0; utf8 < 2; utf8++) {
        struct buffer out;
        write_record(vehicle, utf8 != 0, text_write, &out);
        CHECK(harmless("text", kind, out.data, out.length, utf8 != 0, true));
        buffer_clear(&out);
    }
}

static void test_writers(void)
{
    for (size_t kind = 0; kind < KINDS; kind++) {
        struct buffer body = body_of(kind);
        struct answer answer;
        answer_read(body.data, body.length, &answer);
        CHECK_INT(answer.count, 1);
        if (answer.count == 1) {
            CHECK_INT(vehicle_field_count(answer.vehicles[0]), kinds[kind].fields);
            check_json(kind, answer.vehicles[0]);
            check_csv(kind, answer.vehicles[0]);
            check_text(kind, answer.vehicles[0]);
        }
        answer_clear(&answer);
        buffer_clear(&body);
    }
}

static void check_frames(struct stage *stage, size_t kind, const char *what)
{
    for (int round = 0; round < 4; round++) {
        bool small = round / 2 != 0, utf8 = round % 2 != 0;
        char *text = stage_frame(stage, small ? 12 : 24, small ? 40 : 80, utf8);
        CHECK(harmless(what, kind, text, strlen(text), utf8, true));
        CHECK(strstr(text, "Decoded") != NULL);
        free(text);
    }
}

/* The card from its first line to its last, with all that is empty, and what opens from it. */
static void test_screen(void)
{
    for (size_t kind = 0; kind < KINDS; kind++) {
        static const uint32_t keys[] = {'e', 'G', 'd', 'G', 'd', 's'};
        struct buffer body = body_of(kind);
        struct stage stage;
        stage_open(&stage, NULL);
        stage_type(&stage, STAGE_VIN);
        stage_key(&stage, KEY_ENTER, 0);
        stage_decoded(&stage, body.data, false);
        check_frames(&stage, kind, "the card");
        stage_key(&stage, KEY_TAB, 0);
        for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
            stage_key(&stage, KEY_CHARACTER, keys[i]);
            check_frames(&stage, kind, "the card, the details, the suggestions");
        }
        CHECK_TEXT(stage.app->key.vin, STAGE_VIN); /* nothing was taken by itself */
        stage_close(&stage);
        buffer_clear(&body);
    }
}

static const struct unit_test tests[] = {
    {"T25, T27, T28: hostile answers through every writer", test_writers},
    {"T25, T27, T28: hostile answers on the screen", test_screen},
};

UNIT_MAIN("hostile answers", tests)
