#include "screen/stage.h"
#include "unit/unit.h"

/* What the keys outside the field do: search, prompts, copies, the mouse, large digits. */

static struct stage stage;

static void begin_with_card(void)
{
    stage_open(&stage, "calm");
    app_size(stage.app, 24, 80);
    stage_type(&stage, STAGE_VIN);
    stage_key(&stage, KEY_ENTER, 0);
    stage_decoded(&stage, stage_answer, false);
    stage_key(&stage, KEY_TAB, 0);
}

static void end(void)
{
    stage_close(&stage);
}

static bool shows(const char *text)
{
    char *frame = stage_frame(&stage, 24, 80, true);
    bool found = strstr(frame, text) != NULL;
    free(frame);
    return found;
}

static void key(uint32_t character)
{
    stage_key(&stage, KEY_CHARACTER, character);
}

static void test_search_as_typed(void)
{
    begin_with_card();
    CHECK(!shows("Valve Train Design"));
    stage_search(&stage, "VALVE");
    CHECK(shows("Valve Train Design"));
    CHECK(shows("/VALVE"));
    stage_key(&stage, KEY_RUBOUT, 0);
    stage_type(&stage, "x");
    CHECK(shows("not here"));
    stage_key(&stage, KEY_ESCAPE, 0); /* back to where it was */
    CHECK(shows("2003 HONDA Accord"));
    CHECK(!stage.app->in_card || app_context(stage.app) == KEYS_OUTSIDE);
    CHECK_TEXT(stage.app->search, "");
    end();
}

static void test_next_and_before_go_round(void)
{
    begin_with_card();
    stage_search(&stage, "passive");
    stage_key(&stage, KEY_ENTER, 0);
    size_t first = stage.app->card.selected;
    key('n');
    size_t second = stage.app->card.selected;
    CHECK(second > first);
    key('n');
    CHECK_INT(stage.app->card.selected, first);
    CHECK(shows("Searched on from the top"));
    key('N');
    CHECK_INT(stage.app->card.selected, second);
    CHECK(shows("Searched on from the bottom"));
    end();
}

/* A field that NHTSA has no value for is hidden, but it is there. */
static void test_search_knows_what_is_hidden(void)
{
    begin_with_card();
    stage_search(&stage, "curb weight");
    stage_key(&stage, KEY_ENTER, 0);
    CHECK(shows("only in a field without a value"));
    key('e');
    key('n');
    CHECK(shows("Curb Weight"));
    CHECK(stage.app->found);
    end();
}

/* A text that is spread over lines is found where it begins. */
static void test_search_finds_what_is_wrapped(void)
{
    begin_with_card();
    app_size(stage.app, 12, 40);
    stage_search(&stage, "long enough to be wrapped over more");
    CHECK(stage.app->found);
    end();
}

static void test_a_prompt_is_for_text(void)
{
    begin_with_card();
    key('w');
    CHECK_INT(app_context(stage.app), KEYS_PROMPT);
    stage_key(&stage, KEY_CONTROL, 'U');
    stage_type(&stage, "~/q?/h w.csv");
    stage_paste(&stage, "x\nrm\n", 5); /* no line end gets in, and none answers */
    CHECK_TEXT(stage.app->prompt.line.text, "~/q?/h w.csvx");
    CHECK_INT(stage.asked_count, 0);
    stage_key(&stage, KEY_ENTER, 0);
    CHECK_INT(stage.asked, EFFECT_SAVE);
    CHECK_TEXT(stage.asked_text, "~/q?/h w.csvx");
    CHECK(!stage.asked_list && !stage.asked_replace);
    app_answer(stage.app, false, "no");
    stage_key(&stage, KEY_ENTER, 0);
    CHECK(stage.asked_replace);
    app_answer(stage.app, false, "no");
    stage_key(&stage, KEY_RUBOUT, 0); /* another name is another question */
    stage_key(&stage, KEY_ENTER, 0);
    CHECK(!stage.asked_replace);
    app_answer(stage.app, true, "Saved");
    CHECK(shows("Saved"));
    CHECK_INT(app_context(stage.app), KEYS_OUTSIDE);
    end();
}

/* Ctrl-C and Esc close a prompt and nothing else; another command closes it and does what it does. */
static void test_leaving_a_prompt(void)
{
    begin_with_card();
    key('w');
    stage_key(&stage, KEY_CONTROL, 'C');
    CHECK_INT(app_context(stage.app), KEYS_OUTSIDE);
    CHECK_INT(stage.left_count, 0);
    key('/');
    stage_key(&stage, KEY_FUNCTION, 1);
    CHECK(app_on_top(stage.app, OVERLAY_HELP));
    CHECK_INT(app_context(stage.app), KEYS_OUTSIDE);
    key('/');
    stage_key(&stage, KEY_ENTER, 0); /* nothing to search for */
    CHECK_INT(app_context(stage.app), KEYS_OUTSIDE);
    end();
}

