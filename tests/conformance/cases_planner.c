#include "cases.h"

#include <string.h>

static const char *const outcome_names[OUTCOME_COUNT] = {
    [OUTCOME_STATUS] = "status",
    [OUTCOME_OK] = "ok",
    [OUTCOME_SPARSE] = "sparse",
    [OUTCOME_BAD_BODY] = "bad_body",
    [OUTCOME_WRONG_VIN] = "wrong_vin",
    [OUTCOME_TOO_LARGE] = "too_large",
    [OUTCOME_BAD_HEADERS] = "bad_headers",
    [OUTCOME_TIMEOUT] = "timeout",
    [OUTCOME_TIMEOUT_CUT] = "timeout_cut",
    [OUTCOME_TRANSPORT] = "transport",
    [OUTCOME_CONFIG_ERROR] = "config_error",
    [OUTCOME_CANCELLED] = "cancelled",
    [OUTCOME_DEADLINE] = "deadline",
    [OUTCOME_LOCAL_INVALID] = "local_invalid",
};

static bool read_outcome(const cJSON *in, enum outcome *outcome)
{
    bool ok = true;
    const char *name = case_text(in, "outcome", &ok);
    for (int i = 0; ok && i < OUTCOME_COUNT; i++) {
        if (strcmp(outcome_names[i], name) == 0) {
            *outcome = (enum outcome)i;
            return true;
        }
    }
    return false;
}

static bool read_hint_source(const cJSON *quota, enum hint_source *source)
{
    const cJSON *member = cJSON_GetObjectItemCaseSensitive(quota, "hint_source");
    *source = HINT_NONE;
    if (!cJSON_IsString(member)) {
        return member == NULL || cJSON_IsNull(member);
    }
    for (int i = HINT_NONE; i <= HINT_RETRY_AFTER_MS; i++) {
        if (strcmp(hint_source_name((enum hint_source)i), member->valuestring) == 0) {
            *source = (enum hint_source)i;
            return true;
        }
    }
    return false;
}

static bool read_quota_value(const cJSON *value, struct quota *quota)
{
    bool ok = true;
    *quota = quota_unknown();
    if (value == NULL || cJSON_IsNull(value)) {
        return true;
    }
    quota->limit = case_known_number(value, "limit", &ok);
    quota->remaining = case_known_number(value, "remaining", &ok);
    quota->reset_ms = case_known_number(value, "reset_ms", &ok);
    quota->retry_after_ms = case_known_number(value, "retry_after_ms", &ok);
    return read_hint_source(value, &quota->hint_source) && ok;
}

static bool read_plan_input(const cJSON *in, struct plan_input *input)
{
    bool ok = true;
    enum outcome outcome;
    if (!read_outcome(in, &outcome)) {
        return false;
    }
    const cJSON *status = cJSON_GetObjectItemCaseSensitive(in, "status");
    *input = case_plan_input(outcome, cJSON_IsNumber(status) ? status->valueint : 0);
    const char *profile = case_text(in, "profile", &ok);
    bool batch = ok && strcmp(profile, "batch") == 0;
    ok = ok && (batch || strcmp(profile, "interactive") == 0);
    input->profile = batch ? PROFILE_LIST : PROFILE_INTERACTIVE;
    input->max_attempts = policy_default.profile[input->profile].max_attempts;
    input->body_hint_ms = case_known_number(in, "body_hint_ms", &ok);
    input->attempt = (int)case_number(in, "attempt", &ok);
    input->left_ms = case_number(in, "left_ms", &ok);
    input->streak = (int)case_number(in, "streak", &ok);
    input->short_hints = (int)case_number(in, "short_hints", &ok);
    input->bad_answers = (int)case_number(in, "bad_answers", &ok);
    input->u1 = case_draw(in, "u1", &ok);
    input->u2 = case_draw(in, "u2", &ok);
    return read_quota_value(cJSON_GetObjectItemCaseSensitive(in, "quota"), &input->quota) && ok;
}

cJSON *case_plan(const cJSON *in, const char **row)
{
    static const char *const actions[] = {
        [PLAN_DELIVER] = "deliver", [PLAN_WAIT] = "wait", [PLAN_REFUSE] = "refuse", [PLAN_STOP] = "stop"};
    struct plan_input input;
    if (!read_plan_input(in, &input)) {
        return NULL;
    }
    struct plan plan = retry_plan(&policy_default, &input);
    *row = plan.row;
    cJSON *out = cJSON_CreateObject();
    cJSON_AddStringToObject(out, "action", actions[plan.action]);
    cJSON_AddNumberToObject(out, "wait_ms", (double)plan.wait_ms);
    cJSON_AddNumberToObject(out, "jitter_ms", (double)plan.jitter_ms);
    cJSON_AddNumberToObject(out, "gate_ms", (double)plan.gate_ms);
    cJSON_AddStringToObject(out, "reason", reason_name(plan.reason));
    if (plan.code == CODE_NONE) {
        cJSON_AddNullToObject(out, "code");
    } else {
        cJSON_AddStringToObject(out, "code", code_name(plan.code));
    }
    return out;
}

