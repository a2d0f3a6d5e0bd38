#include "screen/stage.h"
#include "unit/unit.h"

/* The list of F3: what is sent, how many at once, what is told, and that nothing is lost. */

static struct stage stage;

#define FIRST "1HGCM82633A004352"
#define SECOND "JHMCR6F52EE084680"
#define THIRD "3VV3B7AX9NM000001"

static void begin(void)
{
    stage_open(&stage, NULL);
}

static void end(void)
{
    stage_close(&stage);
}

static const struct list *list(void)
{
    return &stage.app->list;
}

static bool shows(const char *text)
{
    char *frame = stage_frame(&stage, 24, 80, true);
    bool found = strstr(frame, text) != NULL;
    if (!found) {
        printf("\nnot shown: %s\n%s", text, frame);
    }
    free(frame);
    return found;
}

static void key(uint32_t character)
{
    stage_key(&stage, KEY_CHARACTER, character);
}

/* `count` different VINs with a right check digit. */
static void many(size_t count)
{
    char vin[VIN_LENGTH + 1];
    app_list_begin(stage.app, "many.txt");
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(vin, sizeof vin, "JHMCM82603A%06u", (unsigned)(i % 1000000));
        vin[VIN_CHECK_POSITION - 1] = vin_check_digit(vin);
        app_list_line(stage.app, vin, VIN_LENGTH);
    }
    app_list_end(stage.app, NULL);
    struct effect effect;
    while (app_next_effect(stage.app, &effect)) {
        if (effect.kind == EFFECT_SUBMIT) {
            stage.all_sent[stage.sent_count++ % STAGE_SENT_MAX] = effect.submission;
        }
    }
}

static void test_what_is_sent(void)
{
    static const char *const lines[] = {FIRST,      SECOND ",2014", "1HGCM82643A004352", "1HGCM8",
                                        "nonsense", FIRST ",1975",  "jhmcr6f52ee084680"};
    begin();
    stage_list(&stage, "l", lines, sizeof lines / sizeof lines[0]);
    CHECK_INT(stage.sent_count, 3);
    CHECK_TEXT(stage.all_sent[1].key.vin, SECOND);
    CHECK_INT(stage.all_sent[1].key.year, 2014);
    CHECK_INT(stage.all_sent[1].profile, PROFILE_LIST);
    CHECK_TEXT(stage.all_sent[2].key.vin, SECOND);
    CHECK_INT(list()->counts[LIST_REFUSED], 4);
    CHECK(shows("no model year"));
    CHECK(shows("6 of 17"));
    bool ended;
    CHECK_TEXT(app_list_input(stage.app, 4, &ended), "nonsense");
    CHECK(ended);
    CHECK_TEXT(app_list_input(stage.app, 0, &ended), FIRST);
    CHECK(!ended);
    end();
}

/* B22: more VINs than fit in a call are several calls, and how far they are is seen; a bounded number is open. */
static void test_b22_more_than_fit_in_a_call(void)
{
    begin();
    many(400);
    CHECK_INT(stage.sent_count, LIST_OUT_MAX);
    CHECK_INT(list()->counts[LIST_TODO], 400 - LIST_OUT_MAX);
    for (size_t i = 0; i < 400; i++) {
        struct event event = {.kind = EVENT_DECODED,
                              .ticket = stage.all_sent[i % STAGE_SENT_MAX].ticket,
                              .key = stage.all_sent[i % STAGE_SENT_MAX].key,
                              .as.decoded = {.vehicle = stage_vehicle(stage_answer)}};
        stage_event(&stage, &event);
        CHECK(list()->out_count <= LIST_OUT_MAX);
    }
    CHECK_INT(stage.sent_count, 400);
    CHECK_INT(stage.kept_count, 400);
    CHECK_INT(list()->counts[LIST_DECODED], 400);
    CHECK_INT(list_done(list()), 400);
    CHECK(shows("400 of 400 decoded"));
    end();
}

static void fail(size_t sent, const struct event_failed *failed)
{
    struct event event = {.kind = EVENT_FAILED,
                          .ticket = stage.all_sent[sent].ticket,
                          .key = stage.all_sent[sent].key,
                          .as.failed = *failed};
    stage_event(&stage, &event);
}