static void test_copies(void)
{
    begin_with_card();
    key('y');
    CHECK_INT(stage.asked, EFFECT_COPY);
    CHECK_TEXT(stage.asked_text, ""); /* the card */
    key('h');
    key('y');
    CHECK_TEXT(stage.asked_text, STAGE_VIN);
    stage_key(&stage, KEY_ESCAPE, 0);
    key('i');
    stage_key(&stage, KEY_RUBOUT, 0);
    stage_type(&stage, "3");
    stage_key(&stage, KEY_TAB, 0);
    key('y');
    CHECK_TEXT(stage.asked_text, "1HGCM82633A004353"); /* no card: the VIN */
    end();
}

/* What may be saved is there; under a changed VIN nothing of the last one is saved. */
static void test_what_can_be_saved(void)
{
    const char *text;
    size_t length;
    struct event event;
    begin_with_card();
    CHECK(app_card(stage.app, &text, &length, &event));
    CHECK_INT(event.kind, EVENT_DECODED);
    key('i');
    stage_key(&stage, KEY_RUBOUT, 0);
    CHECK(!app_card(stage.app, &text, &length, &event));
    stage_key(&stage, KEY_TAB, 0);
    key('w');
    CHECK_INT(app_context(stage.app), KEYS_OUTSIDE);
    end();
}

static void test_scenarios_and_the_mouse(void)
{
    begin_with_card();
    stage_key(&stage, KEY_FUNCTION, 8);
    CHECK_INT(stage.asked, EFFECT_SCENARIO);
    app_scenario(stage.app, "outage");
    CHECK(shows("outage"));
    stage_key(&stage, KEY_FUNCTION, 9);
    CHECK_INT(stage.asked, EFFECT_MOUSE);
    CHECK(stage.asked_on);
    stage_key(&stage, KEY_FUNCTION, 9);
    CHECK(!stage.asked_on);
    end();
    stage_open(&stage, NULL);
    stage_key(&stage, KEY_FUNCTION, 8); /* outside the demo there are no scenarios */
    CHECK_INT(stage.asked_count, 0);
    end();
}

/* Where a text stands in the frame. */
static void find(const char *text, int *row, int *column)
{
    char *frame = stage_frame(&stage, 24, 80, false);
    const char *at = strstr(frame, text), *line = frame;
    *row = 0;
    CHECK(at != NULL);
    for (const char *c = frame; at != NULL && c < at; c++) {
        if (*c == '\n') {
            (*row)++;
            line = c + 1;
        }
    }
    *column = at != NULL ? (int)(at - line) : 0;
    free(frame);
}

static void click_on(const char *text)
{
    int row, column;
    find(text, &row, &column);
    stage_click(&stage, row, column);
}

static void test_clicks(void)
{
    struct input wheel = {.key = KEY_WHEEL_DOWN, .row = 15, .column = 5};
    begin_with_card();
    click_on("VIN 1HG");
    CHECK(app_in_field(stage.app));
    click_on("Vehicle Type");
    CHECK(stage.app->in_card);
    app_input(stage.app, &wheel, stage.now);
    CHECK_INT(stage.app->card.scroll, 3);
    wheel.key = KEY_WHEEL_UP;
    app_input(stage.app, &wheel, stage.now);
    CHECK_INT(stage.app->card.scroll, 0);
    stage.app->mouse = false; /* a report that was under way when the mouse was given back */
    wheel.key = KEY_WHEEL_DOWN;
    app_say(stage.app, "read me");
    app_input(stage.app, &wheel, stage.now);
    CHECK_INT(stage.app->card.scroll, 0);
    CHECK(shows("read me"));
    size_t sent = stage.sent_count;
    click_on("Decode again");
    CHECK_INT(stage.sent_count, sent + 1);
    CHECK(stage.sent.past_caches);
    click_on("F1 help");
    CHECK(app_on_top(stage.app, OVERLAY_HELP));
    click_on("Esc close");
    CHECK_INT(stage.app->overlay_count, 0);
    stage_click(&stage, 23, 79);
    stage_click(&stage, 5000, 5000); /* outside the grid nothing is hit */
    stage_click(&stage, 0, 0);
    end();
}

/* A click on a line chooses it, a second one takes it. */
static void test_clicks_on_lines(void)
{
    static const char *const lines[] = {STAGE_VIN, "JHMCR6F52EE084680"};
    stage_open(&stage, NULL);
    stage_list(&stage, "l", lines, 2);
    click_on("JHMCR6F52EE084680");
    CHECK_INT(app_place(stage.app)->selected, 1);
    CHECK(app_on_top(stage.app, OVERLAY_LIST));
    click_on("JHMCR6F52EE084680");
    CHECK_TEXT(stage.app->field.text, "JHMCR6F52EE084680");
    CHECK(app_in_field(stage.app));
    end();
}

/* A click sends under no other verdict than Enter does. */
static void test_a_click_is_no_way_around_the_gate(void)
{
    stage_open(&stage, NULL);
    stage_type(&stage, STAGE_VIN);
    stage_gate(&stage, ORIGIN_RETRY_AFTER, 30000);
    click_on("( Decode off");
    CHECK_INT(stage.sent_count, 0);
    CHECK_INT(stage.app->notice, NOTICE_REFUSED);
    end();
}

