#include "simulation/record.h"

#include "core/base/memory.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void record_init(struct record *record, const struct engine_options *options, bool has_app, const monotime *now,
                 struct trace *trace)
{
    record->policy = &policy_default;
    record->cache = options->cache;
    record->no_wait = options->no_wait;
    record->has_app = has_app;
    record->now = now;
    record->trace = trace;
    record->bucket_level = 7000;
    record->bucket_at = *now;
}

void record_clear(struct record *record)
{
    free(record->app_tickets.items);
    free(record->direct_tickets.items);
    free(record->open);
}

void record_expect(struct record *record, bool holds, const char *invariant, const char *format, ...)
{
    if (holds || record->broken != NULL) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(record->detail, sizeof record->detail, format, arguments);
    va_end(arguments);
    record->broken = invariant;
    trace_line(record->trace, *record->now, "BROKEN: %s: %s", invariant, record->detail);
}

static size_t hash_of(const struct vin_key *key)
{
    size_t hash = (size_t)key->year * 31;
    for (const char *c = key->vin; *c != '\0'; c++) {
        hash = (hash + (unsigned char)*c) * 1000003;
    }
    return hash ^ (hash >> 15);
}

/* Where the key stands in the table, or would. */
static size_t place_of(const struct record *record, const struct vin_key *key)
{
    size_t at = hash_of(key) % RECORD_PLACES;
    while (record->key_table[at] != 0 && !vin_key_equal(&record->keys[record->key_table[at] - 1].key, key)) {
        at = (at + 1) % RECORD_PLACES;
    }
    return at;
}

const struct key_record *record_find(const struct record *record, const struct vin_key *key)
{
    int32_t index = record->key_table[place_of(record, key)];
    return index != 0 ? &record->keys[index - 1] : NULL;
}

size_t record_key(struct record *record, const struct vin_key *key)
{
    size_t at = place_of(record, key);
    if (record->key_table[at] != 0) {
        return (size_t)record->key_table[at] - 1;
    }
    if (record->key_count == RECORD_KEYS_MAX) {
        fprintf(stderr, "simulate: more than %d different VINs in one run\n", RECORD_KEYS_MAX);
        exit(1);
    }
    record->keys[record->key_count].key = *key;
    record->key_table[at] = (int32_t)++record->key_count;
    return record->key_count - 1;
}

static struct ticket_table *table_of(struct record *record, uint64_t *ticket)
{
    bool direct = *ticket >= DIRECT_TICKETS;
    *ticket -= direct ? DIRECT_TICKETS : 0;
    return direct ? &record->direct_tickets : &record->app_tickets;
}

struct ticket_record *record_ticket(struct record *record, uint64_t ticket)
{
    struct ticket_table *table = table_of(record, &ticket);
    bool known = ticket < table->count && table->items[ticket].state != TICKET_UNUSED;
    return known ? &table->items[ticket] : NULL;
}

static struct ticket_record *new_ticket(struct record *record, uint64_t ticket)
{
    struct ticket_table *table = table_of(record, &ticket);
    if (ticket >= table->capacity) {
        size_t capacity = table->capacity;
        table->capacity = 2 * (size_t)ticket + 64;
        table->items = memory_resize(table->items, table->capacity * sizeof *table->items);
        memset(table->items + capacity, 0, (table->capacity - capacity) * sizeof *table->items);
    }
    table->count = ticket >= table->count ? (size_t)ticket + 1 : table->count;
    return &table->items[ticket];
}

struct call_on_wire *record_call(struct record *record, uint64_t id)
{
    for (size_t i = 0; i < IN_FLIGHT_MAX; i++) {
        if (record->calls[i].id == id) {
            return &record->calls[i];
        }
    }
    return NULL;
}

static void put_into_open(struct record *record, uint64_t ticket, struct ticket_record *item)
{
    if (record->open_count == record->open_capacity) {
        record->open_capacity = record->open_capacity > 0 ? 2 * record->open_capacity : 64;
        record->open = memory_resize(record->open, record->open_capacity * sizeof *record->open);
    }
    item->open_at = (int64_t)record->open_count;
    record->open[record->open_count++] = ticket;
}

