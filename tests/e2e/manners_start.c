#include "tests/e2e/drive.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* Where it may not start, it says so in one line and leaves with 2; where it may, it starts at every size. */

/* Runs the program to its end and checks that it wrote one line with `wanted` in it, and no escape sequence. */
static void expect_refusal(struct terminal_options options, const char *wanted)
{
    int status = 0;
    size_t length;
    const char *arguments[] = {VINDECODE_PROGRAM, "--demo=calm", NULL};
    options.rows = 24;
    options.columns = 200;
    options.arguments = options.arguments ? options.arguments : arguments;
    struct terminal *terminal = terminal_start(&options);
    CHECK(terminal_wait_exit(terminal, &status, 3000));
    CHECK(WIFEXITED(status));
    CHECK_INT(WEXITSTATUS(status), 2);
    const char *output = terminal_output(terminal, &length);
    CHECK(strchr(output, '\033') == NULL);
    const char *end = strchr(output, '\n');
    CHECK(end != NULL && end[1] == '\0');
    if (strstr(output, wanted) == NULL) {
        printf("\nwanted \"%s\" in \"%s\" ", wanted, output);
    }
    CHECK(strstr(output, wanted) != NULL);
    CHECK_TEXT(terminal_left_behind(terminal), "");
    terminal_end(terminal);
}

static void expect_term_refusal(const char *change, const char *wanted)
{
    const char *environment[] = {change, NULL};
    expect_refusal((struct terminal_options){.environment = environment}, wanted);
}

static void test_term_unknown(void)
{
    expect_term_refusal("TERM=nosuch", "\"nosuch\"");
    expect_term_refusal("TERM=nosuch", "TERM=xterm-256color");
}

static void test_term_dumb(void)
{
    expect_term_refusal("TERM=dumb", "\"dumb\"");
}

static void test_term_unset(void)
{
    expect_term_refusal("TERM", "TERM is not set");
    expect_term_refusal("TERM=", "TERM is not set");
}

static void test_term_hostile(void)
{
    expect_term_refusal("TERM=a\033[2Jb", "TERM is");
}

static void test_input_no_terminal(void)
{
    expect_refusal((struct terminal_options){.input = "/dev/null"}, "standard input is no terminal");
}

static void test_output_no_terminal(void)
{
    expect_refusal((struct terminal_options){.output = "/dev/null"}, "standard output is no terminal");
}

/* T43: what is piped in is never taken for keys. */
static void test_piped_input(void)
{
    char path[] = "/tmp/vindecode-test-XXXXXX";
    int file = mkstemp(path);
    CHECK(write(file, GOOD_VIN "\nq\n", 20) == 20);
    close(file);
    expect_refusal((struct terminal_options){.input = path}, "standard input is no terminal");
    unlink(path);
}

/* "vindecode | head": the reader is not waited for. */
static void test_output_to_head(void)
{
    const char *arguments[] = {"bash", "-c", VINDECODE_PROGRAM " --demo=calm | head; exit ${PIPESTATUS[0]}", NULL};
    expect_refusal((struct terminal_options){.arguments = arguments}, "standard output is no terminal");
}

static void test_no_controlling_terminal(void)
{
    const char *arguments[] = {"bash", "-c", "exec setsid --wait " VINDECODE_PROGRAM " --demo=calm </dev/null", NULL};
    expect_refusal((struct terminal_options){.arguments = arguments}, "standard input is no terminal");
}

/* Sizes */

static bool has_ended_or_drawn(struct terminal *terminal, void *unused)
{
    size_t length;
    (void)unused;
    terminal_output(terminal, &length);
    return length > 0 && terminal_alternate_screen(terminal);
}

/* Starts at a size where even the title may not fit, and leaves again. */
static void expect_lives(int rows, int columns)
{
    const char *arguments[] = {VINDECODE_PROGRAM, "--demo=calm", NULL};
    struct terminal *terminal =
        terminal_start(&(struct terminal_options){.rows = rows, .columns = columns, .arguments = arguments});
    CHECK(terminal_wait(terminal, has_ended_or_drawn, NULL, "it draws", 5000));
    terminal_settle(terminal, 50);
    terminal_send(terminal, GOOD_VIN "\r");
    terminal_settle(terminal, 50);
    if (rows > 0 && (rows < 12 || columns < 40) && columns >= 9) {
        CHECK(terminal_text(terminal)[0] != '\n' || rows > 1);
    }
    drive_leave(terminal);
}

