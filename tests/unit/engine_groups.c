#include "unit/engine_world.h"

#include "core/base/buffer.h"

/* Group calls: one POST, up to 50 VINs, and no VIN that spoils its neighbours. */

static struct world world;

static void begin(void)
{
    struct engine_options options = world_options();
    world_init(&world, &options, 3);
}

static void end(void)
{
    world_clear(&world);
}

static const struct event *last(uint64_t ticket, enum event_kind kind)
{
    return world_last(&world, ticket, kind);
}

/* Two calls of other VINs keep the list's places busy until the tickets 1 to `count` stand in the queue; then these
 * leave as group 2. */
static void start_group(unsigned count)
{
    begin();
    world_submit_list(&world, 9001, world_vin(9001));
    world_submit_list(&world, 9002, world_vin(9002));
    for (unsigned i = 1; i <= count; i++) {
        world_submit_list(&world, i, world_vin(i));
    }
    CHECK_CALLS(&world, 2);
    world_answer_well(&world, 0, "");
    CHECK_CALLS(&world, 3);
    world_answer_well(&world, 1, "");
}

/* An answer to call `index` with a row for each of the numbers; 0 is a row that is no object. */
static void answer_rows(size_t index, const unsigned *numbers, size_t count)
{
    struct buffer body;
    buffer_init(&body, 1 << 20);
    buffer_puts(&body, "{\"Count\":1,\"Results\":[");
    for (size_t i = 0; i < count; i++) {
        buffer_puts(&body, i > 0 ? "," : "");
        if (numbers[i] == 0) {
            buffer_puts(&body, "null");
        } else {
            buffer_printf(&body, "{\"VIN\":\"%s\",\"Make\":\"ROW\",\"Model\":\"%zu\"}", world_vin(numbers[i]), i);
        }
    }
    buffer_puts(&body, "]}");
    world_answer(&world, index, 200, "", body.data);
    buffer_clear(&body);
}

static const char *model_of(uint64_t ticket)
{
    const struct event *event = last(ticket, EVENT_DECODED);
    return event != NULL ? vehicle_value(event->as.decoded.vehicle, "Model") : "none";
}

static void one_post(void)
{
    start_group(3);
    const struct world_call *call = &world.calls[2];
    CHECK_TEXT(call->url, "http://upstream.test/api/vehicles/DecodeVINValuesBatch/");
    CHECK(call->form != NULL && strstr(call->form, "&format=json") != NULL);
    CHECK_INT(call->key_count, 3);
    CHECK_INT(call->timeout_ms, 12000);
    CHECK_INT(last(2, EVENT_CALLING)->as.calling.attempts, 2);
    const unsigned rows[] = {1, 2, 3};
    answer_rows(2, rows, 3);
    CHECK_TEXT(model_of(1), "0");
    CHECK_TEXT(model_of(2), "1");
    CHECK_TEXT(model_of(3), "2");
    CHECK_INT(last(3, EVENT_DECODED)->as.decoded.attempts, 1);
    world_submit(&world, 10, world_vin(2)); /* cached one by one */
    CHECK_INT(last(10, EVENT_DECODED)->as.decoded.from_cache, true);
    struct meter meter = engine_meter(world.engine, world.now);
    CHECK_INT(meter.attempt, 3);
    CHECK_INT(meter.success, 3);
    CHECK_INT(meter.timeout_samples[CALL_GROUP], 1);
    CHECK_INT(meter.timeout_samples[CALL_SINGLE], 2);
    end();
}

static void fifty_at_most(void)
{
    start_group(120);
    CHECK_INT(world.calls[2].key_count, 50);
    CHECK_INT(world.calls[3].key_count, 50);
    world_answer_well(&world, 2, "");
    CHECK_INT(world.calls[4].key_count, 20);
    end();
}

static void a_single_vin_is_a_get(void)
{
    start_group(1);
    CHECK(world.calls[2].form == NULL);
    end();
}

static void people_never_travel_in_a_group(void)
{
    begin();
    for (unsigned i = 0; i < 5; i++) {
        world_submit(&world, 1 + i, world_vin(i));
    }
    world_answer_well(&world, 0, "");
    CHECK(world.calls[3].form == NULL);
    end();
}

/* 893 VINs: 18 calls, submitted as a list front end does: many at once. */
static void eight_hundred_ninety_three(void)
{
    begin();
    world_submit_list(&world, 9001, world_vin(9001));
    world_submit_list(&world, 9002, world_vin(9002));
    for (unsigned i = 1; i <= 893; i++) {
        world_submit_list(&world, i, world_vin(i));
    }
    for (size_t i = 0; i < world.call_count; i++) {
        world_pass(&world, 100);
        world_answer_well(&world, i, "");
    }
    CHECK_CALLS(&world, 2 + 18);
    for (unsigned i = 1; i <= 893; i++) {
        CHECK_DECODED(&world, i);
    }
    end();
}

