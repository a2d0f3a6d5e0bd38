#include "core/policy/token_bucket.h"

/* The level counts in 1/per_ms of a token: a token is per_ms, a millisecond adds count. Everything is a whole number,
 * so no fraction of a token is ever lost (R72). */
static int64_t brim(const struct token_bucket *bucket)
{
    return bucket->burst > DURATION_MAX_MS / bucket->per_ms ? DURATION_MAX_MS : bucket->burst * bucket->per_ms;
}

void token_bucket_init(struct token_bucket *bucket, int64_t count, int64_t per_ms, int64_t burst, monotime now)
{
    *bucket = (struct token_bucket){
        .count = count > 0 ? count : 0,
        .per_ms = per_ms > 0 ? per_ms : 1,
        .burst = burst > 1 ? burst : 1,
        .last = now,
    };
    bucket->level = brim(bucket);
}

/* Counts the time since `last`. `last` also moves when the bucket is full, so that idle time is not credited later
 * (R75), and stands still when the clock goes back (R45). */
static void refill(struct token_bucket *bucket, monotime now)
{
    if (now <= bucket->last) {
        return;
    }
    int64_t elapsed = now - bucket->last, room = brim(bucket) - bucket->level;
    bucket->last = now;
    if (bucket->count > 0 && elapsed > room / bucket->count) {
        bucket->level += room;
    } else {
        bucket->level += elapsed * bucket->count;
    }
}

int64_t token_bucket_wait_ms(struct token_bucket *bucket, monotime now)
{
    refill(bucket, now);
    int64_t missing = bucket->per_ms - bucket->level;
    if (missing <= 0) {
        return 0;
    }
    if (bucket->count == 0) {
        return DURATION_MAX_MS;
    }
    return (missing + bucket->count - 1) / bucket->count;
}

bool token_bucket_take(struct token_bucket *bucket, monotime now)
{
    if (token_bucket_wait_ms(bucket, now) > 0) {
        return false;
    }
    bucket->level -= bucket->per_ms;
    return true;
}
