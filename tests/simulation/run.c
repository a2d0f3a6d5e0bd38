#include "simulation/run.h"

#include "core/vpic/catalogue.h"
#include "simulation/heap.h"
#include "simulation/user.h"

#include <stdio.h>
#include <string.h>

enum {
    ALL_TICKETS_END_MS = 60 * 60 * 1000, /* a list: ten minutes for the gate, then one VIN after the other, ten each */
    RECOVERS_MS = 12 * 60 * 1000,        /* the longest gate, the longest break, and a call */
    TRIES_MS = 1000,
    MINUTE_MS = 60 * 1000
};

/* The faults are over. Everything that is open ends, and a VIN that nobody has asked for is decoded before long. */
static void expect_recovery(struct world *world, unsigned number)
{
    struct vin_key key = user_new_vin(number);
    const struct key_record *record = &world->record->keys[record_key(world->record, &key)];
    monotime begun = world->now;
    while (record->answered_at == 0 && !world_broken(world)) {
        if (record->open == 0) {
            world_submit(world, &key, false, 0);
        }
        world_pass(world, TRIES_MS);
        record_expect(world->record, world->now - begun <= RECOVERS_MS, "after the faults end success returns",
                      "%s is not decoded after %lld s", key.vin, (long long)((world->now - begun) / 1000));
    }
}

static void press_enter(struct world *world)
{
    struct input enter = {.key = KEY_ENTER};
    world_input(world, &enter);
}

/* The same through the screen: what is typed and sent ends up on the card. */
static void expect_card(struct world *world, unsigned number)
{
    struct vin_key key = user_new_vin(number);
    struct input clear[] = {{.key = KEY_CONTROL, .code = 'C'},
                            {.key = KEY_CONTROL, .code = 'C'},
                            {.key = KEY_CHARACTER, .code = 'i'},
                            {.key = KEY_CONTROL, .code = 'E'},
                            {.key = KEY_CONTROL, .code = 'U'}};
    for (size_t i = 0; i < sizeof clear / sizeof clear[0]; i++) {
        world_input(world, &clear[i]);
    }
    for (const char *at = key.vin; *at != '\0'; at++) {
        struct input input = {.key = KEY_CHARACTER, .code = (unsigned char)*at};
        world_input(world, &input);
    }
    monotime begun = world->now;
    while (!world_broken(world) && can_decode(world->app, world->now).word != STATE_DECODED) {
        press_enter(world);
        world_pass(world, TRIES_MS);
        record_expect(world->record, world->now - begun <= RECOVERS_MS, "after the faults end success returns",
                      "no card for %s after %lld s; the state is %s", key.vin, (long long)((world->now - begun) / 1000),
                      state_word_name(can_decode(world->app, world->now).word));
    }
    world_draw(world);
}

static void finish(struct world *world)
{
    upstream_calm_down(&world->upstream);
    for (monotime begun = world->now; world->record->open_count > 0 && !world_broken(world);) {
        world_pass(world, MINUTE_MS);
        record_expect(world->record, world->now - begun <= ALL_TICKETS_END_MS, "every ticket ends", "%zu are open",
                      world->record->open_count);
    }
    for (unsigned i = 1; i <= 3 && !world_broken(world); i++) {
        expect_recovery(world, i);
    }
    if (world->app != NULL && !world_broken(world)) {
        expect_card(world, 4);
    }
    if (!world_broken(world)) {
        world_pass(world, TRIES_MS);
        world_check_meter(world);
    }
    if (world->app != NULL && !world_broken(world)) {
        app_rests(world->record, world->app);
    }
}

/* Blocks in use, apart from the catalogue, which is loaded once for the whole process. */
static size_t blocks_in_use(void)
{
    (void)catalogue_count();
    return heap_blocks();
}

struct outcome_of_run run_once(const struct run *run, struct trace *trace)
{
    struct outcome_of_run outcome = {.step = run->steps};
    struct user user;
    struct world world;
    size_t blocks = blocks_in_use();
    world_init(&world, run->seed, trace);
    user_init(&user, run->seed);
    monotime begun = world.now;
    for (uint64_t step = 0; step < run->steps && !world_broken(&world); step++) {
        if (run->dropped == NULL || !run->dropped[step]) {
            outcome.step = step;
            trace_line(trace, world.now, "step %llu", (unsigned long long)step);
            user_step(&user, &world, step);
        }
    }
    if (!world_broken(&world)) {
        outcome.step = run->steps;
        trace_line(trace, world.now, "the faults end");
        world.order = draw_stream(run->seed, STREAM_ORDER, UINT64_MAX >> 8);
        finish(&world);
    }
    outcome.broken = world.record->broken;
    memcpy(outcome.detail, world.record->detail, sizeof outcome.detail);
    outcome.lasted_ms = world.now - begun;
    outcome.calls = world.record->counts.starts;
    outcome.tickets = world.record->counts.decoded + world.record->counts.failed;
    world_clear(&world);
    if (outcome.broken == NULL && heap_blocks() != blocks) {
        outcome.broken = "nothing that was allocated is left behind";
        snprintf(outcome.detail, sizeof outcome.detail, "%zu blocks", heap_blocks() - blocks);
    }
    return outcome;
}

