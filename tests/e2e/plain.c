#include "tests/e2e/drive.h"
#include "tests/screen/golden.h"

#include <signal.h>
#include <sys/wait.h>

/* --plain on a real terminal and in pipes: lines, and not one byte that controls a screen. */

static bool update;

static struct terminal *start(const char *scenario, const char *const *environment)
{
    char demo[512];
    bool is_file = strstr(scenario, ".json") != NULL;
    snprintf(demo, sizeof demo, "--demo=%s%s", is_file ? E2E_FOLDER "/" : "", scenario);
    const char *arguments[] = {VINDECODE_PROGRAM, "--plain", demo, NULL};
    struct terminal *terminal = terminal_start(
        &(struct terminal_options){.rows = 200, .columns = 140, .arguments = arguments, .environment = environment});
    CHECK(terminal_wait_text(terminal, "Type a VIN", 5000));
    return terminal;
}

/* Checks that nothing but text and line ends was written, and ends the program with Ctrl-D. */
static void expect_lines_and_leave(struct terminal *terminal)
{
    size_t length, controls = 0;
    terminal_send(terminal, "\004");
    int status = -1;
    CHECK(terminal_wait_exit(terminal, &status, 2000));
    CHECK(WIFEXITED(status));
    CHECK_INT(WEXITSTATUS(status), 0);
    const char *output = terminal_output(terminal, &length);
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)output[i];
        controls += (byte < 0x20 && byte != '\n' && byte != '\r') || byte == 0x7f ? 1 : 0;
    }
    CHECK_INT(controls, 0);
    CHECK_TEXT(terminal_left_behind(terminal), "");
    terminal_end(terminal);
}

static void type_line(struct terminal *terminal, const char *line, const char *wanted)
{
    char keys[256];
    snprintf(keys, sizeof keys, "%s\r", line);
    terminal_send(terminal, keys);
    CHECK(terminal_wait_text(terminal, wanted, 6000));
    terminal_settle(terminal, 50);
}

/* What differs from one session to the next: the version, and how long our own jitter makes the wait. */
static void put_general(struct buffer *out, const char *text, size_t length)
{
    static const char version[] = VINDECODE_VERSION, wait[] = "Waiting 0:0";
    for (size_t i = 0; i < length; i++) {
        if (strncmp(text + i, version, sizeof version - 1) == 0) {
            buffer_puts(out, "VERSION");
            i += sizeof version - 2;
        } else if (strncmp(text + i, wait, sizeof wait - 1) == 0) {
            buffer_puts(out, "Waiting 0:0N");
            i += sizeof wait - 1;
        } else {
            buffer_putc(out, text[i]);
        }
    }
}

static void check_golden(struct terminal *terminal)
{
    static const char path[] = E2E_FOLDER "/plain.txt";
    struct buffer text;
    const char *screen = terminal_text(terminal);
    size_t length = strlen(screen);
    while (length > 0 && screen[length - 1] == '\n') {
        length--;
    }
    buffer_init(&text, 1 << 20);
    put_general(&text, screen, length);
    buffer_putc(&text, '\n');
    CHECK(update ? golden_write(path, &text) : golden_compare(path, "plain", &text));
    buffer_clear(&text);
}

/* What a person types stands in it, too: the terminal echoes it. */
static void test_session(void)
{
    struct terminal *terminal = start("plain.json", NULL);
    type_line(terminal, "1hgcm82633a004352", "Side Air Bag Locations");
    type_line(terminal, "1M8GDM9A/KP042788", "Type another VIN");
    type_line(terminal, "1HGCM82643A004352", "Check 1HGCM82643A004352");
    type_line(terminal, "", "Decoded 1HGCM82643A004352");
    check_golden(terminal);
    expect_lines_and_leave(terminal);
}

static void test_a_line_takes_over(void)
{
    struct terminal *terminal = start("long.json", NULL);
    type_line(terminal, GOOD_VIN, ", Retry-After 50 s. Attempt 2 of 4");
    type_line(terminal, "1M8GDM9AXKP042788", "Cancelled " GOOD_VIN ".");
    CHECK(terminal_shows(terminal, "Throttled 0:"));
    CHECK(terminal_shows(terminal, "1M8GDM9AXKP042788 is not sent; nothing is, for any VIN."));
    expect_lines_and_leave(terminal);
}

static void test_interrupt(void)
{
    struct terminal *terminal = start("long.json", NULL);
    int status = 0;
    type_line(terminal, GOOD_VIN, ", Retry-After 50 s. Attempt 2 of 4");
    terminal_send(terminal, "\003");
    CHECK(terminal_wait_text(terminal, "Cancelled " GOOD_VIN ".", 1000));
    terminal_send(terminal, "\003");
    CHECK(terminal_wait_exit(terminal, &status, 1000));
    CHECK(WIFEXITED(status));
    CHECK_INT(WEXITSTATUS(status), 130);
    terminal_end(terminal);
}

