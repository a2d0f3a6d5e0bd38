#include "screen/stage.h"

#include "unit/unit.h"

/* The model: the one verdict, tickets, what is never shown. Numbers are those of the reports (sections B and T). */

#define OTHER_VIN "2T1BURHE0JC060752" /* its check digit does not match: it is asked about */
#define THIRD_VIN "3AKJHHDR1KSKF8929"

static const char third_answer[] = "{\"Results\":[{\"VIN\":\"" THIRD_VIN "\",\"Make\":\"FREIGHTLINER\",\"Model\":"
                                   "\"Cascadia\",\"ModelYear\":\"2019\",\"ErrorCode\":\"0\"}]}";

static struct stage stage;

static enum state_word word(void)
{
    return can_decode(stage.app, stage.now).word;
}

static void begin(void)
{
    stage_open(&stage, NULL);
}

static void end(void)
{
    stage_close(&stage);
}

static void enter(void)
{
    stage_key(&stage, KEY_ENTER, 0);
}

/* ------------------------------------------------------------------ the table of state words, every row and its order
 */

enum condition {
    IN_FLIGHT = 1,
    WAITS = 2,
    CANNOT_BE_SENT = 4,
    GATE = 8,
    BREAKER = 16,
    RESTS = 32,
    ANSWERED = 64,
    FAILED = 128,
    DOUBTFUL = 256,
    CONDITIONS = 512
};

static void arrange(struct app *app, int conditions, monotime now)
{
    const char *text = (conditions & CANNOT_BE_SENT) != 0 ? "1HGCM8/"
                       : (conditions & DOUBTFUL) != 0     ? OTHER_VIN
                                                          : STAGE_VIN;
    app_set_text(app, text, false, now);
    struct result *result = results_ask(&app->results, &app->key);
    result->answered = (conditions & ANSWERED) != 0;
    result->answer.vehicle = result->answered ? stage_vehicle(stage_answer) : NULL;
    result->failed = (conditions & (FAILED | RESTS)) != 0;
    result->failure.resting = (conditions & RESTS) != 0;
    result->failure.again.until = now + 40000;
    app->host.gate.until = (conditions & GATE) != 0 ? now + 10000 : now;
    app->host.breaker = (conditions & BREAKER) != 0 ? BREAKER_OPEN : BREAKER_CLOSED;
    app->host.breaker_wait.until = now + 20000;
    app->open.ticket = (conditions & (IN_FLIGHT | WAITS)) != 0 ? 7 : 0;
    app->open.key = app->key;
    app->open.stage = (conditions & IN_FLIGHT) != 0 ? STAGE_CALLING : STAGE_WAITING;
    app->open.waiting.wait.until = now + 30000;
}

static void test_verdict_table(void)
{
    static const struct {
        int condition; /* 0: always */
        enum state_word word;
        bool action_on;
        int64_t off_ms; /* 0: no countdown */
    } rows[] = {
        {IN_FLIGHT, STATE_DECODING, false, 0},   {WAITS, STATE_WAITING, false, 30000},
        {CANNOT_BE_SENT, STATE_TYPE, false, -1}, {GATE, STATE_THROTTLED, false, 10000},
        {BREAKER, STATE_PAUSED, false, 20000},   {RESTS, STATE_RESTING, false, 40000},
        {ANSWERED, STATE_DECODED, false, 0},     {FAILED, STATE_FAILED, true, 0},
        {DOUBTFUL, STATE_CHECK, true, 0},        {0, STATE_READY, true, 0},
    };
    for (int conditions = 0; conditions < CONDITIONS; conditions++) {
        size_t row = 0;
        while (rows[row].condition != 0 && (conditions & rows[row].condition) == 0) {
            row++;
        }
        int64_t off = rows[row].off_ms;
        if (off < 0) { /* Type: the gate's countdown if it is closed, else the breaker's */
            off = (conditions & GATE) != 0 ? 10000 : (conditions & BREAKER) != 0 ? 20000 : 0;
        }
        begin();
        arrange(stage.app, conditions, stage.now);
        struct verdict verdict = can_decode(stage.app, stage.now);
        if (verdict.word != rows[row].word) {
            printf("\nconditions 0x%x: %s, not %s ", (unsigned)conditions, state_word_name(verdict.word),
                   state_word_name(rows[row].word));
        }
        CHECK_INT(verdict.word, rows[row].word);
        CHECK_INT(verdict.action_on, rows[row].action_on);
        CHECK_INT(verdict.off.until > stage.now ? verdict.off.until - stage.now : 0, off);
        CHECK(!(verdict.action_on && (conditions & (GATE | BREAKER)) != 0));
        stage.app->open.ticket = 0;
        end();
    }
}

