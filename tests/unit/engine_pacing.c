#include "unit/engine_world.h"

#include "core/base/random.h"

/* Pacing by an announced quota, against an upstream with a quota of 20 calls in windows of 5 s, in virtual time. */

enum { QUOTA = 20, WINDOW_MS = 5000, VINS = 100 };

enum announcement { RATELIMIT, STRUCTURED, X_EPOCH, RETRY_AFTER_ALONE };

struct upstream {
    enum announcement announcement;
    bool from_first_call; /* a window starts with its first call, else windows stand on a grid */
    int64_t phase_ms;     /* of the grid */
    int64_t latency_min_ms, latency_max_ms;
    monotime window_ends_at;
    int used;
    monotime told_until; /* nobody may call before that */
    int accepted, rejected, early;
    monotime first_at, last_at;
    struct random random;
};

/* A call on its way: it arrives half way through its latency. */
struct journey {
    size_t call;
    monotime arrives_at, returns_at;
    bool arrived, returned;
    int status;
    int64_t asks_ms;     /* that nobody calls for so long after the answer ... */
    monotime asks_until; /* ... or until then, where the answer names a moment */
    char headers[256];
};

static struct world world;

static int64_t round_up(int64_t ms)
{
    return (ms + 999) / 1000;
}

static void announce(struct upstream *upstream, struct journey *journey, monotime now)
{
    int remaining = QUOTA - upstream->used > 0 ? QUOTA - upstream->used : 0;
    long long seconds = (long long)round_up(upstream->window_ends_at - now);
    long long end = (long long)(world.wall + upstream->window_ends_at);
    char *out = journey->headers;
    size_t size = sizeof journey->headers;
    switch (upstream->announcement) {
    case RATELIMIT:
        snprintf(out, size, "RateLimit-Limit: %d\nRateLimit-Remaining: %d\nRateLimit-Reset: %lld", QUOTA, remaining,
                 seconds);
        break;
    case STRUCTURED:
        snprintf(out, size, "RateLimit-Policy: \"w\";q=%d;w=5\nRateLimit: \"w\";r=%d;t=%lld", QUOTA, remaining,
                 seconds);
        break;
    case X_EPOCH:
        snprintf(out, size, "X-RateLimit-Limit: %d\nX-RateLimit-Remaining: %d\nX-RateLimit-Reset: %lld", QUOTA,
                 remaining, (end + 999) / 1000);
        break;
    case RETRY_AFTER_ALONE:
        out[0] = '\0';
        break;
    }
    if (journey->status == 429) {
        size_t used = strlen(out);
        snprintf(out + used, size - used, "%sRetry-After: %lld", used > 0 ? "\n" : "", seconds);
    }
    bool asks = journey->status == 429 || (remaining == 0 && upstream->announcement != RETRY_AFTER_ALONE);
    journey->asks_ms = asks ? seconds * 1000 : 0;
    journey->asks_until = asks && upstream->announcement == X_EPOCH ? (end + 999) / 1000 * 1000 - world.wall : 0;
}

static void arrive(struct upstream *upstream, struct journey *journey, monotime now)
{
    while (upstream->window_ends_at <= now) {
        upstream->used = 0;
        upstream->window_ends_at = upstream->from_first_call ? now + WINDOW_MS : upstream->window_ends_at + WINDOW_MS;
    }
    bool full = upstream->used >= QUOTA;
    upstream->rejected += full;
    upstream->accepted += !full;
    upstream->used += !full;
    journey->status = full ? 429 : 200;
    journey->arrived = true;
    announce(upstream, journey, now);
    upstream->first_at = upstream->first_at == 0 ? now : upstream->first_at;
    upstream->last_at = now;
}

