#include "tests/e2e/drive.h"

#include <signal.h>

/* At rest it costs nothing; what it writes is little; and no storm makes it restless. */

enum { KEY_BYTES = 60, SECOND_BYTES = 48, MOST_KIB = 16 * 1024 };

/* Watches for `ms`: the bytes that came, processor time and wake-ups. */
struct watch {
    size_t bytes;
    double cpu_ms;
    long wake_ups;
};

static struct watch watch_for(struct terminal *terminal, int ms)
{
    struct watch before = {0}, after = {0};
    terminal_effort(terminal, &before.cpu_ms, &before.wake_ups);
    after.bytes = terminal_watch(terminal, ms);
    terminal_effort(terminal, &after.cpu_ms, &after.wake_ups);
    return (struct watch){after.bytes, after.cpu_ms - before.cpu_ms, after.wake_ups - before.wake_ups};
}

static void expect_wake_ups(const struct watch *watch, long most)
{
    if (sanitized_measures("wake-ups") && watch->wake_ups > most) {
        printf("\n%ld wake-ups, not at most %ld ", watch->wake_ups, most);
        CU_FAIL("too many wake-ups");
    }
}

static void expect_rest(struct terminal *terminal, int ms)
{
    struct watch watch = watch_for(terminal, ms);
    CHECK_INT(watch.bytes, 0);
    expect_wake_ups(&watch, 0);
    if (sanitized_measures("processor time")) {
        CHECK(watch.cpu_ms <= 0);
    }
}

/* T67 */
static void test_idle(void)
{
    struct terminal *terminal = drive_start_calm();
    if (terminal != NULL) {
        terminal_settle(terminal, 100);
        expect_rest(terminal, 1500);
        drive_leave(terminal);
    }
}

/* T57: and after a request, too. */
static void test_idle_after_a_request(void)
{
    struct terminal *terminal = drive_start_calm();
    if (terminal != NULL) {
        terminal_send(terminal, GOOD_VIN "\r");
        CHECK(terminal_wait_text(terminal, "Vehicle " GOOD_VIN, 3000));
        watch_for(terminal, 1500); /* the connection and the card's age may have something to do */
        expect_rest(terminal, 1500);
        long kib = terminal_most_memory(terminal);
        printf("(%ld KiB, with the simulated NHTSA in it) ", kib);
        CHECK(!sanitized_measures("memory") || kib <= MOST_KIB);
        drive_leave(terminal);
    }
}

static int compare(const void *a, const void *b)
{
    size_t first = *(const size_t *)a, second = *(const size_t *)b;
    return first < second ? -1 : first > second ? 1 : 0;
}

static void test_bytes_of_a_key(void)
{
    struct terminal *terminal = drive_start_calm();
    if (terminal != NULL) {
        size_t bytes[VIN_TYPED], start;
        terminal_output(terminal, &start);
        for (int i = 0; i < VIN_TYPED; i++) {
            size_t before, after;
            terminal_output(terminal, &before);
            terminal_send_bytes(terminal, &GOOD_VIN[i], 1);
            terminal_settle(terminal, 30);
            terminal_output(terminal, &after);
            bytes[i] = after - before;
        }
        qsort(bytes, VIN_TYPED, sizeof bytes[0], compare);
        printf("(median %zu, most %zu) ", bytes[VIN_TYPED / 2], bytes[VIN_TYPED - 1]);
        CHECK(bytes[VIN_TYPED / 2] <= KEY_BYTES);
        size_t length;
        CHECK(strstr(terminal_output(terminal, &length) + start, "\033[2J") == NULL); /* no key clears the screen */
        drive_leave(terminal);
    }
}

/* T69 */
static void test_bytes_of_a_second(void)
{
    struct terminal *terminal = drive_start(&(struct drive){.demo = "long.json"});
    if (terminal != NULL) {
        terminal_send(terminal, GOOD_VIN "\r");
        CHECK(terminal_wait_text(terminal, "Waiting", 3000));
        watch_for(terminal, 1200); /* what the answer itself changed */
        struct watch watch = watch_for(terminal, 4000);
        printf("(%.1f bytes, %.2f wake-ups a second) ", (double)watch.bytes / 4, (double)watch.wake_ups / 4);
        CHECK(watch.bytes > 0);
        CHECK(watch.bytes <= 4 * SECOND_BYTES);
        expect_wake_ups(&watch, 5);
        terminal_send(terminal, "\x11");
        drive_expect_exit(terminal, 0, 1000);
    }
}

