#include "unit/engine_world.h"

/* What the engine tells about itself: meter, alert, decisions, names. */

static struct world world;

#define VIN_A "1HGCM82633A004352"
#define VIN_B "5YJ3E1EA1KF131548"

static void begin(void)
{
    struct engine_options options = world_options_single();
    world_init(&world, &options, 1);
}

static void begin_with(struct engine_options options)
{
    world_init(&world, &options, 1);
}

static void end(void)
{
    world_clear(&world);
}

static size_t decisions(const char *what, const char *row)
{
    size_t count = 0;
    for (size_t i = 0; i < world.event_count; i++) {
        const struct event *event = &world.events[i];
        count += event->kind == EVENT_DECISION && strcmp(event->as.decision.what, what) == 0 &&
                 strcmp(event->as.decision.row, row) == 0;
    }
    return count;
}

static void samples_start_anew_when_the_breaker_closes(void)
{
    begin();
    for (unsigned i = 0; i < 5; i++) {
        world_submit(&world, 1 + i, world_vin(i));
        world_answer_well(&world, i, "");
    }
    CHECK_INT(engine_meter(world.engine, world.now).timeout_samples[CALL_SINGLE], 5);
    world_open_breaker(&world, 10);
    world_pass(&world, 33001);
    world_submit(&world, 20, VIN_A);
    world_answer_well(&world, world.call_count - 1, "");
    CHECK_INT(world.host.breaker, BREAKER_CLOSED);
    CHECK_INT(engine_meter(world.engine, world.now).timeout_samples[CALL_SINGLE], 1);
    end();
}

static void alert_at_eleven_of_fifty(void)
{
    struct engine_options options = world_options();
    options.record = true;
    begin_with(options);
    unsigned n = 0;
    for (; n < 39; n++) { /* each meets a 429 first, which a retry mends */
        world_submit(&world, 1 + n, world_vin(n));
        world_answer(&world, world.call_count - 1, 429, "Retry-After: 2", "");
        world_pass(&world, 3000);
        world_answer_well(&world, world.call_count - 1, "");
    }
    CHECK_INT(world.host.alert, false);
    for (; n < 50; n++) {
        CHECK_INT(world.host.alert, false);
        world_submit(&world, 1 + n, world_vin(n));
        world_answer(&world, world.call_count - 1, 500, "", "");
        world_pass(&world, 400000); /* the breaker, if it opened */
    }
    CHECK_INT(world.host.alert, true);
    struct meter meter = engine_meter(world.engine, world.now);
    CHECK_INT(meter.give_up, 11);
    CHECK_INT(meter.success, 39);
    CHECK_INT(meter.flights_finished, 50);
    CHECK_INT(meter.host.alert, true);
    CHECK_INT(meter.retry, 39);
    CHECK_INT(meter.attempt, 89);
    CHECK_INT(meter.hints[HINT_RETRY_AFTER_SECONDS], 39);
    CHECK_INT(meter.status_429, 39);
    CHECK_INT(meter.statuses[2], 39);
    CHECK_INT(meter.statuses[5], 11);
    for (; n < 90; n++) {
        world_submit(&world, 1 + n, world_vin(n));
        world_answer_well(&world, world.call_count - 1, "");
    }
    CHECK_INT(world.host.alert, false);
    end();
}

static void decisions_name_their_row(void)
{
    struct engine_options options = world_options();
    options.record = true;
    begin_with(options);
    world_submit(&world, 1, VIN_A);
    CHECK_INT(decisions("attempt", ""), 1);
    world_answer(&world, 0, 429, "Retry-After: 100", "");
    CHECK_INT(decisions("plan", "T19"), 1);
    CHECK_INT(decisions("gate", "T19"), 1);
    world_submit(&world, 2, VIN_B);
    CHECK_INT(decisions("admission", "G7"), 1);
    world_pass(&world, 103000);
    world_submit(&world, 3, VIN_B);
    world_answer_well(&world, 1, "");
    CHECK_INT(decisions("plan", "T07"), 1);
    world_submit(&world, 4, VIN_B);
    CHECK_INT(decisions("cache", "G2"), 1);
    world_open_breaker(&world, 10);
    CHECK_INT(decisions("breaker", ""), 1);
    end();
}

