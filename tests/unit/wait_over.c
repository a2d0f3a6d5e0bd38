#include "tests/screen/stage.h"

#include "tests/unit/unit.h"

/* When a wait ends the screen says so, until the next key, and not a moment before. */

static struct stage stage;

static bool says(void)
{
    char *text = stage_frame(&stage, 24, 80, true);
    bool found = strstr(text, "The wait is over. ") != NULL;
    free(text);
    CHECK_INT(found, app_wait_over(stage.app, stage.now));
    return found;
}

static void open_with_vin(void)
{
    stage_open(&stage, NULL);
    stage_type(&stage, STAGE_VIN);
}

static void test_gate(void)
{
    open_with_vin();
    CHECK(!says());
    stage_pass(&stage, 10);
    stage_gate(&stage, ORIGIN_RETRY_AFTER, 5000);
    CHECK(!says());
    stage_pass(&stage, 4999);
    CHECK(!says());
    CHECK_INT(app_next_change(stage.app, stage.now), stage.now + 1);
    stage_pass(&stage, 1);
    CHECK(says());
    CHECK_INT(can_decode(stage.app, stage.now).word, STATE_READY);
    stage_pass(&stage, 3600000);
    CHECK(says());
    stage_key(&stage, KEY_GO_LEFT, 0);
    CHECK(!says());
    stage_close(&stage);
}

/* The engine tells that the gate is open by news without one. */
static void test_gate_opens_by_news(void)
{
    open_with_vin();
    stage_gate(&stage, ORIGIN_RETRY_AFTER, 5000);
    stage_pass(&stage, 5000);
    struct event event = {.kind = EVENT_HOST, .as.host = {.sequence = ++stage.host_sequence}};
    stage_event(&stage, &event);
    CHECK(says());
    stage_key(&stage, KEY_GO_LEFT, 0);
    CHECK(!says());
    stage_close(&stage);
}

/* A longer wait takes the place of a shorter one: nothing is over yet. */
static void test_gate_is_prolonged(void)
{
    open_with_vin();
    stage_gate(&stage, ORIGIN_RETRY_AFTER, 5000);
    stage_pass(&stage, 4000);
    stage_gate(&stage, ORIGIN_RETRY_AFTER, 5000);
    stage_pass(&stage, 2000);
    CHECK(!says());
    stage_pass(&stage, 3000);
    CHECK(says());
    stage_close(&stage);
}

static void test_retry(void)
{
    open_with_vin();
    stage_key(&stage, KEY_ENTER, 0);
    stage_calling(&stage, 1, 4, 8000);
    stage_waiting(&stage, ORIGIN_BACKOFF, 2000, REASON_BACKOFF, 503);
    stage_pass(&stage, 1999);
    CHECK(!says());
    stage_pass(&stage, 1);
    CHECK(says()); /* any moment now */
    stage_pass(&stage, 100);
    stage_calling(&stage, 2, 4, 8000);
    CHECK(says());
    CHECK_INT(can_decode(stage.app, stage.now).word, STATE_DECODING);
    stage_pass(&stage, 300);
    stage_decoded(&stage, stage_answer, false);
    CHECK(!says()); /* the answer is the news now */
    stage_close(&stage);
}

/* A closed gate over an answer that was there before. */
static void test_gate_over_a_card(void)
{
    open_with_vin();
    stage_key(&stage, KEY_ENTER, 0);
    stage_decoded(&stage, stage_answer, false);
    stage_pass(&stage, 10);
    stage_gate(&stage, ORIGIN_RETRY_AFTER, 5000);
    CHECK_INT(can_decode(stage.app, stage.now).word, STATE_THROTTLED);
    stage_pass(&stage, 5000);
    CHECK(says());
    CHECK_INT(can_decode(stage.app, stage.now).word, STATE_DECODED);
    stage_close(&stage);
}

static void test_resting(void)
{
    open_with_vin();
    stage_key(&stage, KEY_ENTER, 0);
    struct event_failed failed = {.code = CODE_EXHAUSTED,
                                  .reason = REASON_ATTEMPTS,
                                  .attempts = 4,
                                  .resting = true,
                                  .again = {.until = stage.now + 60000}};
    stage_failed(&stage, &failed);
    CHECK(!says());
    stage_pass(&stage, 60000);
    CHECK(says());
    stage_close(&stage);
}

static void test_breaker(void)
{
    open_with_vin();
    stage_breaker(&stage, 31000);
    stage_pass(&stage, 30999);
    CHECK(!says());
    stage_pass(&stage, 1);
    CHECK(says());
    stage_close(&stage);
}

static const struct unit_test tests[] = {
    {"a gate", test_gate},
    {"a gate that opens by news", test_gate_opens_by_news},
    {"a gate that is prolonged", test_gate_is_prolonged},
    {"a retry", test_retry},
    {"a gate over a card", test_gate_over_a_card},
    {"a VIN that rests", test_resting},
    {"the breaker", test_breaker},
};

UNIT_MAIN("the wait is over", tests)