static void test_state_words(void)
{
    static const char *const words[] = {"Decoding", "Waiting", "Type",   "Throttled", "Paused",
                                        "Resting",  "Decoded", "Failed", "Check",     "Ready"};
    for (int i = STATE_DECODING; i <= STATE_READY; i++) {
        CHECK_TEXT(state_word_name((enum state_word)i), words[i]);
    }
}

/* ------------------------------------------------------------------------------------------------ Enter, F5, Esc,
 * Ctrl-C */

static void test_enter_sends_once(void)
{
    begin();
    enter();
    CHECK_INT(stage.sent_count, 0);
    CHECK_INT(stage.app->notice, NOTICE_NONE);
    stage_type(&stage, STAGE_VIN);
    CHECK_INT(word(), STATE_READY);
    enter();
    CHECK_INT(stage.sent_count, 1);
    CHECK_TEXT(stage.sent.key.vin, STAGE_VIN);
    CHECK_INT(stage.sent.deadline, stage.now + 90000);
    CHECK_INT(stage.sent.profile, PROFILE_INTERACTIVE);
    CHECK(!stage.sent.past_caches);
    CHECK_INT(word(), STATE_DECODING);
    enter();
    CHECK_INT(stage.sent_count, 1);
    CHECK_INT(stage.app->notice, NOTICE_REFUSED);
    stage_key(&stage, KEY_GO_LEFT, 0);
    CHECK_INT(stage.app->notice, NOTICE_NONE);
    CHECK_INT(stage.cancelled_count, 0);
    end();
}

static void test_check_asks_once(void)
{
    begin();
    stage_type(&stage, OTHER_VIN);
    CHECK_INT(word(), STATE_CHECK);
    enter();
    CHECK_INT(stage.sent_count, 0);
    stage_key(&stage, KEY_GO_LEFT, 0); /* another key: it is asked again */
    enter();
    CHECK_INT(stage.sent_count, 0);
    enter();
    CHECK_INT(stage.sent_count, 1);
    end();
}

static void test_decoded_says_so_and_f5_asks_again(void)
{
    begin();
    stage_type(&stage, STAGE_VIN);
    enter();
    stage_decoded(&stage, stage_answer, true);
    CHECK_INT(word(), STATE_DECODED);
    enter();
    CHECK_INT(stage.sent_count, 1);
    CHECK_INT(stage.app->notice, NOTICE_REFUSED);
    stage_key(&stage, KEY_FUNCTION, 5);
    CHECK_INT(stage.sent_count, 2);
    CHECK(stage.sent.past_caches);
    CHECK_INT(word(), STATE_DECODING);
    CHECK(app_vehicle(stage.app) != NULL); /* it stays readable, and it is this VIN's */
    end();
}

static void test_nothing_skips_the_gate(void)
{
    begin();
    stage_type(&stage, STAGE_VIN);
    stage_gate(&stage, ORIGIN_RETRY_AFTER, 5000);
    enter();
    stage_key(&stage, KEY_FUNCTION, 5);
    CHECK_INT(stage.sent_count, 0);
    CHECK_INT(stage.app->notice, NOTICE_REFUSED);
    stage_pass(&stage, 4999);
    enter();
    CHECK_INT(stage.sent_count, 0);
    stage_pass(&stage, 1);
    enter();
    CHECK_INT(stage.sent_count, 1);
    end();
}

static void test_resting_f5_tries_once(void)
{
    begin();
    stage_type(&stage, STAGE_VIN);
    enter();
    struct event_failed failed = {
        .code = CODE_EXHAUSTED, .resting = true, .again.until = stage.now + 60000, .attempts = 4};
    stage_failed(&stage, &failed);
    CHECK_INT(word(), STATE_RESTING);
    enter();
    CHECK_INT(stage.sent_count, 1);
    stage_key(&stage, KEY_FUNCTION, 5);
    CHECK_INT(stage.sent_count, 2);
    end();
}

