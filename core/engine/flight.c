#include "core/base/memory.h"
#include "core/engine/engine_state.h"

#include <stdlib.h>

/* Who waits for what: waiters, lookups and flights, and the tables and lists that they stand in. */

static struct lookup **key_bucket(struct engine *engine, const struct vin_key *key)
{
    return &engine->lookups[key_hash(key) % TABLE_BUCKETS];
}

static struct waiter **ticket_bucket(struct engine *engine, uint64_t ticket)
{
    return &engine->waiters[ticket % TABLE_BUCKETS];
}

struct lookup *lookup_find(struct engine *engine, const struct vin_key *key)
{
    struct lookup *lookup = *key_bucket(engine, key);
    while (lookup != NULL && !vin_key_equal(&lookup->key, key)) {
        lookup = lookup->chain;
    }
    return lookup;
}

struct waiter *waiter_find(struct engine *engine, uint64_t ticket)
{
    struct waiter *waiter = *ticket_bucket(engine, ticket);
    while (waiter != NULL && waiter->ticket != ticket) {
        waiter = waiter->chain;
    }
    return waiter;
}

static struct flight_list *list_of(struct engine *engine, const struct flight *flight)
{
    switch (flight->state) {
    case FLIGHT_QUEUED:
        return &engine->queue[flight->profile];
    case FLIGHT_WAITING:
        return &engine->waiting;
    case FLIGHT_CALLING:
        break;
    }
    return &engine->calling;
}

static void set_fresh(struct flight_list *list, struct flight *flight, bool fresh)
{
    list->fresh += fresh && !flight->fresh;
    list->fresh -= !fresh && flight->fresh;
    flight->fresh = fresh;
}

void flight_told(struct engine *engine, struct flight *flight)
{
    set_fresh(list_of(engine, flight), flight, false);
}

static void list_remove(struct flight_list *list, struct flight *flight)
{
    set_fresh(list, flight, false);
    if (flight->previous != NULL) {
        flight->previous->next = flight->next;
    } else {
        list->first = flight->next;
    }
    if (flight->next != NULL) {
        flight->next->previous = flight->previous;
    } else {
        list->last = flight->previous;
    }
    list->count--;
}

/* Almost always at the end: the newest flight has the largest order. */
static void list_insert(struct flight_list *list, struct flight *flight)
{
    struct flight *before = list->last;
    while (before != NULL && before->order > flight->order) {
        before = before->previous;
    }
    flight->previous = before;
    flight->next = before != NULL ? before->next : list->first;
    if (flight->previous != NULL) {
        flight->previous->next = flight;
    } else {
        list->first = flight;
    }
    if (flight->next != NULL) {
        flight->next->previous = flight;
        set_fresh(list, flight->next, true); /* It may have been the head. */
    } else {
        list->last = flight;
    }
    list->count++;
    set_fresh(list, flight, true);
}

void flight_move(struct engine *engine, struct flight *flight, enum flight_state state)
{
    list_remove(list_of(engine, flight), flight);
    flight->state = state;
    list_insert(list_of(engine, flight), flight);
}

static struct flight *flight_new(struct engine *engine, enum profile profile)
{
    struct flight *flight = memory_get(sizeof *flight);
    flight->id = ++engine->last_id;
    flight->order = flight->id;
    flight->state = FLIGHT_QUEUED;
    flight->profile = profile;
    flight->queued_at = engine->now;
    flight->gate_since = MONOTIME_NEVER;
    return flight;
}

static void add_lookup(struct flight *flight, struct lookup *lookup)
{
    struct lookup **end = &flight->lookups;
    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = lookup;
    lookup->next = NULL;
    lookup->flight = flight;
    flight->count++;
}

static void take_lookup(struct lookup *lookup)
{
    struct lookup **link = &lookup->flight->lookups;
    while (*link != lookup) {
        link = &(*link)->next;
    }
    *link = lookup->next;
    lookup->flight->count--;
}