static void test_small_sizes(void)
{
    static const int sizes[][2] = {{1, 1}, {2, 2}, {4, 15}, {5, 20}, {10, 38}, {5, 24}, {12, 40}, {1, 200}, {100, 1}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        printf("%dx%d ", sizes[i][1], sizes[i][0]);
        expect_lives(sizes[i][0], sizes[i][1]);
    }
}

static void test_huge_size(void)
{
    expect_lives(400, 1000);
}

/* T06: 0x0 is taken for 80x24, until a real size comes. */
static void test_no_size(void)
{
    const char *arguments[] = {VINDECODE_PROGRAM, "--demo=calm", NULL};
    struct terminal *terminal = terminal_start(&(struct terminal_options){.arguments = arguments});
    CHECK(terminal_wait_text(terminal, "DEMO", 5000));
    CHECK(terminal_wait_text(terminal, "F10 ", 1000));
    CHECK(strstr(terminal_row(terminal, 23), "F10 ") != NULL);
    terminal_resize(terminal, 30, 100);
    terminal_settle(terminal, 50);
    CHECK(strstr(terminal_row(terminal, 29), "F10 ") != NULL);
    drive_leave(terminal);
}

/* A size that is not known is no size: the one before stays. */
static void test_size_is_lost(void)
{
    struct terminal *terminal = drive_start(&(struct drive){.rows = 30, .columns = 100});
    if (terminal != NULL) {
        terminal_lose_size(terminal);
        kill(terminal_pid(terminal), SIGWINCH);
        terminal_send(terminal, GOOD_VIN);
        CHECK(terminal_wait_text(terminal, "Ready", 1000));
        terminal_send(terminal, "\014"); /* Ctrl-L */
        terminal_settle(terminal, 50);
        CHECK(strstr(terminal_row(terminal, 29), "F10 ") != NULL);
        drive_leave(terminal);
    }
}

/* Others may read from the same terminal: it is never made non-blocking, not even while the program runs. */
static void test_no_nonblock(void)
{
    struct terminal *terminal = drive_start_calm();
    if (terminal != NULL) {
        terminal_send(terminal, GOOD_VIN "\r");
        CHECK(terminal_wait_text(terminal, "Vehicle " GOOD_VIN, 3000));
        CHECK(strstr(terminal_left_behind(terminal), "the alternate screen is on") != NULL);
        CHECK(strstr(terminal_left_behind(terminal), "flags of the open file") == NULL);
        drive_leave(terminal);
    }
}

/* T07: the window changes its size while the program starts. */
static void test_resize_at_start(void)
{
    const char *arguments[] = {VINDECODE_PROGRAM, "--demo=calm", NULL};
    struct terminal *terminal =
        terminal_start(&(struct terminal_options){.rows = 24, .columns = 80, .arguments = arguments});
    terminal_resize(terminal, 30, 100);
    CHECK(terminal_wait_text(terminal, "DEMO", 5000));
    terminal_settle(terminal, 50);
    CHECK(strstr(terminal_row(terminal, 29), "F10 ") != NULL);
    drive_leave(terminal);
}

/* T10 */
static void test_size_in_environment(void)
{
    static const char *const environment[] = {"COLUMNS=40", "LINES=10", NULL};
    struct terminal *terminal = drive_start(&(struct drive){.environment = environment});
    if (terminal != NULL) {
        CHECK(strstr(terminal_row(terminal, 23), "F10 ") != NULL);
        drive_leave(terminal);
    }
}

/* Languages and terminals */

static void expect_ascii(const char *const *environment)
{
    struct terminal *terminal = drive_start(&(struct drive){.environment = environment});
    if (terminal == NULL) {
        return;
    }
    terminal_send(terminal, GOOD_VIN "\r");
    CHECK(terminal_wait_text(terminal, "Vehicle " GOOD_VIN, 3000));
    terminal_send(terminal, "\b\xc3\xab\xff");
    terminal_settle(terminal, 50);
    size_t length, beyond = 0;
    const char *output = terminal_output(terminal, &length);
    for (size_t i = 0; i < length; i++) {
        beyond += (unsigned char)output[i] >= 0x80 ? 1 : 0;
    }
    CHECK_INT(beyond, 0);
    drive_leave(terminal);
}

static void test_lang_c(void)
{
    static const char *const lang[] = {"LANG=C", NULL}, *const all[] = {"LC_ALL=C", NULL},
                             *const none[] = {"LANG", NULL}, *const nonsense[] = {"LANG=xx_YY.UTF-8", NULL};
    expect_ascii(lang);
    expect_ascii(all);
    expect_ascii(none);
    expect_ascii(nonsense);
}

