#include "screen/situations.h"
#include "screen/stage.h"

#include "core/base/memory.h"
#include "tui/keys.h"

#include "support/sanitized.h"
#include "unit/unit.h"

/* What must be true of every frame, at every size, and of the key table. */

static struct stage stage;

/* The 1-based number of the only line that begins with a state word; 0 when there is not exactly one. */
static size_t status_line(const char *text)
{
    size_t found = 0, number = 1;
    for (const char *line = text; *line != '\0'; number++) {
        for (int word = STATE_DECODING; word <= STATE_READY; word++) {
            const char *name = state_word_name((enum state_word)word);
            size_t length = strlen(name);
            if (strncmp(line, name, length) == 0 && (line[length] == ' ' || line[length] == '\n')) {
                if (found != 0) {
                    return 0;
                }
                found = number;
            }
        }
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    return found;
}

static void play(int situation)
{
    stage_open(&stage, situation % 2 == 0 ? "retry-after" : NULL);
    if (situation == 0) {
        return;
    }
    stage_type(&stage, STAGE_VIN);
    if (situation == 1) {
        return;
    }
    stage_key(&stage, KEY_ENTER, 0);
    if (situation == 2) {
        stage_calling(&stage, 1, 4, 8000);
        return;
    }
    stage_gate(&stage, ORIGIN_RETRY_AFTER_DATE, 30000);
    if (situation == 3) {
        stage_waiting(&stage, ORIGIN_RETRY_AFTER_DATE, 30000, REASON_RETRY_AFTER_HTTP_DATE, 429);
        return;
    }
    stage_decoded(&stage, stage_answer, false);
    if (situation == 5) {
        stage_key(&stage, KEY_FUNCTION, 1);
    }
}

static void test_all_sizes(void)
{
    static const int rows[] = {1, 2, 5, 11, 12, 13, 15, 16, 19, 20, 24, 50, 400};
    static const int columns[] = {1, 2, 5, 12, 13, 39, 40, 41, 59, 60, 80, 99, 100, 120, 1000};
    for (int situation = 0; situation <= 5; situation++) {
        play(situation);
        for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
            for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++) {
                struct frame frame;
                frame_init(&frame, rows[r], columns[c], true);
                app_size(stage.app, rows[r], columns[c]);
                view(stage.app, stage.now, stage.wall, &frame);
                char *text = frame_dump(&frame);
                bool fits = rows[r] >= 12 && columns[c] >= 40;
                if (fits != (status_line(text) != 0)) {
                    printf("\nsituation %d, %d x %d:\n%s", situation, columns[c], rows[r], text);
                }
                CHECK(fits == (status_line(text) != 0));
                CHECK(frame.cursor_row >= 0 && frame.cursor_row < rows[r]);
                CHECK(frame.cursor_column >= 0 && frame.cursor_column < columns[c]);
                if (!fits) { /* one line, and it is not cut */
                    CHECK(text[0] != '\n');
                    CHECK_INT(strspn(text + strcspn(text, "\n"), "\n"), (size_t)rows[r]);
                }
                free(text);
                frame_clear(&frame);
            }
        }
        stage_close(&stage);
    }
}

static void test_demo_is_always_said(void)
{
    for (int situation = 0; situation <= 4; situation += 2) {
        play(situation);
        char *text = stage_frame(&stage, 12, 40, true);
        CHECK(strstr(text, "DEMO \xe2\x80\x93 simulated NHTSA") != NULL);
        free(text);
        text = stage_frame(&stage, 24, 80, false);
        CHECK(strstr(text, "DEMO - simulated NHTSA") != NULL);
        free(text);
        text = stage_frame(&stage, 10, 50, true);
        CHECK(strstr(text, "DEMO") != NULL);
        free(text);
        stage_close(&stage);
    }
}

