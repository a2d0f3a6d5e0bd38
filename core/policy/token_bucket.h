#ifndef CORE_POLICY_TOKEN_BUCKET_H
#define CORE_POLICY_TOKEN_BUCKET_H

#include "core/base/clock.h"

#include <stdbool.h>

/* Our own courtesy budget: `count` calls in `per_ms`, at most `burst` at once. Full at first; a clock that goes back
 * adds nothing; a refused take costs nothing; no fraction of a token is lost (planner.md 5.6, decision 27). Value type.
 */
struct token_bucket {
    int64_t count, per_ms, burst;
    int64_t level; /* in 1/per_ms of a token */
    monotime last; /* up to where the refill has been counted */
};

void token_bucket_init(struct token_bucket *bucket, int64_t count, int64_t per_ms, int64_t burst, monotime now);

/* How long until a take would succeed; 0: now. */
int64_t token_bucket_wait_ms(struct token_bucket *bucket, monotime now);

/* Takes one token, or returns false and takes nothing. */
bool token_bucket_take(struct token_bucket *bucket, monotime now);

#endif
