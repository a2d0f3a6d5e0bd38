#ifndef CORE_VPIC_JSON_TEXT_H
#define CORE_VPIC_JSON_TEXT_H

#include "core/vpic/json_arena.h"

#include <cJSON.h>
#include <stdbool.h>
#include <stddef.h>

/* Foreign bytes as JSON: private to core/vpic. cJSON reads the grammar; this file covers what it lets slip: a NUL in a
 * string, which would cut the string short, and half a surrogate pair, for which it drops the whole text, both become
 * U+FFFD; text behind the value is an error; the text of a number is kept. */
struct json_text {
    const cJSON *root; /* NULL: not JSON */
    const char *text;  /* the bytes that `root` was read from */
    size_t length;
    char *owned; /* `text`, where it had to be changed */
    struct json_arena arena;
};

/* Reads `length` bytes, which must outlive `out`. The caller ends with json_text_clear(), also without a root. */
void json_text_read(const char *bytes, size_t length, struct json_text *out);
void json_text_clear(struct json_text *json);

/* Whether bytes that are no JSON begin like it and end before their brackets and strings are closed. */
bool json_text_is_cut(const char *bytes, size_t length);

/* The number of bytes of a byte-order mark and blanks in front. */
size_t json_text_lead(const char *bytes, size_t length);

/* A place in the text of `json`, to find the text of a value that cJSON has turned into something else. cJSON has read
 * the text, so that it is known to be JSON; members and elements come in the order of cJSON's children. */
struct json_place {
    const char *at, *end;
};

struct json_place json_place_root(const struct json_text *json);

/* Enters the array or object at `place`: its first element or member. */
void json_place_enter(struct json_place *place);

/* Steps over a member's name and colon. */
void json_place_skip_name(struct json_place *place);

/* Steps over one value and the comma behind it, and says which bytes the value takes. */
const char *json_place_skip_value(struct json_place *place, size_t *length);

#endif