/* When 40 columns are too few the status line drops the attempt, then the origin. */
static void test_what_the_status_line_drops(void)
{
    play(3);
    char *text = stage_frame(&stage, 24, 80, true);
    CHECK(strstr(text, "Waiting 0:30  Retry-After until 12:00:30") != NULL);
    CHECK(strstr(text, "attempt 2 of 4") == NULL || strstr(text, "until 12:00:30  attempt 2 of 4") != NULL);
    free(text);
    text = stage_frame(&stage, 24, 100, true);
    CHECK(strstr(text, "Waiting 0:30  Retry-After until 12:00:30  attempt 2 of 4") != NULL);
    free(text);
    text = stage_frame(&stage, 24, 64, true);
    CHECK(strstr(text, "Waiting 0:30  Retry-After until 12:00:30") != NULL);
    CHECK(strstr(text, "attempt") == NULL);
    free(text);
    text = stage_frame(&stage, 24, 40, true);
    CHECK(strstr(text, "Waiting 0:30         ( Decode off 0:30 )") != NULL);
    free(text);
    stage_close(&stage);
}

/* A second of a countdown changes the digits and at most two cells of the bar, and no role anywhere. */
static void test_a_second_changes_few_cells(void)
{
    play(3);
    struct frame before, after;
    frame_init(&before, 24, 80, true);
    frame_init(&after, 24, 80, true);
    app_size(stage.app, 24, 80);
    for (int second = 0; second < 29; second++) {
        view(stage.app, stage.now, stage.wall, &before);
        stage_pass(&stage, 1000);
        view(stage.app, stage.now, stage.wall, &after);
        size_t changed = 0, roles = 0;
        for (size_t i = 0; i < 24 * 80; i++) {
            changed += before.cells[i].code != after.cells[i].code;
            roles += before.cells[i].role != after.cells[i].role;
        }
        CHECK(changed >= 2 && changed <= 6);
        CHECK_INT(roles, 0);
    }
    frame_clear(&before);
    frame_clear(&after);
    stage_close(&stage);
}

static void test_the_gate_has_one_clock(void)
{
    play(2);
    stage_gate(&stage, ORIGIN_RETRY_AFTER, 20000);
    char *text = stage_frame(&stage, 24, 80, true);
    CHECK(strstr(text, "gate 0:20") != NULL); /* the status line counts up: here is the only clock */
    free(text);
    stage_key(&stage, KEY_ESCAPE, 0);
    text = stage_frame(&stage, 24, 80, true);
    CHECK(strstr(text, "gate 0:20") == NULL);
    CHECK(strstr(text, "Throttled 0:20") != NULL);
    free(text);
    stage_close(&stage);
}

static void test_b33_blanks_at_the_ends_go(void)
{
    play(1);
    stage_key(&stage, KEY_ENTER, 0);
    stage_decoded(&stage,
                  "{\"Results\":[{\"VIN\":\"" STAGE_VIN
                  "\",\"Make\":\" HONDA \",\"Model\":\"Accord \",\"ModelYear\":\"2003\","
                  "\"VehicleType\":\"TRUCK \",\"ErrorCode\":\"0\"}]}",
                  false);
    char *text = stage_frame(&stage, 24, 80, true);
    CHECK(strstr(text, "\n 2003 HONDA Accord\n") != NULL);
    CHECK(strstr(text, " TRUCK\n") != NULL);
    free(text);
    stage_close(&stage);
}

static void test_b34_ascii_keeps_the_columns(void)
{
    play(1);
    stage_key(&stage, KEY_ENTER, 0);
    stage_decoded(&stage,
                  "{\"Results\":[{\"VIN\":\"" STAGE_VIN "\",\"Make\":\"X\",\"PlantCity\":\"OSNABR\xc3\x9c"
                  "CK\",\"ErrorCode\":"
                  "\"0\"}]}",
                  false);
    char *text = stage_frame(&stage, 24, 80, false);
    CHECK(strstr(text, "Plant City                 OSNABRUCK\n") != NULL);
    free(text);
    stage_close(&stage);
}

