#include "cases.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

int64_t case_number(const cJSON *in, const char *name, bool *ok)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(in, name);
    if (!cJSON_IsNumber(member)) {
        *ok = false;
        return 0;
    }
    return (int64_t)member->valuedouble;
}

double case_draw(const cJSON *in, const char *name, bool *ok)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(in, name);
    if (!cJSON_IsNumber(member)) {
        *ok = false;
        return 0.0;
    }
    return member->valuedouble;
}

int64_t case_known_number(const cJSON *in, const char *name, bool *ok)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(in, name);
    return member == NULL || cJSON_IsNull(member) ? QUOTA_UNKNOWN : case_number(in, name, ok);
}

const char *case_text(const cJSON *in, const char *name, bool *ok)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(in, name));
    *ok = *ok && text != NULL;
    return text;
}

char *case_bytes(const char *utf8, size_t *length)
{
    size_t size = strlen(utf8);
    char *bytes = memory_get(size + 1);
    *length = 0;
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)utf8[i];
        if ((byte == 0xc2 || byte == 0xc3) && i + 1 < size) {
            byte = (unsigned char)((byte & 0x03) << 6 | ((unsigned char)utf8[++i] & 0x3f));
        }
        bytes[(*length)++] = (char)byte;
    }
    return bytes;
}

void case_add_known(cJSON *object, const char *name, int64_t value)
{
    if (value == QUOTA_UNKNOWN) {
        cJSON_AddNullToObject(object, name);
    } else {
        cJSON_AddNumberToObject(object, name, (double)value);
    }
}

static struct header_field read_field(const char *name, const char *value)
{
    struct header_field field;
    field.name = case_bytes(name, &field.name_length);
    field.value = case_bytes(value, &field.value_length);
    return field;
}

struct case_headers case_headers_read(const cJSON *list, bool *ok)
{
    struct case_headers headers = {.fields = memory_get(sizeof(struct header_field)), .count = 0};
    const cJSON *pair;
    *ok = *ok && cJSON_IsArray(list);
    cJSON_ArrayForEach(pair, list)
    {
        const char *name = cJSON_GetStringValue(cJSON_GetArrayItem(pair, 0));
        const char *value = cJSON_GetStringValue(cJSON_GetArrayItem(pair, 1));
        if (name == NULL || value == NULL) {
            *ok = false;
            continue;
        }
        headers.fields = memory_resize(headers.fields, (headers.count + 1) * sizeof *headers.fields);
        headers.fields[headers.count++] = read_field(name, value);
    }
    return headers;
}

struct case_headers case_headers_of(const char *name, const cJSON *value)
{
    struct case_headers headers = {.fields = memory_get(sizeof(struct header_field)), .count = 0};
    if (cJSON_IsString(value)) {
        headers.fields[headers.count++] = read_field(name, value->valuestring);
    }
    return headers;
}

/* The contract borrows the bytes, so they are const there; here they are owned. */
static void free_borrowed(const char *bytes)
{
    union {
        const char *borrowed;
        char *owned;
    } both = {.borrowed = bytes};
    free(both.owned);
}

void case_headers_clear(struct case_headers *headers)
{
    for (size_t i = 0; i < headers->count; i++) {
        free_borrowed(headers->fields[i].name);
        free_borrowed(headers->fields[i].value);
    }
    free(headers->fields);
}

struct plan_input case_plan_input(enum outcome outcome, int status)
{
    return (struct plan_input){
        .outcome = outcome,
        .status = status,
        .quota = quota_unknown(),
        .body_hint_ms = QUOTA_UNKNOWN,
        .attempt = 1,
        .max_attempts = policy_default.profile[PROFILE_INTERACTIVE].max_attempts,
        .left_ms = policy_default.profile[PROFILE_INTERACTIVE].deadline_ms,
        .profile = PROFILE_INTERACTIVE,
    };
}