/* Plays until all tickets have ended. Time goes from event to event. */
static void play(struct upstream *upstream)
{
    static struct journey journeys[1024];
    size_t count = 0;
    while (world.now < 1000000 + 600000) {
        for (; count < world.call_count; count++) {
            int64_t span = upstream->latency_max_ms - upstream->latency_min_ms + 1;
            int64_t latency = upstream->latency_min_ms + (int64_t)random_below(&upstream->random, (size_t)span);
            journeys[count] = (struct journey){
                .call = count, .arrives_at = world.now + latency / 2, .returns_at = world.now + latency};
            upstream->early += world.now < upstream->told_until;
        }
        monotime next = engine_next_deadline(world.engine);
        struct journey *due = NULL;
        for (size_t i = 0; i < count; i++) {
            monotime at = journeys[i].arrived ? journeys[i].returns_at : journeys[i].arrives_at;
            if (!journeys[i].returned && at <= next) {
                next = at;
                due = &journeys[i];
            }
        }
        if (next == MONOTIME_NEVER) {
            return;
        }
        world.now = next > world.now ? next : world.now;
        if (due == NULL) {
            engine_tick(world.engine, world.now);
            world_drain(&world);
        } else if (!due->arrived) {
            arrive(upstream, due, world.now);
        } else {
            due->returned = true;
            size_t before = world.call_count;
            if (due->status == 200) {
                world_answer_well(&world, due->call, due->headers);
            } else {
                world_answer(&world, due->call, 429, due->headers, "");
            }
            CHECK(due->asks_ms == 0 || world.call_count == before);
            monotime until = due->asks_until != 0 ? due->asks_until : world.now + due->asks_ms;
            upstream->told_until = until > upstream->told_until ? until : upstream->told_until;
        }
    }
}

static void run(struct upstream *upstream, uint64_t seed, size_t concurrency)
{
    struct engine_options options = world_options_single();
    options.policy.profile[PROFILE_LIST].concurrency = concurrency;
    world_init(&world, &options, seed);
    world.quiet = true;
    upstream->random = random_from_seed(seed * 31 + 7);
    upstream->window_ends_at = world.now + upstream->phase_ms;
    for (unsigned i = 1; i <= VINS; i++) {
        world_submit_list(&world, i, world_vin(i));
    }
    play(upstream);
    size_t decoded = (size_t)engine_meter(world.engine, world.now).success;
    CHECK_INT(decoded, VINS);
    world_clear(&world);
}

static void announced(enum announcement announcement, bool from_first_call, int64_t most_ms)
{
    int64_t longest = 0, total = 0;
    int rejected = 0, early = 0, runs = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct upstream upstream = {.announcement = announcement,
                                    .from_first_call = from_first_call,
                                    .phase_ms = from_first_call ? 0 : (int64_t)(1 + seed * 997 % WINDOW_MS),
                                    .latency_min_ms = 5,
                                    .latency_max_ms = 5 + (int64_t)(seed % 8) * 10};
        run(&upstream, seed, 4);
        int64_t span = upstream.last_at - upstream.first_at;
        longest = span > longest ? span : longest;
        total += span;
        rejected += upstream.rejected;
        early += upstream.early;
        runs++;
        CHECK_INT(upstream.accepted, VINS);
    }
    CHECK_INT(rejected, 0);
    CHECK_INT(early, 0);
    printf("longest span %lld ms, mean %lld ms of %d runs ", (long long)longest, (long long)(total / runs), runs);
    CHECK(longest <= most_ms);
}

static void ratelimit_fields(void)
{
    announced(RATELIMIT, false, 22000);
}

static void structured_field(void)
{
    announced(STRUCTURED, false, 22000);
}

static void x_ratelimit_with_epoch(void)
{
    announced(X_EPOCH, false, 22000);
}

/* Whole seconds, rounded up, move each window by up to a second here, and the spread adds to it. */
static void windows_from_the_first_call(void)
{
    announced(RATELIMIT, true, 23000);
}

static void retry_after_alone(void)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct upstream upstream = {.announcement = RETRY_AFTER_ALONE,
                                    .phase_ms = (int64_t)(1 + seed * 997 % WINDOW_MS),
                                    .latency_min_ms = 5,
                                    .latency_max_ms = 60};
        run(&upstream, seed, 4);
        CHECK_INT(upstream.accepted, VINS);
        CHECK(upstream.rejected <= 16);
        CHECK_INT(upstream.early, 0);
    }
}

static const struct unit_test tests[] = {
    {"RateLimit fields", ratelimit_fields},
    {"the structured field", structured_field},
    {"X-RateLimit with an epoch", x_ratelimit_with_epoch},
    {"windows that start with their first call", windows_from_the_first_call},
    {"Retry-After on 429 alone", retry_after_alone},
};

UNIT_MAIN("engine_pacing", tests)
