#include "tui/plain_say.h"

#include "tests/screen/stage.h"
#include "tests/unit/unit.h"

/* What --plain says, in virtual time. */

static struct stage stage;
static struct plain_said said;
static struct field_choice fields; /* none: all */
static struct buffer out;
static bool utf8 = true;

static void open_stage(const char *demo)
{
    stage_open(&stage, demo);
    said = (struct plain_said){0};
    fields.count = 0;
    buffer_init(&out, 1 << 20);
}

static void close_stage(void)
{
    buffer_clear(&out);
    stage_close(&stage);
}

static void say(void)
{
    struct record_context context = {
        .host = "NHTSA", .now = stage.now, .wall = stage.wall, .fields = &fields, .utf8 = utf8};
    plain_say(stage.app, &said, &context, &out);
}

/* What was said since the last look. */
static void expect(const char *wanted)
{
    say();
    CHECK_TEXT(out.data, wanted);
    buffer_reset(&out);
}

static void expect_part(const char *wanted)
{
    say();
    if (strstr(out.data, wanted) == NULL) {
        printf("\nwanted \"%s\" in \"%s\" ", wanted, out.data);
    }
    CHECK(strstr(out.data, wanted) != NULL);
    buffer_reset(&out);
}

/* Lets time pass as the loop does, from one moment at which something is to be said to the next. */
static void pass(int64_t ms)
{
    monotime end = stage.now + ms;
    for (monotime next = plain_next(&said, stage.now); next <= end; next = plain_next(&said, stage.now)) {
        CHECK(next > stage.now);
        stage_pass(&stage, next - stage.now);
        say();
    }
    stage_pass(&stage, end - stage.now);
}

static void enter(const char *text)
{
    stage_key(&stage, KEY_UNKNOWN, 0);
    app_set_text(stage.app, text, false, stage.now);
    stage_key(&stage, KEY_ENTER, 0);
    said.any = false;
}

static void test_greeting(void)
{
    open_stage("retry-after");
    plain_greet(stage.app, true, &out);
    CHECK_TEXT(out.data, "vindecode " VINDECODE_VERSION ", DEMO \xe2\x80\x93 simulated NHTSA, scenario retry-after.\n"
                         "Type a VIN and press Enter. Ctrl-C cancels, Ctrl-D leaves.\n");
    close_stage();
    open_stage(NULL);
    plain_greet(stage.app, false, &out);
    CHECK_TEXT(out.data, "vindecode " VINDECODE_VERSION ", asks NHTSA.\n"
                         "Type a VIN and press Enter. Ctrl-C cancels, Ctrl-D leaves.\n");
    close_stage();
}

/* A countdown is said once, and then every ten seconds. */
static void test_wait(void)
{
    open_stage(NULL);
    expect("");
    enter(STAGE_VIN);
    expect("");
    stage_calling(&stage, 1, 4, 4000);
    expect("Decoding 1HGCM82633A004352, attempt 1 of 4, at most 4 s.\n");
    expect("");
    pass(3000);
    expect("");
    stage_gate(&stage, ORIGIN_RETRY_AFTER, 34000);
    stage_waiting(&stage, ORIGIN_RETRY_AFTER, 34000, REASON_RETRY_AFTER_SECONDS, 429);
    expect("Waiting 0:34, Retry-After 34 s. Attempt 2 of 4 comes next. NHTSA asked us to wait (429); the next try "
           "leaves by itself.\n");
    CHECK_INT(plain_next(&said, stage.now), stage.now + 14000); /* four seconds would be too soon */
    pass(33999);
    CHECK_TEXT(out.data, "Waiting 0:20.\nWaiting 0:10.\n");
    buffer_reset(&out);
    stage_pass(&stage, 1);
    expect("The wait is over.\n");
    CHECK_INT(plain_next(&said, stage.now), MONOTIME_NEVER);
    stage_calling(&stage, 2, 4, 4000);
    expect("Decoding 1HGCM82633A004352, attempt 2 of 4, at most 4 s.\n");
    stage_decoded(&stage, stage_answer, false);
    expect_part("Decoded 1HGCM82633A004352, from NHTSA.\n1HGCM82633A004352  2003 HONDA Accord EX-V6\n");
    expect("");
    close_stage();
}

