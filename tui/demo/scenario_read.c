#include "tui/demo/scenario.h"

#include "core/base/memory.h"
#include "core/base/text.h"
#include "tui/demo/placeholder.h"
#include "tui/demo/reader.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PHASES_MAX = 100,
    ANSWERS_MAX = 100,
    HEADERS_MAX = 40,
    TIMES_MAX = 1000000,
    DURATION_LIMIT_MS = 86400000, /* a day */
    QUOTA_CALLS_MAX = 100000,
    BYTES_MAX = 64 * 1024 * 1024,
    BYTES_DEFAULT = 9 * 1024 * 1024, /* more than a client should take (planner.md T47) */
    UNDER_WAY_DEFAULT_MS = 100
};

struct scenario {
    cJSON *tree; /* all strings point into it */
    const char *name, *description;
    struct quota_rule quota;
    bool has_quota;
    struct phase *phases;
    size_t phase_count;
    bool repeats;
    uint64_t seed;
    int64_t under_way_ms;
};

static const char *const body_names[] = {
#define X(name, text) text,
    BODY_KINDS(X)
#undef X
};

static const char *const ending_names[] = {
#define X(name, text) text,
    ENDINGS(X)
#undef X
};

static const char *const family_names[] = {
#define X(name, text) text,
    FAMILIES(X)
#undef X
};

/* A header's name must be a token, and none that frames the message: HTTP itself stays whole in every scenario. */
static void check_header(struct reader *reader, const char *name, const char *value)
{
    static const char token[] = "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    if (name[0] == '\0' || name[strspn(name, token)] != '\0') {
        reader_fail(reader, "", "\"%.40s\" cannot be the name of a header", name);
    } else if (text_compare(name, "Content-Length") == 0 || text_compare(name, "Transfer-Encoding") == 0 ||
               text_compare(name, "Connection") == 0) {
        reader_fail(reader, name, "is for the server to say; \"ending\" is how an answer breaks off");
    }
    for (const char *byte = value; *byte != '\0'; byte++) {
        if ((unsigned char)*byte < 0x20 || *byte == 0x7f) {
            reader_fail(reader, name, "a header's value holds no control characters");
        }
    }
    char unknown[32];
    if (!placeholder_check(value, unknown, sizeof unknown)) {
        reader_fail(reader, name, "\"{%s}\" is no placeholder", unknown);
    }
}

/* Headers are an object, or a list of pairs where one name comes more than once. */
static void read_headers(struct reader *reader, const cJSON *object, struct scripted_answer *out)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, "headers");
    if (list == NULL) {
        return;
    }
    int count = cJSON_GetArraySize(list);
    if ((!cJSON_IsObject(list) && !cJSON_IsArray(list)) || count > HEADERS_MAX) {
        reader_fail(reader, "headers", "must be an object, or a list of pairs, with at most %d", HEADERS_MAX);
        return;
    }
    size_t mark = reader_enter(reader, "headers", -1);
    out->headers = memory_get((size_t)(count + 1) * sizeof *out->headers);
    const cJSON *item;
    cJSON_ArrayForEach(item, list)
    {
        const cJSON *name = cJSON_GetArrayItem(item, 0), *value = cJSON_GetArrayItem(item, 1);
        struct scripted_header header = {item->string, item->valuestring};
        bool pair =
            cJSON_IsArray(item) && cJSON_GetArraySize(item) == 2 && cJSON_IsString(name) && cJSON_IsString(value);
        if (cJSON_IsArray(list) && pair) {
            header = (struct scripted_header){name->valuestring, value->valuestring};
        } else if (cJSON_IsArray(list) || !cJSON_IsString(item)) {
            reader_fail(reader, cJSON_IsArray(list) ? "" : item->string, "a header is a name and a text");
            break;
        }
        check_header(reader, header.name, header.value);
        out->headers[out->header_count++] = header;
    }
    reader_leave(reader, mark);
}

/* A delay is a number of milliseconds, or a pair of them to draw between. */
static void read_delay(struct reader *reader, const cJSON *object, struct scripted_answer *out)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, "delay_ms");
    if (cJSON_IsArray(item) && cJSON_GetArraySize(item) == 2) {
        out->delay_least_ms = reader_to_whole(reader, cJSON_GetArrayItem(item, 0), "delay_ms[0]", 0, DURATION_LIMIT_MS);
        out->delay_most_ms =
            reader_to_whole(reader, cJSON_GetArrayItem(item, 1), "delay_ms[1]", out->delay_least_ms, DURATION_LIMIT_MS);
    } else if (cJSON_IsArray(item)) {
        reader_fail(reader, "delay_ms", "must be one number, or two to draw between");
    } else if (item != NULL) {
        out->delay_least_ms = out->delay_most_ms = reader_to_whole(reader, item, "delay_ms", 0, DURATION_LIMIT_MS);
    }
}

