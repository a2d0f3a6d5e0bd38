#include "simulation/record.h"

#include <string.h>

/* Calls: that they may leave, how many, how often, for how long, and what must become of their tickets. */

enum {
    AT_ONCE_MOST = 3,
    AT_ONCE_LIST = 2,
    SINGLE_ATTEMPTS = 4,
    GROUP_ATTEMPTS = 2,
    USEFUL_MS = 1500,
    SINGLE_CEILING_MS = 8000,
    GROUP_CEILING_MS = 20000,
    SHORTEST_WAIT_MS = 250,
    FRESH_MS = 15 * 60 * 1000
};

/* The latest deadline of the tickets that wait for the key. */
static monotime latest_deadline(struct record *record, size_t key)
{
    monotime latest = 0;
    for (size_t i = 0; i < record->open_count; i++) {
        const struct ticket_record *ticket = record_ticket(record, record->open[i]);
        if (ticket->key == key && ticket->deadline > latest) {
            latest = ticket->deadline;
        }
    }
    return latest;
}

static void check_time(struct record *record, struct call_on_wire *call)
{
    int64_t ceiling_ms = call->group ? GROUP_CEILING_MS : SINGLE_CEILING_MS;
    monotime deadline = 0;
    for (size_t i = 0; i < call->count; i++) {
        monotime of_key = latest_deadline(record, call->records[i]);
        deadline = of_key > deadline ? of_key : deadline;
    }
    record_expect(record, call->timeout_ms >= USEFUL_MS, "no attempt is shorter than the smallest useful one",
                  "call %llu: %lld ms", (unsigned long long)call->id, (long long)call->timeout_ms);
    record_expect(record, call->timeout_ms <= ceiling_ms, "a time-out is never above its ceiling", "call %llu: %lld ms",
                  (unsigned long long)call->id, (long long)call->timeout_ms);
    record_expect(record, deadline == MONOTIME_NEVER || deadline - call->sent_at >= call->timeout_ms,
                  "an attempt ends within the budget", "call %llu: %lld ms, %lld are left",
                  (unsigned long long)call->id, (long long)call->timeout_ms, (long long)(deadline - call->sent_at));
    call->cut = deadline != MONOTIME_NEVER && deadline - call->sent_at <= call->timeout_ms;
    call->perhaps_cut = call->cut || deadline == MONOTIME_NEVER;
}

static void check_key(struct record *record, const struct call_on_wire *call, struct key_record *key)
{
    const char *vin = key->key.vin;
    record_expect(record, key->call == 0, "one call per VIN", "%s has call %llu already", vin,
                  (unsigned long long)key->call);
    record_expect(record, key->open > 0, "a call is for a ticket that is open", "%s", vin);
    if (call->group) {
        record_expect(record, key->group_calls < GROUP_ATTEMPTS, "attempts of a group are bounded", "%s", vin);
    } else {
        record_expect(record, key->single_calls < SINGLE_ATTEMPTS, "attempts are bounded", "%s", vin);
    }
    bool again = key->failed_at > 0 && key->last_was_group == call->group;
    record_expect(record, !again || call->sent_at - key->failed_at >= SHORTEST_WAIT_MS, "no wait is below 250 ms",
                  "%s: %lld ms", vin, (long long)(call->sent_at - key->failed_at));
}

static bool is_for_a_person(const struct record *record, const struct call_on_wire *call)
{
    for (size_t i = 0; i < call->count; i++) {
        if (record->keys[call->records[i]].for_a_person) {
            return true;
        }
    }
    return false;
}

/* What a call was told of is under way now: the list's budget runs. */
static void begin_budgets(struct record *record, const struct call_on_wire *call)
{
    for (size_t i = 0; i < record->open_count; i++) {
        struct ticket_record *ticket = record_ticket(record, record->open[i]);
        if (ticket->deadline == MONOTIME_NEVER && record->keys[ticket->key].call == call->id) {
            ticket->deadline = call->sent_at + LIST_BUDGET_MS;
        }
    }
}

void record_start(struct record *record, struct call_on_wire *call)
{
    size_t most = is_for_a_person(record, call) ? AT_ONCE_MOST : AT_ONCE_LIST;
    trace_line(record->trace, call->sent_at, "call %llu leaves for %s%s (%zu), %lld ms; fate %s at %lld",
               (unsigned long long)call->id, call->group ? "a group, " : "", call->keys[0].vin, call->count,
               (long long)call->timeout_ms, fault_name(call->fault), (long long)call->due);
    record_expect(record, record->in_flight < most, "at most so many calls at once", "%zu under way",
                  record->in_flight);
    record->counts.starts++;
    record->counts.retries += 0;
    for (size_t i = 0; i < call->count; i++) {
        struct key_record *key = &record->keys[call->records[i]];
        check_key(record, call, key);
        key->call = call->id;
        key->single_calls += call->group ? 0 : 1;
        key->group_calls += call->group ? 1 : 0;
        key->last_was_group = call->group;
    }
    check_time(record, call);
    host_start(record, call);
    begin_budgets(record, call);
    record->in_flight++;
}

