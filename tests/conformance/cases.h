#ifndef TESTS_CONFORMANCE_CASES_H
#define TESTS_CONFORMANCE_CASES_H

#include "core/policy/quota_headers.h"
#include "core/policy/retry_planner.h"

#include <cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A kind of case: answers `in` with what the product's code says, as a new JSON value that the caller deletes. NULL if
 * the case cannot be understood. `row` may be set to the row of the decision table that answered. */
typedef cJSON *case_function(const cJSON *in, const char **row);

case_function case_read_quota, case_read_quota_headers, case_parse_retry_after, case_read_body_hint;
case_function case_plan, case_plan_decode_retry, case_retryable_status, case_plan_wait;
case_function case_backoff, case_suggest_timeout, case_token_bucket, case_circuit_breaker, case_host_gate;
case_function case_vin_check;

/* A member that is a number; `*ok` becomes false if it is missing or something else. */
int64_t case_number(const cJSON *in, const char *name, bool *ok);
double case_draw(const cJSON *in, const char *name, bool *ok);

/* As case_number; null and a missing member are QUOTA_UNKNOWN. */
int64_t case_known_number(const cJSON *in, const char *name, bool *ok);

/* A member that is a string; NULL with `*ok` false if it is none. */
const char *case_text(const cJSON *in, const char *name, bool *ok);

/* In the files every character of a header or a body stands for one byte: turns cJSON's UTF-8 into those bytes, in new
 * memory. */
char *case_bytes(const char *utf8, size_t *length);

/* Adds a number, or null for QUOTA_UNKNOWN. */
void case_add_known(cJSON *object, const char *name, int64_t value);

/* One header field and the bytes behind it. */
struct case_headers {
    struct header_field *fields;
    size_t count;
};
struct case_headers case_headers_read(const cJSON *list, bool *ok);
struct case_headers case_headers_of(const char *name, const cJSON *value);
void case_headers_clear(struct case_headers *headers);

/* The input of a plan with nothing remembered and all draws 0. */
struct plan_input case_plan_input(enum outcome outcome, int status);

#endif