/* Under a closed gate another VIN is not sent, and nothing of the first is said. */
static void test_throttled(void)
{
    open_stage(NULL);
    enter(STAGE_VIN);
    stage_calling(&stage, 1, 4, 4000);
    stage_gate(&stage, ORIGIN_RETRY_AFTER, 30000);
    stage_waiting(&stage, ORIGIN_RETRY_AFTER, 30000, REASON_RETRY_AFTER_SECONDS, 429);
    say();
    buffer_reset(&out);
    pass(2500);
    enter("1M8GDM9AXKP042788");
    expect("Throttled 0:28, Retry-After 30 s. 1M8GDM9AXKP042788 is not sent; nothing is, for any VIN.\n");
    pass(27499);
    CHECK_TEXT(out.data, "Throttled 0:20.\nThrottled 0:10.\n");
    buffer_reset(&out);
    stage_pass(&stage, 1);
    expect("The wait is over.\nReady 1M8GDM9AXKP042788. Enter alone sends it, or type another.\n");
    stage_key(&stage, KEY_ENTER, 0);
    stage_calling(&stage, 1, 4, 4000);
    expect("Decoding 1M8GDM9AXKP042788, attempt 1 of 4, at most 4 s.\n");
    close_stage();
}

static void test_local_check(void)
{
    open_stage(NULL);
    enter("1HGCM82643A004352");
    expect("Check 1HGCM82643A004352: Position 9 holds check digit 4, expected 3. Enter alone sends it, or type "
           "another.\n");
    enter("1HGCM826/3A00435222");
    expect_part("Type another VIN: ");
    enter(STAGE_VIN ",1066");
    expect("Type a model year from 1980 to 2027 behind the comma.\n");
    enter("999999999993VV3B7AXXNM077525");
    expect_part("Type one VIN; this text may hold several:\n  ");
    CHECK_INT(stage.sent_count, 0);
    close_stage();
}

/* What cleaning took away is told once, with what comes of the line. */
static void test_b85_removed(void)
{
    open_stage(NULL);
    enter("IJHLRD77874C026456");
    expect("Removed: leading I (import label).\n");
    stage_calling(&stage, 1, 4, 4000);
    say();
    CHECK(strstr(out.data, "Removed") == NULL);
    close_stage();
}

static void test_failures(void)
{
    open_stage(NULL);
    enter(STAGE_VIN);
    struct event_failed failed = {.code = CODE_EXHAUSTED,
                                  .reason = REASON_ATTEMPTS,
                                  .transfer = TRANSFER_TIMEOUT,
                                  .attempts = 4,
                                  .resting = true,
                                  .again = {.until = stage.now + 60000}};
    stage_failed(&stage, &failed);
    expect_part("Resting 1:00");
    pass(60000);
    CHECK(strstr(out.data, "The wait is over.\nFailed 1HGCM82633A004352: ") != NULL);
    buffer_reset(&out);
    stage_breaker(&stage, 31000);
    expect("Paused 0:31, circuit breaker. 1HGCM82633A004352 is not sent: NHTSA failed repeatedly.\n");
    close_stage();
}

static void test_demo_says_so(void)
{
    open_stage("calm");
    enter(STAGE_VIN);
    stage_decoded(&stage, stage_answer, true);
    expect_part("Decoded 1HGCM82633A004352, from the cache, DEMO \xe2\x80\x93 simulated NHTSA.\n");
    close_stage();
}

/* T27: nothing that comes from outside controls the terminal; without UTF-8 all of it is ASCII. */
static void test_hostile(void)
{
    for (int round = 0; round < 2; round++) {
        utf8 = round == 0;
        open_stage(NULL);
        enter(STAGE_VIN);
        stage_decoded(&stage,
                      "{\"Results\":[{\"VIN\":\"" STAGE_VIN "\",\"Make\":\"a\\u001b]52;c;eA==\\u0007b\",\"Model\":"
                      "\"x\\r\\ny\\u202e\\u009b2J\",\"ErrorCode\":\"0\",\"PlantCity\":\"OSNABR\xc3\x9c"
                      "CK\"}]}",
                      false);
        say();
        for (size_t i = 0; i < out.length; i++) {
            unsigned char byte = (unsigned char)out.data[i];
            CHECK((byte >= 0x20 || byte == '\n') && byte != 0x7f && (utf8 || byte < 0x80));
        }
        CHECK(strstr(out.data, "^[]52;c;eA==^Gb") != NULL);
        CHECK(strstr(out.data, utf8 ? "OSNABR\xc3\x9c"
                                      "CK"
                                    : "OSNABRUCK") != NULL);
        close_stage();
    }
    utf8 = true;
}

static const struct unit_test tests[] = {
    {"the first lines", test_greeting},
    {"a wait is counted every ten seconds", test_wait},
    {"another VIN under a closed gate", test_throttled},
    {"the local check", test_local_check},
    {"B85: what was removed is told", test_b85_removed},
    {"failures and the breaker", test_failures},
    {"a demo says so with each card", test_demo_says_so},
    {"T27: hostile answers", test_hostile},
};

UNIT_MAIN("plain", tests)
