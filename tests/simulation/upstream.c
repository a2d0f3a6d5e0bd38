#include "simulation/upstream.h"

#include <stdlib.h>
#include <string.h>

const char *fault_name(enum fault fault)
{
    static const char *const names[] = {
#define X(name) #name,
        FAULTS(X)
#undef X
    };
    return names[fault];
}

static void draw_quota(struct upstream *upstream, struct random *random)
{
    static const int64_t limits[] = {1, 2, 3, 5, 10, 40};
    static const int64_t windows_ms[] = {1000, 3000, 10000, 20000, 45000, 60000, 90000, 600000};
    static const int refusals[] = {429, 429, 429, 503, 403};
    upstream->family = (enum family)random_below(random, FAMILY_COUNT);
    upstream->rolling = draw_chance(random, 50);
    upstream->limit = draw_chance(random, 30) ? 0 : limits[random_below(random, 6)];
    upstream->window_ms = windows_ms[random_below(random, 8)];
    upstream->refusal = refusals[random_below(random, 5)];
    upstream->hint_form = (enum hint_form)random_below(random, HINT_FORM_COUNT);
    upstream->hints_on_refusal = upstream->family == FAMILY_RETRY_AFTER || draw_chance(random, 60);
}

enum { WORST_SKEW_MS = 2 * 3600 * 1000 };

void upstream_init(struct upstream *upstream, uint64_t seed)
{
    struct random random = draw_stream(seed, STREAM_UPSTREAM, 0);
    static const unsigned weights[] = {0, 0, 1, 4};
    *upstream = (struct upstream){.seed = seed};
    draw_quota(upstream, &random);
    upstream->sends_date = draw_chance(&random, 70);
    upstream->skew_ms = draw_chance(&random, 50) ? 0 : draw_between(&random, -WORST_SKEW_MS, WORST_SKEW_MS);
    upstream->junk_percent = draw_chance(&random, 50) ? 0 : 30;
    upstream->mischief_percent = draw_chance(&random, 40) ? 0 : 30;
    upstream->age_percent = draw_chance(&random, 80) ? 0 : 20;
    for (size_t i = 1; i < FAULT_COUNT; i++) {
        upstream->fault_weights[i] = weights[random_below(&random, 4)];
    }
    upstream->fault_weights[FAULT_S502]++; /* so that there is something to draw from */
    upstream->fastest_ms = draw_between(&random, 1, 300);
    upstream->slowest_ms = upstream->fastest_ms + draw_between(&random, 0, draw_chance(&random, 70) ? 500 : 9000);
    upstream_change_mood(upstream, &random);
}

void upstream_change_mood(struct upstream *upstream, struct random *random)
{
    static const unsigned percents[] = {0, 0, 10, 40, 100};
    upstream->fault_percent = percents[random_below(random, 5)];
}

void upstream_change_character(struct upstream *upstream, struct random *random)
{
    draw_quota(upstream, random);
    upstream->used = 0;
    upstream->window_at[0] = 0;
    for (size_t i = 1; i < FAULT_COUNT; i++) {
        upstream->fault_weights[i] = 1;
    }
}

void upstream_calm_down(struct upstream *upstream)
{
    upstream->calm = true;
    upstream->fastest_ms = 20;
    upstream->slowest_ms = 200;
}

/* Fixed windows begin at multiples of their length. `window_at[0]` is the present one's begin. */
static void count_fixed(struct upstream *upstream, monotime now, struct call_on_wire *call)
{
    monotime window = now - now % upstream->window_ms;
    if (window != upstream->window_at[0]) {
        upstream->window_at[0] = window;
        upstream->used = 0;
    }
    call->within_quota = upstream->used < upstream->limit;
    upstream->used += call->within_quota ? 1 : 0;
    call->remaining = upstream->limit - upstream->used;
    call->reset_at = window + upstream->window_ms;
}

/* Rolling: each accepted call gives its place back a window later. `window_at` holds when they came, oldest first. */
static void count_rolling(struct upstream *upstream, monotime now, struct call_on_wire *call)
{
    size_t gone = 0, used = (size_t)upstream->used;
    while (gone < used && upstream->window_at[gone] + upstream->window_ms <= now) {
        gone++;
    }
    memmove(upstream->window_at, upstream->window_at + gone, (used - gone) * sizeof upstream->window_at[0]);
    upstream->used -= (int64_t)gone;
    call->within_quota = upstream->used < upstream->limit;
    if (call->within_quota) {
        upstream->window_at[upstream->used++] = now;
    }
    call->remaining = upstream->limit - upstream->used;
    call->reset_at = upstream->window_at[0] + upstream->window_ms;
}

static void add_key(struct call_on_wire *call, const char *text, size_t length, const char *year_mark)
{
    struct vin_key *key = &call->keys[call->count++];
    const char *year = strstr(text, year_mark);
    size_t at = 0, written = 0;
    while (at < length && written < VIN_LENGTH && strchr("?;,&", text[at]) == NULL &&
           strncmp(text + at, "%2C", 3) != 0) {
        if (strncmp(text + at, "%2A", 3) == 0) { /* the wildcard */
            key->vin[written++] = '*';
            at += 3;
        } else {
            key->vin[written++] = text[at++];
        }
    }
    key->vin[written] = '\0';
    key->year = year != NULL && (size_t)(year - text) < length ? (int)strtol(year + strlen(year_mark), NULL, 10) : 0;
}

/* Reads what went over the wire, as a server does. */
static void read_keys(struct call_on_wire *call, const char *url, const char *form)
{
    static const char path[] = "DecodeVinValues/", data[] = "DATA=";
    call->count = 0;
    call->group = form != NULL;
    if (form == NULL) {
        const char *vin = strstr(url, path) + sizeof path - 1;
        add_key(call, vin, strlen(vin), "modelyear=");
        return;
    }
    const char *at = form + sizeof data - 1, *end = at;
    while (end != NULL && call->count < VPIC_GROUP_MAX) {
        end = strstr(at, "%3B");
        size_t length = end != NULL ? (size_t)(end - at) : strcspn(at, "&");
        add_key(call, at, length, "%2C");
        at += length + 3;
    }
}

void upstream_receive(struct upstream *upstream, const char *url, const char *form, monotime now,
                      struct call_on_wire *call)
{
    read_keys(call, url, form);
    call->draws = draw_stream(upstream->seed, STREAM_CALL, upstream->calls++);
    call->sent_at = now;
    call->within_quota = true;
    call->remaining = -1;
    bool faulty = !upstream->calm && draw_chance(&call->draws, upstream->fault_percent);
    call->fault = faulty ? (enum fault)draw_weighted(&call->draws, upstream->fault_weights, FAULT_COUNT) : FAULT_NONE;
    if (upstream->limit > 0 && !upstream->calm) {
        (upstream->rolling ? count_rolling : count_fixed)(upstream, now, call);
    }
    upstream->met[call->fault]++;
    int64_t latency_ms = draw_between(&call->draws, upstream->fastest_ms, upstream->slowest_ms);
    bool never = call->fault == FAULT_SILENT || call->fault == FAULT_STALLED;
    call->due = now + (never || latency_ms > call->timeout_ms ? call->timeout_ms : latency_ms);
    if (!never && latency_ms > call->timeout_ms) {
        call->fault = FAULT_SILENT;
    }
}

uint64_t upstream_serial(const struct call_on_wire *call, size_t index)
{
    return call->id * 64 + index;
}
