#include "unit/engine_world.h"

/* Single flight, waiters and cancel; the numbers are those of reports about other programs. */

static struct world world;

#define VIN_A "1HGCM82633A004352"
#define VIN_B "5YJ3E1EA1KF131548"
#define VIN_C "1FTFW1ET5DFC10312"

static void begin(void)
{
    struct engine_options options = world_options_single();
    world_init(&world, &options, 7);
}

static void end(void)
{
    world_clear(&world);
}

static const struct event *last(uint64_t ticket, enum event_kind kind)
{
    return world_last(&world, ticket, kind);
}

static void submit_until(uint64_t ticket, const char *vin, int64_t ms)
{
    struct submission submission = {.ticket = ticket, .deadline = world.now + ms};
    snprintf(submission.key.vin, sizeof submission.key.vin, "%s", vin);
    world_submit_as(&world, &submission);
}

static void r85_the_key_stays_while_the_flight_runs(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    world_submit(&world, 2, VIN_A);
    world_cancel(&world, 1);
    world_submit(&world, 3, VIN_A);
    CHECK_CALLS(&world, 1);
    CHECK_INT(world.calls[0].aborted, false);
    world_answer_well(&world, 0, "");
    CHECK_DECODED(&world, 2);
    CHECK_DECODED(&world, 3);
    CHECK_INT(engine_meter(world.engine, world.now).joined, 2);
    end();
}

static void r87_everybody_gets_the_real_error(void)
{
    begin();
    for (unsigned i = 1; i <= 4; i++) {
        world_submit(&world, i, VIN_A);
    }
    world_cancel(&world, 1);
    world_answer(&world, 0, 500, "", "");
    for (unsigned i = 2; i <= 4; i++) {
        CHECK_FAILED(&world, i, "upstream_unavailable", "unlisted_status", "T39");
    }
    end();
}

static void r88_a_stalled_flight_leaves_its_key(void)
{
    begin();
    submit_until(1, VIN_A, 3000);
    world_pass(&world, 3000);
    CHECK_FAILED(&world, 1, "deadline", "deadline", "T02");
    world_submit(&world, 2, VIN_A);
    CHECK_CALLS(&world, 2);
    world_answer_well(&world, 1, "");
    CHECK_DECODED(&world, 2);
    end();
}

/* Cancelled in every state: at once, nothing is heard any more, the place is free, the key too. */
static void r90_r91_cancel_in_every_state(void)
{
    enum { QUEUED_FOR_RATE, QUEUED_FOR_GATE, CALLING, BACKING_OFF, HINTED, STATES };
    for (int state = 0; state < STATES; state++) {
        begin();
        if (state == QUEUED_FOR_RATE) {
            for (unsigned i = 0; i < 3; i++) {
                world_submit(&world, 10 + i, world_vin(i));
            }
        } else if (state == QUEUED_FOR_GATE) {
            world_submit(&world, 10, VIN_B);
            world_answer(&world, 0, 429, "Retry-After: 50", "");
        }
        world_submit(&world, 1, VIN_A);
        size_t mine = world.call_count - 1;
        if (state == BACKING_OFF) {
            world_fail(&world, mine, TRANSFER_RESET);
        } else if (state == HINTED) {
            world_answer(&world, mine, 429, "Retry-After: 20", "");
        }
        size_t events = world.event_count;
        world_cancel(&world, 1);
        CHECK_INT(world.calls[mine].aborted, state == CALLING);
        CHECK(world.event_count <= events + 1); /* nothing, or another's wait */
        CHECK_INT(engine_meter(world.engine, world.now).queued + engine_meter(world.engine, world.now).waiting,
                  state == QUEUED_FOR_GATE ? 1 : 0);
        size_t calls = world.call_count;
        world_pass(&world, 600);
        world_submit(&world, 2, VIN_A);
        bool leaves = state == CALLING || state == BACKING_OFF;
        CHECK_CALLS(&world, calls + leaves);
        end();
    }
}

static void r97_a_late_answer_is_nobodys(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    world_cancel(&world, 1);
    world_submit(&world, 2, VIN_B);
    world_answer_well(&world, 0, "");
    CHECK(last(2, EVENT_DECODED) == NULL);
    world_answer_well(&world, 1, "");
    CHECK_TEXT(vehicle_vin(last(2, EVENT_DECODED)->as.decoded.vehicle), VIN_B);
    world_submit(&world, 3, VIN_A); /* what came too late is in no cache */
    CHECK_CALLS(&world, 3);
    end();
}

/* "A 429 that arrives for an input that has been changed still closes the gate for the new one." */
static void late_429_closes_the_gate(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    world_pass(&world, 5);
    world_cancel(&world, 1);
    world_submit(&world, 2, VIN_B);
    world_answer(&world, 0, 429, "Retry-After: 100", "");
    CHECK_TEXT(reason_name(world.host.gate_reason), "over_cap_retry_after");
    world_submit(&world, 3, VIN_C);
    CHECK_FAILED(&world, 3, "upstream_throttle", "gate_closed", "G7");
    CHECK(last(2, EVENT_FAILED) == NULL);
    monotime until = world.host.gate.until;
    world_answer(&world, 0, 429, "Retry-After: 500", ""); /* reported twice: ignored */
    CHECK_INT(world.host.gate.until, until);
    engine_finished(world.engine, world.now, 999999, &(struct response){.transfer = TRANSFER_ANSWERED, .status = 429});
    world_drain(&world);
    CHECK_INT(world.host.gate.until, until);
    end();
}

