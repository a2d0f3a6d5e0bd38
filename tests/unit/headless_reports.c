#include "tests/unit/unit.h"
#include "tui/progress.h"
#include "tui/record.h"
#include "tui/report.h"

/* What a run without a screen tells about itself: the log, the counters, the line of progress. */

static char text[16384];

static void log_of(const struct event *event, bool full_vin)
{
    struct buffer line;
    buffer_init(&line, sizeof text);
    log_line(event, full_vin, 5000, 1793448030125, &line);
    snprintf(text, sizeof text, "%s", line.data);
    buffer_clear(&line);
}

static void test_log_of_a_decision(void)
{
    struct event event = {.kind = EVENT_DECISION, .at = 4000};
    event.as.decision = (struct event_decision){.what = "plan",
                                                .row = "T24",
                                                .flight = 7,
                                                .call = 9,
                                                .keys = 50,
                                                .attempt = 2,
                                                .status = 429,
                                                .reason = REASON_RETRY_AFTER_SECONDS,
                                                .action = PLAN_WAIT,
                                                .wait_ms = 30000,
                                                .gate_ms = 30000,
                                                .latency_ms = 12,
                                                .hint_source = HINT_RETRY_AFTER_SECONDS,
                                                .quota_source = QUOTA_RETRY_AFTER_ONLY};
    log_of(&event, false);
    CHECK_TEXT(text, "{\"at\":\"2026-10-31T12:00:29.125Z\",\"what\":\"plan\",\"row\":\"T24\",\"flight\":7,\"call\":9,"
                     "\"vins\":50,\"attempt\":2,\"http_status\":429,\"transfer\":\"answered\",\"action\":\"wait\","
                     "\"reason\":\"retry_after_seconds\",\"wait_ms\":30000,\"gate_ms\":30000,\"latency_ms\":12,"
                     "\"hint_source\":\"retry-after-seconds\",\"quota_source\":\"retry-after-only\"}\n");
}

static void test_log_masks_serial_numbers(void)
{
    struct event event = {.kind = EVENT_CALLING, .ticket = 3, .at = 5000, .key = {"1HGCM82633A004352", 2003}};
    event.as.calling = (struct event_calling){.attempt = 1, .attempts = 4, .timeout_ms = 4000};
    log_of(&event, false);
    CHECK(strstr(text, "\"vin\":\"1HGCM82633A******\",\"year\":2003,\"what\":\"calling\"") != NULL);
    CHECK(strstr(text, "004352") == NULL);
    log_of(&event, true);
    CHECK(strstr(text, "\"vin\":\"1HGCM82633A004352\"") != NULL);
    event.key = (struct vin_key){"1HGCM82633A00", 0};
    log_of(&event, false);
    CHECK(strstr(text, "\"vin\":\"1HGCM82633A**\"") != NULL);
    event.key = (struct vin_key){"1HGCM8", 0};
    log_of(&event, false);
    CHECK(strstr(text, "\"vin\":\"1HGCM8\"") != NULL);
}

static void test_log_of_the_host(void)
{
    struct event event = {.kind = EVENT_HOST, .at = 5000};
    event.as.host = (struct host_state){.gate = {.until = 12000, .origin = ORIGIN_RETRY_AFTER, .asked_ms = 7000},
                                        .gate_reason = REASON_RETRY_AFTER_MS};
    log_of(&event, false);
    CHECK(strstr(text,
                 "\"what\":\"host\",\"gate_closed\":true,\"reason\":\"retry_after_ms\",\"wait_ms\":7000,"
                 "\"asked_ms\":7000,\"origin\":\"retry_after\",\"breaker\":\"closed\",\"alert\":false}\n") != NULL);
}

static void test_alert_only_when_it_rises(void)
{
    struct options options = {.output = OUTPUT_JSON};
    struct report report;
    char why[256];
    CHECK(report_open(&report, &options, "NHTSA", 0, why, sizeof why));
    struct event event = {.kind = EVENT_HOST};
    CHECK(!report_event(&report, &event));
    event.as.host.alert = true;
    CHECK(report_event(&report, &event));
    CHECK(!report_event(&report, &event));
    event.as.host.alert = false;
    CHECK(!report_event(&report, &event));
    event.as.host.alert = true;
    CHECK(report_event(&report, &event));
    report_close(&report, 0);
}