static void read_answer(struct reader *reader, const cJSON *object, struct scripted_answer *out)
{
    reader_members(reader, object,
                   " status headers body text content_type retry_after_ms bytes delay_ms ending times comment ");
    if (reader->failed) {
        return;
    }
    out->status = (int)reader_whole(reader, object, "status", 200, 599, 200);
    int body = out->status < 400 ? BODY_VEHICLE : BODY_HTML;
    out->body = (enum body_kind)reader_choice(reader, object, "body", body_names, BODY_KIND_COUNT, body);
    out->ending = (enum ending)reader_choice(reader, object, "ending", ending_names, ENDING_COUNT, ENDING_WHOLE);
    out->text = reader_text(reader, object, "text", NULL);
    out->content_type = reader_text(reader, object, "content_type", NULL);
    out->retry_after_ms = reader_whole(reader, object, "retry_after_ms", 0, INT64_C(100000000000), -1);
    out->bytes = (size_t)reader_whole(reader, object, "bytes", 0, BYTES_MAX, BYTES_DEFAULT);
    out->times = reader_whole(reader, object, "times", 1, TIMES_MAX, 1);
    if ((out->body == BODY_TEXT) != (out->text != NULL)) {
        reader_fail(reader, "text", "goes with the body \"text\", and only with it");
    }
    if ((out->body == BODY_RETRY_AFTER_MS) != (out->retry_after_ms >= 0)) {
        reader_fail(reader, "retry_after_ms", "goes with the body \"retry_after_ms\", and only with it");
    }
    if (out->content_type != NULL) {
        check_header(reader, "content_type", out->content_type);
    }
    read_delay(reader, object, out);
    read_headers(reader, object, out);
}

/* What is sent when a quota is exceeded and its rule does not say: 429 with the time of the next window. */
static void default_exceeded(struct quota_rule *rule)
{
    rule->exceeded = (struct scripted_answer){.status = 429, .body = BODY_HTML, .times = 1};
    if (rule->family != FAMILY_NONE) {
        rule->exceeded.headers = memory_get(sizeof *rule->exceeded.headers);
        rule->exceeded.headers[0] = (struct scripted_header){"Retry-After", "{reset_s}"};
        rule->exceeded.header_count = 1;
    }
}

static void read_quota_rule(struct reader *reader, const cJSON *object, struct quota_rule *out)
{
    static const char *const windows[] = {"fixed", "rolling"};
    static const char *const starts[] = {"first-call", "wall-second"};
    size_t mark = reader_enter(reader, "quota", -1);
    reader_members(reader, object, " calls window_ms window starts announce exceeded comment ");
    if (!reader->failed) {
        out->calls = reader_whole(reader, object, "calls", 1, QUOTA_CALLS_MAX, 0);
        out->window_ms = reader_whole(reader, object, "window_ms", 1, DURATION_LIMIT_MS, 0);
        out->rolling = reader_choice(reader, object, "window", windows, 2, 0) == 1;
        out->wall_second = reader_choice(reader, object, "starts", starts, 2, 0) == 1;
        out->family =
            (enum quota_family)reader_choice(reader, object, "announce", family_names, FAMILY_COUNT, FAMILY_NONE);
        if (out->calls == 0 || out->window_ms == 0) {
            reader_fail(reader, "", "needs \"calls\" and \"window_ms\"");
        }
        const cJSON *exceeded = cJSON_GetObjectItemCaseSensitive(object, "exceeded");
        if (exceeded == NULL) {
            default_exceeded(out);
        } else {
            size_t inner = reader_enter(reader, "exceeded", -1);
            read_answer(reader, exceeded, &out->exceeded);
            reader_leave(reader, inner);
        }
    }
    reader_leave(reader, mark);
}

/* The phase's own quota, none when it says null, else that of the scenario. */
static void read_phase_quota(struct reader *reader, const cJSON *object, const struct scenario *scenario,
                             struct phase *out)
{
    const cJSON *quota = cJSON_GetObjectItemCaseSensitive(object, "quota");
    if (quota == NULL) {
        out->quota = scenario->has_quota ? &scenario->quota : NULL;
    } else if (!cJSON_IsNull(quota)) {
        out->quota = &out->own_quota;
        read_quota_rule(reader, quota, &out->own_quota);
    }
}

static void read_phase(struct reader *reader, const cJSON *object, const struct scenario *scenario, struct phase *out)
{
    static const char *const orders[] = {"in_turn", "random"};
    static const char *const ends[] = {"never", "wait_over"};
    reader_members(reader, object, " name for_ms for_calls until quota order answers comment ");
    if (reader->failed) {
        return;
    }
    out->name = reader_text(reader, object, "name", "");
    out->for_ms = reader_whole(reader, object, "for_ms", 1, DURATION_LIMIT_MS, 0);
    out->for_calls = reader_whole(reader, object, "for_calls", 1, TIMES_MAX, 0);
    out->until_waited = reader_choice(reader, object, "until", ends, 2, 0) == 1;
    out->random = reader_choice(reader, object, "order", orders, 2, 0) == 1;
    read_phase_quota(reader, object, scenario, out);
    const cJSON *answers = cJSON_GetObjectItemCaseSensitive(object, "answers");
    int count = cJSON_GetArraySize(answers);
    if (!cJSON_IsArray(answers) || count < 1 || count > ANSWERS_MAX) {
        reader_fail(reader, "answers", "must be a list of 1 to %d answers", ANSWERS_MAX);
        return;
    }
    out->answers = memory_get((size_t)count * sizeof *out->answers);
    out->answer_count = (size_t)count;
    const cJSON *item = answers->child;
    for (int i = 0; i < count; i++, item = item->next) {
        size_t mark = reader_enter(reader, "answers", i);
        read_answer(reader, item, &out->answers[i]);
        reader_leave(reader, mark);
    }
}