static void test_large_digits(void)
{
    stage_open(&stage, NULL);
    stage_gate(&stage, ORIGIN_RETRY_AFTER, 47000);
    stage_key(&stage, KEY_FUNCTION, 7);
    CHECK(shows("\xe2\x96\x88"));
    char *before = stage_frame(&stage, 24, 80, true);
    stage_pass(&stage, 1000);
    char *after = stage_frame(&stage, 24, 80, true);
    CHECK(strcmp(before, after) != 0);
    CHECK_INT(app_next_change(stage.app, stage.now), stage.now + 1000);
    free(before);
    free(after);
    stage_pass(&stage, 60000);
    CHECK(shows("Nothing is waited for"));
    end();
}

/* NHTSA's texts are shown as it sent them, and its cut is said. */
static void test_details(void)
{
    char json[1400], cut[520];
    memset(cut, 'x', sizeof cut);
    cut[500] = '\0';
    (void)snprintf(json, sizeof json,
                   "{\"Results\":[{\"VIN\":\"" STAGE_VIN "\",\"Make\":\"HONDA\",\"ErrorCode\":\"7\",\"ErrorText\":"
                   "\"7 - Manufacturer is not registered; Please contact\",\"AdditionalErrorText\":\"%s\"}]}",
                   cut);
    stage_open(&stage, NULL);
    stage_type(&stage, STAGE_VIN);
    stage_key(&stage, KEY_ENTER, 0);
    stage_decoded(&stage, json, false);
    stage_key(&stage, KEY_TAB, 0);
    CHECK(shows("d shows all of it that came"));
    key('d');
    CHECK(shows("7 - Manufacturer is not registered; Please contact"));
    CHECK(shows("500 characters, in mid-word"));
    key('d');
    CHECK_INT(stage.app->overlay_count, 0);
    end();
}

/* A scanner sends VIN after VIN, each with its Enter. */
static void test_the_next_scan_is_another_vin(void)
{
    stage_open(&stage, NULL);
    stage_type(&stage, STAGE_VIN);
    stage_key(&stage, KEY_ENTER, 0);
    stage_type(&stage, "JHMCR6F52EE084680");
    CHECK_TEXT(stage.app->field.text, "JHMCR6F52EE084680");
    CHECK_INT(stage.cancelled_count, 1); /* the call for the one before */
    stage_key(&stage, KEY_CONTROL, '_');
    stage_key(&stage, KEY_CONTROL, '_');
    CHECK_TEXT(stage.app->field.text, STAGE_VIN); /* and it can be brought back */
    stage_gate(&stage, ORIGIN_RETRY_AFTER, 30000);
    stage_key(&stage, KEY_ENTER, 0); /* under a closed gate, too */
    stage_paste(&stage, "3VV3B7AX9NM000001", 17);
    CHECK_TEXT(stage.app->field.text, "3VV3B7AX9NM000001");
    stage_paste(&stage, STAGE_VIN "\n", 18);
    CHECK_TEXT(stage.app->key.vin, STAGE_VIN);
    stage_close(&stage);
}

/* What goes on with a VIN goes on with it. */
static void test_what_is_no_other_vin(void)
{
    static const struct {
        const char *first, *then, *whole;
        enum key key; /* between the two */
    } cases[] = {
        {STAGE_VIN, ",2003", STAGE_VIN ",2003", KEY_ENTER},
        {"1HGCM8263", "3A004352", STAGE_VIN, KEY_ENTER}, /* B93: the Enter came early */
        {STAGE_VIN, "1", STAGE_VIN "1", KEY_GO_END},
        {STAGE_VIN, "1", STAGE_VIN "1", KEY_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        stage_open(&stage, NULL);
        stage_type(&stage, cases[i].first);
        if (cases[i].key == KEY_GO_END) {
            stage_key(&stage, KEY_ENTER, 0);
        }
        stage_key(&stage, cases[i].key, 0);
        stage_type(&stage, cases[i].then);
        CHECK_TEXT(stage.app->field.text, cases[i].whole);
        stage_close(&stage);
    }
}

static const struct unit_test tests[] = {
    {"search as typed", test_search_as_typed},
    {"next and before go round", test_next_and_before_go_round},
    {"search knows what is hidden", test_search_knows_what_is_hidden},
    {"search finds what is wrapped", test_search_finds_what_is_wrapped},
    {"a prompt is for text", test_a_prompt_is_for_text},
    {"leaving a prompt", test_leaving_a_prompt},
    {"copies", test_copies},
    {"what can be saved", test_what_can_be_saved},
    {"scenarios and the mouse", test_scenarios_and_the_mouse},
    {"clicks", test_clicks},
    {"clicks on lines", test_clicks_on_lines},
    {"a click is no way around the gate", test_a_click_is_no_way_around_the_gate},
    {"large digits", test_large_digits},
    {"details", test_details},
    {"the next scan is another VIN", test_the_next_scan_is_another_vin},
    {"B93: what is no other VIN", test_what_is_no_other_vin},
};

UNIT_MAIN("app panes", tests)
