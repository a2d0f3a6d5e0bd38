#ifndef CORE_POLICY_RATELIMIT_FIELD_H
#define CORE_POLICY_RATELIMIT_FIELD_H

#include "core/policy/header_value.h"

/* What one family of quota fields says; QUOTA_UNKNOWN where it says nothing. */
struct quota_family {
    int64_t limit, remaining, reset_ms;
};

/* RateLimit as a structured field, with RateLimit-Policy for the limit: planner.md P13 and decision 11. Both the form
 * of draft-07 ("limit=10, remaining=3, reset=5") and the later one ("name";r=3;t=5). All or nothing. */
struct quota_family ratelimit_field_read(const struct header_block *block);

#endif