static void test_escape_and_interrupt(void)
{
    begin();
    stage_type(&stage, STAGE_VIN);
    enter();
    stage_key(&stage, KEY_FUNCTION, 1);
    stage_key(&stage, KEY_ESCAPE, 0); /* the help first */
    CHECK_INT(stage.cancelled_count, 0);
    stage_key(&stage, KEY_ESCAPE, 0);
    CHECK_INT(stage.cancelled_count, 1);
    CHECK_INT(stage.cancelled, stage.sent.ticket);
    CHECK_INT(word(), STATE_READY);
    stage_key(&stage, KEY_ESCAPE, 0);
    CHECK_INT(stage.cancelled_count, 1);
    enter();
    stage_key(&stage, KEY_CONTROL, 'C');
    CHECK_INT(stage.cancelled_count, 2);
    CHECK_INT(stage.left_count, 0);
    stage_key(&stage, KEY_CONTROL, 'C');
    CHECK_INT(stage.left_count, 1);
    CHECK_INT(stage.status, 130);
    stage_key(&stage, KEY_CONTROL, 'Q');
    CHECK_INT(stage.status, 0);
    CHECK_TEXT(stage.app->field.text, STAGE_VIN);
    end();
}

static void test_q_is_a_letter_in_the_field(void)
{
    begin();
    stage_type(&stage, "q");
    CHECK_INT(stage.left_count, 0);
    CHECK_TEXT(stage.app->scan.check.text, "Q");
    stage_key(&stage, KEY_TAB, 0);
    stage_type(&stage, "q");
    CHECK_INT(stage.left_count, 1);
    CHECK_INT(stage.status, 0);
    stage_type(&stage, "i");
    CHECK(app_in_field(stage.app));
    end();
}

static void test_scan_end_tab(void)
{
    begin();
    stage.app->scan_end_tab = true;
    stage_type(&stage, STAGE_VIN);
    stage_key(&stage, KEY_TAB, 0);
    CHECK_INT(stage.sent_count, 1);
    CHECK(app_in_field(stage.app));
    end();
}

static void test_set_text(void)
{
    begin();
    app_set_text(stage.app, OTHER_VIN, true, stage.now);
    stage_key(&stage, KEY_UNKNOWN, 0);
    CHECK_INT(stage.sent_count, 0); /* Check is never sent unasked */
    app_set_text(stage.app, STAGE_VIN, true, stage.now);
    stage_key(&stage, KEY_UNKNOWN, 0);
    CHECK_INT(stage.sent_count, 1);
    end();
}

static void test_history_walk(void)
{
    begin();
    stage_type(&stage, STAGE_VIN);
    enter();
    stage_decoded(&stage, stage_answer, false);
    stage_key(&stage, KEY_CONTROL, 'U');
    stage_type(&stage, THIRD_VIN ",2019");
    enter();
    stage_decoded(&stage, third_answer, false);
    stage_key(&stage, KEY_CONTROL, 'U');
    stage_type(&stage, "5Y");
    stage_key(&stage, KEY_GO_UP, 0);
    CHECK_TEXT(stage.app->field.text, THIRD_VIN ",2019");
    CHECK_INT(word(), STATE_DECODED);
    stage_key(&stage, KEY_GO_UP, 0);
    CHECK_TEXT(stage.app->field.text, STAGE_VIN);
    stage_key(&stage, KEY_GO_UP, 0);
    CHECK_TEXT(stage.app->field.text, STAGE_VIN);
    stage_key(&stage, KEY_GO_DOWN, 0);
    stage_key(&stage, KEY_GO_DOWN, 0);
    CHECK_TEXT(stage.app->field.text, "5Y");
    CHECK_INT(stage.sent_count, 2);
    end();
}

/* ------------------------------------------------------------------------------------------------------- never stale
 */

static void test_typing_closes_the_ticket(void)
{
    begin();
    stage_type(&stage, STAGE_VIN);
    enter();
    stage_calling(&stage, 1, 4, 8000);
    stage_key(&stage, KEY_CONTROL, 'A');
    stage_type(&stage, "-"); /* a separator: the cleaned VIN is the same */
    CHECK_INT(stage.cancelled_count, 0);
    stage_key(&stage, KEY_CONTROL, 'E');
    stage_type(&stage, ",2003"); /* the year is part of what is asked */
    CHECK_INT(stage.cancelled_count, 1);
    stage_decoded(&stage, stage_answer, false);
    CHECK(app_vehicle(stage.app) == NULL);
    CHECK_INT(word(), STATE_READY);
    end();
}

static void test_host_news_by_sequence(void)
{
    begin();
    stage_type(&stage, STAGE_VIN);
    stage.host_sequence = 5;
    stage_gate(&stage, ORIGIN_RETRY_AFTER, 30000);
    CHECK_INT(word(), STATE_THROTTLED);
    struct event old = {.kind = EVENT_HOST, .as.host = {.sequence = 4}};
    stage_event(&stage, &old);
    CHECK_INT(word(), STATE_THROTTLED);
    struct event newer = {.kind = EVENT_HOST, .as.host = {.sequence = 7}};
    stage_event(&stage, &newer);
    CHECK_INT(word(), STATE_READY);
    end();
}