/* B06, B15: codes are a set, the data stay, and the warning shows without any key. */
static void test_b15_the_warning_is_in_sight(void)
{
    play(1);
    stage_key(&stage, KEY_ENTER, 0);
    stage_decoded(&stage,
                  "{\"Results\":[{\"VIN\":\"" STAGE_VIN "\",\"Make\":\"BMW\",\"Model\":\"328i\",\"ErrorCode\":\"1,14\","
                  "\"ErrorText\":\"1 - Check Digit (9th position) does not calculate properly; 14 - Unable\"}]}",
                  false);
    char *text = stage_frame(&stage, 12, 40, true);
    CHECK(strstr(text, "BMW 328i") != NULL);
    CHECK(strstr(text, "warning 1: ") != NULL);
    free(text);
    stage_close(&stage);
}

/* B31: values are text. */
static void test_b31_markup_is_text(void)
{
    play(1);
    stage_key(&stage, KEY_ENTER, 0);
    stage_decoded(&stage,
                  "{\"Results\":[{\"VIN\":\"" STAGE_VIN
                  "\",\"Make\":\"X\",\"ModelYear\":\"2016<br>\",\"ErrorCode\":\"0\"}]}",
                  false);
    char *text = stage_frame(&stage, 24, 80, true);
    CHECK(strstr(text, "2016<br> X") != NULL);
    free(text);
    stage_close(&stage);
}

/* B78: what does not apply is hidden and counted, and one key shows it. */
static void test_b78_empty_fields(void)
{
    play(4);
    stage_pass(&stage, 40000);
    stage_key(&stage, KEY_TAB, 0);
    char *text = stage_frame(&stage, 100, 80, true);
    CHECK(strstr(text, "29 fields filled, 6 without data, 2 not applicable") != NULL);
    CHECK(strstr(text, "Trailer Body Type") == NULL);
    free(text);
    stage_key(&stage, KEY_CHARACTER, 'e');
    text = stage_frame(&stage, 100, 80, true);
    CHECK(strstr(text, "Trailer Body Type") != NULL);
    CHECK(strstr(text, "not applicable") != NULL);
    CHECK(strstr(text, "no data") != NULL);
    CHECK(strstr(text, "NewFieldOfTomorrow") != NULL);
    free(text);
    stage_close(&stage);
}

static void test_hostile_sizes(void)
{
    enum { VALUE = SANITIZED ? 1 << 16 : 1 << 20 }; /* where it would take minutes */
    char *json = memory_get(VALUE + 200);
    int length = snprintf(json, 200, "{\"Results\":[{\"VIN\":\"" STAGE_VIN "\",\"ErrorCode\":\"0\",\"Make\":\"");
    memset(json + length, 'x', VALUE);
    (void)snprintf(json + length + VALUE, 100, "\"}]}");
    play(1);
    stage_key(&stage, KEY_ENTER, 0);
    stage_decoded(&stage, json, false);
    stage_key(&stage, KEY_TAB, 0);
    app_size(stage.app, 24, 80);
    stage_key(&stage, KEY_CHARACTER, 'G');
    char *text = stage_frame(&stage, 24, 80, true);
    CHECK(strstr(text, "fields filled") != NULL); /* the last line is in sight */
    free(text);
    free(json);
    stage_close(&stage);
}

/* Scrolling reaches the last line at every size, and stops there. */
static void test_scrolling(void)
{
    for (int columns = 40; columns <= 130; columns += 15) {
        play(4);
        stage_pass(&stage, 40000);
        app_size(stage.app, 24, columns);
        stage_key(&stage, KEY_TAB, 0);
        for (int i = 0; i < 300; i++) {
            stage_key(&stage, i % 3 == 0 ? KEY_GO_PAGE_DOWN : KEY_GO_DOWN, 0);
        }
        char *bottom = stage_frame(&stage, 24, columns, true);
        CHECK(strstr(bottom, "29 fields filled") != NULL);
        stage_key(&stage, KEY_GO_DOWN, 0);
        char *still = stage_frame(&stage, 24, columns, true);
        CHECK_TEXT(still, bottom);
        stage_key(&stage, KEY_CHARACTER, 'g');
        char *top = stage_frame(&stage, 24, columns, true);
        CHECK(strstr(top, "2003 HONDA Accord EX-V6") != NULL);
        free(bottom);
        free(still);
        free(top);
        stage_close(&stage);
    }
}

