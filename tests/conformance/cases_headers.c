#include "cases.h"

#include "core/vpic/answer.h"

#include <stdlib.h>
#include <string.h>

static bool read_quota_of(const cJSON *in, struct quota *quota, int64_t *now)
{
    bool ok = true;
    *now = case_number(in, "now_ms", &ok);
    struct case_headers headers = case_headers_read(cJSON_GetObjectItemCaseSensitive(in, "headers"), &ok);
    quota_read(headers.fields, headers.count, *now, quota);
    case_headers_clear(&headers);
    return ok;
}

static void add_hint_source(cJSON *out, const char *name, enum hint_source source)
{
    if (source == HINT_NONE) {
        cJSON_AddNullToObject(out, name);
    } else {
        cJSON_AddStringToObject(out, name, hint_source_name(source));
    }
}

cJSON *case_read_quota(const cJSON *in, const char **row)
{
    (void)row;
    struct quota quota;
    int64_t now;
    if (!read_quota_of(in, &quota, &now)) {
        return NULL;
    }
    cJSON *out = cJSON_CreateObject();
    case_add_known(out, "limit", quota.limit);
    case_add_known(out, "remaining", quota.remaining);
    case_add_known(out, "retry_after_ms", quota.retry_after_ms);
    case_add_known(out, "reset_ms", quota.reset_ms);
    cJSON_AddStringToObject(out, "source", quota_source_name(quota.source));
    add_hint_source(out, "hint_source", quota.hint_source);
    return out;
}

cJSON *case_read_quota_headers(const cJSON *in, const char **row)
{
    (void)row;
    struct quota quota;
    int64_t now;
    if (!read_quota_of(in, &quota, &now)) {
        return NULL;
    }
    cJSON *out = cJSON_CreateObject();
    case_add_known(out, "limit", quota.limit);
    case_add_known(out, "remaining", quota.remaining);
    case_add_known(out, "reset_at_ms", quota.reset_ms == QUOTA_UNKNOWN ? QUOTA_UNKNOWN : now + quota.reset_ms);
    case_add_known(out, "retry_after_ms", quota.retry_after_ms);
    cJSON_AddStringToObject(out, "source", quota_source_name(quota.source));
    return out;
}

cJSON *case_parse_retry_after(const cJSON *in, const char **row)
{
    (void)row;
    bool ok = true;
    struct quota quota;
    int64_t now = case_number(in, "now_ms", &ok);
    struct case_headers headers = case_headers_of("Retry-After", cJSON_GetObjectItemCaseSensitive(in, "value"));
    quota_read(headers.fields, headers.count, now, &quota);
    case_headers_clear(&headers);
    if (!ok) {
        return NULL;
    }
    if (quota.retry_after_ms == QUOTA_UNKNOWN) {
        return cJSON_CreateNull();
    }
    int64_t shortest = policy_default.min_wait_ms;
    cJSON *out = cJSON_CreateObject();
    cJSON_AddNumberToObject(out, "wait_ms",
                            (double)(quota.retry_after_ms > shortest ? quota.retry_after_ms : shortest));
    add_hint_source(out, "source", quota.hint_source);
    return out;
}

cJSON *case_read_body_hint(const cJSON *in, const char **row)
{
    (void)row;
    bool ok = true;
    const cJSON *type = cJSON_GetObjectItemCaseSensitive(in, "content_type");
    const char *body_text = case_text(in, "body", &ok);
    if (!ok || (type != NULL && !cJSON_IsNull(type) && !cJSON_IsString(type))) {
        return NULL;
    }
    size_t type_length = 0, body_length;
    char *type_bytes = cJSON_IsString(type) ? case_bytes(type->valuestring, &type_length) : NULL;
    char *body = case_bytes(body_text, &body_length);
    int64_t hint = body_hint_read(type_bytes, type_length, body, body_length);
    free(type_bytes);
    free(body);
    return hint == QUOTA_UNKNOWN ? cJSON_CreateNull() : cJSON_CreateNumber((double)hint);
}
