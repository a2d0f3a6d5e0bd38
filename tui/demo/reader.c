#include "tui/demo/reader.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void reader_fail(struct reader *reader, const char *member, const char *format, ...)
{
    if (reader->failed) {
        return;
    }
    reader->failed = true;
    char what[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    const char *dot = reader->place[0] != '\0' && member[0] != '\0' ? "." : "";
    const char *colon = reader->place[0] != '\0' || member[0] != '\0' ? ": " : "";
    snprintf(reader->why, reader->size, "%s: %s%s%s%s%s", reader->file, reader->place, dot, member, colon, what);
    for (char *byte = reader->why; *byte != '\0'; byte++) {
        *byte =
            (unsigned char)*byte < 0x20 || *byte == 0x7f ? '?' : *byte; /* names come from the file: it stays a line */
    }
}

size_t reader_enter(struct reader *reader, const char *member, int index)
{
    size_t length = strlen(reader->place);
    snprintf(reader->place + length, sizeof reader->place - length, index < 0 ? "%s%s" : "%s%s[%d]",
             length > 0 ? "." : "", member, index);
    return length;
}

void reader_leave(struct reader *reader, size_t mark)
{
    reader->place[mark] = '\0';
}

void reader_members(struct reader *reader, const cJSON *object, const char *known)
{
    if (!cJSON_IsObject(object)) {
        reader_fail(reader, "", "must be an object");
        return;
    }
    const cJSON *member;
    cJSON_ArrayForEach(member, object)
    {
        char wanted[64];
        snprintf(wanted, sizeof wanted, " %.60s ", member->string);
        if (strchr(member->string, ' ') != NULL || strstr(known, wanted) == NULL) {
            reader_fail(reader, "", "\"%.40s\" is no member; there are%.*s", member->string, (int)strlen(known) - 1,
                        known);
        }
        if (cJSON_GetObjectItemCaseSensitive(object, member->string) != member) {
            reader_fail(reader, member->string, "stands there twice");
        }
    }
}

const char *reader_text(struct reader *reader, const cJSON *object, const char *name, const char *fallback)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    if (item == NULL) {
        return fallback;
    }
    if (!cJSON_IsString(item)) {
        reader_fail(reader, name, "must be a text");
        return fallback;
    }
    return item->valuestring;
}

bool reader_flag(struct reader *reader, const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    if (item != NULL && !cJSON_IsBool(item)) {
        reader_fail(reader, name, "must be true or false");
    }
    return cJSON_IsTrue(item);
}

int64_t reader_to_whole(struct reader *reader, const cJSON *item, const char *name, int64_t least, int64_t most)
{
    double number = cJSON_IsNumber(item) ? item->valuedouble : -1.0;
    if (!cJSON_IsNumber(item) || number < (double)least || number > (double)most || number != (double)(int64_t)number) {
        reader_fail(reader, name, "must be a whole number from %" PRId64 " to %" PRId64, least, most);
        return least;
    }
    return (int64_t)number;
}

int64_t reader_whole(struct reader *reader, const cJSON *object, const char *name, int64_t least, int64_t most,
                     int64_t fallback)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    return item == NULL ? fallback : reader_to_whole(reader, item, name, least, most);
}

int reader_choice(struct reader *reader, const cJSON *object, const char *name, const char *const *choices, int count,
                  int fallback)
{
    const char *text = reader_text(reader, object, name, NULL);
    if (text == NULL) {
        return fallback;
    }
    char all[240] = "";
    for (int i = 0; i < count; i++) {
        if (strcmp(text, choices[i]) == 0) {
            return i;
        }
        size_t length = strlen(all);
        snprintf(all + length, sizeof all - length, "%s%s", i > 0 ? ", " : "", choices[i]);
    }
    reader_fail(reader, name, "\"%.40s\" is none of %s", text, all);
    return fallback;
}

void reader_fail_json(struct reader *reader, const char *text, size_t length, const char *end)
{
    size_t offset = end >= text && end <= text + length ? (size_t)(end - text) : 0;
    int line = 1, column = 1;
    for (size_t i = 0; i < offset; i++) {
        column = text[i] == '\n' ? 1 : column + 1;
        line += text[i] == '\n' ? 1 : 0;
    }
    reader_fail(reader, "", "line %d, column %d: this is not JSON", line, column);
}