static void test_terminate(void)
{
    struct terminal *terminal = start("calm", NULL);
    kill(terminal_pid(terminal), SIGTERM);
    drive_expect_exit(terminal, 128 + SIGTERM, 1000);
}

/* No kind of terminal is too poor for lines. */
static void test_any_terminal(void)
{
    static const char *const kinds[] = {"TERM", "TERM=dumb", "TERM=nosuch", "TERM=vt100"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const char *environment[] = {kinds[i], "LC_ALL=C", NULL};
        struct terminal *terminal = start("calm", environment);
        type_line(terminal, GOOD_VIN, "Decoded " GOOD_VIN);
        size_t length, beyond = 0;
        const char *output = terminal_output(terminal, &length);
        for (size_t k = 0; k < length; k++) {
            beyond += (unsigned char)output[k] >= 0x80 ? 1 : 0;
        }
        CHECK_INT(beyond, 0);
        expect_lines_and_leave(terminal);
    }
}

/* A wait costs a wake-up every ten seconds; at rest there is nothing at all. */
static void test_rest(void)
{
    struct terminal *terminal = start("long.json", NULL);
    double cpu_ms, cpu_before_ms;
    long wake_ups, wake_ups_before;
    type_line(terminal, GOOD_VIN, ", Retry-After 50 s. Attempt 2 of 4");
    terminal_watch(terminal, 500);
    terminal_effort(terminal, &cpu_before_ms, &wake_ups_before);
    CHECK_INT(terminal_watch(terminal, 1500), 0);
    terminal_effort(terminal, &cpu_ms, &wake_ups);
    if (sanitized_measures("wake-ups, processor time")) {
        CHECK_INT(wake_ups - wake_ups_before, 0);
        CHECK(cpu_ms - cpu_before_ms <= 0);
    }
    expect_lines_and_leave(terminal);
}

/* Runs a line of shell in which "$V" is the program with --plain, and checks how it ends and what is printed. */
static void expect_shell(const char *line, int wanted_status, const char *const *wanted)
{
    char script[1024];
    int status = 0;
    snprintf(script, sizeof script, "V='" VINDECODE_PROGRAM " --plain --demo=calm'; set -o pipefail; %s", line);
    const char *arguments[] = {"bash", "-c", script, NULL};
    struct terminal *terminal =
        terminal_start(&(struct terminal_options){.rows = 200, .columns = 140, .arguments = arguments});
    CHECK(terminal_wait_exit(terminal, &status, 10000));
    CHECK(WIFEXITED(status));
    CHECK_INT(WEXITSTATUS(status), wanted_status);
    for (; *wanted != NULL; wanted++) {
        CHECK(terminal_wait_text(terminal, *wanted, 10));
    }
    terminal_end(terminal);
}

static void test_pipes(void)
{
    expect_shell("printf '%s\\n%s' " GOOD_VIN " 1HGCM82643A004352 | $V", 0,
                 (const char *const[]){"Decoded " GOOD_VIN ",", "Check 1HGCM82643A004352", NULL});
    expect_shell("printf '%s\\r\\n' " GOOD_VIN " | $V | cat", 0, (const char *const[]){"Decoded " GOOD_VIN ",", NULL});
    expect_shell("$V </dev/null", 0, (const char *const[]){"Type a VIN", NULL});
    expect_shell("$V <&-", 0, (const char *const[]){"Type a VIN", NULL});
    expect_shell("head -c 100000 /dev/zero | tr '\\0' A | $V", 0, (const char *const[]){"Type another VIN: ", NULL});
    expect_shell("$V " GOOD_VIN " </dev/null", 0, (const char *const[]){"Decoded " GOOD_VIN ",", NULL});
}

/* A reader that has enough, and a full disk. */
static void test_output_fails(void)
{
    expect_shell("(echo " GOOD_VIN "; sleep 1) | $V | head -1", 128 + SIGPIPE,
                 (const char *const[]){"vindecode ", NULL});
    expect_shell("$V </dev/null >/dev/full", 1, (const char *const[]){NULL});
}

static const struct unit_test tests[] = {
    {"a session", test_session},
    {"a new line takes the place of a wait", test_a_line_takes_over},
    {"Ctrl-C cancels, then leaves", test_interrupt},
    {"SIGTERM", test_terminate},
    {"any terminal, and LANG=C", test_any_terminal},
    {"a wait is at rest", test_rest},
    {"pipes", test_pipes},
    {"output that fails", test_output_fails},
};

int main(int count, char **arguments)
{
    update = count == 2 && strcmp(arguments[1], "--update") == 0;
    return unit_run("plain", tests, sizeof tests / sizeof tests[0]);
}
