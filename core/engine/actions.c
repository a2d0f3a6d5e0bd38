#include "core/base/memory.h"
#include "core/engine/engine_state.h"

#include <stdlib.h>

/* What goes out: a queue that the owner of the engine empties after each input. */

static struct pending_action *push(struct engine *engine, enum action_kind kind)
{
    if (engine->action_first == engine->action_count) {
        engine->action_first = engine->action_count = 0;
    }
    if (engine->action_count == engine->action_capacity) {
        engine->action_capacity = engine->action_capacity > 0 ? engine->action_capacity * 2 : 16;
        engine->actions = memory_resize(engine->actions, engine->action_capacity * sizeof *engine->actions);
    }
    struct pending_action *pending = &engine->actions[engine->action_count++];
    *pending = (struct pending_action){.action.kind = kind};
    return pending;
}

void action_start(struct engine *engine, uint64_t call, char *url, char *form, int64_t timeout_ms)
{
    struct pending_action *pending = push(engine, ACTION_START);
    pending->action.call = call;
    pending->action.timeout_ms = timeout_ms;
    pending->url = url;
    pending->form = form;
}

void action_abort(struct engine *engine, uint64_t call)
{
    push(engine, ACTION_ABORT)->action.call = call;
}

struct event *action_emit(struct engine *engine, enum event_kind kind, uint64_t ticket, const struct vin_key *key)
{
    struct event *event = &push(engine, ACTION_EMIT)->action.event;
    event->kind = kind;
    event->ticket = ticket;
    event->at = engine->now;
    if (key != NULL) {
        event->key = *key;
    }
    return event;
}

void action_record(struct engine *engine, const struct event_decision *decision)
{
    if (engine->options.record) {
        struct event *event = action_emit(engine, EVENT_DECISION, 0, NULL);
        event->as.decision = *decision;
        event->as.decision.row = decision->row != NULL ? decision->row : "";
    }
}

/* The strings of the action that was handed out before. */
static void drop_strings(struct engine *engine)
{
    free(engine->url);
    free(engine->form);
    engine->url = engine->form = NULL;
}

bool engine_next_action(struct engine *engine, struct action *out)
{
    drop_strings(engine);
    if (engine->action_first == engine->action_count) {
        return false;
    }
    struct pending_action *pending = &engine->actions[engine->action_first++];
    *out = pending->action;
    out->url = engine->url = pending->url;
    out->form = engine->form = pending->form;
    return true;
}

void actions_clear(struct engine *engine)
{
    struct action action;
    while (engine_next_action(engine, &action)) {
        if (action.kind == ACTION_EMIT) {
            event_clear(&action.event);
        }
    }
    free(engine->actions);
}

void event_clear(struct event *event)
{
    if (event->kind == EVENT_DECODED) {
        vehicle_free(event->as.decoded.vehicle);
        event->as.decoded.vehicle = NULL;
    }
}
