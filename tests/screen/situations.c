#include "screen/situations.h"

#include <string.h>

static void start(struct stage *stage)
{
    (void)stage;
}

static void typed_part(struct stage *stage)
{
    stage_type(stage, "1hgcm8");
}

static void typed(struct stage *stage)
{
    stage_type(stage, STAGE_VIN);
}

static void sent(struct stage *stage)
{
    typed(stage);
    stage_key(stage, KEY_ENTER, 0);
    stage_calling(stage, 1, 4, 8000);
}

static void decoding(struct stage *stage)
{
    sent(stage);
    stage_pass(stage, 3200);
}

static void decoded(struct stage *stage)
{
    decoding(stage);
    stage_decoded(stage, stage_answer, false);
}

static void decoded_enter(struct stage *stage)
{
    decoded(stage);
    stage_key(stage, KEY_ENTER, 0);
}

static void decoded_scrolled(struct stage *stage)
{
    decoded(stage);
    stage_pass(stage, 150000);
    stage_key(stage, KEY_TAB, 0);
    stage_key(stage, KEY_CHARACTER, 'G');
}

static void decoded_all_fields(struct stage *stage)
{
    decoded(stage);
    stage_key(stage, KEY_TAB, 0);
    stage_key(stage, KEY_CHARACTER, 'e');
    app_size(stage->app, 24, 80);
    stage_key(stage, KEY_GO_PAGE_DOWN, 0);
}

static void waiting(struct stage *stage)
{
    sent(stage);
    stage_gate(stage, ORIGIN_RETRY_AFTER, 30000);
    stage_waiting(stage, ORIGIN_RETRY_AFTER, 30000, REASON_RETRY_AFTER_SECONDS, 429);
    stage_pass(stage, 3001);
}

static void waiting_past_its_end(struct stage *stage)
{
    waiting(stage);
    stage_pass(stage, 27000);
}

static void waiting_backoff(struct stage *stage)
{
    sent(stage);
    stage_waiting(stage, ORIGIN_BACKOFF, 1200, REASON_BACKOFF, 503);
}

static void throttled_other_vin(struct stage *stage)
{
    waiting(stage);
    stage_key(stage, KEY_RUBOUT, 0);
    stage_type(stage, "3");
}

static void wait_over(struct stage *stage)
{
    throttled_other_vin(stage);
    stage_pass(stage, 27000);
}

static void throttled_refused(struct stage *stage)
{
    throttled_other_vin(stage);
    stage_key(stage, KEY_ENTER, 0);
}

static void throttled_with_card(struct stage *stage)
{
    decoded(stage);
    stage_gate(stage, ORIGIN_RETRY_AFTER_DATE, 30000);
}

static void throttled_empty_field(struct stage *stage)
{
    stage_gate(stage, ORIGIN_COOL_DOWN, 30000);
}

static void over_cap(struct stage *stage)
{
    sent(stage);
    stage_gate(stage, ORIGIN_RETRY_AFTER, 125000);
    struct event_failed failed = {.code = CODE_UPSTREAM_THROTTLE,
                                  .reason = REASON_OVER_CAP_RETRY_AFTER,
                                  .status = 429,
                                  .attempts = 1,
                                  .told_ms = 125000,
                                  .again = {.until = stage->now + 125000, .origin = ORIGIN_RETRY_AFTER}};
    stage_failed(stage, &failed);
}

static void gate_under_way(struct stage *stage)
{
    decoding(stage);
    stage_gate(stage, ORIGIN_X_RATELIMIT_RESET, 20000);
}

static void paused(struct stage *stage)
{
    typed(stage);
    stage_breaker(stage, 31000);
}

static void resting(struct stage *stage)
{
    sent(stage);
    struct event_failed failed = {.code = CODE_EXHAUSTED,
                                  .reason = REASON_ATTEMPTS,
                                  .transfer = TRANSFER_TIMEOUT,
                                  .attempts = 4,
                                  .resting = true,
                                  .again = {.until = stage->now + 60000}};
    stage_failed(stage, &failed);
}

static void failed(struct stage *stage)
{
    sent(stage);
    struct event_failed event = {
        .code = CODE_BAD_RESPONSE, .reason = REASON_BAD_BODY, .status = 200, .answer = ANSWER_XML, .attempts = 2};
    stage_failed(stage, &event);
}