static void test_b64_nothing_of_the_old_one_stays(void)
{
    begin();
    stage_type(&stage, STAGE_VIN);
    enter();
    stage_decoded(&stage, stage_answer, false);
    char *before = stage_frame(&stage, 24, 80, true);
    CHECK(strstr(before, "Vehicle " STAGE_VIN) != NULL);
    CHECK(strstr(before, "Accord") != NULL);
    stage_key(&stage, KEY_RUBOUT, 0);
    char *after = stage_frame(&stage, 24, 80, true);
    CHECK(strstr(after, "Vehicle") == NULL);
    CHECK(strstr(after, "Accord") == NULL);
    CHECK(strstr(after, "No answer yet") != NULL);
    free(before);
    free(after);
    end();
}

static void test_b43_the_input_survives_a_failure(void)
{
    begin();
    stage_type(&stage, STAGE_VIN);
    enter();
    struct event_failed failed = {.code = CODE_UPSTREAM_UNAVAILABLE, .status = 500, .attempts = 1};
    stage_failed(&stage, &failed);
    CHECK_INT(word(), STATE_FAILED);
    CHECK_TEXT(stage.app->field.text, STAGE_VIN);
    end();
}

static void test_cancelled_by_the_engine(void)
{
    begin();
    stage_type(&stage, STAGE_VIN);
    enter();
    struct event_failed failed = {.code = CODE_CANCELLED};
    stage_failed(&stage, &failed);
    CHECK_INT(word(), STATE_READY);
    end();
}

/* Two tickets, A and then B. What the person does comes in one order, what the engine says of each ticket in another;
 * every way to mix the three that can happen is played, and after each step nothing on the screen may be stale. */
enum { PERSON, ENGINE_A, ENGINE_B, LANES };

static const int lane_length[LANES] = {3, 5, 3};

struct play {
    uint64_t tickets[2];
    struct vin_key keys[2];
    uint64_t newest; /* host news */
    bool a_sent, b_sent, left_a, ended_in_time[2];
};

static void send(struct play *play, int which)
{
    enter();
    play->tickets[which] = stage.sent.ticket;
    play->keys[which] = stage.sent.key;
}

static void person(struct play *play, int step)
{
    if (step == 0) {
        stage_type(&stage, STAGE_VIN);
        send(play, 0);
        play->a_sent = true;
    } else if (step == 1) {
        stage_key(&stage, KEY_CONTROL, 'U');
        stage_type(&stage, THIRD_VIN);
        play->left_a = true;
    } else {
        send(play, 1);
        play->b_sent = true;
    }
}

static void engine_says(struct play *play, int which, int step)
{
    struct event event = {.ticket = play->tickets[which], .key = play->keys[which]};
    bool last = step == lane_length[ENGINE_A + which] - 1;
    if (last) {
        event.kind = EVENT_DECODED;
        event.as.decoded = (struct event_decoded){.vehicle = stage_vehicle(which == 0 ? stage_answer : third_answer),
                                                  .answered_at = stage.now,
                                                  .status = 200};
        play->ended_in_time[which] = which == 1 || !play->left_a;
    } else if (step == 1) {
        event = (struct event){.kind = EVENT_HOST, .as.host = {.sequence = ++play->newest, .alert = which == 0}};
    } else if (step == 2) {
        event.kind = EVENT_WAITING;
        event.as.waiting = (struct event_waiting){.wait.until = stage.now + 100000, .attempt = 2, .attempts = 4};
    } else {
        event.kind = EVENT_CALLING;
        event.as.calling =
            (struct event_calling){.attempt = 1, .attempts = 4, .started_at = stage.now, .timeout_ms = 8000};
    }
    stage_event(&stage, &event);
}

static bool never_stale(const struct play *play)
{
    const struct vehicle *vehicle = app_vehicle(stage.app);
    bool shows_a = play->a_sent && !play->left_a;
    if (vehicle != NULL && strcmp(vehicle_vin(vehicle), stage.app->key.vin) != 0) {
        return false;
    }
    if ((word() == STATE_DECODING || word() == STATE_WAITING) &&
        !vin_key_equal(&stage.app->open.key, &stage.app->key)) {
        return false;
    }
    if (play->left_a && !play->b_sent && word() != STATE_READY) {
        return false;
    }
    if (word() == STATE_DECODED && !play->ended_in_time[shows_a ? 0 : 1]) {
        return false;
    }
    return stage.app->host.sequence == play->newest;
}

static size_t mixes, stale;