static void rows_missing_doubled_foreign_extra(void)
{
    static const unsigned missing[] = {1, 3, 4}, doubled[] = {1, 2, 2, 3, 4}, foreign[] = {1, 77, 3, 4},
                          extra[] = {1, 2, 3, 4, 88, 99}, moved[] = {4, 3, 2, 1}, null[] = {1, 0, 3, 4};
    static const struct {
        const unsigned *rows;
        size_t count;
        bool second_goes_alone;
        unsigned strays;
    } cases[] = {{missing, 3, true, 0}, {doubled, 5, false, 1}, {foreign, 4, true, 1},
                 {extra, 6, false, 2},  {moved, 4, false, 0},   {null, 4, true, 1}};
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        start_group(4);
        answer_rows(2, cases[n].rows, cases[n].count);
        CHECK_DECODED(&world, 1);
        CHECK_DECODED(&world, 3);
        CHECK_DECODED(&world, 4);
        CHECK_INT(engine_meter(world.engine, world.now).stray_rows, cases[n].strays);
        CHECK_INT(last(2, EVENT_DECODED) == NULL, cases[n].second_goes_alone);
        CHECK_CALLS(&world, cases[n].second_goes_alone ? 4 : 3);
        if (cases[n].second_goes_alone) {
            CHECK(world.calls[3].form == NULL);
            CHECK(strstr(world.calls[3].url, world_vin(2)) != NULL);
            world_answer(&world, 3, 200, "", world_body(world_vin(77)));
            CHECK_FAILED(&world, 2, "bad_response", "wrong_vin", "T46"); /* once */
            CHECK_INT(last(2, EVENT_FAILED)->as.failed.attempts, 2);
        }
        end();
    }
}

static void no_row_at_all_matches(void)
{
    start_group(3);
    const unsigned rows[] = {71, 72, 73};
    answer_rows(2, rows, 3);
    CHECK_CALLS(&world, 5);
    world_answer_well(&world, 3, "");
    world_answer_well(&world, 4, "");
    world_answer_well(&world, 5, "");
    CHECK_DECODED(&world, 1);
    CHECK_DECODED(&world, 2);
    CHECK_DECODED(&world, 3);
    end();
}

/* One VIN with two model years: an answer that is in order tells them apart by their place. Where rows have moved, the
 * one in a twin's place may be the other's, and both are asked again alone. */
static void one_vin_with_two_years(void)
{
    for (int in_place = 0; in_place < 2; in_place++) {
        begin();
        world_submit_list(&world, 9001, world_vin(9001));
        world_submit_list(&world, 9002, world_vin(9002));
        struct submission first = {.ticket = 1, .profile = PROFILE_LIST, .key.year = 2003}, second = first;
        snprintf(first.key.vin, sizeof first.key.vin, "%s", world_vin(5));
        snprintf(second.key.vin, sizeof second.key.vin, "%s", world_vin(5));
        second.ticket = 2;
        second.key.year = 1973;
        world_submit_as(&world, &first);
        world_submit_as(&world, &second);
        world_submit_list(&world, 3, world_vin(6));
        world_answer_well(&world, 0, "");
        CHECK(strstr(world.calls[2].form, "%2C2003") != NULL);
        const unsigned good[] = {5, 5, 6}, shifted[] = {6, 5, 5};
        answer_rows(2, in_place ? good : shifted, 3);
        CHECK_DECODED(&world, 3);
        CHECK_TEXT(model_of(2), in_place ? "1" : "none");
        CHECK_TEXT(model_of(1), in_place ? "0" : "none");
        end();
    }
}

static void an_ambiguous_row_is_asked_again(void)
{
    begin();
    world_submit_list(&world, 9001, world_vin(9001));
    world_submit_list(&world, 9002, world_vin(9002));
    struct submission first = {.ticket = 1, .profile = PROFILE_LIST, .key.year = 2003}, second = first;
    snprintf(first.key.vin, sizeof first.key.vin, "%s", world_vin(5));
    snprintf(second.key.vin, sizeof second.key.vin, "%s", world_vin(5));
    second.ticket = 2;
    second.key.year = 1973;
    world_submit_as(&world, &first);
    world_submit_as(&world, &second);
    world_answer_well(&world, 0, "");
    const unsigned rows[] = {71, 72, 5};
    answer_rows(2, rows, 3);
    CHECK(last(1, EVENT_DECODED) == NULL && last(2, EVENT_DECODED) == NULL);
    world_answer_well(&world, 1, "");
    CHECK_CALLS(&world, 5);
    end();
}

