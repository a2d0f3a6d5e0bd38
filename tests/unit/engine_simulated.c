#include "unit/engine_world.h"

/* What the simulation (tests/simulation) found, a case each. */

#define VIN_A "1HGCM82633A004352"
#define VIN_B "5YJ3E1EA1KF131548"

static struct world world;

static void begin(void)
{
    struct engine_options options = world_options();
    world_init(&world, &options, 1);
}

/* A body that stalls takes nothing back of what the header said. */
static void a_stalled_body_does_not_unsay_the_quota(void)
{
    static const struct header_field fields[] = {{"RateLimit-Remaining", 19, "0", 1}, {"RateLimit-Reset", 15, "20", 2}};
    const struct response stalled = {
        .transfer = TRANSFER_TIMEOUT, .status = 200, .headers = fields, .header_count = 2, .body = ""};
    begin();
    world_submit(&world, 1, VIN_A);
    world_pass(&world, 4000);
    world.open_calls--;
    world.calls[0].open = false;
    engine_finished(world.engine, world.now, world.calls[0].id, &stalled);
    world_drain(&world);
    CHECK(world.host.gate.until >= world.now + 20000);
    world_pass(&world, 19999);
    CHECK_CALLS(&world, 1);
    world_clear(&world);
}

/* One waits 1.5 s, the other 90 s; the call that the first one's budget cut short is not the other's end. */
static void a_short_budget_ends_only_its_own_ticket(void)
{
    begin();
    world_submit_as(&world, &(struct submission){.ticket = 1, .key = {VIN_A, 0}, .deadline = world.now + 1500});
    world_pass(&world, 5);
    world_submit(&world, 2, VIN_A);
    world_pass(&world, 1495);
    CHECK_FAILED(&world, 1, "deadline", "deadline", "T02");
    world_fail(&world, 0, TRANSFER_TIMEOUT);
    CHECK(world_last(&world, 2, EVENT_FAILED) == NULL);
    struct meter meter = engine_meter(world.engine, world.now);
    CHECK_INT(meter.timeout_samples[CALL_SINGLE], 0);
    world_pass(&world, 1000);
    CHECK_CALLS(&world, 2);
    world_answer_well(&world, 1, "");
    CHECK_DECODED(&world, 2);
    world_clear(&world);
}

/* Rows out of order, and one VIN with two model years among them. Either row may be either's. */
static void rows_of_twins_are_not_guessed(void)
{
    static const char body[] = "{\"Results\":[{\"VIN\":\"" VIN_A "\",\"Make\":\"HONDA\",\"Model\":\"of 2003\"},"
                               "{\"VIN\":\"" VIN_A "\",\"Make\":\"HONDA\",\"Model\":\"of no year\"},"
                               "{\"VIN\":\"" VIN_B "\",\"Make\":\"TESLA\",\"Model\":\"3\"}]}";
    static const struct vin_key keys[] = {{VIN_B, 0}, {VIN_A, 2003}, {VIN_A, 0}};
    begin();
    world_submit_list(&world, 9, world_vin(9));
    world_answer(&world, 0, 429, "Retry-After: 1", "");
    for (size_t i = 0; i < 3; i++) {
        world_submit_as(&world, &(struct submission){.ticket = i + 1, .key = keys[i], .profile = PROFILE_LIST});
    }
    world_cancel(&world, 9);
    world_pass(&world, 1200);
    CHECK_INT(world.calls[1].key_count, 3);
    world_answer(&world, 1, 200, "", body);
    CHECK_DECODED(&world, 1);
    CHECK(world_last(&world, 2, EVENT_DECODED) == NULL);
    CHECK(world_last(&world, 3, EVENT_DECODED) == NULL);
    CHECK_CALLS(&world, 4);
    CHECK_INT(world.calls[2].keys[0].year, 2003);
    CHECK_INT(world.calls[3].keys[0].year, 0);
    world_clear(&world);
}

/* A person with hardly any time joins a list's VIN. The world checks that the next deadline lies ahead. */
static void a_departure_leaves_no_deadline_behind(void)
{
    struct engine_options options = world_options_single();
    world_init(&world, &options, 1);
    world_submit_list(&world, 1, world_vin(1));
    world_submit_list(&world, 2, world_vin(2));
    world_submit_list(&world, 3, world_vin(3)); /* The head of the queue; the one behind it has no budget yet */
    world_submit_list(&world, 4, VIN_A);
    CHECK_CALLS(&world, 2);
    world_submit_as(&world, &(struct submission){.ticket = 5, .key = {VIN_A, 0}, .deadline = world.now + 1500});
    CHECK_CALLS(&world, 3);
    world_clear(&world);
}

static const struct unit_test tests[] = {
    {"a stalled body does not unsay the quota", a_stalled_body_does_not_unsay_the_quota},
    {"a short budget ends only its own ticket", a_short_budget_ends_only_its_own_ticket},
    {"rows of twins are not guessed", rows_of_twins_are_not_guessed},
    {"a departure leaves no deadline behind", a_departure_leaves_no_deadline_behind},
};

UNIT_MAIN("engine, simulated", tests)