static void read_phases(struct reader *reader, const cJSON *phases, struct scenario *out)
{
    int count = cJSON_GetArraySize(phases);
    if (!cJSON_IsArray(phases) || count < 1 || count > PHASES_MAX) {
        reader_fail(reader, "phases", "must be a list of 1 to %d phases", PHASES_MAX);
        return;
    }
    out->phases = memory_get((size_t)count * sizeof *out->phases);
    out->phase_count = (size_t)count;
    const cJSON *item = phases->child;
    for (int i = 0; i < count; i++, item = item->next) {
        struct phase *phase = &out->phases[i];
        size_t mark = reader_enter(reader, "phases", i);
        read_phase(reader, item, out, phase);
        bool ends = phase->for_ms > 0 || phase->for_calls > 0 || phase->until_waited;
        if (i + 1 < count && !ends) {
            reader_fail(reader, "", "never ends, so the next one never comes: say for_ms, for_calls or until");
        } else if (i + 1 == count && ends && !out->repeats) {
            reader_fail(reader, "", "the last phase ends, so \"repeat\" must be true");
        }
        reader_leave(reader, mark);
    }
}

static void read_scenario(struct reader *reader, struct scenario *out)
{
    reader_members(reader, out->tree, " name description seed under_way_ms repeat quota phases comment ");
    if (reader->failed) {
        return;
    }
    out->name = reader_text(reader, out->tree, "name", "");
    out->description = reader_text(reader, out->tree, "description", "");
    if (out->name[0] == '\0' || out->description[0] == '\0') {
        reader_fail(reader, out->name[0] == '\0' ? "name" : "description", "is missing");
    }
    out->seed = (uint64_t)reader_whole(reader, out->tree, "seed", 0, INT64_C(1000000000), 1);
    out->under_way_ms = reader_whole(reader, out->tree, "under_way_ms", 0, 60000, UNDER_WAY_DEFAULT_MS);
    out->repeats = reader_flag(reader, out->tree, "repeat");
    const cJSON *quota = cJSON_GetObjectItemCaseSensitive(out->tree, "quota");
    if (quota != NULL) {
        out->has_quota = true;
        read_quota_rule(reader, quota, &out->quota);
    }
    read_phases(reader, cJSON_GetObjectItemCaseSensitive(out->tree, "phases"), out);
}

/* NOLINTNEXTLINE(readability-non-const-parameter): `why` is written, through the reader */
struct scenario *scenario_read(const char *text, size_t length, const char *file, char *why, size_t size)
{
    struct reader reader = {.file = file, .why = why, .size = size};
    struct scenario *scenario = memory_get(sizeof *scenario);
    const char *end = text;
    scenario->tree = cJSON_ParseWithLengthOpts(text, length, &end, false);
    while (scenario->tree != NULL && end < text + length && text_is_blank(*end)) {
        end++;
    }
    if (scenario->tree == NULL || end != text + length) {
        reader_fail_json(&reader, text, length, end);
    } else {
        read_scenario(&reader, scenario);
    }
    if (reader.failed) {
        scenario_free(scenario);
        return NULL;
    }
    return scenario;
}

void scenario_free(struct scenario *scenario)
{
    if (scenario == NULL) {
        return;
    }
    for (size_t i = 0; i < scenario->phase_count; i++) {
        struct phase *phase = &scenario->phases[i];
        for (size_t j = 0; j < phase->answer_count; j++) {
            free(phase->answers[j].headers);
        }
        free(phase->answers);
        free(phase->own_quota.exceeded.headers);
    }
    free(scenario->quota.exceeded.headers);
    free(scenario->phases);
    cJSON_Delete(scenario->tree);
    free(scenario);
}

const char *scenario_name(const struct scenario *scenario)
{
    return scenario->name;
}

const char *scenario_description(const struct scenario *scenario)
{
    return scenario->description;
}

size_t scenario_phase_count(const struct scenario *scenario)
{
    return scenario->phase_count;
}

const struct phase *scenario_phase(const struct scenario *scenario, size_t index)
{
    return &scenario->phases[index];
}

uint64_t scenario_seed(const struct scenario *scenario)
{
    return scenario->seed;
}

int64_t scenario_under_way_ms(const struct scenario *scenario)
{
    return scenario->under_way_ms;
}
