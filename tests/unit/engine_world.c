#include "unit/engine_world.h"

#include "core/base/buffer.h"
#include "core/base/memory.h"

struct engine_options world_options(void)
{
    struct engine_options options = engine_options_default();
    options.base = "http://upstream.test/api";
    for (size_t i = 0; i < PROFILE_COUNT; i++) {
        options.policy.profile[i].bucket_count = 1000;
        options.policy.profile[i].bucket_per_ms = 1;
        options.policy.profile[i].bucket_burst = 1000;
    }
    return options;
}

struct engine_options world_options_single(void)
{
    struct engine_options options = world_options();
    options.group_calls = false;
    return options;
}

void world_init(struct world *world, const struct engine_options *options, uint64_t seed)
{
    *world = (struct world){.options = *options, .now = 1000000, .wall = INT64_C(1796040000000)};
    world->engine = engine_new(options, seed);
    world->tickets = memory_get(WORLD_TICKETS * sizeof *world->tickets);
}

static void clear_events(struct world *world)
{
    for (size_t i = 0; i < world->event_count; i++) {
        event_clear(&world->events[i]);
    }
    world->event_count = 0;
}

void world_clear(struct world *world)
{
    engine_free(world->engine);
    clear_events(world);
    free(world->events);
    for (size_t i = 0; i < world->call_count; i++) {
        free(world->calls[i].url);
        free(world->calls[i].form);
    }
    free(world->calls);
    free(world->tickets);
    CHECK_INT(world->violations, 0);
}

const char *world_vin(unsigned number)
{
    static char texts[8][VIN_LENGTH + 1];
    static size_t next;
    char *text = texts[next++ % 8];
    snprintf(text, VIN_LENGTH + 1, "1HGCM8263%08u", number % 100000000);
    return text;
}

static void violated(struct world *world, const char *what, uint64_t number)
{
    if (world->violations++ < 5) {
        printf("\nat %lld: %s (%llu) ", (long long)world->now, what, (unsigned long long)number);
    }
}

static void expect(struct world *world, bool holds, const char *what, uint64_t number)
{
    if (!holds) {
        violated(world, what, number);
    }
}

/* Reads the keys of a call from what went over the wire. */
static void add_key(struct world_call *call, const char *text, size_t length, const char *year_mark)
{
    struct vin_key *key = &call->keys[call->key_count++];
    const char *year = strstr(text, year_mark);
    size_t vin = 0;
    while (vin < length && vin < VIN_LENGTH && strchr("%?;,", text[vin]) == NULL) {
        key->vin[vin] = text[vin];
        vin++;
    }
    key->vin[vin] = '\0';
    key->year = year != NULL && (size_t)(year - text) < length ? (int)strtol(year + strlen(year_mark), NULL, 10) : 0;
}

static void read_keys(struct world_call *call)
{
    if (call->form == NULL) {
        const char *vin = strstr(call->url, "DecodeVinValues/") + strlen("DecodeVinValues/");
        add_key(call, vin, strlen(vin), "modelyear=");
        return;
    }
    const char *at = call->form + strlen("DATA=");
    for (;;) {
        const char *end = strstr(at, "%3B");
        const char *stop = end != NULL ? end : strchr(at, '&');
        add_key(call, at, (size_t)(stop - at), "%2C");
        if (end == NULL) {
            return;
        }
        at = end + 3;
    }
}

static void check_one_per_key(struct world *world, const struct world_call *call)
{
    for (size_t i = 0; i < world->call_count - 1; i++) {
        const struct world_call *other = &world->calls[i];
        for (size_t k = 0; other->open && k < other->key_count; k++) {
            for (size_t n = 0; n < call->key_count; n++) {
                expect(world, !vin_key_equal(&other->keys[k], &call->keys[n]), "two calls for one key", call->id);
            }
        }
    }
}

static void take_start(struct world *world, const struct action *action)
{
    if (world->call_count == world->call_capacity) {
        world->call_capacity = world->call_capacity > 0 ? world->call_capacity * 2 : 64;
        world->calls = memory_resize(world->calls, world->call_capacity * sizeof *world->calls);
    }
    struct world_call *call = &world->calls[world->call_count++];
    *call = (struct world_call){.id = action->call,
                                .url = memory_string(action->url),
                                .form = action->form != NULL ? memory_string(action->form) : NULL,
                                .at = world->now,
                                .timeout_ms = action->timeout_ms,
                                .open = true};
    read_keys(call);
    size_t most = 0;
    for (size_t i = 0; i < PROFILE_COUNT; i++) {
        size_t limit = world->options.policy.profile[i].concurrency;
        most = limit > most ? limit : most;
    }
    world->open_calls++;
    expect(world, world->open_calls <= most, "too many calls at once", world->open_calls);
    world->most_open = world->open_calls > world->most_open ? world->open_calls : world->most_open;
    expect(world, world->host.gate.until <= world->now, "a call under a closed gate", call->id);
    expect(world, world->host.breaker != BREAKER_OPEN || world->host.breaker_wait.until <= world->now,
           "a call under an open breaker", call->id);
    expect(world, action->timeout_ms >= world->options.policy.min_attempt_ms, "less than a useful attempt", call->id);
    check_one_per_key(world, call);
}

