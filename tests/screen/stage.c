#include "screen/stage.h"

#include "core/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char stage_answer[] =
    "{\"Count\":1,\"Message\":\"Results returned successfully.\",\"SearchCriteria\":\"VIN(s): 1HGCM82633A004352\","
    "\"Results\":[{\"ABS\":\"\",\"AirBagLocFront\":\"1st Row (Driver and Passenger)\",\"BasePrice\":\"\","
    "\"BodyClass\":\"Coupe\",\"BusType\":\"Not Applicable\",\"CurbWeightLB\":\"\",\"DisplacementCC\":\"2998.832712\","
    "\"DisplacementL\":\"3.0\",\"Doors\":\"2\",\"EngineConfiguration\":\"V-Shaped\",\"EngineCylinders\":\"6\","
    "\"EngineHP\":\"240\",\"ErrorCode\":\"0\",\"ErrorText\":\"0 - VIN decoded clean. Check Digit (9th position) is "
    "correct\",\"FuelTypePrimary\":\"Gasoline\",\"GVWR\":\"Class 1C: 4,001 - 5,000 lb (1,814 - 2,268 kg)\","
    "\"Make\":\"HONDA\",\"Manufacturer\":\"AMERICAN HONDA MOTOR CO., INC.\",\"Model\":\"Accord\","
    "\"ModelYear\":\"2003\",\"Note\":\"\",\"NCSABodyType\":\"\",\"OtherRestraintSystemInfo\":\"Seat Belt (Rr Center "
    "Position) and a text that is long enough to be wrapped over more than one line of the card\","
    "\"PlantCity\":\"MARYSVILLE\",\"PlantCountry\":\"UNITED STATES (USA)\",\"PlantState\":\"OHIO\","
    "\"SeatBeltsAll\":\"Manual\",\"SuggestedVIN\":\"\",\"TrailerBodyType\":\"Not Applicable\","
    "\"TransmissionSpeeds\":\"5\",\"TransmissionStyle\":\"Automatic\",\"Trim\":\"EX-V6\",\"VIN\":"
    "\"1HGCM82633A004352\",\"ValveTrainDesign\":\"Single Overhead Cam (SOHC)\",\"VehicleDescriptor\":"
    "\"1HGCM826*3A\",\"VehicleType\":\"PASSENGER CAR\",\"NewFieldOfTomorrow\":\"42\"}]}";

void stage_open(struct stage *stage, const char *demo)
{
    struct app_options options = {.host = "NHTSA",
                                  .demo = demo,
                                  .this_year = 2026,
                                  .gate_max_ms = 600000,
                                  .deadline_ms = 90000,
                                  .utc_offset_ms = 0,
                                  .scan_end_tab = false};
    *stage = (struct stage){.now = 1000000, .wall = INT64_C(1796040000000)}; /* 2026-11-30 12:00:00 UTC */
    stage->app = app_new(&options);
}

void stage_close(struct stage *stage)
{
    app_free(stage->app);
}

void stage_pass(struct stage *stage, int64_t ms)
{
    stage->now += ms;
    stage->wall += ms;
}

static void take_effects(struct stage *stage)
{
    struct effect effect;
    while (app_next_effect(stage->app, &effect)) {
        switch (effect.kind) {
        case EFFECT_SUBMIT:
            stage->sent = effect.submission;
            stage->all_sent[stage->sent_count % STAGE_SENT_MAX] = effect.submission;
            stage->sent_count++;
            break;
        case EFFECT_CANCEL:
            stage->cancelled = effect.ticket;
            stage->cancelled_count++;
            break;
        case EFFECT_LEAVE:
            stage->status = effect.status;
            stage->left_count++;
            break;
        case EFFECT_ASK_METER:
            stage->asked_meter_count++;
            break;
        case EFFECT_KEEP:
            stage->kept_count++;
            break;
        default:
            stage->asked = effect.kind;
            stage->asked_count++;
            stage->asked_index = effect.index;
            stage->asked_on = effect.on;
            stage->asked_list = effect.list;
            stage->asked_replace = effect.replace;
            (void)snprintf(stage->asked_text, sizeof stage->asked_text, "%s", effect.text != NULL ? effect.text : "");
            break;
        }
    }
}

void stage_key(struct stage *stage, enum key key, uint32_t code)
{
    struct input input = {.key = key, .code = code};
    app_input(stage->app, &input, stage->now);
    take_effects(stage);
}

void stage_type(struct stage *stage, const char *text)
{
    for (; *text != '\0'; text++) {
        stage_key(stage, KEY_CHARACTER, (unsigned char)*text);
    }
}