static void check_forbidden(struct stage *stage)
{
    stage_type(stage, "NT8Q9DQASR0M09679");
}

static void check_asked(struct stage *stage)
{
    stage_type(stage, "1HGCM82643A004352");
    stage_key(stage, KEY_ENTER, 0);
}

static void type_bad_character(struct stage *stage)
{
    stage_type(stage, "1HGCM826/3A004352");
}

static void type_too_long(struct stage *stage)
{
    stage_type(stage, "999999999993VV3B7AXXNM077525");
}

static void european(struct stage *stage)
{
    stage_type(stage, "wvgzzz5nzjm131395");
}

static void scanned(struct stage *stage)
{
    stage_type(stage, "IJHLRD77874C026456");
}

static void with_year(struct stage *stage)
{
    stage_type(stage, STAGE_VIN ",2003");
}

static void suggestions(struct stage *stage)
{
    stage_type(stage, "1FBNE3BE1CDB23596");
    stage_key(stage, KEY_ENTER, 0);
    stage_key(stage, KEY_ENTER, 0);
    stage_calling(stage, 1, 4, 8000);
    stage_decoded(stage,
                  "{\"Results\":[{\"VIN\":\"1FBNE3BE1CDB23596\",\"Make\":\"FORD\",\"Model\":\"E-350\",\"ModelYear\":"
                  "\"2012\",\"ErrorCode\":\"1,3,14\",\"ErrorText\":\"1 - Check Digit (9th position) does not calculate "
                  "properly; 3 - VIN corrected, error in one position (assuming Check Digit is correct)\","
                  "\"SuggestedVIN\":\"1FBNE3BL1CDB23596\",\"PossibleValues\":\"(8:L)\",\"AdditionalErrorText\":"
                  "\"Unused position(s): 11.\",\"VehicleType\":\"BUS\",\"PlantCity\":\"OSNABR\xc3\x9c"
                  "CK\"}]}",
                  false);
}

static void choose(struct stage *stage)
{
    suggestions(stage);
    stage_key(stage, KEY_TAB, 0);
    stage_key(stage, KEY_CHARACTER, 's');
}

static void help(struct stage *stage)
{
    stage_key(stage, KEY_FUNCTION, 1);
}

static void history(struct stage *stage)
{
    decoded(stage);
    stage_pass(stage, 61000);
    stage_key(stage, KEY_CONTROL, 'U');
    stage_type(stage, "2T1BURHE0JC060752");
    stage_key(stage, KEY_ENTER, 0);
    stage_key(stage, KEY_ENTER, 0);
    struct event_failed event = {
        .code = CODE_UPSTREAM_UNAVAILABLE, .reason = REASON_UNLISTED_STATUS, .status = 500, .attempts = 1};
    stage_failed(stage, &event);
    stage_key(stage, KEY_FUNCTION, 2);
    stage_key(stage, KEY_GO_DOWN, 0);
}

static void meter(struct stage *stage)
{
    struct meter values = {.attempt = 12,
                           .success = 9,
                           .retry = 2,
                           .give_up = 1,
                           .cache_hit = 3,
                           .flights_finished = 10,
                           .statuses = {1, 0, 9, 0, 1, 1},
                           .status_429 = 1,
                           .status_503 = 1,
                           .timeout = {{.timeout_ms = 4000, .p50_ms = -1, .p95_ms = -1},
                                       {.timeout_ms = 12000, .p50_ms = -1, .p95_ms = -1}},
                           .timeout_samples = {9, 0},
                           .latencies = {210, 340, 90, 1500, -1, 410},
                           .latency_count = 6};
    stage_gate(stage, ORIGIN_RETRY_AFTER, 30000);
    values.host = stage->app->host;
    stage_key(stage, KEY_FUNCTION, 4);
    app_meter(stage->app, &values, stage->now);
}