static void take_abort(struct world *world, uint64_t id)
{
    for (size_t i = 0; i < world->call_count; i++) {
        if (world->calls[i].id == id) {
            expect(world, world->calls[i].open, "abort of a call that is over", id);
            world->calls[i].open = false;
            world->calls[i].aborted = true;
            world->open_calls--;
            return;
        }
    }
    violated(world, "abort of an unknown call", id);
}

static void check_host(struct world *world, const struct host_state *host)
{
    expect(world, host->sequence > world->host.sequence, "old news of the host", host->sequence);
    expect(world, host->gate.origin == ORIGIN_NONE || host->gate.until > world->now, "a gate in the past", 0);
    expect(world, (host->gate.origin == ORIGIN_NONE) == (host->gate_reason == REASON_NONE), "a gate without a reason",
           0);
    world->host = *host;
}

static void check_ticket(struct world *world, const struct event *event)
{
    struct world_ticket *ticket = &world->tickets[event->ticket];
    expect(world, event->ticket < WORLD_TICKETS && ticket->submitted, "an event for nobody", event->ticket);
    expect(world, !ticket->over, "an event after the end", event->ticket);
    expect(world, vin_key_equal(&ticket->key, &event->key), "an event with another key", event->ticket);
    switch (event->kind) {
    case EVENT_WAITING: {
        const struct wait *wait = &event->as.waiting.wait;
        bool same = wait->until == ticket->told.until && wait->origin == ticket->told.origin &&
                    wait->asked_ms == ticket->told.asked_ms && wait->until_wall == ticket->told.until_wall;
        expect(world, !same, "the same wait told twice", event->ticket);
        expect(world, wait->origin != ORIGIN_NONE && wait->until > world->now, "a wait that is no wait", event->ticket);
        ticket->told = *wait;
        break;
    }
    case EVENT_CALLING:
        expect(world, event->as.calling.attempt <= event->as.calling.attempts, "too many attempts", event->ticket);
        ticket->told = (struct wait){0};
        break;
    case EVENT_DECODED:
        expect(world, strcmp(vehicle_vin(event->as.decoded.vehicle), ticket->key.vin) == 0, "another VIN's decode",
               event->ticket);
        ticket->over = true;
        break;
    case EVENT_FAILED:
        expect(world, event->as.failed.waited_ms >= 0 && event->as.failed.waited_ms <= event->as.failed.elapsed_ms,
               "times that do not add up", event->ticket);
        ticket->over = true;
        break;
    case EVENT_HOST:
    case EVENT_DECISION:
        break;
    }
}

static void take_event(struct world *world, struct event *event)
{
    if (event->kind == EVENT_HOST) {
        check_host(world, &event->as.host);
    } else if (event->kind != EVENT_DECISION) {
        check_ticket(world, event);
    }
    if (world->quiet) {
        event_clear(event);
        return;
    }
    if (world->event_count == world->event_capacity) {
        world->event_capacity = world->event_capacity > 0 ? world->event_capacity * 2 : 64;
        world->events = memory_resize(world->events, world->event_capacity * sizeof *world->events);
    }
    world->events[world->event_count++] = *event;
}

void world_drain(struct world *world)
{
    struct action action;
    while (engine_next_action(world->engine, &action)) {
        switch (action.kind) {
        case ACTION_START:
            take_start(world, &action);
            break;
        case ACTION_ABORT:
            take_abort(world, action.call);
            break;
        case ACTION_EMIT:
            take_event(world, &action.event);
            break;
        }
    }
    expect(world, engine_next_deadline(world->engine) > world->now, "a deadline that has passed", 0);
}

void world_submit_as(struct world *world, const struct submission *submission)
{
    struct world_ticket *ticket = &world->tickets[submission->ticket];
    *ticket = (struct world_ticket){.submitted = true, .key = submission->key, .submitted_at = world->now};
    engine_submit(world->engine, world->now, submission);
    world_drain(world);
}

static void submit(struct world *world, uint64_t ticket, const char *vin, enum profile profile)
{
    struct submission submission = {.ticket = ticket, .profile = profile};
    snprintf(submission.key.vin, sizeof submission.key.vin, "%s", vin);
    world_submit_as(world, &submission);
}

void world_submit(struct world *world, uint64_t ticket, const char *vin)
{
    submit(world, ticket, vin, PROFILE_INTERACTIVE);
}

void world_submit_list(struct world *world, uint64_t ticket, const char *vin)
{
    submit(world, ticket, vin, PROFILE_LIST);
}

void world_cancel(struct world *world, uint64_t ticket)
{
    engine_cancel(world->engine, world->now, ticket);
    world->tickets[ticket].over = true;
    world->tickets[ticket].cancelled = true;
    world_drain(world);
}