/* A VIN that was refused because the wait was too long, or had no time, is sent once more; then it has failed. */
static void test_second_turn(void)
{
    static const char *const lines[] = {FIRST, SECOND};
    static const struct event_failed too_long = {
        .code = CODE_UPSTREAM_THROTTLE, .reason = REASON_OVER_CAP_RETRY_AFTER, .told_ms = 120000, .attempts = 1};
    static const struct event_failed no_time = {
        .code = CODE_UPSTREAM_THROTTLE, .reason = REASON_THROTTLED_WITHOUT_HINT, .attempts = 1};
    static const struct event_failed beyond = {
        .code = CODE_UPSTREAM_THROTTLE, .reason = REASON_OVER_CAP_RETRY_AFTER, .told_ms = 700000, .attempts = 1};
    begin();
    stage_list(&stage, "l", lines, 2);
    fail(0, &too_long);
    CHECK_INT(stage.sent_count, 3);
    CHECK_TEXT(stage.all_sent[2].key.vin, FIRST);
    CHECK_INT(list()->out_count, 2);
    fail(1, &no_time);
    CHECK_INT(stage.sent_count, 4);
    CHECK_INT(list()->counts[LIST_FAILED], 0);
    fail(2, &too_long);
    CHECK_INT(stage.sent_count, 4);
    CHECK_INT(list()->counts[LIST_FAILED], 1);
    CHECK_INT(stage.kept_count, 1);
    stage_pick(&stage, 0);
    key('r'); /* what failed once more: that is a first turn again */
    CHECK_INT(stage.sent_count, 5);
    fail(4, &beyond);
    CHECK_INT(list()->counts[LIST_FAILED], 1);
    CHECK_INT(list()->out_count, 1);
    end();
}

/* Whoever turns everybody away at the door is not asked by the rest of the list. */
static void test_turned_away(void)
{
    static const struct event_failed refused = {
        .code = CODE_UPSTREAM_UNAVAILABLE, .reason = REASON_REJECTED_REPEATEDLY, .status = 403, .attempts = 1};
    begin();
    many(400);
    fail(0, &refused);
    CHECK_INT(stage.sent_count, LIST_OUT_MAX);
    CHECK_INT(stage.cancelled_count, LIST_OUT_MAX - 1);
    CHECK_INT(list()->out_count, 0);
    CHECK_INT(list()->counts[LIST_FAILED], 1);
    CHECK_INT(list()->counts[LIST_TODO], 399);
    CHECK(shows("NHTSA refused several requests in a row (403), perhaps throttled or blocked."));
    key('x'); /* it goes on when the person says so */
    CHECK_INT(stage.sent_count, 2 * LIST_OUT_MAX);
    end();
}

static void test_the_field_stays_usable(void)
{
    static const char *const lines[] = {FIRST, SECOND};
    begin();
    stage_list(&stage, "l", lines, 2);
    stage_key(&stage, KEY_TAB, 0);
    stage_type(&stage, THIRD);
    stage_key(&stage, KEY_ENTER, 0);
    CHECK_INT(stage.sent_count, 3);
    CHECK_INT(stage.sent.profile, PROFILE_INTERACTIVE);
    CHECK(shows("list 0/2"));
    stage_key(&stage, KEY_ESCAPE, 0); /* cancels the field's call alone */
    CHECK_INT(stage.cancelled_count, 1);
    CHECK_INT(list()->out_count, 2);
    stage_pick(&stage, 0);
    stage_decoded(&stage, stage_answer, false);
    CHECK_INT(list()->counts[LIST_DECODED], 1);
    CHECK(app_vehicle(stage.app) == NULL); /* the list's answer is not the field's */
    end();
}

static void test_stop_go_on_and_retry(void)
{
    static const char *const lines[] = {FIRST, SECOND, THIRD};
    struct event_failed failed = {.code = CODE_UPSTREAM_UNAVAILABLE, .status = 500};
    begin();
    stage_list(&stage, "l", lines, 3);
    stage_pick(&stage, 0);
    stage_failed(&stage, &failed);
    key('x');
    CHECK_INT(stage.cancelled_count, 2);
    CHECK_INT(list()->counts[LIST_TODO], 2);
    stage_pick(&stage, 1);
    stage_decoded(&stage, stage_answer, false); /* too late: its ticket was given up */
    CHECK_INT(list()->counts[LIST_DECODED], 0);
    key('x');
    CHECK_INT(stage.sent_count, 5);
    key('r');
    CHECK_INT(stage.sent_count, 6);
    CHECK_TEXT(stage.sent.key.vin, FIRST);
    CHECK_INT(list()->counts[LIST_FAILED], 0);
    stage_key(&stage, KEY_CONTROL, 'C');
    CHECK_INT(list()->out_count, 0);
    CHECK(list()->stopped);
    CHECK_INT(stage.left_count, 0);
    end();
}