static void test_percentiles(void)
{
    struct tally tally = {.by_status = {[RECORD_DECODED] = 3}, .started_at = 1000};
    struct meter meter = {.attempt = 4, .latencies = {40, -9000, 10, 30, 20}, .latency_count = 5};
    struct buffer out;
    buffer_init(&out, sizeof text);
    stats_json(&tally, &meter, 3500, &out);
    CHECK(strstr(out.data, "{\"vins\":3,\"decoded\":3,\"invalid\":0") == out.data);
    CHECK(strstr(out.data, "\"elapsed_ms\":2500,\"attempts\":4") != NULL);
    CHECK(strstr(out.data, "\"latency_p50_ms\":20,\"latency_p95_ms\":40}\n") != NULL);
    buffer_reset(&out);
    meter.latency_count = 0;
    metrics_text(&tally, &meter, 3500, &out);
    CHECK(strstr(out.data, "\nvindecode_latency_p95_seconds 0.000\n") != NULL);
    CHECK(strstr(out.data, "\nvindecode_uptime_seconds 2.500\n") != NULL);
    buffer_clear(&out);
}

static void progress_of(const struct progress *progress, monotime now, int columns)
{
    progress_text(progress, now, columns, text, sizeof text);
}

static void test_progress(void)
{
    struct progress progress = {.host = "NHTSA", .started_at = 0, .done = 25, .total = 100};
    progress_of(&progress, 1000, 79);
    CHECK_TEXT(text, "[=====>              ] 25/100");
    progress.wait = (struct wait){.until = 31000, .origin = ORIGIN_RETRY_AFTER, .asked_ms = 30000};
    progress_of(&progress, 4000, 79);
    CHECK_TEXT(text, "[=====>              ] 25/100  waiting 0:27, Retry-After 30 s  about 27 s left");
    progress_of(&progress, 4000, 40);
    CHECK(strlen(text) <= 40 && strncmp(text, "[=====>              ] 25/100", 29) == 0);
    progress.wait.until = 0;
    progress_of(&progress, 20000, 79);
    CHECK_TEXT(text, "[=====>              ] 25/100  about 60 s left");
    progress.done = 100;
    progress_of(&progress, 20000, 79);
    CHECK_TEXT(text, "[====================] 100/100");
    progress.total = 0;
    progress_of(&progress, 20000, 79);
    CHECK_TEXT(text, "100 done");
}

/* When the line is drawn again: never more than four times a second, at the edge of the shown second otherwise. */
static void test_progress_due(void)
{
    struct progress progress = {.on = true, .drawn_at = 1000, .stale = true};
    CHECK_INT(progress_due_ms(&progress, 1100), 150);
    CHECK_INT(progress_due_ms(&progress, 1300), 0);
    progress.stale = false;
    CHECK_INT(progress_due_ms(&progress, 1100), 1000);
    progress.wait.until = 4350;
    CHECK_INT(progress_due_ms(&progress, 1100), 250);
    progress.on = false;
    CHECK_INT(progress_due_ms(&progress, 1100), -1);
}

/* What is refused is told with what may have been meant; nothing is taken by itself. */
static void test_refusals(void)
{
    static const struct field_choice everything;
    static const struct record_context context = {.host = "NHTSA", .fields = &everything};
    static const char *const cases[][2] = {
        {"SE3P 116167", "10 of 17 characters, perhaps a chassis number"},
        {"999999999993VV3B7AXXNM077525", "28 characters, a VIN has 17; perhaps 3VV3B7AXXNM077525 or 999999993VV3B7AXX"},
        {"1HGCM82643A004352", "Position 9 holds check digit 4, expected 3"},
        {"1HGCM82633A004352,x", "what follows the comma is no model year"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct record record = {.input = cases[i][0], .input_length = strlen(cases[i][0])};
        scan_clean(record.input, record.input_length, 2026, &record.scan);
        record_message(&record, &context, text, RECORD_MESSAGE_MAX);
        CHECK_TEXT(text, cases[i][1]);
    }
}

static const struct unit_test tests[] = {
    {"B40, B58: refusals say what may be meant", test_refusals},
    {"a decision", test_log_of_a_decision},
    {"B97 serial numbers are masked", test_log_masks_serial_numbers},
    {"the host", test_log_of_the_host},
    {"the alert", test_alert_only_when_it_rises},
    {"percentiles", test_percentiles},
    {"progress", test_progress},
    {"when progress is drawn", test_progress_due},
};

UNIT_MAIN("headless_reports", tests)