enum { HEADERS_MAX = 16 };

static size_t read_headers(const char *text, struct header_field *fields)
{
    size_t count = 0;
    while (*text != '\0' && count < HEADERS_MAX) {
        size_t line = strcspn(text, "\n"), name = strcspn(text, ":");
        fields[count++] = (struct header_field){text, name, text + name + 1, line - name - 1};
        text += line + (text[line] == '\n');
    }
    return count;
}

static void finish(struct world *world, size_t index, struct response *response)
{
    CU_ASSERT_TRUE_FATAL(index < world->call_count);
    struct world_call *call = &world->calls[index];
    if (call->open) {
        call->open = false;
        world->open_calls--;
    }
    response->received_wall = world->wall + world->now;
    engine_finished(world->engine, world->now, call->id, response);
    world_drain(world);
}

void world_answer(struct world *world, size_t index, int status, const char *headers, const char *body)
{
    struct header_field fields[HEADERS_MAX];
    struct response response = {.transfer = TRANSFER_ANSWERED,
                                .status = status,
                                .headers = fields,
                                .header_count = read_headers(headers, fields),
                                .body = body,
                                .body_length = strlen(body)};
    finish(world, index, &response);
}

static void put_row(struct buffer *out, const char *vin)
{
    buffer_printf(out,
                  "{\"VIN\":\"%s\",\"Make\":\"HONDA\",\"Model\":\"Accord\",\"ModelYear\":\"2003\",\"Doors\":\"2\","
                  "\"BodyClass\":\"Coupe\",\"PlantCity\":\"MARYSVILLE\",\"VehicleType\":\"PASSENGER CAR\","
                  "\"ErrorCode\":\"0\"}",
                  vin);
}

const char *world_body(const char *vin)
{
    static char text[1024];
    struct buffer row;
    buffer_init(&row, sizeof text);
    put_row(&row, vin);
    snprintf(text, sizeof text, "{\"Count\":1,\"Message\":\"ok\",\"Results\":[%s]}", row.data);
    buffer_clear(&row);
    return text;
}

void world_answer_well(struct world *world, size_t index, const char *headers)
{
    CU_ASSERT_TRUE_FATAL(index < world->call_count);
    const struct world_call *call = &world->calls[index];
    struct buffer body;
    buffer_init(&body, 1 << 20);
    buffer_puts(&body, "{\"Count\":1,\"Message\":\"ok\",\"Results\":[");
    for (size_t i = 0; i < call->key_count; i++) {
        buffer_puts(&body, i > 0 ? "," : "");
        put_row(&body, call->keys[i].vin);
    }
    buffer_puts(&body, "]}");
    world_answer(world, index, 200, headers, body.data);
    buffer_clear(&body);
}

void world_fail(struct world *world, size_t index, enum transfer transfer)
{
    struct response response = {.transfer = transfer, .body = ""};
    finish(world, index, &response);
}

void world_pass(struct world *world, int64_t ms)
{
    monotime end = world->now + ms;
    while (engine_next_deadline(world->engine) <= end && world->violations < 100) {
        world->now = engine_next_deadline(world->engine);
        engine_tick(world->engine, world->now);
        world_drain(world);
    }
    world->now = end;
}

const struct event *world_last(const struct world *world, uint64_t ticket, enum event_kind kind)
{
    for (size_t i = world->event_count; i > 0; i--) {
        if (world->events[i - 1].ticket == ticket && world->events[i - 1].kind == kind) {
            return &world->events[i - 1];
        }
    }
    return NULL;
}

void world_open_breaker(struct world *world, uint64_t ticket)
{
    size_t first = world->call_count;
    for (unsigned i = 0; i < 3; i++) {
        world_submit(world, ticket + i, world_vin(90000 + (unsigned)ticket + i));
    }
    for (size_t i = first; world->host.breaker != BREAKER_OPEN && i < first + 9; i++) {
        world_fail(world, i, TRANSFER_RESET);
        if (world->host.breaker != BREAKER_OPEN) {
            world_pass(world, i % 3 == 2 ? 1000 : 0);
        }
    }
    CHECK_INT(world->host.breaker, BREAKER_OPEN);
    world_fail_open_calls(world, TRANSFER_RESET);
}

void world_fail_open_calls(struct world *world, enum transfer transfer)
{
    for (size_t i = 0; i < world->call_count; i++) {
        if (world->calls[i].open) {
            world_fail(world, i, transfer);
        }
    }
}

const struct wait *world_waiting(const struct world *world, uint64_t ticket)
{
    static const struct wait none = {0};
    const struct event *event = world_last(world, ticket, EVENT_WAITING);
    CHECK(event != NULL);
    return event != NULL ? &event->as.waiting.wait : &none;
}

size_t world_count(const struct world *world, uint64_t ticket, enum event_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < world->event_count; i++) {
        count += world->events[i].ticket == ticket && world->events[i].kind == kind;
    }
    return count;
}