static void add_waiter(struct engine *engine, struct lookup *lookup, const struct submission *submission)
{
    struct waiter *waiter = memory_get(sizeof *waiter);
    struct waiter **bucket = ticket_bucket(engine, submission->ticket), **end = &lookup->waiters;
    waiter->ticket = submission->ticket;
    waiter->profile = submission->profile;
    waiter->submitted_at = engine->now;
    waiter->called_before_ms = flight_called_ms(engine, lookup->flight);
    waiter->lookup = lookup;
    waiter->chain = *bucket;
    *bucket = waiter;
    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = waiter;
    if (submission->profile == PROFILE_LIST) {
        waiter->deadline = MONOTIME_NEVER;
    } else if (submission->deadline != 0) {
        waiter->deadline = submission->deadline;
    } else {
        waiter->deadline = monotime_add(engine->now, engine->options.policy.profile[submission->profile].deadline_ms);
    }
    flight_deadlines(engine, lookup->flight);
    set_fresh(list_of(engine, lookup->flight), lookup->flight, true);
}

void flight_open(struct engine *engine, const struct submission *submission)
{
    struct flight *flight = flight_new(engine, submission->profile);
    struct lookup *lookup = memory_get(sizeof *lookup);
    struct lookup **bucket = key_bucket(engine, &submission->key);
    lookup->key = submission->key;
    lookup->chain = *bucket;
    *bucket = lookup;
    add_lookup(flight, lookup);
    list_insert(list_of(engine, flight), flight);
    add_waiter(engine, lookup, submission);
}

void lookup_join(struct engine *engine, struct lookup *lookup, const struct submission *submission)
{
    struct flight *flight = lookup->flight;
    add_waiter(engine, lookup, submission);
    if (flight->attempts > 0 || flight->calls_before > 0) {
        flight_begin_budget(engine, flight);
    } else if (submission->profile == PROFILE_INTERACTIVE && flight->profile == PROFILE_LIST) {
        /* A person need not stand behind a list for what has not been tried yet. */
        list_remove(list_of(engine, flight), flight);
        flight->profile = PROFILE_INTERACTIVE;
        list_insert(list_of(engine, flight), flight);
    }
}

void waiter_free(struct engine *engine, struct waiter *waiter)
{
    struct waiter **link = &waiter->lookup->waiters;
    while (*link != waiter) {
        link = &(*link)->next;
    }
    *link = waiter->next;
    link = ticket_bucket(engine, waiter->ticket);
    while (*link != waiter) {
        link = &(*link)->chain;
    }
    *link = waiter->chain;
    free(waiter);
}

/* The lookup is no more, in a flight that is none either or that it was taken out of. */
static void lookup_free(struct engine *engine, struct lookup *lookup)
{
    struct waiter *next;
    for (struct waiter *waiter = lookup->waiters; waiter != NULL; waiter = next) {
        next = waiter->next;
        waiter_free(engine, waiter);
    }
    struct lookup **link = key_bucket(engine, &lookup->key);
    while (*link != lookup) {
        link = &(*link)->chain;
    }
    *link = lookup->chain;
    free(lookup);
}

/* The flight, in no list any more, and its lookups. */
static void flight_free(struct engine *engine, struct flight *flight)
{
    struct lookup *next;
    for (struct lookup *lookup = flight->lookups; lookup != NULL; lookup = next) {
        next = lookup->next;
        lookup_free(engine, lookup);
    }
    free(flight);
}

void flight_close(struct engine *engine, struct flight *flight)
{
    flight_held(engine, flight, false);
    list_remove(list_of(engine, flight), flight);
    flight_free(engine, flight);
}

static bool is_wanted(const struct flight *flight)
{
    const struct lookup *lookup = flight->lookups;
    while (lookup != NULL && lookup->waiters == NULL) {
        lookup = lookup->next;
    }
    return lookup != NULL;
}

bool flight_tidy(struct engine *engine, struct flight *flight)
{
    if (!is_wanted(flight)) {
        if (flight->call != NULL) {
            call_abort(engine, flight);
        }
        flight_close(engine, flight);
        return true;
    }
    struct lookup *next;
    for (struct lookup *lookup = flight->lookups; lookup != NULL && flight->call == NULL; lookup = next) {
        next = lookup->next;
        if (lookup->waiters == NULL) {
            take_lookup(lookup);
            lookup_free(engine, lookup);
        }
    }
    flight_deadlines(engine, flight);
    return false;
}

