/* Bytes as keys, pastes, engine news, time and window sizes: whatever comes, the screen tells the truth. */
#include "core/base/memory.h"
#include "fuzz/promise.h"
#include "tui/app.h"
#include "tui/view.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TICKETS = 8 };

struct world {
    const uint8_t *data;
    size_t size;
    struct app *app;
    monotime now;
    struct submission sent[TICKETS]; /* the last ones, the newest first */
    uint64_t sequence;
    monotime gate;
    int rows, columns;
    bool utf8;
};

static unsigned next(struct world *world)
{
    if (world->size == 0) {
        return 0;
    }
    world->size--;
    return *world->data++;
}

/* A list's lines, as they come out of a file. */
static void list_lines(struct world *world)
{
    for (unsigned lines = next(world) % 8; lines > 0; lines--) {
        size_t length = next(world) % 40;
        length = length < world->size ? length : world->size;
        app_list_line(world->app, (const char *)world->data, length);
        world->data += length;
        world->size -= length;
    }
}

static void take_effects(struct world *world)
{
    struct effect effect;
    enum effect_kind asked = EFFECT_REDRAW;
    bool refused = false;
    while (app_next_effect(world->app, &effect)) {
        if (effect.kind == EFFECT_SAVE || effect.kind == EFFECT_OPEN_LIST) {
            promise(effect.text != NULL && effect.text[0] != '\0', "a file has a name");
            asked = effect.kind;
            refused = effect.text[0] == 'x' && !effect.replace;
        } else if (effect.kind == EFFECT_RECALL) {
            promise(effect.index < app_list_count(world->app), "what is recalled is in the list");
        } else if (effect.kind == EFFECT_SUBMIT) {
            promise(world->gate <= world->now || effect.submission.profile == PROFILE_LIST,
                    "nothing is sent from the field while the gate is closed");
            promise(effect.submission.ticket != world->sent[0].ticket, "every ticket is a new one");
            memmove(world->sent + 1, world->sent, (TICKETS - 1) * sizeof world->sent[0]);
            world->sent[0] = effect.submission;
        }
    }
    if (asked == EFFECT_SAVE) {
        app_answer(world->app, !refused, "said\033[2J");
    } else if (asked == EFFECT_OPEN_LIST) {
        app_list_begin(world->app, "name");
        list_lines(world);
        app_list_end(world->app, refused ? "broken" : NULL);
    }
}

static void press(struct world *world, enum key key, uint32_t code)
{
    struct input input = {.key = key, .code = code};
    app_input(world->app, &input, world->now);
}

static void paste(struct world *world)
{
    size_t length = next(world);
    length = length < world->size ? length : world->size;
    struct input input = {.key = KEY_PASTE, .bytes = memory_copy(world->data, length), .length = length};
    world->data += length;
    world->size -= length;
    app_input(world->app, &input, world->now);
}

/* The answer that the upstream would give: for this VIN, with a make that can be found in a frame. */
static struct vehicle *vehicle_for(const struct vin_key *key)
{
    char json[256];
    struct answer answer;
    (void)snprintf(
        json, sizeof json,
        "{\"Results\":[{\"VIN\":\"%s\",\"Make\":\"MAKEOF%s\",\"Model\":\"M\\u001b[2J\",\"ErrorCode\":\"0\"}]}",
        key->vin, key->vin);
    answer_read(json, strlen(json), &answer);
    struct vehicle *vehicle = answer.count > 0 ? answer_take(&answer, 0) : NULL;
    answer_clear(&answer);
    promise(vehicle != NULL, "the answer that this test makes can be read");
    return vehicle;
}

static void news(struct world *world)
{
    unsigned which = next(world);
    const struct submission *sent = &world->sent[which % TICKETS];
    struct event event = {.ticket = sent->ticket, .key = sent->key, .at = world->now};
    if (sent->ticket == 0) {
        return;
    }
    struct wait wait = {.until = world->now + 100 * (int64_t)next(world), .origin = (enum wait_origin)(which / 4 % 10)};
    switch (which / 64) {
    case 0:
        event.kind = EVENT_CALLING;
        event.as.calling =
            (struct event_calling){.attempt = 1, .attempts = 4, .started_at = world->now, .timeout_ms = 4000};
        break;
    case 1:
        event.kind = EVENT_WAITING;
        event.as.waiting = (struct event_waiting){
            .wait = wait, .attempt = 2, .attempts = 4, .reason = (enum reason)(next(world) % REASON_COUNT)};
        break;
    case 2:
        event.kind = EVENT_DECODED;
        event.as.decoded =
            (struct event_decoded){.vehicle = vehicle_for(&sent->key), .answered_at = world->now, .status = 200};
        break;
    default:
        event.kind = EVENT_FAILED;
        event.as.failed = (struct event_failed){.code = (enum code)(next(world) % CODE_COUNT),
                                                .reason = (enum reason)(next(world) % REASON_COUNT),
                                                .transfer = (int)(next(world) % (TRANSFER_ABORTED + 1)),
                                                .status = (int)next(world) * 4,
                                                .again = wait,
                                                .resting = (which & 32) != 0,
                                                .attempts = 2};
        break;
    }
    app_event(world->app, &event, world->now);
}

/* Every gate is newer news; sometimes an older one comes late and must be ignored. */
static void host_news(struct world *world)
{
    unsigned how = next(world);
    struct event event = {.kind = EVENT_HOST, .at = world->now};
    bool late = (how & 1) != 0 && world->sequence > 0;
    event.as.host = (struct host_state){
        .sequence = late ? world->sequence : world->sequence + 1,
        .gate = {.until = world->now + 50 * (int64_t)next(world), .origin = (enum wait_origin)(how / 16 % 10)},
        .breaker = (how & 2) != 0 ? BREAKER_OPEN : BREAKER_CLOSED,
        .breaker_wait = {.until = world->now + 50 * (int64_t)(how / 8), .origin = ORIGIN_BREAKER}};
    if (!late) {
        world->sequence++;
        world->gate = event.as.host.gate.until;
    }
    app_event(world->app, &event, world->now);
}

