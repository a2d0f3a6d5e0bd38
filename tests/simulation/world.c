#include "simulation/world.h"

#include "core/base/memory.h"
#include "tui/app_model.h"
#include "tui/view.h"

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
    world->slowest_post_ms = draw_chance(random, 50) ? 0 : draw_between(random, 1, 40);
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

static void post_clear(struct post *post)
{
    for (size_t i = 0; i < post->count; i++) {
        struct letter *letter = &post->letters[post->first + i];
        if (letter->kind == MAIL_EVENT) {
            event_clear(&letter->event);
        }
        free(letter->meter);
    }
    free(post->letters);
}

void world_clear(struct world *world)
{
    engine_free(world->engine);
    if (world->app != NULL) {
        app_free(world->app);
        frame_clear(&world->frame);
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

/* A letter in the mailbox; it takes a while until the other thread looks. */
static struct letter *post_put(struct world *world, struct post *post, enum mail_kind kind)
{
    if (post->first > 0 && post->count == 0) {
        post->first = 0;
    }
    if (post->first + post->count == post->capacity) {
        post->capacity = post->capacity > 0 ? 2 * post->capacity : 32;
        post->letters = memory_resize(post->letters, post->capacity * sizeof *post->letters);
    }
    int64_t takes_ms = world->slowest_post_ms > 0 ? draw_between(&world->order, 0, world->slowest_post_ms) : 0;
    monotime due = world->now + takes_ms;
    post->latest_due = due > post->latest_due ? due : post->latest_due;
    struct letter *letter = &post->letters[post->first + post->count++];
    *letter = (struct letter){.kind = kind, .due = post->latest_due};
    return letter;
}

static struct letter post_take(struct post *post)
{
    post->count--;
    return post->letters[post->first++];
}

static monotime post_due(const struct post *post)
{
    return post->count > 0 ? post->letters[post->first].due : MONOTIME_NEVER;
}

/* The engine's side */

static struct call_on_wire *free_place(struct world *world)
{
    struct call_on_wire *place = record_call(world->record, 0);
    record_expect(world->record, place != NULL, "at most so many calls at once", "all places are taken");
    return place;
}

static void start_call(struct world *world, const struct action *action)
{
    struct call_on_wire *call = free_place(world);
    if (call == NULL) {
        return;
    }
    *call = (struct call_on_wire){.id = action->call, .timeout_ms = action->timeout_ms};
    upstream_receive(&world->upstream, action->url, action->form, world->now, call);
    for (size_t i = 0; i < call->count; i++) {
        call->records[i] = record_key(world->record, &call->keys[i]);
    }
    record_start(world->record, call);
}

/* As the network thread does it the call is forgotten; but an answer may have come at that very moment. */
static void abort_call(struct world *world, uint64_t id)
{
    record_abort(world->record, id);
    struct call_on_wire *call = record_call(world->record, id);
    if (call != NULL && (call->due > world->now + 1000 || draw_chance(&world->order, 50))) {
        call->id = 0;
    } else if (call != NULL) {
        call->due = world->now;
    }
}

static void emit(struct world *world, struct event *event)
{
    record_event(world->record, event);
    bool for_app = event->kind == EVENT_HOST ||
                   (event->kind != EVENT_DECISION && event->ticket != 0 && event->ticket < DIRECT_TICKETS);
    if (world->app != NULL && for_app) {
        post_put(world, &world->news, MAIL_EVENT)->event = *event;
    } else {
        event_clear(event);
    }
}

/* Carries out what the engine wants. */
static void carry_out(struct world *world)
{
    struct action action;
    while (engine_next_action(world->engine, &action)) {
        switch (action.kind) {
        case ACTION_START:
            start_call(world, &action);
            break;
        case ACTION_ABORT:
            abort_call(world, action.call);
            break;
        case ACTION_EMIT:
            emit(world, &action.event);
            break;
        }
    }
    record_settled(world->record, engine_next_deadline(world->engine));
}

static void submit(struct world *world, const struct submission *submissions, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        record_submitting(world->record, &submissions[i]);
    }
    if (count == 1) {
        engine_submit(world->engine, world->now, submissions);
    } else {
        engine_submit_all(world->engine, world->now, submissions, count);
    }
    carry_out(world);
    for (size_t i = 0; i < count; i++) {
        record_submitted(world->record, submissions[i].ticket);
    }
}

void world_submit(struct world *world, const struct vin_key *key, bool past_caches, int64_t budget_ms)
{
    struct submission submission = {.ticket = ++world->last_direct_ticket,
                                    .key = *key,
                                    .profile = PROFILE_INTERACTIVE,
                                    .past_caches = past_caches,
                                    .deadline = budget_ms > 0 ? world->now + budget_ms : 0};
    if (!world_broken(world)) {
        submit(world, &submission, 1);
    }
}

void world_submit_list(struct world *world, const struct vin_key *keys, size_t count)
{
    struct submission submissions[LIST_MOST];
    for (size_t i = 0; i < count; i++) {
        submissions[i] =
            (struct submission){.ticket = ++world->last_direct_ticket, .key = keys[i], .profile = PROFILE_LIST};
    }
    if (!world_broken(world) && count > 0) {
        submit(world, submissions, count);
    }
}

void world_cancel(struct world *world, uint64_t ticket)
{
    if (world_broken(world)) {
        return;
    }
    const struct ticket_record *known = record_ticket(world->record, ticket);
    bool open = known != NULL && known->state == TICKET_OPEN;
    record_cancelling(world->record, ticket);
    engine_cancel(world->engine, world->now, ticket);
    if (open) {
        carry_out(world);
    } else {
        struct action action;
        record_expect(world->record, !engine_next_action(world->engine, &action),
                      "the cancel of a ticket that is over does nothing", "ticket %llu", (unsigned long long)ticket);
    }
}

static void end_call(struct world *world, struct call_on_wire *call)
{
    struct announcement said;
    wire_write(&world->upstream, call, world->now, world_wall(world), &world->wire, &said);
    record_ending(world->record, call, &world->wire, &said);
    struct call_on_wire ended = *call;
    call->id = 0;
    engine_finished(world->engine, world->now, ended.id, &world->wire.response);
    carry_out(world);
    record_ended(world->record, &ended, &world->wire, &said);
}

void world_check_meter(struct world *world)
{
    struct meter meter = engine_meter(world->engine, world->now);
    record_meter(world->record, &meter);
}

static void read_order(struct world *world)
{
    struct letter letter = post_take(&world->orders);
    if (letter.kind == MAIL_SUBMIT) {
        submit(world, &letter.submission, 1);
    } else if (letter.kind == MAIL_CANCEL) {
        world_cancel(world, letter.ticket);
    } else {
        world_check_meter(world);
        struct meter *meter = memory_get(sizeof *meter);
        *meter = engine_meter(world->engine, world->now);
        post_put(world, &world->news, MAIL_METER)->meter = meter;
    }
}

/* The app's side */

static void carry_out_effects(struct world *world)
{
    struct effect effect;
    while (app_next_effect(world->app, &effect)) {
        app_asks(world->record, &effect);
        switch (effect.kind) {
        case EFFECT_SUBMIT:
            post_put(world, &world->orders, MAIL_SUBMIT)->submission = effect.submission;
            break;
        case EFFECT_CANCEL:
            post_put(world, &world->orders, MAIL_CANCEL)->ticket = effect.ticket;
            break;
        case EFFECT_ASK_METER:
            post_put(world, &world->orders, MAIL_ASK_METER);
            break;
        case EFFECT_LEAVE: /* it is late, but this user never goes home */
        case EFFECT_REDRAW:
        case EFFECT_SUSPEND:
        default: /* files, the clipboard, the demo: nothing of the engine's */
            break;
        }
    }
    app_settled(world->record, world->app);
}

void world_input(struct world *world, struct input *input)
{
    if (world->app == NULL || world_broken(world)) {
        free(input->bytes);
        return;
    }
    trace_line(world->trace, world->now, "key %d %u %.*s", (int)input->key, (unsigned)input->code, (int)input->length,
               input->bytes != NULL ? input->bytes : "");
    app_input(world->app, input, world->now);
    carry_out_effects(world);
}

static void read_news(struct world *world)
{
    struct letter letter = post_take(&world->news);
    if (letter.kind == MAIL_METER) {
        app_meter(world->app, letter.meter, world->now);
        if (letter.meter->host.sequence > world->record->app.host.sequence) {
            world->record->app.host = letter.meter->host;
        }
        free(letter.meter);
    } else {
        bool decoded = letter.event.kind == EVENT_DECODED;
        app_hears(world->record, &letter.event);
        app_event(world->app, &letter.event, world->now);
        if (decoded) {
            world_draw(world);
        }
    }
    carry_out_effects(world);
}

void world_draw(struct world *world)
{
    if (world->app == NULL || world_broken(world)) {
        return;
    }
    app_size(world->app, world->frame.rows, world->frame.columns);
    frame_erase(&world->frame);
    view(world->app, world->now, world_wall(world), &world->frame);
    char *text = frame_dump(&world->frame);
    app_drawn(world->record, world->app, text, world->frame.columns);
    free(text);
}

/* Time */

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
        carry_out(world);
        break;
    case CALL:
        end_call(world, call);
        break;
    case ORDER:
        read_order(world);
        break;
    default:
        read_news(world);
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