/* `order` holds the lanes of the first `length` steps; the model is played from its beginning for each. */
static void play_all(int *order, int length, int position[LANES])
{
    bool done = true;
    for (int lane = 0; lane < LANES; lane++) {
        bool possible = lane == PERSON || (lane == ENGINE_A ? position[PERSON] >= 1 : position[PERSON] >= 3);
        if (position[lane] == lane_length[lane]) {
            continue;
        }
        done = false;
        if (possible) {
            order[length] = lane;
            position[lane]++;
            play_all(order, length + 1, position);
            position[lane]--;
        }
    }
    if (!done) {
        return;
    }
    struct play play = {.newest = 0};
    int steps[LANES] = {0};
    begin();
    mixes++;
    for (int i = 0; i < length; i++) {
        int lane = order[i];
        if (lane == PERSON) {
            person(&play, steps[lane]++);
        } else {
            engine_says(&play, lane - ENGINE_A, steps[lane]++);
        }
        if (!never_stale(&play)) {
            stale++;
            printf("\nstale after step %d of", i + 1);
            for (int k = 0; k < length; k++) {
                printf(" %c", "PAB"[order[k]]);
            }
        }
    }
    if (word() != STATE_DECODED || strcmp(vehicle_vin(app_vehicle(stage.app)), THIRD_VIN) != 0) {
        stale++;
    }
    end();
}

static void test_stale_in_no_interleaving(void)
{
    int order[16], position[LANES] = {0};
    mixes = 0;
    stale = 0;
    play_all(order, 0, position);
    CHECK(mixes > 100);
    CHECK_INT(stale, 0);
}

/* ------------------------------------------------------------------------------------------------ scanners and pastes
 */

static void test_t34_a_newline_in_a_paste_is_data(void)
{
    begin();
    stage_paste(&stage, STAGE_VIN "\nq\n", 20);
    CHECK_INT(stage.sent_count, 0);
    CHECK_INT(stage.left_count, 0);
    stage_key(&stage, KEY_CONTROL, '_'); /* what came is seen, then it is taken back: one edit */
    CHECK_INT(stage.app->field.length, 20);
    stage_key(&stage, KEY_CONTROL, '_');
    CHECK_TEXT(stage.app->field.text, "");
    stage_paste(&stage, STAGE_VIN "\r\n", 19);
    CHECK_INT(stage.sent_count, 0);
    CHECK_INT(word(), STATE_READY);
    end();
}

static void test_t36_a_bracket_inside_a_paste_is_text(void)
{
    begin();
    stage_paste(&stage, "1HG\x1b[201~q\n", 11);
    CHECK_INT(stage.left_count, 0);
    CHECK(app_in_field(stage.app));
    CHECK_INT(word(), STATE_TYPE);
    char *text = stage_frame(&stage, 24, 80, true);
    CHECK(strchr(text, '\x1b') == NULL);
    free(text);
    end();
}

static void test_t37_invisible_characters_go_and_it_is_said(void)
{
    static const char pasted[] = "1HGCM\xe2\x80\x8b"
                                 "82633\xc2\xa0"
                                 "A004\xe2\x80\x93"
                                 "352\xef\xbb\xbf";
    begin();
    stage_paste(&stage, pasted, sizeof pasted - 1);
    CHECK_INT(word(), STATE_READY);
    CHECK_TEXT(stage.app->key.vin, STAGE_VIN);
    char *text = stage_frame(&stage, 24, 80, true);
    CHECK(strstr(text, "VIN " STAGE_VIN "  17/17") != NULL);
    CHECK(strstr(text, "removed: ") != NULL);
    free(text);
    end();
}

static void test_t27_hostile_values_reach_no_frame(void)
{
    static const char hostile[] = "{\"Results\":[{\"VIN\":\"" STAGE_VIN
                                  "\",\"Make\":\"\\u001b]52;c;aGk=\\u0007\",\"Model\":\"\\u001b[6n\\u009b2J\","
                                  "\"ModelYear\":\"20\\u202e03\",\"Trim\":\"a\\rb\\nc\\td\",\"\\u001b[31mKey\":"
                                  "\"\\u0000\\u200b\",\"Doors\":\"\\u2028\","
                                  "\"ErrorCode\":\"77\",\"ErrorText\":\"77 - \\u001b[2J\"}]}";
    begin();
    stage_type(&stage, STAGE_VIN);
    enter();
    stage_decoded(&stage, hostile, false);
    stage_key(&stage, KEY_TAB, 0);
    stage_key(&stage, KEY_CHARACTER, 'e');
    for (int utf8 = 0; utf8 < 2; utf8++) {
        char *text = stage_frame(&stage, 100, 80, utf8 != 0);
        for (const char *at = text; *at != '\0'; at++) {
            unsigned char byte = (unsigned char)*at;
            if ((byte < 0x20 && byte != '\n') || byte == 0x7f || (utf8 == 0 && byte >= 0x80)) {
                printf("\nbyte %02X in the frame ", byte);
                CU_FAIL("a control character in a frame");
                break;
            }
        }
        CHECK(strstr(text, "<U+202E>") != NULL);
        CHECK(strstr(text, "^[]52;c;aGk=^G") != NULL);
        free(text);
    }
    end();
}

