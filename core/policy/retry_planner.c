#include "core/policy/retry_planner.h"

#include "core/policy/backoff.h"
#include "core/policy/deadline.h"

/* The decision table of planner.md 5.4, in its order. A function per block of the table makes a plan for the outcome
 * alone; finish() then applies what follows from the gate and from the time that is left (T33, T51 to T53). */

const char *reason_name(enum reason reason)
{
    static const char *const names[] = {
#define X(name, text) [REASON_##name] = text,
        REASONS(X)
#undef X
    };
    return names[reason];
}

const char *code_name(enum code code)
{
    static const char *const names[] = {
#define X(name, text) [CODE_##name] = text,
        CODES(X)
#undef X
    };
    return names[code];
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static struct plan deliver(const char *row, enum reason reason)
{
    return (struct plan){.action = PLAN_DELIVER, .reason = reason, .code = CODE_NONE, .row = row};
}

static struct plan stop(const char *row, enum reason reason, enum code code)
{
    return (struct plan){.action = PLAN_STOP, .reason = reason, .code = code, .row = row};
}

static struct plan refuse(const char *row, enum reason reason, enum code code)
{
    return (struct plan){.action = PLAN_REFUSE, .reason = reason, .code = code, .row = row};
}

/* Attempts are used up: nobody asks again for this VIN for a while. */
static struct plan exhausted(const char *row)
{
    struct plan plan = refuse(row, REASON_ATTEMPTS, CODE_EXHAUSTED);
    plan.negative = true;
    return plan;
}

/* No usable hint: our own cool-down (D6). */
static struct plan cool_down(const char *row, enum reason reason, const struct policy *policy, int streak)
{
    struct plan plan = refuse(row, reason, CODE_UPSTREAM_THROTTLE);
    plan.cool_down = true;
    plan.wait_ms = plan.gate_ms = policy_cool_down_ms(policy, streak);
    return plan;
}

/* B(n) of planner.md 5.5. */
static int64_t backoff_of(const struct policy *policy, const struct plan_input *input)
{
    const struct profile_policy *profile = &policy->profile[input->profile];
    return backoff_draw(input->attempt, profile->backoff_base_ms, profile->backoff_max_ms, input->u1);
}

static struct plan wait_backoff(const char *row, enum reason reason, const struct policy *policy,
                                const struct plan_input *input)
{
    return (struct plan){
        .action = PLAN_WAIT, .wait_ms = backoff_of(policy, input), .reason = reason, .code = CODE_NONE, .row = row};
}

/* A wait that the server named is also a gate: nobody else calls meanwhile (decision 15). */
static struct plan wait_hinted(const char *row, enum reason reason, int64_t wait_ms, const struct plan_input *input)
{
    return (struct plan){.action = PLAN_WAIT,
                         .wait_ms = wait_ms,
                         .jitter_ms = backoff_hint_jitter(wait_ms, input->u2),
                         .gate_ms = wait_ms,
                         .reason = reason,
                         .code = CODE_NONE,
                         .row = row};
}

/* A refusal that tells the server's own time, however long; the gate believes it for ten minutes at most. */
static struct plan refuse_until(const char *row, enum reason reason, enum code code, int64_t told_ms,
                                const struct policy *policy)
{
    struct plan plan = refuse(row, reason, code);
    plan.wait_ms = told_ms;
    plan.gate_ms = smaller(told_ms, policy->gate_max_ms);
    return plan;
}

/* 200 with a row for this VIN: T07 to T12. (T11 needs nothing here: with Age the quota is unknown, P15.) */
static struct plan plan_success(const struct plan_input *input)
{
    const struct quota *quota = &input->quota;
    if (quota->remaining == 0) {
        bool named = quota->reset_ms != QUOTA_UNKNOWN || quota->retry_after_ms != QUOTA_UNKNOWN;
        return named ? deliver("T09", REASON_QUOTA_GATE) : deliver("T10", REASON_REMAINING_ZERO_WITHOUT_RESET);
    }
    if (input->outcome == OUTCOME_SPARSE) {
        return deliver("T08", REASON_OK_SPARSE);
    }
    return deliver(quota->retry_after_ms != QUOTA_UNKNOWN ? "T12" : "T07", REASON_OK);
}

/* The one hint of a throttled answer, "h" in the table. */
struct hint {
    int64_t ms; /* QUOTA_UNKNOWN: none */
    enum reason reason;
    const char *row; /* of a wait for it */
    enum reason over_cap;
    const char *over_cap_row;
};

static enum reason reason_of_header(enum hint_source source)
{
    switch (source) {
    case HINT_RETRY_AFTER_HTTP_DATE:
        return REASON_RETRY_AFTER_HTTP_DATE;
    case HINT_RETRY_AFTER_EPOCH:
        return REASON_RETRY_AFTER_EPOCH;
    case HINT_RETRY_AFTER_MS:
        return REASON_RETRY_AFTER_MS;
    case HINT_RETRY_AFTER_SECONDS:
    case HINT_NONE:
        break;
    }
    return REASON_RETRY_AFTER_SECONDS;
}

/* Retry-After, else the body's hint, else the reset (D1); a larger reset wins when nothing remains (D2). */
static struct hint choose_hint(const struct plan_input *input)
{
    const struct quota *quota = &input->quota;
    struct hint hint = {.ms = QUOTA_UNKNOWN};
    const char *reset_row = "T28";
    if (quota->retry_after_ms != QUOTA_UNKNOWN) {
        hint = (struct hint){quota->retry_after_ms, reason_of_header(quota->hint_source), "T24",
                             REASON_OVER_CAP_RETRY_AFTER, "T19"};
        reset_row = "T25";
    } else if (input->body_hint_ms > 0) {
        hint = (struct hint){input->body_hint_ms, REASON_BODY, "T26", REASON_OVER_CAP_BODY, "T20"};
        reset_row = "T27";
    }
    if (hint.ms == QUOTA_UNKNOWN || (quota->remaining == 0 && quota->reset_ms > hint.ms)) {
        hint = (struct hint){quota->reset_ms, REASON_RESET, reset_row, REASON_OVER_CAP_RESET, "T21"};
    }
    if (hint.ms == 0) {
        hint.row = "T29";
    }
    return hint;
}

/* Throttled without any hint: T14 to T17. */
static struct plan plan_unhinted(const struct policy *policy, const struct plan_input *input)
{
    if (input->quota.remaining == 0) {
        return cool_down("T14", REASON_REMAINING_ZERO_WITHOUT_RESET, policy, input->streak);
    }
    if (input->status != 503) {
        return cool_down("T15", REASON_THROTTLED_WITHOUT_HINT, policy, input->streak);
    }
    if (input->attempt >= input->max_attempts) {
        return exhausted("T17");
    }
    return wait_backoff("T16", REASON_BACKOFF, policy, input);
}

/* 429, 503, or 403 with a sign of throttling: T13 to T30. A 403 goes the way of a 429 (D21). */
static struct plan plan_throttled(const struct policy *policy, const struct plan_input *input)
{
    struct hint hint = choose_hint(input);
    bool asks_for_nothing = input->status == 429 && hint.ms != QUOTA_UNKNOWN && hint.ms <= policy->short_hint_ms;
    if (asks_for_nothing && input->short_hints >= policy->short_hint_limit - 1) {
        return cool_down("T13", REASON_HINT_NOT_CREDIBLE, policy, input->streak);
    }
    if (hint.ms == QUOTA_UNKNOWN) {
        return plan_unhinted(policy, input);
    }
    if (hint.ms >= policy->max_wait_ms) {
        if (hint.reason == REASON_RESET && input->quota.remaining > 0) {
            return refuse_until("T18", REASON_RESET_NOT_CREDIBLE, CODE_UPSTREAM_THROTTLE, policy->max_wait_ms, policy);
        }
        return refuse_until(hint.over_cap_row, hint.over_cap, CODE_UPSTREAM_THROTTLE, hint.ms, policy);
    }
    int64_t wait_ms = larger(policy->min_wait_ms, hint.ms);
    if (input->attempt >= input->max_attempts) {
        bool outage = input->status == 503;
        struct plan plan =
            refuse_until("T22", REASON_ATTEMPTS, outage ? CODE_EXHAUSTED : CODE_UPSTREAM_THROTTLE, wait_ms, policy);
        plan.negative = outage;
        return plan;
    }
    if (!deadline_fits(input->left_ms, wait_ms, policy->min_attempt_ms)) {
        return refuse_until("T23", REASON_DEADLINE, CODE_DEADLINE, wait_ms, policy);
    }
    return wait_hinted(hint.row, hint.reason, wait_ms, input);
}

/* 502 and 504: T34 to T38. */
static struct plan plan_bad_gateway(const struct policy *policy, const struct plan_input *input)
{
    int64_t retry_after_ms = input->quota.retry_after_ms;
    bool has_body_hint = input->body_hint_ms > 0;
    int64_t asked_ms = larger(retry_after_ms, has_body_hint ? input->body_hint_ms : QUOTA_UNKNOWN);
    if (asked_ms >= policy->max_wait_ms) {
        return refuse_until("T37", REASON_OVER_CAP, CODE_UPSTREAM_UNAVAILABLE, asked_ms, policy);
    }
    if (asked_ms != QUOTA_UNKNOWN) {
        asked_ms = larger(policy->min_wait_ms, asked_ms);
    }
    if (input->attempt >= input->max_attempts) {
        struct plan plan = exhausted("T38");
        plan.wait_ms = plan.gate_ms = larger(0, asked_ms);
        return plan;
    }
    if (has_body_hint) {
        return wait_hinted("T35", REASON_BODY, asked_ms, input);
    }
    if (retry_after_ms == QUOTA_UNKNOWN) {
        return wait_backoff("T34", REASON_BACKOFF, policy, input);
    }
    /* The header is a lower bound of the draw (D13). Jitter is for the server's own figure only (decision 19). */
    struct plan plan = wait_backoff("T36", REASON_BACKOFF_OR_RETRY_AFTER, policy, input);
    plan.gate_ms = asked_ms;
    if (asked_ms > plan.wait_ms) {
        plan.wait_ms = asked_ms;
        plan.jitter_ms = backoff_hint_jitter(asked_ms, input->u2);
    }
    return plan;
}

/* An answer that cannot be read: T44, T45, T48. One retry a flight, whichever of the two it is (decision 23). */
static struct plan plan_unreadable(const struct policy *policy, const struct plan_input *input)
{
    bool body = input->outcome == OUTCOME_BAD_BODY;
    enum reason reason = body ? REASON_BAD_BODY : REASON_BAD_HEADERS;
    if (input->bad_answers > 0) {
        struct plan plan = refuse(body ? "T45" : "T48", reason, CODE_BAD_RESPONSE);
        plan.negative = body;
        return plan;
    }
    if (input->attempt >= input->max_attempts) {
        return exhausted("T43");
    }
    return wait_backoff(body ? "T44" : "T48", reason, policy, input);
}

/* No answer at all, though one could come: T40, T42, T43. */
static struct plan plan_no_answer(const struct policy *policy, const struct plan_input *input)
{
    if (input->attempt >= input->max_attempts) {
        return exhausted("T43");
    }
    return input->outcome == OUTCOME_TIMEOUT ? wait_backoff("T40", REASON_TIMEOUT, policy, input)
                                             : wait_backoff("T42", REASON_TRANSPORT, policy, input);
}

static bool is_throttled(const struct plan_input *input)
{
    bool sign = input->quota.remaining == 0 || input->quota.retry_after_ms != QUOTA_UNKNOWN;
    return input->outcome == OUTCOME_STATUS &&
           (input->status == 429 || input->status == 503 || (input->status == 403 && sign));
}

/* Statuses other than 200 that are no throttle: T04, T06, T31, T34 to T39. */
static struct plan plan_status(const struct policy *policy, const struct plan_input *input)
{
    int status = input->status;
    if (status == 502 || status == 504) {
        return plan_bad_gateway(policy, input);
    }
    if (status == 408 || status == 425 || (status >= 500 && status <= 599)) {
        return stop("T39", REASON_UNLISTED_STATUS, CODE_UPSTREAM_UNAVAILABLE);
    }
    if (status >= 400 && status <= 499) {
        return stop(status == 403 ? "T31" : "T04", REASON_CLIENT_ERROR, CODE_BAD_REQUEST);
    }
    return stop("T06", REASON_UNEXPECTED_STATUS, CODE_BAD_RESPONSE);
}

/* Whatever else the answer is, no call remains: how long nobody calls (T09, T10, T32, T33 as one rule, decision 16).
 * On 502 and 504 the body's hint is one of the times. 0 if calls remain; `named` says whether there is a time. */
static int64_t quota_gate(const struct policy *policy, const struct plan_input *input, bool *named)
{
    const struct quota *quota = &input->quota;
    bool gateway = input->outcome == OUTCOME_STATUS && (input->status == 502 || input->status == 504);
    int64_t body_hint_ms = gateway && input->body_hint_ms > 0 ? input->body_hint_ms : QUOTA_UNKNOWN;
    int64_t longest = larger(larger(quota->reset_ms, quota->retry_after_ms), body_hint_ms);
    *named = longest != QUOTA_UNKNOWN;
    if (quota->remaining != 0) {
        return 0;
    }
    return *named ? smaller(policy->max_wait_ms, larger(policy->min_wait_ms, longest)) : policy->cool_down_first_ms;
}

/* The modifiers of a wait, in the order T33, T51, T53, T52. */
static struct plan finish(struct plan plan, const struct policy *policy, const struct plan_input *input,
                          bool without_reset)
{
    if (plan.action == PLAN_WAIT && without_reset) {
        int64_t gate_ms = plan.gate_ms;
        plan = refuse("T33", REASON_REMAINING_ZERO_WITHOUT_RESET, CODE_UPSTREAM_THROTTLE);
        plan.gate_ms = gate_ms;
    }
    if (plan.action == PLAN_WAIT && plan.wait_ms < plan.gate_ms) {
        if (plan.gate_ms >= policy->max_wait_ms ||
            !deadline_fits(input->left_ms, plan.gate_ms, policy->min_attempt_ms)) {
            int64_t gate_ms = plan.gate_ms;
            plan = refuse("T51", REASON_QUOTA_GATE, CODE_UPSTREAM_THROTTLE);
            plan.gate_ms = gate_ms;
        } else {
            plan.wait_ms = plan.gate_ms;
            plan.jitter_ms = backoff_hint_jitter(plan.wait_ms, input->u2);
            plan.reason = REASON_QUOTA_GATE;
        }
    }
    if (plan.action == PLAN_WAIT && !deadline_fits(input->left_ms, plan.wait_ms, policy->min_attempt_ms)) {
        int64_t gate_ms = plan.gate_ms;
        plan = refuse("T53", REASON_DEADLINE, CODE_DEADLINE);
        plan.gate_ms = gate_ms;
    }
    if (plan.action == PLAN_WAIT &&
        !deadline_fits(input->left_ms, plan.wait_ms + plan.jitter_ms, policy->min_attempt_ms)) {
        plan.jitter_ms = 0;
    }
    if (plan.action == PLAN_REFUSE) {
        plan.wait_ms = larger(plan.wait_ms, plan.gate_ms);
    }
    return plan;
}

/* What comes of an outcome by itself. */
static struct plan plan_outcome(const struct policy *policy, const struct plan_input *input)
{
    switch (input->outcome) {
    case OUTCOME_CANCELLED:
        return stop("T01", REASON_CANCELLED, CODE_CANCELLED);
    case OUTCOME_DEADLINE:
        return stop("T02", REASON_DEADLINE, CODE_DEADLINE);
    case OUTCOME_TIMEOUT_CUT:
        return stop("T41", REASON_DEADLINE, CODE_DEADLINE);
    case OUTCOME_LOCAL_INVALID:
        return stop("T03", REASON_LOCAL_VALIDATION, CODE_BAD_REQUEST);
    case OUTCOME_CONFIG_ERROR:
        return stop("T05", REASON_CONFIG_ERROR, CODE_UPSTREAM_UNAVAILABLE);
    case OUTCOME_OK:
    case OUTCOME_SPARSE:
        return plan_success(input);
    case OUTCOME_STATUS:
        return is_throttled(input) ? plan_throttled(policy, input) : plan_status(policy, input);
    case OUTCOME_BAD_BODY:
    case OUTCOME_BAD_HEADERS:
        return plan_unreadable(policy, input);
    case OUTCOME_WRONG_VIN:
        return stop("T46", REASON_WRONG_VIN, CODE_BAD_RESPONSE);
    case OUTCOME_TOO_LARGE:
        return stop("T47", REASON_TOO_LARGE, CODE_BAD_RESPONSE);
    case OUTCOME_TIMEOUT:
    case OUTCOME_TRANSPORT:
    case OUTCOME_COUNT:
        break;
    }
    return plan_no_answer(policy, input);
}

/* T01 to T03, T05 and T41 are decided before any header is looked at. */
static bool ignores_headers(enum outcome outcome)
{
    return outcome == OUTCOME_CANCELLED || outcome == OUTCOME_DEADLINE || outcome == OUTCOME_TIMEOUT_CUT ||
           outcome == OUTCOME_LOCAL_INVALID || outcome == OUTCOME_CONFIG_ERROR;
}

/* The row of 429s that asked for next to nothing, as of this answer. */
static int count_short_hints(const struct policy *policy, const struct plan_input *input)
{
    if (input->outcome != OUTCOME_STATUS || input->status != 429) {
        return input->short_hints;
    }
    int64_t hint_ms = choose_hint(input).ms;
    if (hint_ms == QUOTA_UNKNOWN || hint_ms > policy->short_hint_ms) {
        return 0;
    }
    return input->short_hints < INT32_MAX ? input->short_hints + 1 : input->short_hints;
}

struct plan retry_plan(const struct policy *policy, const struct plan_input *input)
{
    struct plan plan = plan_outcome(policy, input);
    bool named = true;
    /* A throttled answer has weighed remaining and reset already, in its hint. */
    if (!ignores_headers(input->outcome) && !is_throttled(input)) {
        plan.gate_ms = larger(plan.gate_ms, quota_gate(policy, input, &named));
    }
    plan = finish(plan, policy, input, !named && input->quota.remaining == 0);
    plan.short_hints = count_short_hints(policy, input);
    return plan;
}
