#include "simulation/herd_quota.h"

#include "core/base/memory.h"
#include "simulation/draw.h"

#include <stdlib.h>

bool herd_quota_ask(struct herd_quota *quota, monotime now, bool early, int64_t *retry_after_s)
{
    monotime window = now - now % quota->window_ms, second = now - now % 1000;
    if (window != quota->window_at) {
        quota->window_at = window;
        quota->used = 0;
    }
    if (second != quota->second_at) {
        quota->second_at = second;
        quota->in_second = 0;
    }
    quota->in_second += now >= quota->window_ms ? 1 : 0;
    quota->busiest_second = quota->in_second > quota->busiest_second ? quota->in_second : quota->busiest_second;
    quota->early += early ? 1 : 0;
    if (quota->used < quota->limit) {
        quota->used++;
        quota->accepted++;
        quota->finished_at = now + quota->latency_ms;
        return true;
    }
    quota->refused++;
    *retry_after_s = (window + quota->window_ms - now + 999) / 1000;
    return false;
}

int64_t herd_quota_ideal_ms(const struct herd_quota *quota, size_t clients)
{
    int64_t full = ((int64_t)clients - 1) / quota->limit;
    monotime last = full * quota->window_ms;
    return (last > quota->begun_at ? last : quota->begun_at) + quota->latency_ms;
}

const char *herd_manner_name(enum herd_manner manner)
{
    static const char *const names[MANNER_COUNT] = {
        [MANNER_NO_BACKOFF] = "no backoff",
        [MANNER_EXPONENTIAL] = "exponential, no jitter",
        [MANNER_FULL_JITTER] = "full jitter, no hints",
        [MANNER_LONG_JITTER] = "full jitter to 60 s, no hints",
        [MANNER_HINTS] = "hints, no spread",
    };
    return names[manner];
}

struct client {
    monotime told_until;
    int refusals;
    int32_t next; /* asks at the same moment; -1: none */
};

/* Whoever asks at a moment stands in the moment's slot; the wheel turns a millisecond at a time. */
enum { WHEEL_MS = 1 << 17 };

struct wheel {
    int32_t first[WHEEL_MS];
    struct client *clients;
};

static void put(struct wheel *wheel, int32_t client, monotime at)
{
    int32_t *slot = &wheel->first[at % WHEEL_MS];
    wheel->clients[client].next = *slot;
    *slot = client;
}

static int64_t ceiling_of(int refusals, int64_t most_ms)
{
    int64_t ceiling = 250;
    for (int i = 1; i < refusals && ceiling < most_ms; i++) {
        ceiling *= 2;
    }
    return ceiling < most_ms ? ceiling : most_ms;
}

static int64_t wait_of(enum herd_manner manner, int refusals, int64_t retry_after_s, struct random *random)
{
    switch (manner) {
    case MANNER_EXPONENTIAL:
        return ceiling_of(refusals, 6000);
    case MANNER_FULL_JITTER:
        return draw_between(random, 0, ceiling_of(refusals, 6000));
    case MANNER_LONG_JITTER:
        return draw_between(random, 0, ceiling_of(refusals, 60000));
    case MANNER_HINTS:
        return retry_after_s * 1000;
    case MANNER_NO_BACKOFF:
    case MANNER_COUNT:
        break;
    }
    return 0;
}

void herd_of_others(struct herd_quota *quota, enum herd_manner manner, size_t clients, uint64_t seed)
{
    struct random random = draw_stream(seed, STREAM_RUN, (uint64_t)manner);
    struct wheel *wheel = memory_get(sizeof *wheel);
    wheel->clients = memory_get(clients * sizeof *wheel->clients);
    for (size_t i = 0; i < WHEEL_MS; i++) {
        wheel->first[i] = -1;
    }
    for (size_t i = 0; i < clients; i++) {
        monotime begins_at = draw_between(&random, 0, 999);
        quota->begun_at = begins_at > quota->begun_at ? begins_at : quota->begun_at;
        put(wheel, (int32_t)i, begins_at);
    }
    size_t served = 0;
    for (monotime now = 0; served < clients; now++) {
        int32_t at = wheel->first[now % WHEEL_MS];
        wheel->first[now % WHEEL_MS] = -1;
        while (at >= 0) {
            struct client *client = &wheel->clients[at];
            int32_t next = client->next;
            int64_t retry_after_s = 0;
            if (herd_quota_ask(quota, now, now < client->told_until, &retry_after_s)) {
                served++;
            } else {
                monotime heard_at = now + quota->latency_ms;
                client->refusals++;
                client->told_until = heard_at + retry_after_s * 1000;
                put(wheel, at, heard_at + wait_of(manner, client->refusals, retry_after_s, &random));
            }
            at = next;
        }
    }
    free(wheel->clients);
    free(wheel);
}
