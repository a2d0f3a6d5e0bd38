#include "screen/stage.h"
#include "unit/unit.h"

/* Faults that others had, on the screen: each test is called after its number in the reports. */

static struct stage stage;

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

static bool hides(const char *text)
{
    char *frame = stage_frame(&stage, 24, 80, true);
    bool found = strstr(frame, text) != NULL;
    free(frame);
    return !found;
}

static void ask(const char *vin)
{
    stage_type(&stage, vin);
    stage_key(&stage, KEY_ENTER, 0);
    stage_calling(&stage, 1, 4, 8000);
}

static void fail_with(int status, enum code code)
{
    struct event_failed failed = {.code = code, .reason = REASON_UNLISTED_STATUS, .status = status, .attempts = 1};
    stage_failed(&stage, &failed);
}

/* A VIN of Europe whose position 10 is 0: no year is made up, and the digit is no fault. */
static void test_b09_no_year_is_made_up(void)
{
    stage_open(&stage, NULL);
    stage_type(&stage, "WBA71DC010CH14720");
    CHECK(shows("position 10 names no year"));
    CHECK(hides("model year 1"));
    CHECK(hides("model year 2"));
    CHECK_INT(can_decode(stage.app, stage.now).word, STATE_READY);
    stage_close(&stage);
}

/* Every result tells where it is from and when. */
static void test_b13_source_and_time_of_every_result(void)
{
    stage_open(&stage, NULL);
    ask(STAGE_VIN);
    stage_decoded(&stage, stage_answer, false);
    CHECK(shows("Decoded from NHTSA at 12:00:00"));
    stage_close(&stage);
    stage_open(&stage, NULL);
    ask(STAGE_VIN);
    stage_pass(&stage, 3600000);
    struct event event = {
        .kind = EVENT_DECODED,
        .as.decoded = {.vehicle = stage_vehicle(stage_answer), .from_cache = true, .answered_at = stage.now - 1800000}};
    stage_event(&stage, &event);
    CHECK(shows("Decoded from the cache, 30 min old when shown, of 12:30:00"));
    stage_close(&stage);
}

/* A failure is no result: nothing of a vehicle stands there, and the next try is a new one. */
static void test_b19_a_failure_is_never_a_result(void)
{
    stage_open(&stage, NULL);
    ask(STAGE_VIN);
    struct event_failed failed = {
        .code = CODE_EXHAUSTED, .reason = REASON_ATTEMPTS, .transfer = TRANSFER_TIMEOUT, .attempts = 4};
    stage_failed(&stage, &failed);
    CHECK(shows("Failed"));
    CHECK(shows("did not answer"));
    CHECK(hides("Vehicle "));
    CHECK(hides("invalid"));
    stage_key(&stage, KEY_ENTER, 0);
    CHECK_INT(stage.sent_count, 2);
    stage_decoded(&stage, stage_answer, false);
    CHECK(shows("Vehicle " STAGE_VIN));
    stage_close(&stage);
}

/* An error of the server is seen, the VIN stays, and a key tries again. */
static void test_b24_an_error_is_seen(void)
{
    stage_open(&stage, NULL);
    ask(STAGE_VIN);
    fail_with(500, CODE_UPSTREAM_UNAVAILABLE);
    CHECK(shows("NHTSA had an internal error (500)"));
    CHECK(shows("VIN " STAGE_VIN));
    CHECK(shows("[ Decode ]"));
    CHECK(shows("Enter decode"));
    stage_close(&stage);
}

/* While an answer takes long its time is seen, it can be cancelled, and keys do what they always do. */
static void test_b42_a_slow_answer(void)
{
    stage_open(&stage, NULL);
    ask(STAGE_VIN);
    stage_pass(&stage, 7000);
    CHECK(shows("Decoding 7 s of 8 s"));
    CHECK(shows("Esc cancels"));
    stage_key(&stage, KEY_FUNCTION, 1);
    CHECK(shows("Help "));
    stage_key(&stage, KEY_ESCAPE, 0);
    CHECK_INT(stage.cancelled_count, 0);
    stage_key(&stage, KEY_ESCAPE, 0);
    CHECK_INT(stage.cancelled_count, 1);
    CHECK(shows("Cancelled"));
    stage_close(&stage);
}

/* What was asked with a year is an answer for that year alone. */
static void test_b57_an_answer_is_for_its_year(void)
{
    stage_open(&stage, NULL);
    ask(STAGE_VIN ",2003");
    stage_decoded(&stage, stage_answer, false);
    CHECK(shows("Vehicle " STAGE_VIN));
    for (int i = 0; i < 5; i++) {
        stage_key(&stage, KEY_RUBOUT, 0);
    }
    CHECK(hides("Vehicle "));
    CHECK_INT(can_decode(stage.app, stage.now).word, STATE_READY);
    stage_close(&stage);
}

/* What a scanner read is seen before it is sent, with what was taken off. */
static void test_b90_what_was_read_is_seen_first(void)
{
    stage_open(&stage, NULL);
    stage_type(&stage, "IJHLRD77874C026456");
    CHECK(shows("VIN JHLRD77874C026456  17/17"));
    CHECK(shows("removed: leading I"));
    CHECK_INT(stage.sent_count, 0);
    stage_close(&stage);
}