static void off_the_wire(struct record *record, const struct call_on_wire *call)
{
    for (size_t i = 0; i < call->count; i++) {
        struct key_record *key = &record->keys[call->records[i]];
        key->call = key->call == call->id ? 0 : key->call;
    }
    record->in_flight--;
    host_gone(record, call);
}

void record_abort(struct record *record, uint64_t id)
{
    struct call_on_wire *call = record_call(record, id);
    trace_line(record->trace, *record->now, "call %llu is given up", (unsigned long long)id);
    record_expect(record, call != NULL && !call->aborted, "only a call under way is given up", "call %llu",
                  (unsigned long long)id);
    if (call == NULL || call->aborted) {
        return;
    }
    for (size_t i = 0; i < call->count; i++) {
        record_expect(record, record->keys[call->records[i]].open == 0,
                      "one ticket's cancel changes nothing for another", "call %llu for %s", (unsigned long long)id,
                      call->keys[i].vin);
    }
    call->aborted = true;
    record->counts.aborts++;
    off_the_wire(record, call);
}

static void count_end(struct record *record, const struct announcement *said)
{
    struct counts *counts = &record->counts;
    int status = said->status;
    counts->answers++;
    counts->statuses[status / 100]++;
    counts->status_429 += status == 429;
    counts->status_403 += status == 403;
    counts->status_503 += status == 503;
    counts->bad_bodies += said->transfer == TRANSFER_ANSWERED && status == 200 && !said->readable;
}

static bool is_asked_twice(const struct call_on_wire *call, size_t index)
{
    for (size_t i = 0; i < call->count; i++) {
        if (i != index && strcmp(call->keys[i].vin, call->keys[index].vin) == 0) {
            return true;
        }
    }
    return false;
}

/* The rows that came are what the caches and the tickets must now hold. Rows of one VIN with two model years can only
 * be told apart when the whole answer is in order. */
static void expect_rows(struct record *record, const struct call_on_wire *call, const struct wire *wire)
{
    monotime now = *record->now;
    for (size_t i = 0; i < call->count; i++) {
        struct key_record *key = &record->keys[call->records[i]];
        if (!wire->has_row[i]) {
            continue;
        }
        key->unsure = !wire->in_order && is_asked_twice(call, i);
        key->offered_serial = upstream_serial(call, i);
        if (!key->unsure) {
            key->serial = key->offered_serial;
            key->answered_at = now;
            key->answer = ++record->answers;
            key->fresh_until = record->cache ? now + FRESH_MS : 0;
            key->rests_until = 0;
        }
    }
}

void record_ending(struct record *record, struct call_on_wire *call, const struct wire *wire,
                   const struct announcement *said)
{
    trace_line(record->trace, *record->now,
               "call %llu ends: %s %d, retry-after %lld, reset %lld, remaining %lld, body %lld%s%s",
               (unsigned long long)call->id, transfer_name(said->transfer), said->status,
               (long long)said->retry_after_ms, (long long)said->reset_ms, (long long)said->remaining,
               (long long)said->body_hint_ms, said->readable ? ", readable" : "", call->aborted ? ", too late" : "");
    bool for_us = call->group ? said->readable : wire->has_row[0];
    if (!call->aborted) {
        count_end(record, said);
        off_the_wire(record, call);
        if (said->readable) {
            expect_rows(record, call, wire);
        }
        for (size_t i = 0; i < call->count; i++) {
            record->keys[call->records[i]].failed_at = *record->now;
        }
    }
    host_heard(record, call, said, for_us);
}

void record_ended(struct record *record, const struct call_on_wire *call, const struct wire *wire,
                  const struct announcement *said)
{
    for (size_t i = 0; i < call->count && !call->aborted; i++) {
        struct key_record *key = &record->keys[call->records[i]];
        if (wire->has_row[i] && said->readable && !key->unsure) {
            record_expect(record, key->open == 0, "an answer ends its tickets", "%s", key->key.vin);
        }
    }
    if (call->group || call->aborted) {
        return;
    }
    struct key_record *key = &record->keys[call->records[0]];
    int attempts = key->group_calls > 0 ? 1 : key->single_calls;
    bool ends = announcement_consequence(said, attempts, key->bad_answers) == CONSEQUENCE_END;
    bool unreadable = said->transfer == TRANSFER_ANSWERED && said->status == 200 && !said->readable;
    bool no_http = said->transfer == TRANSFER_BAD_HEADERS || said->transfer == TRANSFER_NOT_HTTP;
    key->bad_answers += unreadable || no_http ? 1 : 0;
    record_expect(record, !ends || key->open == 0, "no retry of what is final", "%s after %s %d", key->key.vin,
                  transfer_name(said->transfer), said->status);
}
