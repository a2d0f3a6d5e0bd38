#include "core/vpic/answer.h"

#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/vpic/draft.h"
#include "core/vpic/json_text.h"
#include "core/vpic/utf8.h"

#include <stdlib.h>
#include <string.h>

/* How much of a body is looked at to tell a page for people from XML. */
enum { MARKUP_LOOK = 1024 };

static const char *const kind_names[] = {
#define X(name, text) text,
    ANSWER_KINDS(X)
#undef X
};

const char *answer_kind_name(enum answer_kind kind)
{
    return kind_names[kind];
}

/* Whether `wanted` stands in the bytes, in any case. */
static bool contains(const char *bytes, size_t length, const char *wanted)
{
    size_t wanted_length = strlen(wanted);
    for (size_t i = 0; i + wanted_length <= length; i++) {
        if (text_is(bytes + i, wanted_length, wanted)) {
            return true;
        }
    }
    return false;
}

/* What a body is that has turned out not to be JSON. */
static enum answer_kind kind_of(const char *body, size_t length)
{
    static const char *const page_marks[] = {"<!doctype html", "<html", "<head", "<body",
                                             "<title",         "<h1",   "<p>",   "<br"};
    size_t lead = json_text_lead(body, length);
    if (lead == length) {
        return ANSWER_EMPTY;
    }
    if (body[lead] != '<') {
        return json_text_is_cut(body, length) ? ANSWER_TRUNCATED : ANSWER_NOT_JSON;
    }
    size_t look = length - lead < MARKUP_LOOK ? length - lead : MARKUP_LOOK;
    for (size_t i = 0; i < sizeof page_marks / sizeof *page_marks; i++) {
        if (contains(body + lead, look, page_marks[i])) {
            return ANSWER_HTML;
        }
    }
    return ANSWER_XML;
}

/* Copies the envelope's Message, cut between two characters of UTF-8. */
static void keep_message(const cJSON *root, struct answer *out)
{
    const char *message = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(root, "Message"));
    if (message == NULL) {
        return;
    }
    memcpy(out->message, message, utf8_cut(message, strlen(message), ANSWER_MESSAGE_MAX - 1));
}

/* The VIN in the envelope's SearchCriteria, "VIN(s): X" or "VIN:X"; "" in the answer of a group. */
static const char *asked_vin(const cJSON *root)
{
    const char *criteria = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(root, "SearchCriteria"));
    const char *colon = criteria == NULL ? NULL : strchr(criteria, ':');
    return colon == NULL ? "" : colon + 1;
}

/* Whether cJSON's own value is enough: a string, or null. Other values are wanted as their text. */
static bool is_plain(const cJSON *item)
{
    return (item->type & (cJSON_String | cJSON_NULL)) != 0;
}

/* Adds the members of `row` to the draft. `place` is the row's in the text, or nowhere when all values are strings or
 * null: then cJSON's own values are enough. */
static void add_members(const cJSON *row, struct json_place place, struct draft *draft)
{
    if (place.at != NULL) {
        json_place_enter(&place);
    }
    for (const cJSON *item = row->child; item != NULL; item = item->next) {
        const char *value = item->valuestring == NULL ? "" : item->valuestring;
        size_t length = strlen(value);
        if (place.at != NULL) {
            size_t text_length;
            json_place_skip_name(&place);
            const char *text = json_place_skip_value(&place, &text_length);
            if (!is_plain(item)) {
                value = text;
                length = text_length;
            }
        }
        draft_add(draft, item->string, value, length);
    }
}

/* Whether a row holds a value that is neither a string nor null, so that its text is needed. */
static bool needs_text(const cJSON *results)
{
    for (const cJSON *row = results->child; row != NULL; row = row->next) {
        for (const cJSON *item = cJSON_IsObject(row) ? row->child : NULL; item != NULL; item = item->next) {
            if (!is_plain(item)) {
                return true;
            }
        }
    }
    return false;
}

/* The place of the first row in the text. */
static struct json_place first_row(const struct json_text *json, const cJSON *results)
{
    size_t length;
    struct json_place place = json_place_root(json);
    json_place_enter(&place);
    for (const cJSON *member = json->root->child; member != results; member = member->next) {
        json_place_skip_name(&place);
        json_place_skip_value(&place, &length);
    }
    json_place_skip_name(&place);
    json_place_enter(&place);
    return place;
}

static void read_rows(const struct json_text *json, const cJSON *results, struct answer *out)
{
    size_t rows = (size_t)cJSON_GetArraySize(results);
    rows = rows < ANSWER_ROWS_MAX ? rows : ANSWER_ROWS_MAX;
    out->vehicles = memory_get(rows * sizeof(struct vehicle *));
    struct json_place place = {NULL, NULL};
    if (needs_text(results)) {
        place = first_row(json, results);
    }
    const char *asked = rows == 1 ? asked_vin(json->root) : "";
    struct draft draft;
    draft_init(&draft);
    for (const cJSON *row = results->child; out->count < rows; row = row->next) {
        struct json_place row_place = place;
        if (place.at != NULL) {
            size_t length;
            json_place_skip_value(&place, &length);
        }
        if (cJSON_IsObject(row)) {
            add_members(row, row_place, &draft);
            out->vehicles[out->count] = draft_finish(&draft, asked);
            out->kind = ANSWER_VEHICLES;
        }
        out->count++;
    }
    draft_clear(&draft);
}

void answer_read(const char *body, size_t length, struct answer *out)
{
    *out = (struct answer){.kind = ANSWER_NO_RESULTS};
    struct json_text json;
    json_text_read(body, length, &json);
    if (json.root == NULL) {
        out->kind = kind_of(body, length);
    } else {
        const cJSON *results = cJSON_GetObjectItemCaseSensitive(json.root, "Results");
        if (cJSON_IsArray(results)) {
            read_rows(&json, results, out);
        }
        if (out->kind == ANSWER_NO_RESULTS) {
            keep_message(json.root, out);
        }
    }
    json_text_clear(&json);
}

struct vehicle *answer_take(struct answer *answer, size_t index)
{
    struct vehicle *vehicle = answer->vehicles[index];
    answer->vehicles[index] = NULL;
    return vehicle;
}

void answer_clear(struct answer *answer)
{
    for (size_t i = 0; i < answer->count; i++) {
        vehicle_free(answer->vehicles[i]);
    }
    free(answer->vehicles);
    *answer = (struct answer){.kind = ANSWER_EMPTY};
}
