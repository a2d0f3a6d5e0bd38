#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/vpic/answer.h"
#include "core/vpic/json_text.h"

#include <math.h>
#include <string.h>

/* Error bodies are read no further than this (planner.md J18). */
enum { BODY_MAX = 65536 };

/* application/json or application/SUFFIX+json, in any case, with or without parameters. */
static bool is_json(const char *content_type, size_t length)
{
    static const char type[] = "application/", suffix[] = "+json";
    const size_t type_length = sizeof type - 1, suffix_length = sizeof suffix - 1;
    const char *parameters = memchr(content_type, ';', length);
    size_t left = parameters == NULL ? length : (size_t)(parameters - content_type);
    const char *media = text_trim(content_type, &left);
    if (left < type_length || !text_is(media, type_length, type)) {
        return false;
    }
    media += type_length;
    left -= type_length;
    for (size_t i = 0; i < left; i++) {
        if ((unsigned char)media[i] <= ' ' || strchr(",/\"", media[i]) != NULL) {
            return false;
        }
    }
    bool suffixed = left > suffix_length && text_is(media + left - suffix_length, suffix_length, suffix);
    return suffixed || text_is(media, left, "json");
}

int64_t body_hint_read(const char *content_type, size_t content_type_length, const char *body, size_t length)
{
    if (content_type == NULL || !is_json(content_type, content_type_length) || length > BODY_MAX) {
        return -1;
    }
    double largest = 0;
    struct json_text json;
    const cJSON *root = json_text_open(body, length, &json) ? json_text_whole(&json, json.text, json.length) : NULL;
    for (const cJSON *item = root != NULL && cJSON_IsObject(root) ? root->child : NULL; item != NULL;
         item = item->next) {
        bool hint = strcmp(item->string, "retryAfterMs") == 0 && cJSON_IsNumber(item) && isfinite(item->valuedouble);
        if (hint && item->valuedouble > largest) {
            largest = item->valuedouble;
        }
    }
    json_text_clear(&json);
    if (largest <= 0) {
        return -1;
    }
    if (largest >= (double)DURATION_MAX_MS) {
        return DURATION_MAX_MS;
    }
    int64_t whole = (int64_t)largest;
    return whole + ((double)whole < largest);
}