static void pass(struct world *world)
{
    unsigned how = next(world);
    monotime change = app_next_change(world->app, world->now);
    promise(change > world->now, "the next change lies ahead");
    if (how % 4 == 0 && change != MONOTIME_NEVER) {
        world->now = change;
    } else {
        world->now += how * 37;
    }
}

static void step(struct world *world)
{
    static const char letters[] = "1HGCM82633A004352XIOQ*, -/2T1BURHE0JC06075ynNdowxrcslebh";
    unsigned what = next(world);
    switch (what % 16) {
    case 8:
        press(world, KEY_CHARACTER, next(world));
        break;
    case 9:
        press(world, (enum key)(KEY_ENTER + next(world) % (KEY_GO_PAGE_DOWN - KEY_ENTER + 1)), 0);
        break;
    case 10: {
        unsigned key = next(world);
        if (key < 200) {
            press(world, KEY_FUNCTION, 1 + key % 12);
        } else {
            struct input input = {
                .key = (enum key)(KEY_CLICK + key % 3), .row = (int)next(world) % 64, .column = (int)next(world)};
            app_input(world->app, &input, world->now);
        }
        break;
    }
    case 11:
        press(world, next(world) % 4 == 0 ? KEY_ALT : KEY_CONTROL, 'A' + next(world) % 32);
        break;
    case 12:
        paste(world);
        break;
    case 13:
        news(world);
        break;
    case 14:
        host_news(world);
        break;
    case 15:
        pass(world);
        break;
    case 7:
        press(world, KEY_ENTER, 0);
        break;
    default:
        press(world, KEY_CHARACTER, (unsigned char)letters[what % (sizeof letters - 1)]);
        break;
    }
    if (what == 255) {
        world->rows = 1 + (int)next(world) % 60;
        world->columns = 1 + (int)next(world) % 140;
        app_size(world->app, world->rows, world->columns);
    }
    take_effects(world);
}

static void check_cells(const struct frame *frame)
{
    promise(frame->cursor_row < frame->rows && frame->cursor_column < frame->columns, "the cursor stands inside");
    for (int i = 0; i < frame->rows * frame->columns; i++) {
        const struct cell *cell = &frame->cells[i];
        promise(cell->role < ROLE_COUNT, "a known role");
        promise(cell->width == 0 ||
                    (cell->code >= 0x20 && cell->code != 0x7f && (cell->code < 0x80 || cell->code >= 0xa0)),
                "no control character stands in a cell");
        promise(frame->utf8 || cell->code < 0x80, "ASCII only");
    }
}

static size_t state_words(const char *text)
{
    size_t found = 0;
    for (const char *line = text; *line != '\0';) {
        for (int word = STATE_DECODING; word <= STATE_READY; word++) {
            const char *name = state_word_name((enum state_word)word);
            size_t length = strlen(name);
            found += strncmp(line, name, length) == 0 && (line[length] == ' ' || line[length] == '\n');
        }
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    return found;
}

/* "VIN " and the run, "Vehicle " and the title: what stands behind `label` at the beginning of a line. */
static bool value_of(const char *text, const char *label, char *out, size_t size)
{
    size_t length = strlen(label);
    for (const char *line = text; *line != '\0';) {
        if (strncmp(line, label, length) == 0) {
            size_t run = strcspn(line + length, " ,\n");
            (void)snprintf(out, size, "%.*s", (int)run, line + length);
            return true;
        }
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    return false;
}

static void check_screen(struct world *world)
{
    struct frame frame;
    char field[600], title[600];
    frame_init(&frame, world->rows, world->columns, world->utf8);
    view(world->app, world->now, INT64_C(1796040000000) + world->now, &frame);
    check_cells(&frame);
    char *text = frame_dump(&frame);
    struct verdict verdict = can_decode(world->app, world->now);
    bool closed = world->gate > world->now;
    promise(!closed || !verdict.action_on, "the action is off while the gate is closed");
    promise(!closed || strstr(text, "[ Decode ]") == NULL, "and it is shown so");
    if (world->rows >= 12 && world->columns >= 40) {
        promise(state_words(text) == 1, "one line begins with a state word");
        promise(value_of(text, "VIN ", field, sizeof field), "the field is there");
        bool card = value_of(text, "Vehicle ", title, sizeof title);
        promise(!card || strcmp(title, field) == 0, "the card belongs to what stands in the field");
        const char *make = strstr(text, "MAKEOF");
        size_t length = strlen(field);
        promise(make == NULL || !card || strncmp(make + 6, field, length < 8 ? length : 8) == 0,
                "and so does what is on it");
    }
    free(text);
    frame_clear(&frame);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct app_options options = {.host = "NHTSA", .this_year = 2026, .deadline_ms = 90000};
    struct world world = {.data = data, .size = size, .now = 1000000, .rows = 24, .columns = 80};
    unsigned first = next(&world);
    world.utf8 = (first & 1) != 0;
    options.demo = (first & 2) != 0 ? "calm" : NULL;
    options.scan_end_tab = (first & 4) != 0;
    world.app = app_new(&options);
    for (int steps = 0; world.size > 0 && steps < 400; steps++) {
        step(&world);
        check_screen(&world);
    }
    app_free(world.app);
    return 0;
}
