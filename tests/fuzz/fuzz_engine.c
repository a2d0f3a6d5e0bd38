/* The engine under any script of events: submits, cancels, answers of every kind, time. Two bytes an event. What must
 * hold after each input is checked (planner.md 5.8), and in the end a healthy upstream must be able to serve everybody.
 */
#include "core/engine/engine.h"

#include "fuzz/promise.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { TICKETS = 512, CALLS = 2048, EVENTS_MAX = 1000, CALLS_AT_ONCE = 5 };

struct ticket {
    struct vin_key key;
    bool open;
};

struct open_call {
    uint64_t id;
    bool open;
};

struct script {
    struct engine *engine;
    monotime now;
    struct ticket tickets[TICKETS];
    size_t ticket_count;
    struct open_call calls[CALLS];
    size_t call_count, open_calls;
    struct host_state host;
};

static void start(struct script *script, const struct action *action)
{
    promise(action->url != NULL && action->timeout_ms > 0, "a call has an address and a time-out");
    promise(script->host.gate.until <= script->now, "no call under a closed gate");
    promise(script->host.breaker != BREAKER_OPEN || script->host.breaker_wait.until <= script->now,
            "no call under an open breaker");
    promise(++script->open_calls <= CALLS_AT_ONCE, "calls at once");
    for (size_t i = 0; i < script->call_count; i++) {
        promise(script->calls[i].id != action->call, "a call's number is unique");
    }
    promise(script->call_count < CALLS, "calls end");
    script->calls[script->call_count++] = (struct open_call){.id = action->call, .open = true};
}

static void stop(struct script *script, uint64_t id)
{
    for (size_t i = 0; i < script->call_count; i++) {
        if (script->calls[i].id == id) {
            promise(script->calls[i].open, "a call is given up once");
            script->calls[i].open = false;
            script->open_calls--;
            return;
        }
    }
    promise(false, "only calls that left are given up");
}

static void hear(struct script *script, struct event *event)
{
    if (event->kind == EVENT_HOST) {
        promise(event->as.host.sequence > script->host.sequence, "news of the host in order");
        script->host = event->as.host;
        return;
    }
    if (event->kind == EVENT_DECISION) {
        promise(event->as.decision.what != NULL && event->as.decision.row != NULL, "a decision has its words");
        return;
    }
    promise(event->ticket >= 1 && event->ticket <= script->ticket_count, "events for tickets that exist");
    struct ticket *ticket = &script->tickets[event->ticket - 1];
    promise(ticket->open, "nothing after a ticket's end");
    promise(vin_key_equal(&ticket->key, &event->key), "an event names its own key");
    if (event->kind == EVENT_DECODED) {
        promise(strcmp(vehicle_vin(event->as.decoded.vehicle), ticket->key.vin) == 0, "no other VIN's decode");
    }
    if (event->kind == EVENT_WAITING) {
        promise(event->as.waiting.wait.until > script->now, "a wait ends in the future");
    }
    ticket->open = event->kind != EVENT_DECODED && event->kind != EVENT_FAILED;
}

static void drain(struct script *script)
{
    struct action action;
    while (engine_next_action(script->engine, &action)) {
        switch (action.kind) {
        case ACTION_START:
            start(script, &action);
            break;
        case ACTION_ABORT:
            stop(script, action.call);
            break;
        case ACTION_EMIT:
            hear(script, &action.event);
            event_clear(&action.event);
            break;
        }
    }
    promise(engine_next_deadline(script->engine) > script->now, "the next deadline lies ahead");
}

static void submit(struct script *script, uint8_t byte)
{
    if (script->ticket_count == TICKETS) {
        return;
    }
    struct submission submission = {.ticket = script->ticket_count + 1,
                                    .profile = (byte & 1) != 0 ? PROFILE_LIST : PROFILE_INTERACTIVE,
                                    .past_caches = (byte & 2) != 0,
                                    .deadline = (byte & 4) != 0 ? script->now + 1000 * (byte >> 4) + 1 : 0};
    snprintf(submission.key.vin, sizeof submission.key.vin, "1HGCM82633A%06u", (unsigned)(byte >> 3));
    submission.key.year = (byte & 0xc0) == 0xc0 ? 2003 : 0;
    script->tickets[script->ticket_count++] = (struct ticket){.key = submission.key, .open = true};
    engine_submit(script->engine, script->now, &submission);
    drain(script);
}

static void cancel(struct script *script, uint8_t byte)
{
    uint64_t ticket = byte + 1u;
    if (ticket <= script->ticket_count) {
        script->tickets[ticket - 1].open = false;
    }
    engine_cancel(script->engine, script->now, ticket);
    drain(script);
}

/* Ends one of the calls, under way or not. */
static void finish(struct script *script, uint8_t which, struct response *response)
{
    if (script->call_count == 0) {
        return;
    }
    size_t back = which % (script->call_count < 8 ? script->call_count : 8);
    struct open_call *call = &script->calls[script->call_count - 1 - back];
    script->open_calls -= call->open;
    call->open = false;
    response->received_wall = INT64_C(1796040000000) + script->now;
    engine_finished(script->engine, script->now, call->id, response);
    drain(script);
}

static struct header_field field(const char *name, const char *value)
{
    return (struct header_field){name, strlen(name), value, strlen(value)};
}