int64_t flight_called_ms(const struct engine *engine, const struct flight *flight)
{
    return flight->called_ms + (flight->call != NULL ? engine->now - flight->call->sent_at : 0);
}

void flight_deadlines(struct engine *engine, struct flight *flight)
{
    flight->deadline = 0;
    flight->earliest = MONOTIME_NEVER;
    for (const struct lookup *lookup = flight->lookups; lookup != NULL; lookup = lookup->next) {
        for (const struct waiter *waiter = lookup->waiters; waiter != NULL; waiter = waiter->next) {
            flight->deadline = waiter->deadline > flight->deadline ? waiter->deadline : flight->deadline;
            flight->earliest = waiter->deadline < flight->earliest ? waiter->deadline : flight->earliest;
        }
    }
    if (flight->earliest != MONOTIME_NEVER) {
        /* When it sleeps, it is asked at once whether the sleep is too long for somebody. */
        monotime at = flight->earliest - engine->options.policy.min_attempt_ms + 1;
        at = flight->state == FLIGHT_WAITING ? 0 : at;
        engine->expiry_at = at < engine->expiry_at ? at : engine->expiry_at;
    }
}

void flight_begin_budget(struct engine *engine, struct flight *flight)
{
    if (flight->deadline != MONOTIME_NEVER) {
        return;
    }
    monotime deadline = monotime_add(engine->now, engine->options.policy.profile[PROFILE_LIST].deadline_ms);
    for (struct lookup *lookup = flight->lookups; lookup != NULL; lookup = lookup->next) {
        for (struct waiter *waiter = lookup->waiters; waiter != NULL; waiter = waiter->next) {
            waiter->deadline = waiter->deadline == MONOTIME_NEVER ? deadline : waiter->deadline;
        }
    }
    flight_deadlines(engine, flight);
}

int flight_max_attempts(const struct engine *engine, const struct flight *flight)
{
    int attempts = engine->options.policy.profile[flight->profile].max_attempts;
    bool fewer = flight->count > 1 && engine->options.policy.group_attempts < attempts;
    return fewer ? engine->options.policy.group_attempts : attempts;
}

void flight_absorb(struct engine *engine, struct flight *into, struct flight *from)
{
    struct lookup *lookup = from->lookups;
    take_lookup(lookup);
    add_lookup(into, lookup);
    flight_close(engine, from);
}

void flight_split_off(struct engine *engine, struct lookup *lookup)
{
    struct flight *old = lookup->flight, *flight = flight_new(engine, old->profile);
    flight->order = old->order;
    flight->alone = true;
    flight->calls_before = old->calls_before + old->attempts;
    flight->called_ms = flight_called_ms(engine, old);
    flight->last_reason = old->last_reason;
    flight->last_status = old->last_status;
    flight->last_transfer = old->last_transfer;
    take_lookup(lookup);
    add_lookup(flight, lookup);
    list_insert(list_of(engine, flight), flight);
    flight_deadlines(engine, flight);
}

void flight_held(struct engine *engine, struct flight *flight, bool held)
{
    if (held && flight->gate_since == MONOTIME_NEVER) {
        flight->gate_since = engine->now;
    } else if (!held && flight->gate_since != MONOTIME_NEVER) {
        engine->meter.gate_wait_ms += engine->now - flight->gate_since;
        flight->gate_since = MONOTIME_NEVER;
    }
}

static void clear_list(struct engine *engine, struct flight_list *list)
{
    while (list->first != NULL) {
        struct flight *flight = list->first;
        list->first = flight->next;
        flight_free(engine, flight);
    }
}

void flights_clear(struct engine *engine)
{
    for (size_t i = 0; i < PROFILE_COUNT; i++) {
        clear_list(engine, &engine->queue[i]);
    }
    clear_list(engine, &engine->waiting);
    clear_list(engine, &engine->calling);
}