/* T12, T51 */
static void test_resize_storm(void)
{
    struct terminal *terminal = drive_start_calm();
    if (terminal != NULL) {
        terminal_send(terminal, GOOD_VIN "\r");
        for (int i = 0; i < 300; i++) {
            terminal_resize(terminal, 1 + (i * 37) % 100, 1 + (i * 71) % 300);
            terminal_settle(terminal, i % 10 == 0 ? 2 : 0);
        }
        terminal_resize(terminal, 1, 1);
        terminal_settle(terminal, 20);
        terminal_resize(terminal, 24, 80);
        CHECK(terminal_wait_text(terminal, "Vehicle " GOOD_VIN, 3000));
        terminal_settle(terminal, 100);
        CHECK(strstr(terminal_row(terminal, 23), "F10 ") != NULL);
        watch_for(terminal, 1500);
        expect_rest(terminal, 1000);
        drive_leave(terminal);
    }
}

/* T09: a resize while a call is under way is drawn at once. */
static void test_resize_during_a_call(void)
{
    struct terminal *terminal = drive_start(&(struct drive){.demo = "long.json"});
    if (terminal != NULL) {
        terminal_send(terminal, GOOD_VIN "\r");
        CHECK(terminal_wait_text(terminal, "Waiting", 3000));
        terminal_resize(terminal, 30, 100);
        terminal_settle(terminal, 30);
        CHECK(strstr(terminal_row(terminal, 29), "F10 ") != NULL);
        drive_leave(terminal);
    }
}

static size_t bytes_so_far(struct terminal *terminal)
{
    size_t length;
    terminal_output(terminal, &length);
    return length;
}

static bool has_unread(struct terminal *terminal, void *context)
{
    const int *count = context;
    return terminal_unread(terminal) == *count;
}

/* All keys that wait are read before one frame is drawn: while the line stalls the frame of the first is held up, and
 * the eight behind it make one more. Each moves the cursor far, so that frames cost alike. */
static void test_keys_that_wait(void)
{
    struct terminal *terminal = drive_start_calm();
    if (terminal != NULL) {
        int none = 0, eight_sequences = 8 * 3;
        terminal_send(terminal, GOOD_VIN);
        terminal_settle(terminal, 30);
        size_t from = bytes_so_far(terminal);
        for (int i = 0; i < 9; i++) {
            terminal_send(terminal, i % 2 == 0 ? "\033OH" : "\033OF"); /* Home, End */
            terminal_settle(terminal, 30);
        }
        size_t apart = bytes_so_far(terminal) - from;
        terminal_send(terminal, "\033OF"); /* End */
        terminal_settle(terminal, 30);
        from = bytes_so_far(terminal);
        terminal_stall(terminal, true);
        terminal_send(terminal, "\033OH");
        CHECK(terminal_wait(terminal, has_unread, &none, "the key is read", 3000));
        terminal_watch(terminal, 50);
        terminal_send(terminal, "\033OF\033OH\033OF\033OH\033OF\033OH\033OF\033OH");
        CHECK(terminal_wait(terminal, has_unread, &eight_sequences, "the keys wait", 3000));
        terminal_stall(terminal, false);
        terminal_settle(terminal, 100);
        size_t together = bytes_so_far(terminal) - from;
        printf("(%zu bytes, %zu when they come apart) ", together, apart);
        CHECK(together > 0 && together * 3 < apart);
        drive_leave(terminal);
    }
}

/* T64: stopped from outside during a countdown and continued: drawn anew once, and no ticks are caught up. */
static void test_stop_and_continue(void)
{
    struct terminal *terminal = drive_start(&(struct drive){.demo = "long.json"});
    if (terminal != NULL) {
        terminal_send(terminal, GOOD_VIN "\r");
        CHECK(terminal_wait_text(terminal, "Waiting", 3000));
        terminal_settle(terminal, 50);
        kill(terminal_pid(terminal), SIGSTOP);
        CHECK_INT(watch_for(terminal, 2500).bytes, 0);
        kill(terminal_pid(terminal), SIGCONT);
        terminal_settle(terminal, 100);
        CHECK(terminal_alternate_screen(terminal));
        CHECK(terminal_mode(terminal, 2004));
        CHECK(terminal_shows(terminal, "VIN " GOOD_VIN));
        struct watch watch = watch_for(terminal, 2000);
        CHECK(watch.bytes <= 3 * SECOND_BYTES);
        expect_wake_ups(&watch, 3);
        drive_leave(terminal);
    }
}

static const struct unit_test tests[] = {
    {"T67: at rest", test_idle},
    {"T57: at rest after a request", test_idle_after_a_request},
    {"bytes of a typed character", test_bytes_of_a_key},
    {"keys that wait make one frame", test_keys_that_wait},
    {"T69: bytes of a second of countdown", test_bytes_of_a_second},
    {"T12: 300 resizes", test_resize_storm},
    {"T09: a resize during a wait", test_resize_during_a_call},
    {"T64: stopped and continued", test_stop_and_continue},
};

UNIT_MAIN("manners: quiet", tests)