static void test_b91_stars_at_both_ends(void)
{
    begin();
    stage_type(&stage, "*" STAGE_VIN "*");
    CHECK_TEXT(stage.app->key.vin, STAGE_VIN);
    CHECK_INT(word(), STATE_READY);
    char *text = stage_frame(&stage, 24, 80, true);
    CHECK(strstr(text, "VIN " STAGE_VIN "  17/17") != NULL);
    free(text);
    end();
}

static void test_b93_an_early_enter_asks(void)
{
    begin();
    stage_type(&stage, "1HGCM8263");
    enter();
    CHECK_INT(stage.sent_count, 0);
    CHECK_INT(word(), STATE_CHECK);
    char *text = stage_frame(&stage, 24, 80, true);
    CHECK(strstr(text, "9 of 17 characters") != NULL);
    free(text);
    stage_type(&stage, "3A004352");
    CHECK_INT(word(), STATE_READY);
    enter();
    CHECK_INT(stage.sent_count, 1);
    end();
}

static void test_b94_a_leading_enter_does_nothing(void)
{
    begin();
    enter();
    CHECK_INT(stage.app->notice, NOTICE_NONE);
    stage_type(&stage, STAGE_VIN);
    CHECK_INT(stage.sent_count, 0);
    CHECK_INT(word(), STATE_READY);
    end();
}

static void test_the_scanned_original_comes_back(void)
{
    begin();
    stage_type(&stage, "IJHLRD77874C026456");
    CHECK_TEXT(stage.app->key.vin, "JHLRD77874C026456");
    stage_key(&stage, KEY_CONTROL, 'U');
    CHECK_INT(word(), STATE_TYPE);
    stage_key(&stage, KEY_CONTROL, '_');
    CHECK_TEXT(stage.app->field.text, "IJHLRD77874C026456");
    CHECK_TEXT(stage.app->key.vin, "JHLRD77874C026456");
    end();
}

/* Whether the frame holds all of these; it is printed when it does not. */
static bool frame_holds(const char *const *parts, size_t count)
{
    bool all = true;
    char *text = stage_frame(&stage, 24, 80, true);
    for (size_t i = 0; i < count; i++) {
        bool found = strstr(text, parts[i]) != NULL;
        if (!found) {
            printf("\nnot shown: %s\n%s", parts[i], text);
        }
        all = all && found;
    }
    free(text);
    return all;
}

#define SHOWS(...)                                                                                                     \
    CHECK(frame_holds((const char *const[]){__VA_ARGS__},                                                              \
                      sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *)))

/* Cleaning is undone before the scan itself is: what came is seen, byte for byte, and any change cleans it again. */
static void test_undo_shows_what_came(void)
{
    static const char scan[] = "IJHLRD77874C026456\r";
    begin();
    stage_paste(&stage, scan, sizeof scan - 1);
    SHOWS("VIN JHLRD77874C026456  17/17", "removed: leading I (import label), CR", "Ctrl-_ undo");
    stage_key(&stage, KEY_CONTROL, '_');
    SHOWS("VIN IJHLRD77874C026456  18/17", "as it came: IJHLRD77874C026456^M; Ctrl-_ undoes it",
          "18 characters, a VIN has 17", "Ctrl-_ undo");
    CHECK_INT(word(), STATE_TYPE);
    stage_key(&stage, KEY_CONTROL, '_');
    CHECK_TEXT(stage.app->field.text, "");
    stage_paste(&stage, "1hgcm-82633 A004352,2003", 24);
    stage_key(&stage, KEY_CONTROL, '_');
    SHOWS("VIN 1HGCM82633A004352,2003  17/17", "as it came: 1hgcm-82633 A004352,2003; Ctrl-_ undoes it");
    CHECK_INT(word(), STATE_READY);
    stage_key(&stage, KEY_RUBOUT, 0);
    SHOWS("VIN 1HGCM82633A004352,200  17/17", "removed: 1 blank, 1 hyphen");
    CHECK(!stage.app->original);
    stage_key(&stage, KEY_CONTROL, '_'); /* what was edited since then comes back first, as everywhere */
    CHECK(!stage.app->original);
    SHOWS("VIN 1HGCM82633A004352,2003  17/17", "removed: 1 blank, 1 hyphen");
    end();
}

