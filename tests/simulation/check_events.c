#include "simulation/record.h"

#include <stdlib.h>
#include <string.h>

/* What the engine tells about tickets: once each, true, and within the bounds. */

enum {
    LONGEST_WAIT_MS = 60 * 1000 + 2000,
    LONGEST_LIST_WAIT_MS = 10 * 60 * 1000 + 2000,
    SHORTEST_REST_MS = 30 * 1000,
    LONGEST_REST_MS = 120 * 1000
};

uint64_t record_serial(const struct vehicle *vehicle)
{
    const char *model = vehicle_value(vehicle, "Model");
    return strncmp(model, "SERIAL-", 7) == 0 ? strtoull(model + 7, NULL, 10) : 0;
}

static void check_calling(struct record *record, const struct event *event, const struct key_record *key)
{
    const struct event_calling *calling = &event->as.calling;
    const struct call_on_wire *call = record_call(record, key->call);
    bool plain = key->group_calls == 0;
    record_expect(record, key->call != 0 && call != NULL, "a ticket is told of a call when there is one", "ticket %llu",
                  (unsigned long long)event->ticket);
    record_expect(record, calling->attempt >= 1 && calling->attempt <= calling->attempts,
                  "no more attempts than were told", "ticket %llu: %d of %d", (unsigned long long)event->ticket,
                  calling->attempt, calling->attempts);
    record_expect(record, !plain || calling->attempt == key->single_calls, "the attempt told is the attempt made",
                  "ticket %llu: told %d, made %d", (unsigned long long)event->ticket, calling->attempt,
                  key->single_calls);
    record_expect(record, call == NULL || calling->started_at == call->sent_at, "one clock: the call's start",
                  "ticket %llu", (unsigned long long)event->ticket);
}

static void check_waiting(struct record *record, const struct event *event, struct ticket_record *ticket)
{
    const struct wait *wait = &event->as.waiting.wait;
    monotime now = *record->now;
    bool list = ticket->profile == PROFILE_LIST;
    int64_t longest = list ? LONGEST_LIST_WAIT_MS : LONGEST_WAIT_MS;
    record_expect(record, wait->origin != ORIGIN_NONE && wait->until > now, "a wait that is told has an end ahead",
                  "ticket %llu", (unsigned long long)event->ticket);
    record_expect(record, wait->until == MONOTIME_NEVER || wait->until - now <= longest, "no wait above its cap",
                  "ticket %llu: %lld ms", (unsigned long long)event->ticket, (long long)(wait->until - now));
    record_expect(record, list || wait->until >= record->announced_until, "the wait that is told covers the gate",
                  "ticket %llu: %lld before %lld", (unsigned long long)event->ticket, (long long)wait->until,
                  (long long)record->announced_until);
    const struct wait *told = &ticket->told;
    bool same = wait->until == told->until && wait->origin == told->origin && wait->asked_ms == told->asked_ms &&
                wait->until_wall == told->until_wall;
    record_expect(record, !same, "no wait is told twice", "ticket %llu", (unsigned long long)event->ticket);
    record_expect(record, event->as.waiting.attempt <= event->as.waiting.attempts, "a wait is for an attempt",
                  "ticket %llu: %d of %d", (unsigned long long)event->ticket, event->as.waiting.attempt,
                  event->as.waiting.attempts);
    ticket->told = *wait;
}

static void check_decoded(struct record *record, const struct event *event, const struct ticket_record *ticket,
                          const struct key_record *key)
{
    const struct event_decoded *decoded = &event->as.decoded;
    unsigned long long number = event->ticket;
    uint64_t serial = record_serial(decoded->vehicle);
    record_expect(record, strcmp(vehicle_vin(decoded->vehicle), key->key.vin) == 0, "a decode names the ticket's VIN",
                  "ticket %llu for %s", number, key->key.vin);
    if (key->unsure) {
        record_expect(record, serial == key->offered_serial || serial == key->serial,
                      "a decode is the latest answer for its VIN", "ticket %llu: %llu", number,
                      (unsigned long long)serial);
        record->counts.cache_hits += decoded->from_cache ? 1 : 0;
        return;
    }
    record_expect(record, serial == key->serial, "a decode is the latest answer for its VIN",
                  "ticket %llu: %llu, the latest is %llu", number, (unsigned long long)serial,
                  (unsigned long long)key->serial);
    record_expect(record, decoded->answered_at == key->answered_at, "an answer's age is its own", "ticket %llu",
                  number);
    if (decoded->from_cache) {
        record->counts.cache_hits++;
        record_expect(record, record->cache && !ticket->past_caches && *record->now < key->fresh_until,
                      "only a fresh answer comes from the cache", "ticket %llu", number);
    } else {
        record_expect(record, decoded->answered_at == *record->now, "an answer is told at once", "ticket %llu", number);
    }
}

