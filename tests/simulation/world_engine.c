#include "simulation/world_state.h"

#include "core/base/memory.h"

/* The network thread's side: the engine, the calls under way, and those who ask it directly. */

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
        post_put(&world->news, LETTER_EVENT, world->now, &world->order)->event = *event;
    } else {
        event_clear(event);
    }
}

void world_carry_out(struct world *world)
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
    world_carry_out(world);
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
        world_carry_out(world);
    } else {
        struct action action;
        record_expect(world->record, !engine_next_action(world->engine, &action),
                      "the cancel of a ticket that is over does nothing", "ticket %llu", (unsigned long long)ticket);
    }
}

void world_end_call(struct world *world, struct call_on_wire *call)
{
    struct announcement said;
    wire_write(&world->upstream, call, world->now, world_wall(world), &world->wire, &said);
    record_ending(world->record, call, &world->wire, &said);
    struct call_on_wire ended = *call;
    call->id = 0;
    engine_finished(world->engine, world->now, ended.id, &world->wire.response);
    world_carry_out(world);
    record_ended(world->record, &ended, &world->wire, &said);
}

void world_check_meter(struct world *world)
{
    struct meter meter = engine_meter(world->engine, world->now);
    record_meter(world->record, &meter);
}

void world_read_order(struct world *world)
{
    struct letter letter = post_take(&world->orders);
    if (letter.kind == LETTER_SUBMIT) {
        submit(world, letter.submissions, letter.count);
    } else if (letter.kind == LETTER_CANCEL) {
        world_cancel(world, letter.ticket);
    } else {
        world_check_meter(world);
        struct meter *meter = memory_get(sizeof *meter);
        *meter = engine_meter(world->engine, world->now);
        post_put(&world->news, LETTER_METER, world->now, &world->order)->meter = meter;
    }
    letter_clear(&letter);
}