/* A call that is for another VIN than the original's is given up, as by any other change. */
static void test_the_original_is_another_vin(void)
{
    begin();
    stage_type(&stage, "I" STAGE_VIN);
    enter();
    CHECK_INT(stage.sent_count, 1);
    stage_key(&stage, KEY_CONTROL, '_');
    CHECK_INT(stage.cancelled_count, 1);
    enter();
    CHECK_INT(stage.sent_count, 1);
    end();
}

/* A separator is not seen, so no key stops at one. */
static void test_keys_pass_over_separators(void)
{
    begin();
    stage_type(&stage, "1HG -CM");
    stage_key(&stage, KEY_GO_LEFT, 0);
    stage_key(&stage, KEY_GO_LEFT, 0);
    stage_key(&stage, KEY_RUBOUT, 0);
    CHECK_TEXT(stage.app->field.text, "1HCM");
    stage_type(&stage, " ");
    stage_key(&stage, KEY_GO_LEFT, 0);
    stage_key(&stage, KEY_DELETE, 0);
    CHECK_TEXT(stage.app->field.text, "1 CM");
    stage_key(&stage, KEY_DELETE, 0);
    CHECK_TEXT(stage.app->field.text, "1M");
    end();
}

static void test_iso_15434_separators_are_keys(void)
{
    begin();
    stage_type(&stage, "[)>");
    stage_key(&stage, KEY_CONTROL, '^');
    stage_type(&stage, "06");
    stage_key(&stage, KEY_CONTROL, ']');
    stage_type(&stage, "I" STAGE_VIN);
    stage_key(&stage, KEY_CONTROL, '^');
    CHECK_TEXT(stage.app->key.vin, STAGE_VIN);
    end();
}

static void test_a_novel_is_cut(void)
{
    static char novel[100000];
    memset(novel, 'x', sizeof novel);
    begin();
    stage_paste(&stage, novel, sizeof novel);
    CHECK_INT(stage.app->notice, NOTICE_CUT);
    CHECK_INT(word(), STATE_TYPE);
    char *text = stage_frame(&stage, 12, 40, true);
    CHECK(strstr(text, "The field is full") != NULL);
    free(text);
    end();
}

/* -------------------------------------------------------------------------------------------------------------- time
 */

/* Between now and the next change the frame must not differ, and at the change it must. */
static void check_edges(int steps)
{
    for (int i = 0; i < steps; i++) {
        monotime next = app_next_change(stage.app, stage.now);
        if (next == MONOTIME_NEVER) {
            return;
        }
        CHECK(next > stage.now);
        char *now = stage_frame(&stage, 24, 80, true);
        stage_pass(&stage, next - 1 - stage.now);
        char *before = stage_frame(&stage, 24, 80, true);
        CHECK_TEXT(before, now);
        stage_pass(&stage, 1);
        char *at = stage_frame(&stage, 24, 80, true);
        if (strcmp(at, before) == 0) {
            printf("\nnothing changed at %lld ", (long long)next);
            CU_FAIL("a wake-up for nothing");
        }
        free(now);
        free(before);
        free(at);
    }
}

static void test_edges_of_what_is_shown(void)
{
    begin();
    CHECK_INT(app_next_change(stage.app, stage.now), MONOTIME_NEVER);
    stage_type(&stage, STAGE_VIN);
    CHECK_INT(app_next_change(stage.app, stage.now), MONOTIME_NEVER);
    enter();
    stage_calling(&stage, 1, 4, 8000);
    stage_pass(&stage, 370);
    check_edges(3);
    stage_gate(&stage, ORIGIN_RETRY_AFTER, 4321);
    stage_waiting(&stage, ORIGIN_RETRY_AFTER, 4321, REASON_RETRY_AFTER_SECONDS, 429);
    check_edges(9);
    stage_decoded(&stage, stage_answer, false);
    check_edges(9);
    CHECK_INT(app_next_change(stage.app, stage.now), MONOTIME_NEVER);
    char *before = stage_frame(&stage, 24, 80, true);
    stage_pass(&stage, 3600000);
    char *after = stage_frame(&stage, 24, 80, true);
    CHECK_TEXT(after, before); /* an answer has a time, not an age that runs */
    free(before);
    free(after);
    stage_key(&stage, KEY_FUNCTION, 2);
    CHECK_INT(app_next_change(stage.app, stage.now), MONOTIME_NEVER);
    end();
}