void stage_paste(struct stage *stage, const char *bytes, size_t length)
{
    struct input input = {.key = KEY_PASTE, .bytes = memory_copy(bytes, length), .length = length};
    app_input(stage->app, &input, stage->now);
    take_effects(stage);
}

void stage_search(struct stage *stage, const char *text)
{
    stage_key(stage, KEY_CHARACTER, '/');
    stage_type(stage, text);
}

void stage_click(struct stage *stage, int row, int column)
{
    struct input input = {.key = KEY_CLICK, .row = row, .column = column};
    stage->app->mouse = true;
    app_input(stage->app, &input, stage->now);
    take_effects(stage);
}

void stage_list(struct stage *stage, const char *name, const char *const *lines, size_t count)
{
    app_list_begin(stage->app, name);
    for (size_t i = 0; i < count; i++) {
        app_list_line(stage->app, lines[i], strlen(lines[i]));
    }
    app_list_end(stage->app, NULL);
    take_effects(stage);
}

void stage_pick(struct stage *stage, size_t index)
{
    stage->sent = stage->all_sent[index];
}

void stage_event(struct stage *stage, struct event *event)
{
    if (event->ticket == 0 && event->kind != EVENT_HOST && event->kind != EVENT_DECISION) {
        event->ticket = stage->sent.ticket;
        event->key = stage->sent.key;
    }
    event->at = stage->now;
    app_event(stage->app, event, stage->now);
    take_effects(stage);
}

void stage_calling(struct stage *stage, int attempt, int attempts, int64_t timeout_ms)
{
    struct event event = {
        .kind = EVENT_CALLING,
        .as.calling = {.attempt = attempt, .attempts = attempts, .started_at = stage->now, .timeout_ms = timeout_ms}};
    stage_event(stage, &event);
}

static struct wait wait_of(const struct stage *stage, enum wait_origin origin, int64_t ms)
{
    return (struct wait){.until = stage->now + ms, .origin = origin, .asked_ms = ms, .until_wall = stage->wall + ms};
}

void stage_waiting(struct stage *stage, enum wait_origin origin, int64_t ms, enum reason reason, int status)
{
    struct event event = {
        .kind = EVENT_WAITING,
        .as.waiting = {
            .wait = wait_of(stage, origin, ms), .attempt = 2, .attempts = 4, .reason = reason, .status = status}};
    stage_event(stage, &event);
}

struct vehicle *stage_vehicle(const char *json)
{
    struct answer answer;
    answer_read(json, strlen(json), &answer);
    struct vehicle *vehicle = answer.count > 0 ? answer_take(&answer, 0) : NULL;
    answer_clear(&answer);
    if (vehicle == NULL) {
        (void)fprintf(stderr, "no vehicle in %.60s\n", json);
        abort();
    }
    return vehicle;
}

void stage_decoded(struct stage *stage, const char *json, bool from_cache)
{
    struct event event = {.kind = EVENT_DECODED,
                          .as.decoded = {.vehicle = stage_vehicle(json),
                                         .from_cache = from_cache,
                                         .answered_at = stage->now,
                                         .attempts = 1,
                                         .status = 200}};
    stage_event(stage, &event);
}

void stage_failed(struct stage *stage, const struct event_failed *failed)
{
    struct event event = {.kind = EVENT_FAILED, .as.failed = *failed};
    stage_event(stage, &event);
}

static void host(struct stage *stage, const struct host_state *state)
{
    struct event event = {.kind = EVENT_HOST, .as.host = *state};
    event.as.host.sequence = ++stage->host_sequence;
    stage_event(stage, &event);
}

void stage_gate(struct stage *stage, enum wait_origin origin, int64_t ms)
{
    struct host_state state = stage->app->host;
    state.gate = wait_of(stage, origin, ms);
    host(stage, &state);
}

void stage_breaker(struct stage *stage, int64_t ms)
{
    struct host_state state = stage->app->host;
    state.breaker = BREAKER_OPEN;
    state.breaker_wait = wait_of(stage, ORIGIN_BREAKER, ms);
    host(stage, &state);
}

char *stage_frame(struct stage *stage, int rows, int columns, bool utf8)
{
    struct frame frame;
    frame_init(&frame, rows, columns, utf8);
    app_size(stage->app, rows, columns);
    view(stage->app, stage->now, stage->wall, &frame);
    char *text = frame_dump(&frame);
    frame_clear(&frame);
    return text;
}
