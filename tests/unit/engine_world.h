#ifndef TESTS_UNIT_ENGINE_WORLD_H
#define TESTS_UNIT_ENGINE_WORLD_H

#include "core/engine/engine.h"
#include "unit/unit.h"

/*
 * An engine in virtual time with an upstream that a test plays by hand. Calls are numbered from 0 in the order in which
 * they left. After every input all actions are taken, and what must always hold (planner.md 5.8) is checked: no call
 * under a closed gate or an open breaker, never too many, one per key, every ticket ends once, nothing after its end,
 * no wait told twice, news of the host in order, a deadline that lies ahead.
 */
enum { WORLD_TICKETS = 16384, WORLD_CALL_VINS = 50 };

struct world_call {
    uint64_t id;
    char *url, *form;
    struct vin_key keys[WORLD_CALL_VINS];
    size_t key_count;
    monotime at;
    int64_t timeout_ms;
    bool open, aborted;
};

struct world_ticket {
    bool submitted, over, cancelled;
    struct wait told;
    struct vin_key key;
    monotime submitted_at, deadline; /* 0: not known */
};

struct world {
    struct engine *engine;
    struct engine_options options;
    monotime now;
    walltime wall; /* at time 0 of `now` */
    struct world_call *calls;
    size_t call_count, call_capacity, open_calls, most_open;
    struct event *events;
    size_t event_count, event_capacity;
    struct host_state host;
    struct world_ticket *tickets;
    bool gone_first; /* a call is open that left first after a gate */
    bool quiet;      /* keep no events (long runs) */
    unsigned long violations;
};

/* An engine with these options and seed at time 1,000,000. */
void world_init(struct world *world, const struct engine_options *options, uint64_t seed);
void world_clear(struct world *world);

/* Options without our own rate, so that a test need not wait for tokens. */
struct engine_options world_options(void);

/* Options of tests of single list calls: as world_options() and no group calls. */
struct engine_options world_options_single(void);

/* A VIN for a number: 17 legal characters, different for each. */
const char *world_vin(unsigned number);

/* Submits. Returns the number of events before it. */
void world_submit(struct world *world, uint64_t ticket, const char *vin);
void world_submit_list(struct world *world, uint64_t ticket, const char *vin);
void world_submit_as(struct world *world, const struct submission *submission);
void world_cancel(struct world *world, uint64_t ticket);

/* The upstream answers call `index` with a status, header lines "Name: value" divided by '\n', and a body. */
void world_answer(struct world *world, size_t index, int status, const char *headers, const char *body);

/* A 200 with a row for each VIN of the call. */
void world_answer_well(struct world *world, size_t index, const char *headers);

/* The call fails without an answer. */
void world_fail(struct world *world, size_t index, enum transfer transfer);

/* Time goes on by `ms`, with a tick at each deadline on the way. */
void world_pass(struct world *world, int64_t ms);

/* A JSON body with a full row for `vin`; lives until the next call. */
const char *world_body(const char *vin);

/* The last event of that kind for the ticket, NULL without one; how many of that kind there were. */
const struct event *world_last(const struct world *world, uint64_t ticket, enum event_kind kind);
size_t world_count(const struct world *world, uint64_t ticket, enum event_kind kind);

/* Submits three tickets from `ticket` on and lets their calls fail until the breaker opens; no call stays open. */
void world_open_breaker(struct world *world, uint64_t ticket);

void world_fail_open_calls(struct world *world, enum transfer transfer);

/* The wait that the ticket was told last. */
const struct wait *world_waiting(const struct world *world, uint64_t ticket);

/* Takes the actions and checks them; the functions above have done it. */
void world_drain(struct world *world);

#define CHECK_FAILED(world, ticket, wanted_code, wanted_reason, wanted_row)                                            \
    do {                                                                                                               \
        const struct event *ended_ = world_last(world, ticket, EVENT_FAILED);                                          \
        CHECK(ended_ != NULL);                                                                                         \
        if (ended_ != NULL) {                                                                                          \
            CHECK_TEXT(code_name(ended_->as.failed.code), wanted_code);                                                \
            CHECK_TEXT(reason_name(ended_->as.failed.reason), wanted_reason);                                          \
            CHECK_TEXT(ended_->as.failed.row, wanted_row);                                                             \
        }                                                                                                              \
    } while (0)

#define CHECK_DECODED(world, ticket) CHECK(world_last(world, ticket, EVENT_DECODED) != NULL)

#define CHECK_CALLS(world, wanted) CHECK_INT((world)->call_count, wanted)

#endif