static void take_from_open(struct record *record, struct ticket_record *item)
{
    uint64_t last = record->open[--record->open_count];
    record->open[item->open_at] = last;
    record_ticket(record, last)->open_at = item->open_at;
    item->open_at = NO_TICKET;
}

void record_submitting(struct record *record, const struct submission *submission)
{
    monotime now = *record->now;
    size_t index = record_key(record, &submission->key);
    struct key_record *key = &record->keys[index];
    struct ticket_record *ticket = new_ticket(record, submission->ticket);
    bool list = submission->profile == PROFILE_LIST;
    record_expect(record, ticket->state == TICKET_UNUSED, "a ticket is used once", "ticket %llu",
                  (unsigned long long)submission->ticket);
    *ticket = (struct ticket_record){.state = TICKET_OPEN,
                                     .key = index,
                                     .profile = submission->profile,
                                     .past_caches = submission->past_caches,
                                     .submitted_at = now,
                                     .deadline = MONOTIME_NEVER};
    if (!list) {
        ticket->deadline = submission->deadline != 0 ? submission->deadline : now + PERSON_BUDGET_MS;
    }
    put_into_open(record, submission->ticket, ticket);
    if (key->open == 0 && key->call == 0) { /* a group may still be under way with it for its neighbours */
        key->flight = ++record->flights;
        key->single_calls = key->group_calls = key->bad_answers = 0;
        key->for_a_person = false;
        key->failed_at = 0;
    }
    key->open++;
    key->for_a_person = key->for_a_person || !list;
    trace_line(record->trace, now, "submit %llu %s,%d %s%s", (unsigned long long)submission->ticket,
               submission->key.vin, submission->key.year, list ? "list" : "interactive",
               submission->past_caches ? " past the caches" : "");
}

/* Caches answer at once, and only what they must. */
void record_submitted(struct record *record, uint64_t number)
{
    const struct ticket_record *ticket = record_ticket(record, number);
    const struct key_record *key = &record->keys[ticket->key];
    if (!record->cache || ticket->past_caches || key->unsure) {
        return;
    }
    bool crowded_out = record->answers - key->answer >= record->policy->success_entries;
    if (key->fresh_until > *record->now && !crowded_out) {
        record_expect(record, ticket->state == TICKET_DECODED, "a fresh answer is served from the cache", "ticket %llu",
                      (unsigned long long)number);
    } else if (key->rests_until > *record->now && !crowded_out) {
        record_expect(record, ticket->state == TICKET_FAILED, "a VIN that rests is refused at once", "ticket %llu",
                      (unsigned long long)number);
    }
}

void record_close(struct record *record, uint64_t number, enum ticket_state state)
{
    struct ticket_record *ticket = record_ticket(record, number);
    struct key_record *key = &record->keys[ticket->key];
    ticket->state = state;
    take_from_open(record, ticket);
    key->open--;
    if (key->open == 0) {
        key->failed_at = 0;
    }
}

void record_cancelling(struct record *record, uint64_t number)
{
    struct ticket_record *ticket = record_ticket(record, number);
    trace_line(record->trace, *record->now, "cancel %llu", (unsigned long long)number);
    if (ticket != NULL && ticket->state == TICKET_OPEN) {
        record_close(record, number, TICKET_CANCELLED);
    }
}

static bool is_wanted(const struct record *record, const struct call_on_wire *call)
{
    for (size_t i = 0; i < call->count; i++) {
        if (record->keys[call->records[i]].open > 0) {
            return true;
        }
    }
    return false;
}

void record_settled(struct record *record, monotime next_deadline)
{
    monotime now = *record->now;
    record_expect(record, next_deadline > now, "the next deadline lies ahead", "it is %lld", (long long)next_deadline);
    for (size_t i = 0; i < IN_FLIGHT_MAX; i++) {
        const struct call_on_wire *call = &record->calls[i];
        record_expect(record, call->id == 0 || call->aborted || is_wanted(record, call),
                      "a call that nobody waits for is given up at once", "call %llu", (unsigned long long)call->id);
    }
    for (size_t i = 0; i < record->open_count; i++) {
        const struct ticket_record *ticket = record_ticket(record, record->open[i]);
        record_expect(record, ticket->deadline > now, "a ticket ends by its deadline", "ticket %llu: %lld",
                      (unsigned long long)record->open[i], (long long)ticket->deadline);
    }
    host_settled(record);
}