static void names(void)
{
    CHECK_TEXT(transfer_name(TRANSFER_REFUSED), "refused");
    CHECK_TEXT(transfer_name(TRANSFER_NOT_HTTP), "not_http");
    CHECK_TEXT(wait_origin_name(ORIGIN_X_RATELIMIT_RESET), "x_ratelimit_reset");
    for (int i = TRANSFER_ANSWERED; i <= TRANSFER_ABORTED; i++) {
        for (int n = TRANSFER_ANSWERED; n < i; n++) {
            CHECK(strcmp(transfer_name((enum transfer)i), transfer_name((enum transfer)n)) != 0);
        }
    }
    for (int i = ORIGIN_NONE; i <= ORIGIN_COOL_DOWN; i++) {
        CHECK(strcmp(wait_origin_name((enum wait_origin)i), "unknown") != 0);
    }
    CHECK_TEXT(transfer_name((enum transfer)99), "unknown");
    CHECK_TEXT(wait_origin_name((enum wait_origin)99), "unknown");
}

static void odd_tickets_are_ignored(void)
{
    begin();
    engine_submit(world.engine, world.now, &(struct submission){.ticket = 0, .key = {VIN_A, 0}});
    world_drain(&world);
    CHECK_CALLS(&world, 0);
    world_submit(&world, 1, VIN_A);
    engine_submit(world.engine, world.now, &(struct submission){.ticket = 1, .key = {VIN_B, 0}});
    engine_cancel(world.engine, world.now, 77);
    world_drain(&world);
    CHECK_CALLS(&world, 1);
    end();
}

static void meter_tells_hints_and_quota(void)
{
    static const char *const headers[] = {"Content-Type: application/json",
                                          "RateLimit-Remaining: 0\nRateLimit-Reset: 2", "Retry-After-Ms: 1500"};
    begin();
    world_submit(&world, 1, VIN_A);
    for (size_t i = 0; i < 3; i++) {
        world_answer(&world, i, 503, headers[i], i == 0 ? "{\"retryAfterMs\":1500}" : "");
        CHECK_INT(engine_meter(world.engine, world.now).waiting, 1);
        world_pass(&world, 4000);
    }
    world_answer_well(&world, 3, "RateLimit-Remaining: 7\nRateLimit-Reset: 20");
    struct meter meter = engine_meter(world.engine, world.now);
    CHECK_INT(meter.hint_body, 1);
    CHECK_INT(meter.hint_reset, 1);
    CHECK_INT(meter.hints[HINT_RETRY_AFTER_MS], 1);
    CHECK_INT(meter.hint_backoff, 0);
    CHECK_INT(meter.status_503, 3);
    CHECK_INT(meter.quota_announced, true);
    CHECK_INT(meter.quota_allowance, 7);
    CHECK_INT(meter.quota_reset_at, world.now + 20000);
    CHECK(meter.gate_wait_ms >= 1500 + 2000 + 1500 && meter.gate_wait_ms <= 6000);
    end();
}

static void meter_keeps_sixty_latencies(void)
{
    struct engine_options options = world_options();
    options.cache = false;
    begin_with(options);
    for (unsigned i = 0; i < 70; i++) {
        world_submit(&world, 1 + i, VIN_A);
        world_pass(&world, 10 + i);
        world_answer_well(&world, i, "");
    }
    struct meter meter = engine_meter(world.engine, world.now);
    CHECK_INT(meter.latency_count, METER_LATENCIES);
    CHECK_INT(meter.latencies[0], 20);
    CHECK_INT(meter.latencies[METER_LATENCIES - 1], 79);
    end();
}

/* Freed in the middle of everything, with actions that nobody took. */
static void freed_while_busy(void)
{
    struct engine_options options = world_options_single();
    struct engine *engine = engine_new(&options, 1);
    struct submission submission = {.ticket = 1, .key = {VIN_A, 0}};
    engine_submit(engine, 1000, &submission);
    struct action action;
    uint64_t call = 0;
    while (engine_next_action(engine, &action)) {
        call = action.kind == ACTION_START ? action.call : call;
    }
    const char *body = world_body(VIN_A);
    engine_finished(
        engine, 1100, call,
        &(struct response){.transfer = TRANSFER_ANSWERED, .status = 200, .body = body, .body_length = strlen(body)});
    for (uint64_t ticket = 2; ticket < 9; ticket++) {
        submission.ticket = ticket;
        snprintf(submission.key.vin, sizeof submission.key.vin, "%s", world_vin((unsigned)ticket));
        engine_submit(engine, 1200, &submission);
    }
    engine_free(engine);
}

static const struct unit_test tests[] = {
    {"samples start anew when the breaker closes", samples_start_anew_when_the_breaker_closes},
    {"alert at eleven of fifty", alert_at_eleven_of_fifty},
    {"decisions name their row", decisions_name_their_row},
    {"names", names},
    {"odd tickets are ignored", odd_tickets_are_ignored},
    {"the meter tells hints and quota", meter_tells_hints_and_quota},
    {"the meter keeps sixty latencies", meter_keeps_sixty_latencies},
    {"freed while busy", freed_while_busy},
};

UNIT_MAIN("engine_meter", tests)