/* Nothing that took long to get goes with one key. */
static void test_unsaved_answers_are_asked_about(void)
{
    static const char *const lines[] = {FIRST};
    begin();
    stage_list(&stage, "l", lines, 1);
    stage_decoded(&stage, stage_answer, false);
    stage_key(&stage, KEY_FUNCTION, 10);
    CHECK_INT(stage.left_count, 0);
    CHECK(shows("1 answer of the list not saved"));
    key('c');
    CHECK_INT(list()->count, 1);
    stage_key(&stage, KEY_FUNCTION, 10);
    CHECK_INT(stage.left_count, 0); /* the first key of the two was another */
    stage_key(&stage, KEY_TAB, 0);
    stage_key(&stage, KEY_CONTROL, 'C');
    CHECK_INT(stage.left_count, 0);
    CHECK(shows("1 answer of the list not saved"));
    stage_key(&stage, KEY_FUNCTION, 3);
    stage_key(&stage, KEY_FUNCTION, 10);
    stage_key(&stage, KEY_FUNCTION, 10);
    CHECK_INT(stage.left_count, 1);
    key('w');
    stage_key(&stage, KEY_ENTER, 0);
    CHECK_INT(stage.asked, EFFECT_SAVE);
    CHECK_TEXT(stage.asked_text, "vins.csv");
    CHECK(stage.asked_list && !stage.asked_replace);
    app_saved(stage.app);
    app_answer(stage.app, true, "Saved");
    stage_key(&stage, KEY_FUNCTION, 10);
    CHECK_INT(stage.left_count, 2);
    key('c');
    CHECK_INT(list()->count, 0);
    CHECK_INT(stage.asked, EFFECT_FORGET);
    end();
}

static void test_taking_a_line(void)
{
    static const char *const lines[] = {FIRST, SECOND};
    begin();
    stage_list(&stage, "l", lines, 2);
    stage_pick(&stage, 0);
    stage_decoded(&stage, stage_answer, false);
    stage_key(&stage, KEY_ENTER, 0);
    CHECK_INT(stage.asked, EFFECT_RECALL);
    CHECK_INT(stage.asked_index, 0);
    CHECK_TEXT(stage.app->field.text, FIRST);
    struct event event = {.kind = EVENT_DECODED,
                          .at = stage.now,
                          .as.decoded = {.vehicle = stage_vehicle(stage_answer), .answered_at = stage.now}};
    app_recalled(stage.app, 0, &event);
    CHECK_INT(can_decode(stage.app, stage.now).word, STATE_DECODED);
    CHECK(shows("Vehicle " FIRST));
    /* What comes back for another VIN than the field's is dropped. */
    stage_key(&stage, KEY_CONTROL, 'U');
    stage_type(&stage, SECOND);
    event = (struct event){.kind = EVENT_DECODED, .as.decoded = {.vehicle = stage_vehicle(stage_answer)}};
    app_recalled(stage.app, 0, &event);
    CHECK(app_vehicle(stage.app) == NULL);
    end();
}

static void test_files_that_are_none(void)
{
    begin();
    app_list_begin(stage.app, "empty.txt");
    app_list_end(stage.app, NULL);
    CHECK(shows("empty.txt holds no VIN"));
    app_list_begin(stage.app, "folder");
    app_list_end(stage.app, "Is a directory");
    CHECK(shows("folder: Is a directory"));
    stage_key(&stage, KEY_CHARACTER, 'o');
    stage_type(&stage, "nowhere.txt");
    stage_key(&stage, KEY_ENTER, 0);
    CHECK_INT(stage.asked, EFFECT_OPEN_LIST);
    app_answer(stage.app, false, "nowhere.txt: No such file or directory");
    CHECK(shows("nowhere.txt: No such file"));
    CHECK(shows("File of VINs: nowhere.txt")); /* what was typed is there to be mended */
    end();
}

static void test_a_hundred_thousand_lines(void)
{
    begin();
    many(LIST_MAX);
    CHECK_INT(list()->count, LIST_MAX);
    app_list_line(stage.app, FIRST, VIN_LENGTH);
    app_list_line(stage.app, SECOND, VIN_LENGTH);
    app_list_end(stage.app, NULL);
    CHECK_INT(list()->count, LIST_MAX);
    CHECK(shows("2 more lines are left out"));
    CHECK(shows("of 100000"));
    stage_key(&stage, KEY_CHARACTER, 'G');
    CHECK(shows("JHMCM826"));
    CHECK(shows("099999"));
    stage_search(&stage, "no such VIN");
    CHECK(!stage.app->found);
    stage_key(&stage, KEY_CONTROL, 'U');
    stage_type(&stage, "3A050000");
    CHECK(stage.app->found);
    CHECK_INT(app_place(stage.app)->selected, 50000);
    end();
}