enum { DAY_MS = 24 * 60 * 60 * 1000, HOUR_MS = 60 * 60 * 1000 };

/* So many blocks may be in use: what the caches, the history and the list on the screen keep, and what is under way. */
static size_t blocks_most(const struct world *world)
{
    size_t entries = 2 * world->options.policy.success_entries;
    enum { PER_ENTRY = 2, HISTORY = 256, OWN = 64, PER_TICKET = 4, PER_LINE = 3 };
    size_t lines = world->app != NULL ? app_list_count(world->app) : 0;
    return PER_ENTRY * entries + HISTORY + OWN + PER_TICKET * world->record->open_count + PER_LINE * lines;
}

static void print_hour(const struct world *world, long long hour, uint64_t steps, size_t used, FILE *out)
{
    const struct counts *counts = &world->record->counts;
    fprintf(out, "hour %2lld: %6llu steps, %6llu calls, %6llu decoded, %6llu failed, %4zu blocks in use\n", hour,
            (unsigned long long)steps, (unsigned long long)counts->starts, (unsigned long long)counts->decoded,
            (unsigned long long)counts->failed, used);
}

static size_t faults_met(const struct upstream *upstream)
{
    size_t met = 0;
    for (size_t i = 1; i < FAULT_COUNT; i++) {
        met += upstream->met[i] > 0 ? 1 : 0;
    }
    return met;
}

/* A list of VINs that nobody has asked for before: in a day more than the caches hold. */
static void ask_for_strangers(struct world *world, unsigned hour)
{
    enum { STRANGERS = 25 };
    struct vin_key keys[STRANGERS];
    for (unsigned i = 0; i < STRANGERS; i++) {
        keys[i] = user_new_vin(1000 + hour * STRANGERS + i);
    }
    world_submit_list(world, keys, STRANGERS);
}

/* From hour to hour the upstream has another quota. Returns the most blocks that were in use. */
static size_t live_a_day(struct world *world, struct user *user, size_t blocks, FILE *out)
{
    struct random random = draw_stream(user->seed, STREAM_RUN, 3);
    size_t most = 0;
    monotime begun = world->now, hour_at = begun;
    for (uint64_t step = 0; world->now - begun < DAY_MS && !world_broken(world); step++) {
        size_t used = heap_blocks() - blocks;
        if (world->now >= hour_at) {
            world_check_meter(world);
            print_hour(world, (world->now - begun) / HOUR_MS, step, used, out);
            upstream_change_character(&world->upstream, &random);
            ask_for_strangers(world, (unsigned)((world->now - begun) / HOUR_MS));
            hour_at = begun + ((world->now - begun) / HOUR_MS + 1) * HOUR_MS;
        }
        user_step(user, world, step);
        used = heap_blocks() - blocks;
        most = used > most ? used : most;
        record_expect(world->record, used <= blocks_most(world), "live allocations are bounded",
                      "%zu blocks, at most %zu", used, blocks_most(world));
    }
    return most;
}

bool run_a_day(uint64_t seed, FILE *out)
{
    struct trace trace = trace_none();
    struct user user;
    struct world world;
    size_t blocks = blocks_in_use();
    world_init(&world, seed, &trace);
    user_init_for_a_day(&user, seed);
    size_t most = live_a_day(&world, &user, blocks, out), met = faults_met(&world.upstream);
    if (!world_broken(&world)) {
        finish(&world);
    }
    bool held = world.record->broken == NULL;
    if (!held) {
        fprintf(out, "day %llu: %s: %s\n", (unsigned long long)seed, world.record->broken, world.record->detail);
    }
    world_clear(&world);
    size_t left = heap_blocks() - blocks;
    fprintf(out, "day %llu: %s; %zu of %d faults met; at most %zu blocks in use, %zu left at the end\n",
            (unsigned long long)seed, held ? "all invariants hold, all counters add up" : "BROKEN", met,
            FAULT_COUNT - 1, most, left);
    return held && left == 0 && met == FAULT_COUNT - 1;
}
