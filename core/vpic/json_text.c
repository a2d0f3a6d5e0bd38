#include "core/vpic/json_text.h"

#include "core/base/memory.h"
#include "core/base/text.h"

#include <stdlib.h>
#include <string.h>

/* cJSON takes every byte up to the blank for white space; so must the walk over what it has accepted. */
static bool blank(char byte)
{
    return (unsigned char)byte <= ' ';
}

size_t json_text_lead(const char *bytes, size_t length)
{
    size_t lead = length >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (lead < length && blank(bytes[lead])) {
        lead++;
    }
    return lead;
}

/* The value of "\uXXXX" at `at`, or -1. */
static long unit_at(const char *at, const char *end)
{
    if (end - at < 6 || at[0] != '\\' || at[1] != 'u') {
        return -1;
    }
    long unit = 0;
    for (int i = 2; i < 6; i++) {
        char digit = text_lower(at[i]);
        if (text_is_digit(digit)) {
            unit = unit * 16 + (digit - '0');
        } else if (digit >= 'a' && digit <= 'f') {
            unit = unit * 16 + (digit - 'a' + 10);
        } else {
            return -1;
        }
    }
    return unit;
}

/* The next escape at or behind `at` that stands for NUL or for half a surrogate pair; NULL when there is none. */
static const char *bad_escape(const char *at, const char *end)
{
    while ((at = memchr(at, '\\', (size_t)(end - at))) != NULL) {
        long unit = unit_at(at, end);
        if (unit < 0) {
            at += end - at < 2 ? 1 : 2;
            continue;
        }
        bool high = unit >= 0xD800 && unit <= 0xDBFF, low = unit >= 0xDC00 && unit <= 0xDFFF;
        long next = high ? unit_at(at + 6, end) : -1;
        if (unit == 0 || low || (high && (next < 0xDC00 || next > 0xDFFF))) {
            return at;
        }
        at += high ? 12 : 6;
    }
    return NULL;
}

/* Whether a "\\u" has no four hexadecimal digits behind it, which cJSON reads as a NUL. */
static bool has_broken_escape(const char *at, const char *end)
{
    while ((at = memchr(at, '\\', (size_t)(end - at))) != NULL) {
        bool unicode = end - at > 1 && at[1] == 'u';
        if (unicode && unit_at(at, end) < 0) {
            return true;
        }
        at += end - at < 2 ? 1 : 2;
    }
    return false;
}

/* U+FFFD takes the place of each bad escape, in a copy; a text without one stays as it is. */
static void mend_escapes(struct json_text *json)
{
    const char *bad = bad_escape(json->text, json->text + json->length);
    if (bad == NULL) {
        return;
    }
    json->owned = memory_copy(json->text, json->length);
    char *at = json->owned + (bad - json->text);
    const char *end = json->owned + json->length;
    static const char replacement[] = {'\\', 'u', 'F', 'F', 'F', 'D'};
    do {
        memcpy(at, replacement, sizeof replacement);
        bad = bad_escape(at + sizeof replacement, end);
        at = json->owned + (bad == NULL ? 0 : bad - json->owned);
    } while (bad != NULL);
    json->text = json->owned;
}

bool json_text_open(const char *bytes, size_t length, struct json_text *out)
{
    size_t lead = json_text_lead(bytes, length);
    out->text = bytes + lead;
    out->length = length - lead;
    out->owned = NULL;
    json_arena_init(&out->arena);
    if (out->length == 0 || memchr(out->text, '\0', out->length) != NULL ||
        has_broken_escape(out->text, out->text + out->length)) {
        return false;
    }
    mend_escapes(out);
    return true;
}

void json_text_clear(struct json_text *json)
{
    json_arena_clear(&json->arena);
    free(json->owned);
    json->owned = NULL;
}

static void skip_blanks(struct json_place *place)
{
    while (place->at < place->end && blank(*place->at)) {
        place->at++;
    }
}

const cJSON *json_text_value(struct json_text *json, struct json_place *place)
{
    if (place->at == place->end || *place->at == '\xEF') {
        return NULL; /* cJSON would step over a byte-order mark in the middle of the text */
    }
    const char *rest = NULL;
    json_arena_enter(&json->arena);
    const cJSON *value = cJSON_ParseWithLengthOpts(place->at, (size_t)(place->end - place->at), &rest, false);
    json_arena_leave();
    if (value != NULL) {
        place->at = rest;
        skip_blanks(place);
    }
    return value;
}

const cJSON *json_text_whole(struct json_text *json, const char *text, size_t length)
{
    struct json_place place = {text, text + length};
    const cJSON *value = json_text_value(json, &place);
    return place.at == place.end ? value : NULL;
}

/* Behind the string that begins at `at`, or `end`. */
static const char *skip_string(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++) {
        if (*at == '\\' && end - at > 1) {
            at++;
        }
    }
    return at < end ? at + 1 : end;
}

bool json_text_is_cut(const char *bytes, size_t length)
{
    const char *at = bytes + json_text_lead(bytes, length), *end = bytes + length;
    if (at == end || (*at != '{' && *at != '[')) {
        return false;
    }
    size_t depth = 0;
    while (at < end) {
        if (*at == '"') {
            const char *behind = skip_string(at, end);
            if (behind == end) {
                return true;
            }
            at = behind;
            continue;
        }
        depth += *at == '{' || *at == '[';
        if ((*at == '}' || *at == ']') && --depth == 0) {
            return false;
        }
        at++;
    }
    return true;
}

void json_place_enter(struct json_place *place)
{
    place->at += place->at < place->end;
    skip_blanks(place);
}

void json_place_skip_name(struct json_place *place)
{
    place->at = skip_string(place->at, place->end);
    skip_blanks(place);
    json_place_enter(place); /* the colon */
}

/* Behind the array or object that begins at `at`, or `end`. */
static const char *skip_container(const char *at, const char *end)
{
    size_t depth = 0;
    while (at < end) {
        if (*at == '"') {
            at = skip_string(at, end);
            continue;
        }
        depth += *at == '{' || *at == '[';
        depth -= *at == '}' || *at == ']';
        at++;
        if (depth == 0) {
            break;
        }
    }
    return at;
}

const char *json_place_skip_value(struct json_place *place, size_t *length)
{
    const char *start = place->at, *at = start;
    if (at < place->end && (*at == '{' || *at == '[')) {
        at = skip_container(at, place->end);
    } else if (at < place->end && *at == '"') {
        at = skip_string(at, place->end);
    } else {
        while (at < place->end && !blank(*at) && *at != ',' && *at != '}' && *at != ']') {
            at++;
        }
    }
    *length = (size_t)(at - start);
    place->at = at;
    skip_blanks(place);
    if (place->at < place->end && *place->at == ',') {
        json_place_enter(place);
    }
    return start;
}

bool json_place_member(struct json_place *place, const char *name)
{
    size_t name_length = strlen(name), length;
    if (place->at == place->end || *place->at != '{') {
        return false;
    }
    json_place_enter(place);
    while (place->at < place->end && *place->at == '"') {
        const char *start = place->at + 1;
        json_place_skip_name(place);
        size_t left = (size_t)(place->at - start);
        if (left > name_length && memcmp(start, name, name_length) == 0 && start[name_length] == '"') {
            return true;
        }
        json_place_skip_value(place, &length);
    }
    return false;
}