/* A maker with an exception: our digit says wrong until NHTSA says clean; then its word wins. */
static void test_b18_the_word_of_nhtsa_wins(void)
{
    static const char vin[] = "1C9FA3822R1257465";
    stage_open(&stage, NULL);
    stage_type(&stage, vin);
    CHECK(shows("\xe2\x94\x98^\xe2\x94\x82\xe2\x94\x82")); /* a caret under 9 */
    CHECK(shows("check digit 2, expected 0 (required there)"));
    CHECK(shows("perhaps 1C9FA3B22R12574G5"));
    stage_key(&stage, KEY_ENTER, 0);
    stage_key(&stage, KEY_ENTER, 0);
    stage_decoded(&stage,
                  "{\"Results\":[{\"VIN\":\"1C9FA3822R1257465\",\"Make\":\"CEI\",\"ErrorCode\":\"0\",\"ErrorText\":"
                  "\"0 - VIN decoded clean. NOTE: Check Digit Exception - from the OEM\"}]}",
                  false);
    CHECK(shows("\xe2\x94\x98\xe2\x94\x82\xe2\x94\x82\xe2\x94\x82"));
    CHECK(shows("check digit 2, expected 0 (NHTSA accepts it)"));
    CHECK(shows("NHTSA makes an exception"));
    CHECK(hides("perhaps 1C9"));
    stage_close(&stage);
}

/* Two years remain where the code says no more; what position 7 says holds for cars alone. */
static void test_b66_why_two_years_remain(void)
{
    stage_open(&stage, NULL);
    stage_type(&stage, "JHMCR6F52EE084680");
    CHECK(shows("perhaps model year 1984 or 2014"));
    CHECK(shows("E returns every 30 years; a letter at 7 says 2014 for a US car"));
    stage_close(&stage);
    stage_open(&stage, NULL);
    stage_type(&stage, "5UXWX7C5*BA");
    CHECK(shows("model year 1981 or 2011"));
    CHECK(shows("B returns every 30 years; a letter at 7 says 2011 for a US car"));
    stage_close(&stage);
}

/* A small maker's code is longer, which is said; and the country stands there, however long the name is. */
static void test_b79_a_small_maker(void)
{
    stage_open(&stage, NULL);
    stage_type(&stage, "1C9FA3822R1");
    CHECK(shows("From the VIN itself: 1C9 one of the small makers, United States\n"));
    stage_type(&stage, "257465");
    CHECK(shows("From the VIN itself: 1C9257 C.E.I. EQUIPMENT COMPANY INC, United States\n"));
    CHECK(shows("small maker: its code is positions 1-3 and 12-14"));
    stage_close(&stage);
    stage_open(&stage, NULL);
    stage_type(&stage, "3AKJHHDR1KSKF8929");
    CHECK(shows("From the VIN itself: 3AK DAIMLER VEH\xc3\x8d"
                "CULOS COMERCIALES M\xc3\x89XICO S. DE R.L\xe2\x80\xa6, Mexico\n"));
    stage_close(&stage);
}

/* NHTSA marks what it cannot name: that, too, is seen. */
static void test_b01_a_suggestion_that_stays_open(void)
{
    stage_open(&stage, NULL);
    ask(STAGE_VIN);
    stage_decoded(&stage,
                  "{\"Results\":[{\"VIN\":\"" STAGE_VIN "\",\"Make\":\"HONDA\",\"ErrorCode\":\"5,14\",\"SuggestedVIN\":"
                  "\"1HGC!!!633A004352\",\"PossibleValues\":\"(5:0123456789)(6:0123456789)(7:0123456789)\"}]}",
                  false);
    CHECK(shows("suggested 1HGC!!!633A004352, with more that fits at ! than can be listed; d"));
    CHECK(shows("    \xe2\x94\x94\xe2\x94\x80\xe2\x94\x98\xe2\x94\x94^^^")); /* carets under 5, 6 and 7 */
    stage_close(&stage);
}

static const struct unit_test tests[] = {
    {"B01: a suggestion that stays open", test_b01_a_suggestion_that_stays_open},
    {"B09: no year is made up", test_b09_no_year_is_made_up},
    {"B13: source and time of every result", test_b13_source_and_time_of_every_result},
    {"B18: the word of NHTSA wins", test_b18_the_word_of_nhtsa_wins},
    {"B19: a failure is never a result", test_b19_a_failure_is_never_a_result},
    {"B24: an error is seen", test_b24_an_error_is_seen},
    {"B42: a slow answer", test_b42_a_slow_answer},
    {"B57: an answer is for its year", test_b57_an_answer_is_for_its_year},
    {"B66: why two years remain", test_b66_why_two_years_remain},
    {"B79: a small maker", test_b79_a_small_maker},
    {"B90: what was read is seen first", test_b90_what_was_read_is_seen_first},
};

UNIT_MAIN("reports on the screen", tests)