static void test_long_input_shows_the_cursor(void)
{
    stage_open(&stage, NULL);
    for (int i = 0; i < 20; i++) {
        stage_type(&stage, "ABCDEFGH12");
    }
    struct frame frame;
    frame_init(&frame, 12, 40, true);
    for (int i = 0; i < 210; i++) {
        view(stage.app, stage.now, stage.wall, &frame);
        CHECK_INT(frame.cursor_row, 1);
        CHECK(frame.cursor_column >= 4 && frame.cursor_column < 40);
        stage_key(&stage, KEY_GO_LEFT, 0);
    }
    CHECK_INT(frame.cursor_column, 4);
    char *text = frame_dump(&frame);
    CHECK(strstr(text, "200/17") != NULL);
    free(text);
    frame_clear(&frame);
    stage_close(&stage);
}

static void test_the_cursor_follows_the_cleaned_text(void)
{
    struct frame frame;
    frame_init(&frame, 24, 80, true);
    stage_open(&stage, NULL);
    stage_type(&stage, "1HGCM 82633-A004352");
    view(stage.app, stage.now, stage.wall, &frame);
    CHECK_INT(frame.cursor_column, 4 + 17);
    stage_key(&stage, KEY_GO_HOME, 0);
    for (int i = 0; i < 5; i++) {
        stage_key(&stage, KEY_GO_RIGHT, 0);
    }
    view(stage.app, stage.now, stage.wall, &frame);
    CHECK_INT(frame.cursor_column, 4 + 5);
    stage_key(&stage, KEY_GO_RIGHT, 0); /* over the blank, too */
    view(stage.app, stage.now, stage.wall, &frame);
    CHECK_INT(frame.cursor_column, 4 + 6);
    stage_key(&stage, KEY_CONTROL, 'E');
    stage_type(&stage, ",2003");
    view(stage.app, stage.now, stage.wall, &frame);
    CHECK_INT(frame.cursor_column, 4 + 17 + 5);
    stage_close(&stage);
    stage_open(&stage, NULL);
    stage_type(&stage, "IJHLRD77874C026456"); /* the I is not shown */
    view(stage.app, stage.now, stage.wall, &frame);
    CHECK_INT(frame.cursor_column, 4 + 17);
    stage_close(&stage);
    frame_clear(&frame);
}

/* Every situation in windows of every kind: whatever is laid out lives as long as the frame is drawn. */
static void test_every_situation_in_many_sizes(void)
{
    static const int columns[] = {40, 59, 60, 80, 99, 132};
    for (size_t i = 0; i < situation_count; i++) {
        for (int rows = 12; rows <= 26; rows++) {
            for (size_t c = 0; c < sizeof columns / sizeof columns[0]; c++) {
                struct frame frame;
                frame_init(&frame, rows, columns[c], rows % 2 == 0);
                situation_draw(&situations[i], &frame);
                CHECK(frame.cursor_row >= 0 && frame.cursor_row < rows);
                CHECK(frame.cursor_column >= 0 && frame.cursor_column < columns[c]);
                frame_clear(&frame);
            }
        }
    }
}

static const struct unit_test tests[] = {
    {"T01, T04: all sizes", test_all_sizes},
    {"DEMO is always said", test_demo_is_always_said},
    {"what the status line drops", test_what_the_status_line_drops},
    {"a second changes few cells", test_a_second_changes_few_cells},
    {"the gate has one clock", test_the_gate_has_one_clock},
    {"B15, B06: the warning is in sight", test_b15_the_warning_is_in_sight},
    {"B31: markup is text", test_b31_markup_is_text},
    {"B33: blanks at the ends go", test_b33_blanks_at_the_ends_go},
    {"B34: ASCII keeps the columns", test_b34_ascii_keeps_the_columns},
    {"B78: empty fields are counted, a key shows them", test_b78_empty_fields},
    {"hostile sizes", test_hostile_sizes},
    {"every situation in many sizes", test_every_situation_in_many_sizes},
    {"scrolling", test_scrolling},
    {"a long input shows the cursor", test_long_input_shows_the_cursor},
    {"the cursor follows the cleaned text", test_the_cursor_follows_the_cleaned_text},
};

UNIT_MAIN("view", tests)
