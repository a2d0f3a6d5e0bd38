#include "simulation/herd_quota.h"

#include "core/base/memory.h"
#include "core/engine/engine.h"
#include "simulation/draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Real engines, each a program of its own with a person in front of it, who asks again as soon as the program lets
 * them. */
struct member {
    struct engine *engine;
    struct vin_key key;
    monotime asks_at;    /* the person's next Enter; MONOTIME_NEVER: none */
    monotime answer_at;  /* of the call under way; MONOTIME_NEVER: none */
    monotime told_until; /* until when the quota has asked for a pause */
    uint64_t call, tickets;
    bool accepted, served;
    int64_t retry_after_s;
};

/* A heap of the members by what happens next. */
struct herd {
    struct herd_quota *quota;
    struct member *members;
    size_t *heap;
    size_t count;
    monotime now;
};

static monotime sooner(monotime a, monotime b)
{
    return a < b ? a : b;
}

static monotime due(const struct member *member)
{
    monotime own = sooner(member->asks_at, member->answer_at);
    return member->engine == NULL ? own : sooner(own, engine_next_deadline(member->engine));
}

static void sift_down(struct herd *herd, size_t at)
{
    for (;;) {
        size_t least = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < herd->count; child++) {
            if (due(&herd->members[herd->heap[child]]) < due(&herd->members[herd->heap[least]])) {
                least = child;
            }
        }
        if (least == at) {
            return;
        }
        size_t member = herd->heap[at];
        herd->heap[at] = herd->heap[least];
        herd->heap[least] = member;
        at = least;
    }
}

static void start(struct herd *herd, struct member *member, uint64_t call)
{
    member->call = call;
    member->answer_at = herd->now + herd->quota->latency_ms;
    member->accepted = herd_quota_ask(herd->quota, herd->now, herd->now < member->told_until, &member->retry_after_s);
}

static void hear(struct herd *herd, struct member *member, struct event *event)
{
    if (event->kind == EVENT_DECODED) {
        member->served = true;
    } else if (event->kind == EVENT_FAILED) {
        monotime again = event->as.failed.again.until;
        member->asks_at = again > herd->now ? again : herd->now + 1000;
    }
    event_clear(event);
}

static void carry_out(struct herd *herd, struct member *member)
{
    struct action action;
    while (engine_next_action(member->engine, &action)) {
        switch (action.kind) {
        case ACTION_START:
            start(herd, member, action.call);
            break;
        case ACTION_ABORT:
            member->answer_at = MONOTIME_NEVER;
            break;
        case ACTION_EMIT:
            hear(herd, member, &action.event);
            break;
        }
    }
}

static void answer(struct herd *herd, struct member *member)
{
    char value[24], body[256];
    snprintf(value, sizeof value, "%lld", (long long)member->retry_after_s);
    snprintf(body, sizeof body, "{\"Results\":[{\"VIN\":\"%s\",\"Make\":\"HONDA\",\"Model\":\"Accord\"}]}",
             member->key.vin);
    struct header_field field = {"Retry-After", sizeof "Retry-After" - 1, value, strlen(value)};
    struct response response = {.transfer = TRANSFER_ANSWERED, .status = 200, .body = body};
    if (!member->accepted) {
        response.status = 429;
        response.headers = &field;
        response.header_count = 1;
        response.body = "";
        member->told_until = herd->now + member->retry_after_s * 1000;
    }
    response.body_length = strlen(response.body);
    member->answer_at = MONOTIME_NEVER;
    engine_finished(member->engine, herd->now, member->call, &response);
}

static void press_enter(struct herd *herd, struct member *member)
{
    struct submission submission = {.ticket = ++member->tickets, .key = member->key};
    member->asks_at = MONOTIME_NEVER;
    engine_submit(member->engine, herd->now, &submission);
}

static void turn(struct herd *herd, struct member *member, uint64_t seed)
{
    if (member->engine == NULL) {
        struct engine_options options = engine_options_default();
        member->engine = engine_new(&options, seed);
    }
    if (member->answer_at <= herd->now) {
        answer(herd, member);
    } else if (member->asks_at <= herd->now) {
        press_enter(herd, member);
    } else {
        engine_tick(member->engine, herd->now);
    }
    carry_out(herd, member);
}

void herd_of_engines(struct herd_quota *quota, size_t clients, uint64_t seed)
{
    struct random random = draw_stream(seed, STREAM_RUN, 99);
    struct herd herd = {.quota = quota, .count = clients};
    herd.members = memory_get(clients * sizeof *herd.members);
    herd.heap = memory_get(clients * sizeof *herd.heap);
    for (size_t i = 0; i < clients; i++) {
        struct member *member = &herd.members[i];
        *member = (struct member){.asks_at = draw_between(&random, 0, 999), .answer_at = MONOTIME_NEVER};
        quota->begun_at = member->asks_at > quota->begun_at ? member->asks_at : quota->begun_at;
        snprintf(member->key.vin, sizeof member->key.vin, "1HGCM826%09u", (unsigned)i % 1000000000);
        herd.heap[i] = i;
    }
    for (size_t i = clients; i > 0; i--) {
        sift_down(&herd, i - 1);
    }
    while (herd.count > 0) {
        struct member *member = &herd.members[herd.heap[0]];
        herd.now = due(member);
        turn(&herd, member, random_next(&random));
        if (member->served) {
            engine_free(member->engine);
            herd.heap[0] = herd.heap[--herd.count];
        }
        sift_down(&herd, 0);
    }
    free(herd.members);
    free(herd.heap);
}