/* How often a colour is set: SGR 30 to 49 and 90 to 107. */
static int count_colours(const char *output)
{
    int count = 0;
    while ((output = strstr(output, "\033[")) != NULL) {
        output += 2;
        size_t length = strspn(output, "0123456789;");
        for (const char *at = output; output[length] == 'm' && at < output + length; at += strcspn(at, ";m") + 1) {
            int number = atoi(at);
            count += (number >= 30 && number <= 49) || (number >= 90 && number <= 107) ? 1 : 0;
        }
    }
    return count;
}

/* T16: no colour where there is none. */
static void expect_no_colour(const char *term)
{
    const char *environment[] = {term, NULL};
    struct terminal *terminal = drive_start(&(struct drive){.environment = environment});
    if (terminal != NULL) {
        terminal_send(terminal, GOOD_VIN);
        CHECK(terminal_wait_text(terminal, "Ready", 1000));
        size_t length;
        CHECK_INT(count_colours(terminal_output(terminal, &length)), 0);
        drive_leave(terminal);
    }
}

static void test_utf8(void)
{
    struct terminal *terminal = drive_start_calm();
    if (terminal != NULL) {
        size_t length;
        CHECK(strstr(terminal_output(terminal, &length), "\xe2\x94\x80") != NULL); /* a drawn line */
        terminal_send(terminal, GOOD_VIN);
        CHECK(terminal_wait_text(terminal, "Ready", 1000));
        CHECK(count_colours(terminal_output(terminal, &length)) > 0); /* so the count can find some */
        drive_leave(terminal);
    }
}

static void test_monochrome(void)
{
    expect_no_colour("TERM=vt100");
    expect_no_colour("TERM=vt102");
}

static void test_terminals(void)
{
    static const char *const terms[] = {"TERM=xterm-256color", "TERM=xterm", "TERM=screen", "TERM=screen-256color",
                                        "TERM=tmux-256color",  "TERM=linux", "TERM=vt220",  "TERM=rxvt"};
    for (size_t i = 0; i < sizeof terms / sizeof terms[0]; i++) {
        const char *environment[] = {terms[i], NULL};
        struct terminal *terminal = drive_start(&(struct drive){.environment = environment});
        if (terminal != NULL) {
            printf("%s ", terms[i]);
            terminal_send(terminal, GOOD_VIN "\r");
            CHECK(terminal_wait_text(terminal, "Vehicle " GOOD_VIN, 3000));
            drive_leave(terminal);
        }
    }
}

/* T66: a comma locale changes no number. */
static void test_comma_locale(void)
{
    static const char *const environment[] = {"LC_NUMERIC=de_DE.UTF-8", NULL};
    struct terminal *terminal = drive_start(&(struct drive){.environment = environment});
    if (terminal != NULL) {
        terminal_send(terminal, GOOD_VIN "\r");
        CHECK(terminal_wait_text(terminal, "Vehicle " GOOD_VIN, 3000));
        drive_leave(terminal);
    }
}

static const struct unit_test tests[] = {
    {"T13: TERM is unknown", test_term_unknown},
    {"TERM is dumb", test_term_dumb},
    {"TERM is not set", test_term_unset},
    {"TERM is hostile", test_term_hostile},
    {"T42: standard input is /dev/null", test_input_no_terminal},
    {"standard output is no terminal", test_output_no_terminal},
    {"T43: piped input is no keys", test_piped_input},
    {"standard output is a pipe to head", test_output_to_head},
    {"T42: no terminal at all", test_no_controlling_terminal},
    {"T01, T03, T78: small sizes", test_small_sizes},
    {"T04: 1000x400", test_huge_size},
    {"T06: 0x0", test_no_size},
    {"the size is lost", test_size_is_lost},
    {"no O_NONBLOCK while it runs", test_no_nonblock},
    {"T07: another size while it starts", test_resize_at_start},
    {"T10: LINES and COLUMNS", test_size_in_environment},
    {"T21, T79: LANG=C is ASCII", test_lang_c},
    {"T19: a UTF-8 locale draws lines", test_utf8},
    {"T16: vt100 and vt102 have no colour", test_monochrome},
    {"kinds of terminals", test_terminals},
    {"T66: a comma locale", test_comma_locale},
};

UNIT_MAIN("manners: the start", tests)
