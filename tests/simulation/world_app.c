#include "simulation/world_state.h"

#include "core/base/memory.h"
#include "tui/app_model.h"
#include "tui/view.h"

#include <stdlib.h>

/* The screen's side: the model, what it wants to be done, and the news that reach it. */

static void forget(struct event *event)
{
    event_clear(event);
    *event = (struct event){.kind = EVENT_HOST};
}

void kept_clear(struct kept *kept)
{
    for (size_t i = 0; i < kept->count; i++) {
        forget(&kept->events[i]);
    }
    free(kept->events);
    *kept = (struct kept){0};
}

static struct event copy_of(const struct event *event)
{
    struct event copy = *event;
    if (copy.kind == EVENT_DECODED) {
        copy.as.decoded.vehicle = vehicle_copy(event->as.decoded.vehicle);
    }
    return copy;
}

static void keep(struct kept *kept, size_t index, const struct event *event)
{
    if (index >= kept->count) {
        kept->events = memory_resize(kept->events, (index + 1) * sizeof *kept->events);
        for (; kept->count <= index; kept->count++) {
            kept->events[kept->count] = (struct event){.kind = EVENT_HOST};
        }
    }
    forget(&kept->events[index]);
    kept->events[index] = copy_of(event);
}

static void recall(struct world *world, size_t index)
{
    if (index < world->kept.count && world->kept.events[index].kind != EVENT_HOST) {
        struct event event = copy_of(&world->kept.events[index]);
        app_recalls(world->record, world->app, &event);
        app_recalled(world->app, index, &event);
    }
}

/* Submissions that follow each other leave together, as in the loop. */
static void put_submission(struct world *world, const struct submission *submission, bool together)
{
    struct letter *letter = together ? post_last(&world->orders, LETTER_SUBMIT) : NULL;
    if (letter == NULL || letter->count == LIST_MOST) {
        letter = post_put(&world->orders, LETTER_SUBMIT, world->now, &world->order);
    }
    if (letter->count == letter->room) {
        letter->room = letter->room > 0 ? 2 * letter->room : 1;
        letter->submissions = memory_resize(letter->submissions, letter->room * sizeof *letter->submissions);
    }
    letter->submissions[letter->count++] = *submission;
}

static void carry_out(struct world *world, const struct effect *effect, bool together)
{
    switch (effect->kind) {
    case EFFECT_SUBMIT:
        put_submission(world, &effect->submission, together);
        break;
    case EFFECT_CANCEL:
        post_put(&world->orders, LETTER_CANCEL, world->now, &world->order)->ticket = effect->ticket;
        break;
    case EFFECT_ASK_METER:
        post_put(&world->orders, LETTER_ASK_METER, world->now, &world->order);
        break;
    case EFFECT_KEEP:
        keep(&world->kept, effect->index, effect->event);
        break;
    case EFFECT_RECALL:
        recall(world, effect->index);
        break;
    case EFFECT_FORGET:
        kept_clear(&world->kept);
        break;
    case EFFECT_OPEN_LIST:
        app_answer(world->app, false, "no such file");
        break;
    case EFFECT_SAVE:
        app_saved(world->app);
        app_answer(world->app, true, "saved");
        break;
    case EFFECT_COPY:
        app_say(world->app, "copied");
        break;
    case EFFECT_LEAVE: /* it is late, but this user never goes home */
    case EFFECT_REDRAW:
    case EFFECT_SUSPEND:
    case EFFECT_SCENARIO:
    case EFFECT_MOUSE:
        break;
    }
}

static void carry_out_effects(struct world *world)
{
    struct effect effect;
    bool together = false;
    while (app_next_effect(world->app, &effect)) {
        app_asks(world->record, &effect);
        carry_out(world, &effect, together);
        together = effect.kind == EFFECT_SUBMIT;
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

void world_read_news(struct world *world)
{
    struct letter letter = post_take(&world->news);
    if (letter.kind == LETTER_METER) {
        app_hears_meter(world->record, letter.meter);
        app_meter(world->app, letter.meter, world->now);
    } else {
        bool decoded = letter.event.kind == EVENT_DECODED;
        app_hears(world->record, &letter.event);
        app_event(world->app, &letter.event, world->now);
        letter.event = (struct event){.kind = EVENT_HOST}; /* what it owned is the app's now */
        if (decoded) {
            world_draw(world);
        }
    }
    letter_clear(&letter);
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