static void a_waiters_own_deadline(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    submit_until(2, VIN_A, 2000);
    CHECK_INT(world.calls[0].timeout_ms, 4000);
    world_pass(&world, 2000);
    CHECK_FAILED(&world, 2, "deadline", "deadline", "T02");
    CHECK_INT(world.calls[0].aborted, false);
    world_answer(&world, 0, 429, "Retry-After: 20", "");
    submit_until(3, VIN_A, 10000); /* joins a sleep that is too long for it */
    CHECK_FAILED(&world, 3, "deadline", "deadline", "T53");
    CHECK_INT(last(3, EVENT_FAILED)->as.failed.told_ms, 20000);
    world_submit(&world, 4, VIN_A);
    CHECK_INT(last(4, EVENT_WAITING)->as.waiting.wait.until, last(1, EVENT_WAITING)->as.waiting.wait.until);
    CHECK_INT(last(4, EVENT_WAITING)->as.waiting.attempt, 2);
    world_pass(&world, 22000);
    world_answer_well(&world, 1, "");
    CHECK_DECODED(&world, 1);
    CHECK_DECODED(&world, 4);
    CHECK_INT(last(4, EVENT_DECODED)->as.decoded.waited_ms + 0 <= 22000, true);
    end();
}

static void the_flight_lives_as_long_as_its_latest_waiter(void)
{
    begin();
    submit_until(1, VIN_A, 3000);
    CHECK_INT(world.calls[0].timeout_ms, 3000);
    world_submit(&world, 2, VIN_A);
    world_pass(&world, 2999);
    world_fail(&world, 0, TRANSFER_RESET);
    CHECK_FAILED(&world, 1, "deadline", "deadline", "T53");
    world_pass(&world, 1000);
    CHECK_CALLS(&world, 2);
    CHECK_INT(world.calls[1].timeout_ms, 4000);
    end();
}

/* A join under a call: told of the call, and waits less than who came first. */
static void joins_are_told_at_once(void)
{
    begin();
    world_submit(&world, 1, VIN_A);
    world_pass(&world, 1000);
    world_submit_list(&world, 2, VIN_A);
    CHECK_INT(last(2, EVENT_CALLING)->as.calling.started_at, world.now - 1000);
    world_pass(&world, 500);
    world_answer_well(&world, 0, "");
    CHECK_INT(last(1, EVENT_DECODED)->as.decoded.elapsed_ms, 1500);
    CHECK_INT(last(2, EVENT_DECODED)->as.decoded.elapsed_ms, 500);
    CHECK_INT(last(2, EVENT_DECODED)->as.decoded.waited_ms, 0);
    CHECK_TEXT(vehicle_vin(last(1, EVENT_DECODED)->as.decoded.vehicle), VIN_A); /* each has a hold of its own, */
    CHECK_TEXT(vehicle_vin(last(2, EVENT_DECODED)->as.decoded.vehicle), VIN_A); /* which end() gives up */
    end();
}

/* A person who asks for what a list has not tried yet need not stand behind the list. */
static void a_person_overtakes_the_list(void)
{
    begin();
    for (unsigned i = 0; i < 10; i++) {
        world_submit_list(&world, 1 + i, world_vin(i));
    }
    CHECK_CALLS(&world, 2);
    world_submit(&world, 20, world_vin(9));
    CHECK_CALLS(&world, 3);
    CHECK(strstr(world.calls[2].url, world_vin(9)) != NULL);
    world_answer_well(&world, 2, "");
    CHECK_DECODED(&world, 10);
    CHECK_DECODED(&world, 20);
    end();
}

static void ten_copies_of_each_vin(void)
{
    begin();
    for (unsigned i = 0; i < 200; i++) {
        world_submit_list(&world, 1 + i, world_vin(i % 20));
    }
    for (size_t i = 0; i < world.call_count; i++) {
        world_pass(&world, 100);
        world_answer_well(&world, i, "");
    }
    CHECK_CALLS(&world, 20);
    for (unsigned i = 0; i < 200; i++) {
        CHECK_DECODED(&world, 1 + i);
    }
    end();
}

static const struct unit_test tests[] = {
    {"R85 the key stays while the flight runs", r85_the_key_stays_while_the_flight_runs},
    {"R87 everybody gets the real error", r87_everybody_gets_the_real_error},
    {"R88 a stalled flight leaves its key", r88_a_stalled_flight_leaves_its_key},
    {"R90 R91 cancel in every state", r90_r91_cancel_in_every_state},
    {"R97 a late answer is nobody's", r97_a_late_answer_is_nobodys},
    {"a late 429 closes the gate", late_429_closes_the_gate},
    {"a waiter's own deadline", a_waiters_own_deadline},
    {"a flight lives as long as its latest waiter", the_flight_lives_as_long_as_its_latest_waiter},
    {"joins are told at once", joins_are_told_at_once},
    {"a person overtakes the list", a_person_overtakes_the_list},
    {"ten copies of each VIN", ten_copies_of_each_vin},
};

UNIT_MAIN("engine_single_flight", tests)