/* After a morning's work: a quota, a time-out that was learnt, and an outage now. */
static void meter_busy(struct stage *stage)
{
    struct meter values = {.attempt = 431,
                           .success = 402,
                           .retry = 21,
                           .give_up = 8,
                           .cache_hit = 57,
                           .negative_hit = 3,
                           .joined = 2,
                           .probe = 1,
                           .bad_body = 1,
                           .flights_finished = 410,
                           .statuses = {4, 0, 404, 0, 11, 12},
                           .status_429 = 9,
                           .status_403 = 1,
                           .status_503 = 12,
                           .in_flight = 0,
                           .waiting = 2,
                           .queued = 17,
                           .timeout = {{.timeout_ms = 1875, .p50_ms = 310, .p95_ms = 1500, .from_p95 = true},
                                       {.timeout_ms = 9500, .p50_ms = 4100, .p95_ms = 7600, .from_p95 = true}},
                           .timeout_samples = {64, 21},
                           .quota_announced = true,
                           .quota_allowance = 38};
    for (size_t i = 0; i < METER_LATENCIES; i++) {
        values.latencies[values.latency_count++] = i % 19 == 18 ? -1 : (int32_t)(180 + i * 7919 % 1340);
    }
    values.host = stage->app->host;
    values.host.alert = true;
    typed(stage);
    stage_event(stage, &(struct event){.kind = EVENT_HOST, .as.host = {.sequence = 1, .alert = true}});
    stage->host_sequence = 1;
    stage_breaker(stage, 27000);
    stage_key(stage, KEY_FUNCTION, 4);
    app_meter(stage->app, &values, stage->now);
}

static const char *const lines[] = {
    "1HGCM82633A004352", "JHMCR6F52EE084680", "3VV3B7AX9NM000001,2022", "1HGCM82643A004352", "no VIN at all",
    "WA1A4AFY2J2008189", "1FTMW1T88MFA00001", "WVWKG61J34D132375",      "5YJ3E1EA1KF131548", "2LNHM82W78X642182",
};

enum { LINES = sizeof lines / sizeof lines[0] };

static void list_empty(struct stage *stage)
{
    stage_key(stage, KEY_FUNCTION, 3);
}

static void list_file(struct stage *stage)
{
    list_empty(stage);
    stage_key(stage, KEY_CHARACTER, 'o');
    stage_type(stage, "lot 7.csv");
}

static void list_runs(struct stage *stage)
{
    struct event_failed failed = {.code = CODE_UPSTREAM_UNAVAILABLE, .status = 500, .attempts = 1};
    stage_list(stage, "lot 7.csv", lines, LINES);
    stage_pick(stage, 0);
    stage_decoded(stage, stage_answer, false);
    stage_pick(stage, 1);
    stage_failed(stage, &failed);
    stage_pick(stage, 2);
    stage_calling(stage, 1, 4, 12000);
    stage_pick(stage, 3);
    stage_calling(stage, 1, 4, 12000);
}

static void list_waits(struct stage *stage)
{
    list_runs(stage);
    stage_gate(stage, ORIGIN_RETRY_AFTER, 30000);
    for (size_t i = 2; i < stage->sent_count; i++) {
        stage_pick(stage, i);
        stage_waiting(stage, ORIGIN_RETRY_AFTER, 30000, REASON_RETRY_AFTER_SECONDS, 429);
    }
    stage_pass(stage, 3001);
}

static void list_behind(struct stage *stage)
{
    list_waits(stage);
    stage_key(stage, KEY_TAB, 0);
    stage_type(stage, STAGE_VIN);
}

static void list_stopped(struct stage *stage)
{
    list_runs(stage);
    stage_key(stage, KEY_CHARACTER, 'x');
    stage_key(stage, KEY_CHARACTER, 'G');
}

static void list_unsaved(struct stage *stage)
{
    list_stopped(stage);
    stage_key(stage, KEY_FUNCTION, 10);
}

/* All of it has ended, and is being saved. */
static void list_save(struct stage *stage)
{
    struct event_failed failed = {.code = CODE_EXHAUSTED, .transfer = TRANSFER_TIMEOUT, .attempts = 4};
    list_runs(stage);
    for (size_t i = 2; i < stage->sent_count; i++) {
        stage_pick(stage, i);
        if (i == 3) {
            stage_failed(stage, &failed);
        } else {
            stage_decoded(stage, stage_answer, false);
        }
    }
    stage_key(stage, KEY_CHARACTER, 'w');
}

static void list_forget(struct stage *stage)
{
    list_stopped(stage);
    stage_key(stage, KEY_CHARACTER, 'c');
}

