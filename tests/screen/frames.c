/*
 * The golden frames: each situation is played to the model by hand, drawn in every size with UTF-8 and in ASCII, and
 * compared with golden/NAME.txt, which is what a reviewer reads.
 *
 *     frames DIRECTORY            compares; prints the first line that differs
 *     frames --update DIRECTORY   writes the golden files anew
 *
 * Every frame is also held against what must be true of all: one known state word at the beginning of one line, DEMO in
 * the demo, no control character, no line wider than the window.
 */
#include "core/base/buffer.h"
#include "screen/stage.h"

#include <stdio.h>
#include <stdlib.h>
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

static const struct situation {
    const char *name;
    const char *demo;
    void (*play)(struct stage *stage);
} situations[] = {
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
};

static size_t passed, missed;

static void miss(const char *name, const char *size, const char *what, const char *found)
{
    (void)printf("%s, %s: %s\n    %s\n", name, size, what, found);
    missed++;
}

static bool begins_with_state_word(const char *line, size_t length)
{
    for (int word = STATE_DECODING; word <= STATE_READY; word++) {
        const char *text = state_word_name((enum state_word)word);
        size_t size = strlen(text);
        if (length >= size && memcmp(line, text, size) == 0 && (length == size || line[size] == ' ')) {
            return true;
        }
    }
    return false;
}

/* What holds for every frame. */
static void check_frame(const struct situation *situation, const char *size, int columns, bool utf8, const char *text)
{
    size_t words = 0;
    for (const char *line = text; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        words += begins_with_state_word(line, length);
        if (frame_width(line, length, utf8) > columns) {
            miss(situation->name, size, "a line is wider than the window", line);
        }
        for (size_t i = 0; i < length; i++) {
            unsigned char byte = (unsigned char)line[i];
            if (byte < 0x20 || byte == 0x7f || (!utf8 && byte >= 0x80)) {
                miss(situation->name, size, "a byte that may not reach a terminal", line);
                break;
            }
        }
        line += length + 1;
    }
    if (words != 1) {
        miss(situation->name, size, "not exactly one line begins with a state word", text);
    }
    if (situation->demo != NULL &&
        strstr(text, utf8 ? "DEMO \xe2\x80\x93 simulated NHTSA" : "DEMO - simulated NHTSA") == NULL) {
        miss(situation->name, size, "DEMO is not said", text);
    }
}

static void draw(const struct situation *situation, struct buffer *out)
{
    static const int sizes[][2] = {{12, 40}, {24, 80}, {40, 120}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (int utf8 = 1; utf8 >= 0; utf8--) {
            struct stage stage;
            char size[40];
            stage_open(&stage, situation->demo);
            app_size(stage.app, sizes[i][0], sizes[i][1]);
            situation->play(&stage);
            (void)snprintf(size, sizeof size, "%dx%d %s", sizes[i][1], sizes[i][0], utf8 != 0 ? "UTF-8" : "ASCII");
            char *text = stage_frame(&stage, sizes[i][0], sizes[i][1], utf8 != 0);
            check_frame(situation, size, sizes[i][1], utf8 != 0, text);
            buffer_printf(out, "======== %s\n%s", size, text);
            free(text);
            stage_close(&stage);
        }
    }
}

/* The whole of a file, or NULL. */
static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    struct buffer text;
    char chunk[4096];
    size_t count;
    buffer_init(&text, 1 << 24);
    while ((count = fread(chunk, 1, sizeof chunk, file)) > 0) {
        buffer_put(&text, chunk, count);
    }
    (void)fclose(file);
    char *whole = buffer_take(&text);
    buffer_clear(&text);
    return whole;
}

static bool write_file(const char *path, const struct buffer *text)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        perror(path);
        return false;
    }
    bool written = fwrite(text->data, 1, text->length, file) == text->length;
    return fclose(file) == 0 && written;
}

static void compare(const char *name, const char *found, const char *wanted)
{
    char size[64] = "";
    for (size_t line = 1;; line++) {
        size_t a = strcspn(found, "\n"), b = strcspn(wanted, "\n");
        if (a != b || memcmp(found, wanted, a) != 0) {
            (void)printf("%s, %s: line %zu of the file\n    found  %.*s\n    wanted %.*s\n", name, size, line, (int)a,
                         found, (int)b, wanted);
            missed++;
            return;
        }
        if (memcmp(found, "======== ", a < 9 ? a : 9) == 0 && a > 9) {
            (void)snprintf(size, sizeof size, "%.*s", (int)(a - 9), found + 9);
        }
        found += a;
        wanted += b;
        if (*found == '\0' || *wanted == '\0') {
            if (*found != *wanted) {
                (void)printf("%s: one text ends before the other\n", name);
                missed++;
            } else {
                passed++;
            }
            return;
        }
        found++;
        wanted++;
    }
}

int main(int count, char **arguments)
{
    bool update = count == 3 && strcmp(arguments[1], "--update") == 0;
    if (count != (update ? 3 : 2)) {
        (void)fprintf(stderr, "usage: frames [--update] DIRECTORY\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof situations / sizeof situations[0]; i++) {
        char path[4096];
        struct buffer text;
        buffer_init(&text, 1 << 24);
        (void)snprintf(path, sizeof path, "%s/%s.txt", arguments[count - 1], situations[i].name);
        draw(&situations[i], &text);
        if (update) {
            if (!write_file(path, &text)) {
                return 1;
            }
            passed++;
        } else {
            char *wanted = read_file(path);
            if (wanted == NULL) {
                miss(situations[i].name, "all sizes", "there is no golden file", path);
            } else {
                compare(situations[i].name, text.data, wanted);
            }
            free(wanted);
        }
        buffer_clear(&text);
    }
    (void)printf("%zu passed, %zu failed\n", passed, missed);
    return missed == 0 ? 0 : 1;
}
