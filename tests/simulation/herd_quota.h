#ifndef TESTS_SIMULATION_HERD_QUOTA_H
#define TESTS_SIMULATION_HERD_QUOTA_H

#include "core/base/clock.h"

#include <stdbool.h>
#include <stddef.h>

/* One quota that all share: so many calls in each fixed window. What is over it is refused with 429 and the seconds
 * until the window ends. And what came of it. */
struct herd_quota {
    int64_t limit, window_ms, latency_ms; /* of an answer, there and back */
    monotime window_at;
    int64_t used;
    uint64_t accepted, refused;
    uint64_t early;       /* calls by somebody who had been told to wait, before that time */
    monotime begun_at;    /* of the last one that began */
    monotime finished_at; /* of the last one that was served */
    monotime second_at;   /* the busiest second after the first window, in which all begin */
    uint64_t in_second, busiest_second;
};

/* A call arrives. Accepted: true; else `retry_after_s` says how long the client is asked to wait. */
bool herd_quota_ask(struct herd_quota *quota, monotime now, bool early, int64_t *retry_after_s);

/* The shortest time in which `clients` can be served. */
int64_t herd_quota_ideal_ms(const struct herd_quota *quota, size_t clients);

/* `clients` that each want one answer and begin within the first second, from `seed`; runs until all have it. */
void herd_of_engines(struct herd_quota *quota, size_t clients, uint64_t seed);

/* What the others do after a refusal; each asks until it is served. */
enum herd_manner {
    MANNER_NO_BACKOFF,  /* asks again at once */
    MANNER_EXPONENTIAL, /* 250 ms, doubled to 6 s, no jitter, hints are not read */
    MANNER_FULL_JITTER, /* the same as an upper bound of a draw */
    MANNER_LONG_JITTER, /* full jitter up to 60 s */
    MANNER_HINTS,       /* waits exactly as long as it was asked to */
    MANNER_COUNT
};
const char *herd_manner_name(enum herd_manner manner);
void herd_of_others(struct herd_quota *quota, enum herd_manner manner, size_t clients, uint64_t seed);

#endif