static void list_pasted(struct stage *stage)
{
    static const char text[] = "1HGCM82633A004352\r\n3VV3B7AX9NM000001\r\n\r\nWVWKG61J34D132375\r\n";
    stage_paste(stage, text, sizeof text - 1);
}

static void search(struct stage *stage)
{
    decoded(stage);
    stage_key(stage, KEY_TAB, 0);
    stage_search(stage, "valve");
}

static void search_not_found(struct stage *stage)
{
    decoded(stage);
    stage_key(stage, KEY_TAB, 0);
    stage_search(stage, "curb");
    stage_key(stage, KEY_ENTER, 0);
}

static void save(struct stage *stage)
{
    decoded(stage);
    stage_key(stage, KEY_TAB, 0);
    stage_key(stage, KEY_CHARACTER, 'w');
    stage_key(stage, KEY_ENTER, 0);
    app_answer(stage->app, false, STAGE_VIN ".json is there already: Enter again replaces it");
}

static void copied(struct stage *stage)
{
    decoded(stage);
    stage_key(stage, KEY_TAB, 0);
    stage_key(stage, KEY_CHARACTER, 'y');
    app_say(stage->app, "Sent to the terminal's clipboard (OSC 52): the card, 1093 bytes");
}

static void details(struct stage *stage)
{
    suggestions(stage);
    stage_key(stage, KEY_TAB, 0);
    stage_key(stage, KEY_CHARACTER, 'd');
}

static void large(struct stage *stage)
{
    waiting(stage);
    stage_key(stage, KEY_FUNCTION, 7);
}

static void large_paused(struct stage *stage)
{
    typed(stage);
    stage_breaker(stage, 125000);
    stage_key(stage, KEY_FUNCTION, 7);
}

static void cancelled(struct stage *stage)
{
    decoding(stage);
    stage_key(stage, KEY_ESCAPE, 0);
}

/* More than a field holds. */
static void cut(struct stage *stage)
{
    char novel[100001];
    for (size_t i = 0; i + 1 < sizeof novel; i++) {
        novel[i] = "It was a dark and stormy night. "[i % 32];
    }
    stage_paste(stage, novel, sizeof novel - 1);
}

static void help_search(struct stage *stage)
{
    help(stage);
    stage_search(stage, "mouse");
}

static void history_empty(struct stage *stage)
{
    stage_key(stage, KEY_FUNCTION, 2);
}

/* A year of its own, one that is asked, and one that was cancelled. */
static void history_long(struct stage *stage)
{
    decoded(stage);
    stage_pass(stage, 61000);
    stage_type(stage, ",2003");
    stage_key(stage, KEY_ENTER, 0);
    stage_decoded(stage, stage_answer, false);
    stage_key(stage, KEY_CONTROL, 'U');
    stage_type(stage, "JHMCR6F52EE084680");
    stage_key(stage, KEY_ENTER, 0);
    stage_key(stage, KEY_ESCAPE, 0);
    stage_key(stage, KEY_CONTROL, 'U');
    stage_type(stage, "3VV3B7AX9NM000001");
    stage_key(stage, KEY_ENTER, 0);
    stage_calling(stage, 1, 4, 8000);
    stage_key(stage, KEY_FUNCTION, 2);
}

static void next_scenario(struct stage *stage)
{
    stage_key(stage, KEY_FUNCTION, 8);
    app_scenario(stage->app, "outage");
    app_say(stage->app, "The demo plays outage: nothing but 503");
}

static void large_nothing(struct stage *stage)
{
    stage_key(stage, KEY_FUNCTION, 7);
}

static void mouse(struct stage *stage)
{
    decoded(stage);
    stage_key(stage, KEY_FUNCTION, 9);
}

static void cached(struct stage *stage)
{
    sent(stage);
    stage_pass(stage, 740000);
    struct event event = {
        .kind = EVENT_DECODED,
        .as.decoded = {.vehicle = stage_vehicle(stage_answer), .from_cache = true, .answered_at = stage->now - 730000}};
    stage_event(stage, &event);
}

static void year_bad(struct stage *stage)
{
    stage_type(stage, STAGE_VIN ",1975");
}

static void one_character(struct stage *stage)
{
    stage_type(stage, "00000000000000000");
}

static void same_value(struct stage *stage)
{
    stage_type(stage, "JHMCM826X3A00435R");
}

