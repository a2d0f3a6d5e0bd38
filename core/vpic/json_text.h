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
    const char *text; /* for cJSON, from its first byte that is no blank */
    size_t length;
    char *owned; /* `text`, where it had to be changed */
    struct json_arena arena;
};

/* Makes `length` bytes ready for cJSON; they must outlive `out`. False when they are no JSON whatever cJSON would say.
 * The caller ends with json_text_clear(), also then. */
bool json_text_open(const char *bytes, size_t length, struct json_text *out);
void json_text_clear(struct json_text *json);

/* A place in a text. The steps go from value to value without a tree. What they find is so if the text is JSON; of any
 * other they only promise to stay inside it. */
struct json_place {
    const char *at, *end;
};

/* The value that stands at `place`, read by cJSON; steps over it and the blanks behind. NULL when there is none. A tree
 * lasts until the next one is read. */
const cJSON *json_text_value(struct json_text *json, struct json_place *place);

/* The same for a text that must hold one value and nothing else: `json`'s own, or what was made of it. */
const cJSON *json_text_whole(struct json_text *json, const char *text, size_t length);

/* Whether bytes that are no JSON begin like it and end before their brackets and strings are closed. */
bool json_text_is_cut(const char *bytes, size_t length);

/* The number of bytes of a byte-order mark and blanks in front. */
size_t json_text_lead(const char *bytes, size_t length);

/* Enters the array or object at `place`: its first element or member. */
void json_place_enter(struct json_place *place);

/* Steps over a member's name and colon. */
void json_place_skip_name(struct json_place *place);

/* From an object to the value of its first member called `name`, as it is spelled in the text; false when it has none,
 * or there is no object. */
bool json_place_member(struct json_place *place, const char *name);

/* Steps over one value and the comma behind it, and says which bytes the value takes. */
const char *json_place_skip_value(struct json_place *place, size_t *length);

#endif
