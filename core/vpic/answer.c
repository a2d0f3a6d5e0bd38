#include "core/vpic/answer.h"

#include "core/base/buffer.h"
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

/* Whether a row holds a value that is neither a string nor null, so that its text is needed. */
static bool needs_text(const cJSON *row)
{
    const cJSON *item = row->child;
    while (item != NULL && is_plain(item)) {
        item = item->next;
    }
    return item != NULL;
}

/* The vehicle of one row, which stands in the text at `place`. */
static struct vehicle *read_row(const cJSON *row, struct json_place place, struct draft *draft)
{
    draft_begin(draft, (size_t)(place.end - place.at));
    bool by_text = needs_text(row);
    json_place_enter(&place);
    for (const cJSON *item = row->child; item != NULL; item = item->next) {
        const char *value = item->valuestring == NULL ? "" : item->valuestring;
        size_t length = value[0] == '\0' ? 0 : strlen(value); /* most have none */
        if (by_text) {
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
    return draft_finish(draft);
}

/* Reads the array at `place` row by row, so that there is never a tree of more than one, and goes to the bracket that
 * ends it. False when it is no JSON. */
static bool read_rows(struct json_text *json, struct json_place *place, struct draft *draft, struct answer *out)
{
    json_place_enter(place);
    for (bool more = place->at < place->end && *place->at != ']'; more;) {
        struct json_place row_place = *place;
        const cJSON *row = json_text_value(json, place);
        if (row == NULL) {
            return false;
        }
        row_place.end = place->at;
        if (out->count < ANSWER_ROWS_MAX) {
            struct vehicle *vehicle = cJSON_IsObject(row) ? read_row(row, row_place, draft) : NULL;
            out->vehicles = memory_resize(out->vehicles, (out->count + 1) * sizeof *out->vehicles);
            out->vehicles[out->count++] = vehicle;
            out->kind = vehicle != NULL ? ANSWER_VEHICLES : out->kind;
        }
        more = place->at < place->end && *place->at == ',';
        if (more) {
            json_place_enter(place);
        }
    }
    return place->at < place->end && *place->at == ']';
}

/* Reads what stands around the rows, which are good and end at `rest`: all is JSON if it would be with no rows. False
 * when it is not. */
static bool read_envelope(struct json_text *json, const char *rows, const char *rest, struct answer *out)
{
    struct buffer envelope;
    buffer_init(&envelope, json->length);
    buffer_put(&envelope, json->text, (size_t)(rows - json->text));
    buffer_put(&envelope, rest, (size_t)(json->text + json->length - rest));
    const cJSON *root = json_text_whole(json, envelope.data, envelope.length);
    if (root != NULL && out->kind == ANSWER_NO_RESULTS) {
        keep_message(root, out);
    }
    if (root != NULL && out->count == 1 && out->vehicles[0] != NULL) {
        vehicle_answers(out->vehicles[0], asked_vin(root));
    }
    buffer_clear(&envelope);
    return root != NULL;
}

static bool read_all(struct json_text *json, struct answer *out)
{
    struct json_place place = {json->text, json->text + json->length};
    if (!json_place_member(&place, "Results") || place.at == place.end || *place.at != '[') {
        return read_envelope(json, place.end, place.end, out);
    }
    struct draft draft;
    draft_init(&draft);
    const char *rows = place.at + 1;
    bool good = read_rows(json, &place, &draft, out) && read_envelope(json, rows, place.at, out);
    draft_clear(&draft);
    return good;
}

void answer_read(const char *body, size_t length, struct answer *out)
{
    *out = (struct answer){.kind = ANSWER_NO_RESULTS};
    struct json_text json;
    if (!json_text_open(body, length, &json) || !read_all(&json, out)) {
        answer_clear(out);
        out->kind = kind_of(body, length);
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