static void years_disagree(struct stage *stage)
{
    stage_type(stage, STAGE_VIN ",2010");
    stage_key(stage, KEY_ENTER, 0);
    stage_calling(stage, 1, 4, 8000);
    stage_decoded(stage,
                  "{\"Results\":[{\"VIN\":\"" STAGE_VIN "\",\"Make\":\"HONDA\",\"Model\":\"Accord\",\"ModelYear\":"
                  "\"2010\",\"ErrorCode\":\"12\",\"ErrorText\":\"12 - Model Year Warning\"}]}",
                  false);
}

const struct situation situations[] = {
    {"start", NULL, start},
    {"start-demo", "retry-after", start},
    {"typed-part", NULL, typed_part},
    {"ready", NULL, typed},
    {"ready-with-year", NULL, with_year},
    {"ready-european", NULL, european},
    {"ready-scanned", NULL, scanned},
    {"type-bad-character", NULL, type_bad_character},
    {"type-too-long", NULL, type_too_long},
    {"type-under-a-gate", NULL, throttled_empty_field},
    {"check-forbidden-letters", NULL, check_forbidden},
    {"check-asked", NULL, check_asked},
    {"decoding", NULL, decoding},
    {"decoding-under-a-gate", NULL, gate_under_way},
    {"waiting", "retry-after", waiting},
    {"waiting-past-its-end", NULL, waiting_past_its_end},
    {"waiting-back-off", NULL, waiting_backoff},
    {"throttled-other-vin", NULL, throttled_other_vin},
    {"throttled-enter", NULL, throttled_refused},
    {"throttled-with-card", NULL, throttled_with_card},
    {"throttled-over-the-cap", NULL, over_cap},
    {"check-wait-over", NULL, wait_over},
    {"paused", NULL, paused},
    {"resting", NULL, resting},
    {"failed", NULL, failed},
    {"decoded", NULL, decoded},
    {"decoded-enter", NULL, decoded_enter},
    {"decoded-scrolled", NULL, decoded_scrolled},
    {"decoded-all-fields", NULL, decoded_all_fields},
    {"decoded-suggestions", NULL, suggestions},
    {"choose", NULL, choose},
    {"help", NULL, help},
    {"history", NULL, history},
    {"meter", NULL, meter},
    {"decoded-cached", NULL, cached},
    {"decoded-years-disagree", NULL, years_disagree},
    {"type-year-bad", NULL, year_bad},
    {"ready-one-character", NULL, one_character},
    {"ready-same-value", NULL, same_value},
    {"list-empty", NULL, list_empty},
    {"list-file", NULL, list_file},
    {"list", NULL, list_runs},
    {"list-waits", "retry-after", list_waits},
    {"list-behind", NULL, list_behind},
    {"list-stopped", NULL, list_stopped},
    {"list-unsaved", NULL, list_unsaved},
    {"list-pasted", NULL, list_pasted},
    {"search", NULL, search},
    {"search-not-found", NULL, search_not_found},
    {"save", NULL, save},
    {"copied", NULL, copied},
    {"details", NULL, details},
    {"large", NULL, large},
    {"large-nothing", NULL, large_nothing},
    {"mouse", NULL, mouse},
    {"meter-busy", NULL, meter_busy},
    {"list-save", NULL, list_save},
    {"list-forget", NULL, list_forget},
    {"large-paused", NULL, large_paused},
    {"cancelled", NULL, cancelled},
    {"cut", NULL, cut},
    {"help-search", NULL, help_search},
    {"history-empty", NULL, history_empty},
    {"history-long", NULL, history_long},
    {"next-scenario", "retry-after", next_scenario},
};

const size_t situation_count = sizeof situations / sizeof situations[0];

const struct situation *situation_find(const char *name)
{
    for (size_t i = 0; i < situation_count; i++) {
        if (strcmp(situations[i].name, name) == 0) {
            return &situations[i];
        }
    }
    return NULL;
}

void situation_draw(const struct situation *situation, struct frame *frame)
{
    struct stage stage;
    stage_open(&stage, situation->demo);
    app_size(stage.app, frame->rows, frame->columns);
    situation->play(&stage);
    view(stage.app, stage.now, stage.wall, frame);
    stage_close(&stage);
}
