#ifndef CORE_POLICY_QUOTA_HEADERS_H
#define CORE_POLICY_QUOTA_HEADERS_H

#include "core/base/clock.h"
#include "core/policy/header.h"

#include <stdint.h>

/* What an answer's headers say about its sender's quota: Retry-After (RFC 9110 10.2.3), RateLimit in all its drafts,
 * the X- families, millisecond headers. Source of the rules: planner.md, P0 to P15. */

#define QUOTA_UNKNOWN INT64_C(-1)

enum quota_source { QUOTA_NONE, QUOTA_RETRY_AFTER_ONLY, QUOTA_RATELIMIT, QUOTA_X_RATELIMIT };

enum hint_source {
    HINT_NONE,
    HINT_RETRY_AFTER_SECONDS,
    HINT_RETRY_AFTER_HTTP_DATE,
    HINT_RETRY_AFTER_EPOCH,
    HINT_RETRY_AFTER_MS
};

/* Every number is 0 or more, or QUOTA_UNKNOWN. Waits count from the moment the answer arrived. Value type. */
struct quota {
    int64_t limit;
    int64_t remaining;
    int64_t reset_ms;
    int64_t retry_after_ms;
    enum quota_source source;
    enum hint_source hint_source;
};

/* Reads `count` fields that arrived at wall clock `now`. Never fails: what is malformed counts as absent. */
void quota_read(const struct header_field *fields, size_t count, walltime now, struct quota *out);

/* A quota that says nothing. */
struct quota quota_unknown(void);

/* The stable spellings, as in the vectors and the log. */
const char *quota_source_name(enum quota_source source);
const char *hint_source_name(enum hint_source source);

#endif