/* The whole answer is bad: the group once more, then everybody alone. */
static void second_failure_splits(void)
{
    static const struct {
        int status;
        const char *headers, *body;
    } cases[] = {{200, "", "<?xml version=\"1.0\"?><Response/>"},
                 {503, "", ""},
                 {502, "", ""},
                 {429, "Retry-After: 2", ""},
                 {504, "Retry-After: 1", ""}};
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        start_group(3);
        world_answer(&world, 2, cases[n].status, cases[n].headers, cases[n].body);
        CHECK_INT(last(1, EVENT_WAITING)->as.waiting.attempt, 2);
        CHECK_INT(last(1, EVENT_WAITING)->as.waiting.attempts, 2);
        world_pass(&world, 3000);
        CHECK_CALLS(&world, 4);
        CHECK_INT(world.calls[3].key_count, 3);
        world_answer(&world, 3, cases[n].status, cases[n].headers, cases[n].body);
        world_pass(&world, 3000);
        for (size_t i = 4; i < 7; i++) {
            CU_ASSERT_TRUE_FATAL(i < world.call_count);
            CHECK(world.calls[i].form == NULL);
            world_answer_well(&world, i, "");
        }
        CHECK_CALLS(&world, 7);
        CHECK_INT(last(1, EVENT_DECODED)->as.decoded.attempts, 3);
        CHECK_DECODED(&world, 2);
        CHECK_DECODED(&world, 3);
        end();
    }
}

static void a_rejected_group_splits_at_once(void)
{
    static const int statuses[] = {400, 404, 405, 414, 422, 500, 302};
    for (size_t n = 0; n < sizeof statuses / sizeof statuses[0]; n++) {
        start_group(3);
        world_answer(&world, 2, statuses[n], "", "");
        CHECK_CALLS(&world, 5);
        world_answer_well(&world, 3, "");
        world_answer(&world, 4, 400, "", ""); /* the one that spoilt it */
        world_answer_well(&world, 5, "");
        CHECK_DECODED(&world, 1);
        CHECK_FAILED(&world, 2, "bad_request", "client_error", "T04");
        CHECK_DECODED(&world, 3);
        end();
    }
    start_group(3);
    world_fail(&world, 2, TRANSFER_TOO_LARGE);
    CHECK_CALLS(&world, 5);
    end();
}

static void a_throttled_group_ends_with_what_was_asked(void)
{
    start_group(3);
    world_answer(&world, 2, 429, "Retry-After: 120", "");
    for (unsigned i = 1; i <= 3; i++) {
        CHECK_FAILED(&world, i, "upstream_throttle", "over_cap_retry_after", "T19");
        CHECK_INT(last(i, EVENT_FAILED)->as.failed.told_ms, 120000);
    }
    CHECK_INT(engine_meter(world.engine, world.now).give_up, 1);
    CHECK_CALLS(&world, 3);
    end();
    start_group(3);
    world_fail(&world, 2, TRANSFER_CERTIFICATE);
    CHECK_FAILED(&world, 2, "upstream_unavailable", "config_error", "T05");
    CHECK_CALLS(&world, 3);
    end();
    start_group(3);
    world_fail(&world, 2, TRANSFER_ABORTED);
    CHECK_FAILED(&world, 2, "cancelled", "cancelled", "T01");
    end();
}

static void cancel_inside_a_group(void)
{
    start_group(3);
    world_cancel(&world, 2);
    CHECK_INT(world.calls[2].aborted, false);
    world_submit_list(&world, 10, world_vin(2)); /* still under way: joins */
    CHECK_CALLS(&world, 3);
    world_cancel(&world, 10);
    world_answer_well(&world, 2, "");
    CHECK_DECODED(&world, 1);
    CHECK_DECODED(&world, 3);
    world_submit(&world, 11, world_vin(2)); /* and what came is kept */
    CHECK_INT(last(11, EVENT_DECODED)->as.decoded.from_cache, true);
    end();
    start_group(3);
    for (unsigned i = 1; i <= 3; i++) {
        CHECK_INT(world.calls[2].aborted, false);
        world_cancel(&world, i);
    }
    CHECK_INT(world.calls[2].aborted, true);
    end();
}