/* Lines that are no VINs, whatever is in them, are entries with a reason and harm nothing. */
static void test_nonsense(void)
{
    static char novel[5000];
    memset(novel, 'a', sizeof novel);
    begin();
    app_list_begin(stage.app, "novel");
    app_list_line(stage.app, novel, sizeof novel);
    app_list_line(stage.app, "\033]52;c;AAAA\007", 12);
    app_list_line(stage.app, "\xff\xfe\0\1", 4);
    app_list_line(stage.app, "\xe2\x80\xae" FIRST, 3 + VIN_LENGTH);
    app_list_end(stage.app, NULL);
    char *frame = stage_frame(&stage, 24, 80, true);
    CHECK(strchr(frame, '\033') == NULL && strchr(frame, '\007') == NULL);
    CHECK(strstr(frame, "not sent") != NULL);
    free(frame);
    CHECK_INT(list()->counts[LIST_REFUSED] + list()->counts[LIST_OUT] + list()->counts[LIST_TODO], 4);
    end();
}

static void paste(const char *text)
{
    stage_paste(&stage, text, strlen(text));
}

static void test_pastes(void)
{
    begin();
    paste(FIRST "\n" SECOND "\r\n\r\n" THIRD "\r");
    CHECK_INT(list()->count, 3);
    CHECK_INT(stage.sent_count, 0); /* a paste never sends */
    CHECK(app_on_top(stage.app, OVERLAY_LIST));
    key('x');
    CHECK_INT(stage.sent_count, 3);
    paste(FIRST " " SECOND "; " THIRD ",2022"); /* on one line */
    CHECK_INT(list()->count, 6);
    CHECK_INT(stage.sent_count, 6); /* it runs already */
    end();

    begin();
    paste(FIRST "\nq\n"); /* T34 */
    CHECK_INT(list()->count, 0);
    CHECK_INT(stage.left_count, 0);
    CHECK_INT(stage.sent_count, 0);
    end();

    begin();
    paste("1HGCM82633\nA004352"); /* one VIN that was broken in two */
    CHECK_INT(list()->count, 0);
    CHECK_TEXT(stage.app->key.vin, FIRST);
    end();

    begin();
    static char novel[100001]; /* pasting a novel */
    for (size_t i = 0; i + 1 < sizeof novel; i++) {
        novel[i] = i % 60 == 59 ? '\n' : i % 6 == 5 ? ' ' : 'w';
    }
    paste(novel);
    CHECK_INT(list()->count, 0);
    CHECK_INT(stage.app->notice, NOTICE_CUT);
    CHECK_INT(stage.app->field.length, LINE_EDITOR_MAX);
    end();
}

static void test_the_wait_of_the_whole(void)
{
    static const char *const lines[] = {FIRST, SECOND};
    begin();
    stage_list(&stage, "l", lines, 2);
    stage_pick(&stage, 0);
    stage_waiting(&stage, ORIGIN_RETRY_AFTER, 30000, REASON_RETRY_AFTER_SECONDS, 429);
    stage_pick(&stage, 1);
    stage_waiting(&stage, ORIGIN_BACKOFF, 4000, REASON_BACKOFF, 503);
    CHECK(shows("waits 0:04 (our own back-off)"));
    CHECK_INT(app_next_change(stage.app, stage.now), stage.now + 1000);
    stage_calling(&stage, 1, 4, 8000);
    CHECK(shows("1 under way, 1 to do"));
    stage_pass(&stage, 10000);
    CHECK_INT(app_next_change(stage.app, stage.now), MONOTIME_NEVER);
    end();
}

static const struct unit_test tests[] = {
    {"what is sent", test_what_is_sent},
    {"a second turn", test_second_turn},
    {"turned away", test_turned_away},
    {"B22: more VINs than fit in a call", test_b22_more_than_fit_in_a_call},
    {"the field stays usable", test_the_field_stays_usable},
    {"stop, go on, retry", test_stop_go_on_and_retry},
    {"unsaved answers are asked about", test_unsaved_answers_are_asked_about},
    {"taking a line", test_taking_a_line},
    {"files that are none", test_files_that_are_none},
    {"a hundred thousand lines", test_a_hundred_thousand_lines},
    {"nonsense", test_nonsense},
    {"pastes", test_pastes},
    {"the wait of the whole", test_the_wait_of_the_whole},
};

UNIT_MAIN("list", tests)
