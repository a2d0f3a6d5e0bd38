#include "simulation/world_state.h"

#include "core/base/memory.h"

#include <stdlib.h>

enum { START_AT = 1000000 };

static void draw_options(struct world *world, struct random *random)
{
    world->options = engine_options_default();
    world->options.base = "http://upstream.test/api";
    world->options.cache = draw_chance(random, 90);
    world->options.group_calls = draw_chance(random, 70);
    world->options.no_wait = draw_chance(random, 5);
    world->options.record = draw_chance(random, 10);
    world->orders.slowest_ms = draw_chance(random, 50) ? 0 : draw_between(random, 1, 40);
    world->news.slowest_ms = world->orders.slowest_ms;
}

void world_init(struct world *world, uint64_t seed, struct trace *trace)
{
    struct random random = draw_stream(seed, STREAM_RUN, 0), engine = draw_stream(seed, STREAM_ENGINE, 0);
    *world = (struct world){.now = START_AT, .wall_ahead_ms = INT64_C(1796040000000), .trace = trace};
    draw_options(world, &random);
    bool has_app = draw_chance(&random, 75);
    world->record = memory_get(sizeof *world->record);
    record_init(world->record, &world->options, has_app, &world->now, trace);
    world->engine = engine_new(&world->options, random_next(&engine));
    if (has_app) {
        struct app_options options = {.host = "NHTSA",
                                      .this_year = 2026,
                                      .deadline_ms = draw_chance(&random, 80) ? 90 * 1000 : 6 * 1000,
                                      .scan_end_tab = draw_chance(&random, 20)};
        world->app = app_new(&options);
        frame_init(&world->frame, 24, 80, draw_chance(&random, 50));
    }
    upstream_init(&world->upstream, seed);
    wire_init(&world->wire);
    world->last_direct_ticket = DIRECT_TICKETS;
}

void world_clear(struct world *world)
{
    engine_free(world->engine);
    if (world->app != NULL) {
        app_free(world->app);
        frame_clear(&world->frame);
        kept_clear(&world->kept);
    }
    post_clear(&world->orders);
    post_clear(&world->news);
    wire_clear(&world->wire);
    record_clear(world->record);
    free(world->record);
}

walltime world_wall(const struct world *world)
{
    return world->now + world->wall_ahead_ms;
}

bool world_broken(const struct world *world)
{
    return world->record->broken != NULL;
}

static struct call_on_wire *first_call(const struct world *world)
{
    struct call_on_wire *first = NULL;
    for (size_t i = 0; i < IN_FLIGHT_MAX; i++) {
        struct call_on_wire *call = &world->record->calls[i];
        if (call->id != 0 && (first == NULL || call->due < first->due)) {
            first = call;
        }
    }
    return first;
}

static monotime sooner(monotime a, monotime b)
{
    return a < b ? a : b;
}

monotime world_next(const struct world *world)
{
    const struct call_on_wire *call = first_call(world);
    monotime next = sooner(post_due(&world->orders), post_due(&world->news));
    next = sooner(next, call != NULL ? call->due : MONOTIME_NEVER);
    return sooner(next, engine_next_deadline(world->engine));
}

/* One of the things that are due. */
static void turn(struct world *world)
{
    enum { TICK, CALL, ORDER, NEWS, WAYS };
    struct call_on_wire *call = first_call(world);
    const bool due[WAYS] = {[TICK] = engine_next_deadline(world->engine) <= world->now,
                            [CALL] = call != NULL && call->due <= world->now,
                            [ORDER] = post_due(&world->orders) <= world->now,
                            [NEWS] = post_due(&world->news) <= world->now};
    size_t way = random_below(&world->order, WAYS);
    while (!due[way]) {
        way = (way + 1) % WAYS;
    }
    switch (way) {
    case TICK:
        engine_tick(world->engine, world->now);
        world_carry_out(world);
        break;
    case CALL:
        if (call != NULL) {
            world_end_call(world, call);
        }
        break;
    case ORDER:
        world_read_order(world);
        break;
    default:
        world_read_news(world);
        break;
    }
}

void world_pass(struct world *world, int64_t ms)
{
    enum { TURNS_MOST = 100000 };
    monotime end = monotime_add(world->now, ms), next;
    size_t turns = 0;
    while (!world_broken(world) && (next = world_next(world)) <= end) {
        world->now = next > world->now ? next : world->now;
        turn(world);
        turns++;
        record_expect(world->record, turns < TURNS_MOST, "nothing goes round in circles", "%zu turns", turns);
    }
    world->now = end > world->now && !world_broken(world) ? end : world->now;
    host_settled(world->record);
}

void world_sleep(struct world *world, int64_t ms)
{
    trace_line(world->trace, world->now, "the machine sleeps for %lld ms", (long long)ms);
    world->now += ms;
    world_pass(world, 0);
}