/* Those who left are not asked about again: what remains of a group may be a single call. */
static void a_group_shrinks_while_it_waits(void)
{
    start_group(3);
    world_cancel(&world, 1);
    world_answer(&world, 2, 429, "Retry-After: 20", "");
    world_cancel(&world, 2);
    world_pass(&world, 22000);
    CHECK_CALLS(&world, 4);
    CHECK(world.calls[3].form == NULL);
    CHECK_INT(last(3, EVENT_CALLING)->as.calling.attempts, 4);
    end();
    start_group(3);
    world_answer(&world, 2, 429, "Retry-After: 20", "");
    for (unsigned i = 1; i <= 3; i++) {
        world_cancel(&world, i);
    }
    world_pass(&world, 60000);
    CHECK_CALLS(&world, 3);
    end();
    start_group(2);
    world_cancel(&world, 1);
    world_answer(&world, 2, 400, "", "");
    CHECK_CALLS(&world, 4);
    end();
}

static void a_group_is_one_flight_for_the_breaker(void)
{
    start_group(50);
    world_fail(&world, 2, TRANSFER_RESET);
    world_pass(&world, 3000);
    world_fail(&world, 3, TRANSFER_RESET);
    for (size_t i = 4; i < 6; i++) {
        CHECK_INT(world.host.breaker, BREAKER_CLOSED);
        world_fail(&world, i, TRANSFER_RESET);
    }
    CHECK_INT(world.host.breaker, BREAKER_CLOSED);
    world_fail(&world, 6, TRANSFER_RESET);
    CHECK_INT(world.host.breaker, BREAKER_OPEN);
    end();
}

static void deadlines_end_a_group_one_by_one(void)
{
    start_group(2);
    world_submit_as(&world,
                    &(struct submission){.ticket = 10, .key = world.calls[2].keys[0], .deadline = world.now + 2000});
    CHECK(last(10, EVENT_CALLING) != NULL);
    world_pass(&world, 2000);
    CHECK_FAILED(&world, 10, "deadline", "deadline", "T02");
    world_pass(&world, 600000);
    CHECK_FAILED(&world, 1, "deadline", "deadline", "T02");
    CHECK_FAILED(&world, 2, "deadline", "deadline", "T02");
    CHECK_INT(world.calls[2].aborted, true);
    end();
}

/* What arrives together travels together from the first call on. */
static void submitted_together(void)
{
    begin();
    struct submission submissions[60];
    for (unsigned i = 0; i < 60; i++) {
        submissions[i] = (struct submission){.ticket = 1 + i, .profile = PROFILE_LIST};
        snprintf(submissions[i].key.vin, sizeof submissions[i].key.vin, "%s", world_vin(i));
        world.tickets[1 + i] = (struct world_ticket){.submitted = true, .key = submissions[i].key};
    }
    engine_submit_all(world.engine, world.now, submissions, 60);
    world_drain(&world);
    CHECK_CALLS(&world, 2);
    CHECK_INT(world.calls[0].key_count, 50);
    CHECK_INT(world.calls[1].key_count, 10);
    end();
}

static void a_smaller_group_size(void)
{
    struct engine_options options = world_options();
    options.policy.group_size = 3;
    world_init(&world, &options, 3);
    world_submit_list(&world, 9001, world_vin(9001));
    world_submit_list(&world, 9002, world_vin(9002));
    for (unsigned i = 1; i <= 7; i++) {
        world_submit_list(&world, i, world_vin(i));
    }
    world_answer_well(&world, 0, "");
    CHECK_INT(world.calls[2].key_count, 3);
    end();
}

static const struct unit_test tests[] = {
    {"one POST", one_post},
    {"B22 fifty at most", fifty_at_most},
    {"a single VIN is a GET", a_single_vin_is_a_get},
    {"people never travel in a group", people_never_travel_in_a_group},
    {"893 VINs: 18 calls", eight_hundred_ninety_three},
    {"rows missing, doubled, foreign, extra", rows_missing_doubled_foreign_extra},
    {"no row matches", no_row_at_all_matches},
    {"one VIN with two years", one_vin_with_two_years},
    {"an ambiguous row", an_ambiguous_row_is_asked_again},
    {"B21 a second failure splits", second_failure_splits},
    {"a rejected group splits at once", a_rejected_group_splits_at_once},
    {"a throttled group", a_throttled_group_ends_with_what_was_asked},
    {"cancel inside a group", cancel_inside_a_group},
    {"a group shrinks", a_group_shrinks_while_it_waits},
    {"one flight for the breaker", a_group_is_one_flight_for_the_breaker},
    {"deadlines end a group one by one", deadlines_end_a_group_one_by_one},
    {"submitted together", submitted_together},
    {"a smaller group size", a_smaller_group_size},
};

UNIT_MAIN("engine_groups", tests)