static void test_edges_of_a_failure(void)
{
    begin();
    stage_type(&stage, STAGE_VIN);
    enter();
    struct event_failed failed = {.code = CODE_EXHAUSTED,
                                  .resting = true,
                                  .again.until = stage.now + 3500,
                                  .transfer = TRANSFER_TIMEOUT,
                                  .attempts = 4};
    stage_failed(&stage, &failed);
    check_edges(9);
    CHECK_INT(word(), STATE_FAILED);
    end();
}

static void test_a_countdown_is_never_zero_while_closed(void)
{
    begin();
    stage_type(&stage, STAGE_VIN);
    stage_gate(&stage, ORIGIN_RETRY_AFTER, 2000);
    stage_pass(&stage, 1999);
    char *text = stage_frame(&stage, 24, 80, true);
    CHECK(strstr(text, "Throttled 0:01") != NULL);
    CHECK(strstr(text, "( Decode off 0:01 )") != NULL);
    free(text);
    stage_pass(&stage, 1);
    text = stage_frame(&stage, 24, 80, true);
    CHECK(strstr(text, "Ready") != NULL);
    CHECK(strstr(text, "0:00") == NULL);
    free(text);
    end();
}

static void test_results_are_bounded(void)
{
    begin();
    for (unsigned i = 0; i < RESULTS_MAX + 10; i++) {
        char text[32];
        (void)snprintf(text, sizeof text, "1HG%05u", i);
        app_set_text(stage.app, text, false, stage.now);
        enter();
        enter();
        stage_decoded(&stage, third_answer, false);
    }
    CHECK_INT(stage.app->results.count, RESULTS_MAX);
    CHECK_TEXT(results_newest(&stage.app->results, 0)->key.vin, "1HG00265");
    CHECK_TEXT(results_newest(&stage.app->results, RESULTS_MAX - 1)->key.vin, "1HG00010");
    CHECK(results_newest(&stage.app->results, RESULTS_MAX) == NULL);
    end();
}

static const struct unit_test tests[] = {
    {"the verdict: every row and its order", test_verdict_table},
    {"the state words", test_state_words},
    {"Enter sends once", test_enter_sends_once},
    {"Check asks once", test_check_asks_once},
    {"Decoded says so, F5 asks again", test_decoded_says_so_and_f5_asks_again},
    {"nothing skips the gate", test_nothing_skips_the_gate},
    {"Resting: F5 tries once", test_resting_f5_tries_once},
    {"Esc and Ctrl-C", test_escape_and_interrupt},
    {"q is a letter in the field", test_q_is_a_letter_in_the_field},
    {"Tab ends a scan when it is set to", test_scan_end_tab},
    {"a VIN of the command line", test_set_text},
    {"Up and Down walk through the history", test_history_walk},
    {"typing closes the ticket", test_typing_closes_the_ticket},
    {"host news by sequence", test_host_news_by_sequence},
    {"B43: the input survives a failure", test_b43_the_input_survives_a_failure},
    {"B64, T58, R97: nothing of the old one stays", test_b64_nothing_of_the_old_one_stays},
    {"cancelled by the engine", test_cancelled_by_the_engine},
    {"stale in no interleaving", test_stale_in_no_interleaving},
    {"T27: hostile values reach no frame", test_t27_hostile_values_reach_no_frame},
    {"T34: a newline in a paste is data", test_t34_a_newline_in_a_paste_is_data},
    {"T36: a bracket inside a paste is text", test_t36_a_bracket_inside_a_paste_is_text},
    {"T37, B54: invisible characters go, and it is said", test_t37_invisible_characters_go_and_it_is_said},
    {"B91: stars at both ends", test_b91_stars_at_both_ends},
    {"B93: an early Enter asks", test_b93_an_early_enter_asks},
    {"B94: a leading Enter does nothing", test_b94_a_leading_enter_does_nothing},
    {"the scanned original comes back", test_the_scanned_original_comes_back},
    {"undo shows what came", test_undo_shows_what_came},
    {"the original is another VIN", test_the_original_is_another_vin},
    {"keys pass over separators", test_keys_pass_over_separators},
    {"ISO 15434 separators are keys", test_iso_15434_separators_are_keys},
    {"a novel is cut, and it is said", test_a_novel_is_cut},
    {"the edges of what is shown", test_edges_of_what_is_shown},
    {"the edges of a failure", test_edges_of_a_failure},
    {"a countdown is never 0:00 while closed", test_a_countdown_is_never_zero_while_closed},
    {"results are bounded", test_results_are_bounded},
};

UNIT_MAIN("app", tests)