/* A 200 with a row for every key there is: whatever the call asked for, its rows are among them. */
static void answer_well(struct script *script, uint8_t which, const char *remaining)
{
    static char body[32768];
    size_t length = (size_t)snprintf(body, sizeof body, "{\"Results\":[");
    for (unsigned i = 0; i < 32; i++) {
        length += (size_t)snprintf(body + length, sizeof body - length,
                                   "%s{\"VIN\":\"1HGCM82633A%06u\",\"Make\":\"HONDA\",\"Model\":\"Accord\"}",
                                   i > 0 ? "," : "", i);
    }
    length += (size_t)snprintf(body + length, sizeof body - length, "]}");
    const struct header_field fields[] = {field("RateLimit-Remaining", remaining), field("RateLimit-Reset", "9")};
    struct response response = {.transfer = TRANSFER_ANSWERED,
                                .status = 200,
                                .headers = fields,
                                .header_count = remaining[0] != '\0' ? 2 : 0,
                                .body = body,
                                .body_length = length};
    finish(script, which, &response);
}

static void answer_badly(struct script *script, uint8_t byte)
{
    static const int statuses[] = {429, 503, 403, 502, 504, 500, 404, 400, 200, 302, 408, 0, 999, 405, 429, 503};
    static const char *const values[] = {"", "0", "1", "30", "59", "60", "86400", "junk"};
    static const char *const bodies[] = {"", "<html>", "{\"Results\":[]}", "{\"retryAfterMs\":90}"};
    const struct header_field fields[] = {field("Retry-After", values[byte >> 4 & 7]),
                                          field("X-RateLimit-Remaining", values[byte >> 3 & 1]),
                                          field("Content-Type", "application/json")};
    const char *body = bodies[byte >> 6];
    struct response response = {.transfer = TRANSFER_ANSWERED,
                                .status = statuses[byte & 15],
                                .headers = fields,
                                .header_count = 3,
                                .body = body,
                                .body_length = strlen(body)};
    finish(script, byte, &response);
}

static void fail(struct script *script, uint8_t byte)
{
    struct response response = {.transfer = (enum transfer)(1 + (byte >> 3) % TRANSFER_ABORTED), .body = ""};
    finish(script, byte & 7, &response);
}

/* Time goes on; the engine is asked at each of its deadlines. */
static void pass(struct script *script, int64_t ms)
{
    monotime end = script->now + ms;
    for (int ticks = 0; engine_next_deadline(script->engine) <= end; ticks++) {
        promise(ticks < 100000, "time goes on");
        script->now = engine_next_deadline(script->engine);
        engine_tick(script->engine, script->now);
        drain(script);
    }
    script->now = end;
}

static void play(struct script *script, uint8_t what, uint8_t byte)
{
    static const char *const remaining[] = {"", "0", "1", "20"};
    switch (what % 8) {
    case 0:
    case 1:
        submit(script, byte);
        break;
    case 2:
        cancel(script, byte);
        break;
    case 3:
        answer_well(script, byte & 7, remaining[byte >> 6]);
        break;
    case 4:
        answer_badly(script, byte);
        break;
    case 5:
        fail(script, byte);
        break;
    case 6:
        pass(script, byte);
        break;
    case 7:
        pass(script, (int64_t)byte * byte * 4);
        break;
    }
}

/* The upstream is well again: everybody is served or told. */
static void recover(struct script *script)
{
    for (int round = 0; round < 4000; round++) {
        for (size_t i = 0; i < script->call_count; i++) {
            if (script->calls[i].open) {
                answer_well(script, (uint8_t)(script->call_count - 1 - i), "");
            }
        }
        if (script->open_calls == 0 && engine_next_deadline(script->engine) == MONOTIME_NEVER) {
            break;
        }
        pass(script, 1000);
    }
    struct meter meter = engine_meter(script->engine, script->now);
    promise(meter.in_flight + meter.waiting + meter.queued == 0, "nothing is left over");
    promise(meter.flights_finished == meter.success + meter.give_up, "the counters add up");
    for (size_t i = 0; i < script->ticket_count; i++) {
        promise(!script->tickets[i].open, "every ticket ends");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct script script;
    if (size < 1) {
        return 0;
    }
    struct engine_options options = engine_options_default();
    options.base = "http://upstream.test/api";
    options.group_calls = (data[0] & 1) != 0;
    options.no_wait = (data[0] & 2) != 0;
    options.cache = (data[0] & 4) == 0;
    options.record = (data[0] & 8) != 0;
    options.policy.profile[PROFILE_LIST].concurrency = 1 + (data[0] >> 4) % CALLS_AT_ONCE;
    if ((data[0] & 0x80) != 0) {
        options.policy.profile[PROFILE_LIST].bucket_count = 1000;
        options.policy.profile[PROFILE_INTERACTIVE].bucket_count = 1000;
    }
    script = (struct script){.engine = engine_new(&options, data[0]), .now = 1000};
    for (size_t i = 1; i + 1 < size && i < 2 * EVENTS_MAX; i += 2) {
        play(&script, data[i], data[i + 1]);
    }
    if ((data[0] & 0x40) == 0) {
        recover(&script);
    }
    engine_free(script.engine);
    return 0;
}