static enum outcome outcome_of_status(int64_t status)
{
    return status == 200 ? OUTCOME_OK : OUTCOME_STATUS;
}

cJSON *case_plan_decode_retry(const cJSON *in, const char **row)
{
    bool ok = true;
    int64_t status = case_number(in, "status", &ok), now = case_number(in, "now_ms", &ok);
    const cJSON *quota = cJSON_GetObjectItemCaseSensitive(in, "quota");
    struct plan_input input = case_plan_input(outcome_of_status(status), (int)status);
    ok = read_quota_value(quota, &input.quota) && ok;
    int64_t reset_at = case_known_number(quota, "reset_at_ms", &ok);
    if (reset_at != QUOTA_UNKNOWN) {
        input.quota.reset_ms = reset_at > now ? reset_at - now : 0;
    }
    if (input.quota.retry_after_ms != QUOTA_UNKNOWN) {
        input.quota.hint_source = HINT_RETRY_AFTER_SECONDS;
    }
    if (!ok) {
        return NULL;
    }
    struct plan plan = retry_plan(&policy_default, &input);
    *row = plan.row;
    cJSON *out = cJSON_CreateObject();
    if (plan.action == PLAN_REFUSE) {
        cJSON_AddStringToObject(out, "action", "refuse");
        cJSON_AddStringToObject(out, "reason", reason_name(plan.reason));
    } else if (plan.gate_ms > 0) {
        cJSON_AddStringToObject(out, "action", "wait");
        cJSON_AddNumberToObject(out, "wait_ms", (double)plan.gate_ms);
    } else {
        cJSON_AddStringToObject(out, "action", "proceed");
    }
    return out;
}

cJSON *case_retryable_status(const cJSON *in, const char **row)
{
    bool ok = true;
    int64_t status = case_number(in, "status", &ok);
    struct plan_input input = case_plan_input(outcome_of_status(status), (int)status);
    input.quota.retry_after_ms = 1000;
    input.quota.hint_source = HINT_RETRY_AFTER_SECONDS;
    input.quota.source = QUOTA_RETRY_AFTER_ONLY;
    if (!ok) {
        return NULL;
    }
    struct plan plan = retry_plan(&policy_default, &input);
    *row = plan.row;
    return cJSON_CreateBool(plan.action == PLAN_WAIT);
}

/* Where a plan's wait comes from, in the words of the article's function. */
static const char *source_of(const struct plan *plan, const struct quota *quota)
{
    switch (plan->reason) {
    case REASON_RETRY_AFTER_SECONDS:
    case REASON_RETRY_AFTER_HTTP_DATE:
    case REASON_RETRY_AFTER_EPOCH:
    case REASON_RETRY_AFTER_MS:
        return hint_source_name(quota->hint_source);
    case REASON_BODY:
        return "body";
    default:
        return "backoff";
    }
}

cJSON *case_plan_wait(const cJSON *in, const char **row)
{
    bool ok = true;
    int64_t status = case_number(in, "status", &ok), now = case_number(in, "now_ms", &ok);
    struct plan_input input = case_plan_input(status == 0 ? OUTCOME_TRANSPORT : OUTCOME_STATUS, (int)status);
    struct case_headers headers = case_headers_of("Retry-After", cJSON_GetObjectItemCaseSensitive(in, "retry_after"));
    quota_read(headers.fields, headers.count, now, &input.quota);
    case_headers_clear(&headers);
    input.body_hint_ms = case_known_number(in, "body_retry_ms", &ok);
    input.attempt = (int)case_number(in, "attempt", &ok);
    input.profile = PROFILE_LIST;
    input.u1 = case_draw(in, "random", &ok);
    if (!ok) {
        return NULL;
    }
    struct plan plan = retry_plan(&policy_default, &input);
    *row = plan.row;
    cJSON *out = cJSON_CreateObject();
    cJSON_AddNumberToObject(out, "wait_ms", (double)plan.wait_ms);
    cJSON_AddStringToObject(out, "source", source_of(&plan, &input.quota));
    return out;
}
