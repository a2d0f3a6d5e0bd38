#include "tests/e2e/drive.h"

/* A person types a VIN, meets a 429 with Retry-After, watches the countdown, changes the VIN, and decodes when the gate
 * is open again: one sitting, on the real program. */

/* The seconds of the countdown behind the state word; -1 without one. */
static int countdown(struct terminal *terminal, const char *word)
{
    const char *at = strstr(terminal_text(terminal), word);
    int minutes, seconds;
    return at != NULL && sscanf(at + strlen(word), " %d:%d", &minutes, &seconds) == 2 ? 60 * minutes + seconds : -1;
}

struct fall {
    const char *word;
    int from;
};

static bool has_fallen(struct terminal *terminal, void *context)
{
    const struct fall *fall = context;
    int now = countdown(terminal, fall->word);
    return now >= 0 && now < fall->from;
}

static void expect_no_vehicle(struct terminal *terminal)
{
    CHECK(!terminal_shows(terminal, "Vehicle "));
    CHECK(!terminal_shows(terminal, "Accord"));
    CHECK(terminal_shows(terminal, "No answer yet"));
}

static void test_throttle(void)
{
    struct terminal *terminal = drive_start(&(struct drive){.demo = "throttle.json"});
    if (terminal == NULL) {
        return;
    }
    CHECK(terminal_shows(terminal, "Type"));
    terminal_send(terminal, GOOD_VIN);
    CHECK(terminal_wait_text(terminal, "Ready", 1000));
    terminal_settle(terminal, 20);
    CHECK(terminal_shows(terminal, "VIN " GOOD_VIN));
    CHECK(terminal_shows(terminal, "17/17"));
    CHECK(terminal_shows(terminal, "[ Decode ]"));

    terminal_send(terminal, "\r");
    CHECK(terminal_wait_text(terminal, "Waiting", 2000));
    terminal_settle(terminal, 20);
    CHECK(terminal_shows(terminal, "Retry-After 4 s"));
    CHECK(terminal_shows(terminal, "( Decode off 0:0"));
    CHECK(terminal_shows(terminal, "DEMO"));
    expect_no_vehicle(terminal);
    struct fall fall = {"Waiting", countdown(terminal, "Waiting")};
    CHECK(fall.from == 4 || fall.from == 5); /* the spread of the gate is up to a tenth more, rounded up */
    CHECK(terminal_wait(terminal, has_fallen, &fall, "the countdown falls", 1500));

    terminal_send(terminal, "\b"); /* Ctrl-H: now it is another text */
    CHECK(terminal_wait_text(terminal, "16/17", 500));
    terminal_settle(terminal, 20);
    CHECK(!terminal_shows(terminal, "Waiting"));
    CHECK(terminal_shows(terminal, "Throttled 0:0"));
    CHECK(terminal_shows(terminal, "( Decode off 0:0"));
    expect_no_vehicle(terminal);

    terminal_send(terminal, "2\r"); /* Enter says why not, and sends nothing */
    CHECK(terminal_wait_text(terminal, "17/17", 500));
    terminal_settle(terminal, 20);
    CHECK(terminal_shows(terminal, "Throttled 0:0"));
    fall = (struct fall){"Throttled", countdown(terminal, "Throttled")};
    CHECK(terminal_wait(terminal, has_fallen, &fall, "the gate's countdown falls", 1500));
    CHECK(terminal_wait_text(terminal, "Ready", 5000));
    terminal_settle(terminal, 20);
    CHECK(terminal_shows(terminal, "[ Decode ]"));
    expect_no_vehicle(terminal);

    terminal_send(terminal, "\r");
    CHECK(terminal_wait_text(terminal, "Decoded", 3000));
    terminal_settle(terminal, 20);
    CHECK(terminal_shows(terminal, "Vehicle " GOOD_VIN));
    CHECK(terminal_shows(terminal, "2003 HONDA Accord"));

    terminal_send(terminal, "\b");
    CHECK(terminal_wait_text(terminal, "16/17", 500));
    terminal_settle(terminal, 20);
    expect_no_vehicle(terminal);
    drive_leave(terminal);
}

static const struct unit_test tests[] = {{"a sitting with a throttle", test_throttle}};

UNIT_MAIN("throttle", tests)