static void check_failed(struct record *record, const struct event *event, const struct ticket_record *ticket,
                         struct key_record *key)
{
    const struct event_failed *failed = &event->as.failed;
    unsigned long long number = event->ticket;
    monotime now = *record->now;
    record_expect(record, failed->code != CODE_NONE && failed->code != CODE_CANCELLED, "a failure has a code",
                  "ticket %llu", number);
    record_expect(record, failed->waited_ms >= 0 && failed->waited_ms <= failed->elapsed_ms,
                  "times of a failure add up", "ticket %llu", number);
    if (failed->from_negative_cache) {
        record->counts.negative_hits++;
        record_expect(record, record->cache && !ticket->past_caches && now < key->rests_until,
                      "a VIN rests no longer than it was told", "ticket %llu", number);
        return;
    }
    if (failed->resting) {
        int64_t rest_ms = failed->again.until - now;
        record_expect(record, rest_ms >= SHORTEST_REST_MS && rest_ms <= LONGEST_REST_MS, "a VIN rests for 30 to 120 s",
                      "ticket %llu: %lld ms", number, (long long)rest_ms);
        key->rests_until = failed->again.until;
    }
    bool by_gate = failed->code == CODE_UPSTREAM_THROTTLE && !failed->resting;
    record_expect(record, !by_gate || failed->again.until >= record->announced_until, "a refusal names the gate's end",
                  "ticket %llu: %lld before %lld", number, (long long)failed->again.until,
                  (long long)record->announced_until);
    bool early = failed->code == CODE_DEADLINE && ticket->profile == PROFILE_INTERACTIVE &&
                 ticket->deadline - now > LONGEST_WAIT_MS + 1500;
    record_expect(record, !early, "no ticket ends long before its deadline for the deadline", "ticket %llu", number);
}

static void trace_event(struct record *record, const struct event *event)
{
    if (!trace_is_on(record->trace)) {
        return;
    }
    unsigned long long number = event->ticket;
    switch (event->kind) {
    case EVENT_CALLING:
        trace_line(record->trace, event->at, "ticket %llu: call %d of %d", number, event->as.calling.attempt,
                   event->as.calling.attempts);
        break;
    case EVENT_WAITING:
        trace_line(record->trace, event->at, "ticket %llu: waits until %lld (%s), attempt %d of %d", number,
                   (long long)event->as.waiting.wait.until, wait_origin_name(event->as.waiting.wait.origin),
                   event->as.waiting.attempt, event->as.waiting.attempts);
        break;
    case EVENT_DECODED:
        trace_line(record->trace, event->at, "ticket %llu: decoded %s%s", number,
                   vehicle_value(event->as.decoded.vehicle, "Model"),
                   event->as.decoded.from_cache ? " from the cache" : "");
        break;
    case EVENT_FAILED:
        trace_line(record->trace, event->at, "ticket %llu: failed, %s, %s, row %s%s%s, again %lld", number,
                   code_name(event->as.failed.code), reason_name(event->as.failed.reason), event->as.failed.row,
                   event->as.failed.from_negative_cache ? ", from the cache" : "",
                   event->as.failed.resting ? ", rests" : "", (long long)event->as.failed.again.until);
        break;
    case EVENT_HOST:
    case EVENT_DECISION:
        break;
    }
}

void record_event(struct record *record, const struct event *event)
{
    if (event->kind == EVENT_HOST) {
        host_told(record, &event->as.host);
        return;
    }
    if (event->kind == EVENT_DECISION) {
        return;
    }
    trace_event(record, event);
    struct ticket_record *ticket = record_ticket(record, event->ticket);
    record_expect(record, ticket != NULL, "an event is for a ticket that was submitted", "ticket %llu",
                  (unsigned long long)event->ticket);
    if (ticket == NULL) {
        return;
    }
    struct key_record *key = &record->keys[ticket->key];
    record_expect(record, ticket->state != TICKET_CANCELLED, "nothing for a cancelled ticket", "ticket %llu",
                  (unsigned long long)event->ticket);
    record_expect(record, ticket->state == TICKET_OPEN || ticket->state == TICKET_CANCELLED,
                  "every ticket ends exactly once", "ticket %llu", (unsigned long long)event->ticket);
    record_expect(record, vin_key_equal(&event->key, &key->key), "an event names its ticket's VIN", "ticket %llu",
                  (unsigned long long)event->ticket);
    if (ticket->state != TICKET_OPEN) {
        return;
    }
    switch (event->kind) {
    case EVENT_CALLING:
        check_calling(record, event, key);
        ticket->told = (struct wait){0};
        if (ticket->deadline == MONOTIME_NEVER) {
            ticket->deadline = *record->now + LIST_BUDGET_MS; /* joined a call that was under way */
        }
        break;
    case EVENT_WAITING:
        check_waiting(record, event, ticket);
        break;
    case EVENT_DECODED:
        check_decoded(record, event, ticket, key);
        record->counts.decoded++;
        record_close(record, event->ticket, TICKET_DECODED);
        break;
    case EVENT_FAILED:
        check_failed(record, event, ticket, key);
        record->counts.failed++;
        record_close(record, event->ticket, TICKET_FAILED);
        break;
    case EVENT_HOST:
    case EVENT_DECISION:
        break;
    }
}
