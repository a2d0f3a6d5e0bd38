#include "tests/e2e/drive.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Kinds of terminals, colours, the window's title and the bell.
 *
 * The cases of "Faults that others had", section T, without a test that begins with their number:
 *   T52, T54, T55 threads and signals: tests/unit/net_network.c (stopped in every state, signals blocked in the
 * thread), SIGPIPE ignored in tui/signals.c and met in tests/e2e/plain.c; and the thread sanitizer over all tests T60,
 * T61 hints and dates are no matter of the screen: the conformance cases and tests/unit/policy_*.c T63 the clock that
 * goes on in suspend: core/base/clock.c reads CLOCK_BOOTTIME; no test here can suspend a machine T73 O_NONBLOCK:
 * terminal_left_behind() compares the flags at every end
 */

static struct terminal *start_with(const char *const *environment, const char *const *more)
{
    const char *arguments[8] = {VINDECODE_PROGRAM, "--demo=calm"};
    size_t count = 2;
    for (; more != NULL && *more != NULL; more++) {
        arguments[count++] = *more;
    }
    struct terminal *terminal = terminal_start(
        &(struct terminal_options){.rows = 24, .columns = 80, .arguments = arguments, .environment = environment});
    CHECK(terminal_wait_text(terminal, "F10 ", 5000));
    return terminal;
}

static void decode(struct terminal *terminal)
{
    terminal_send(terminal, GOOD_VIN "\r");
    CHECK(terminal_wait_text(terminal, "Vehicle " GOOD_VIN, 5000));
    terminal_settle(terminal, 50);
}

/* The same frame on every kind of terminal */

/* The screen after an answer, without the time of day in it. */
static char *screen_on(const char *term)
{
    const char *environment[] = {term, NULL};
    struct terminal *terminal = start_with(environment, NULL);
    decode(terminal);
    char *text = strdup(terminal_text(terminal));
    for (char *at = text; at[0] != '\0' && at[1] != '\0'; at++) {
        if (at[0] == ':' && at[1] >= '0' && at[1] <= '9') {
            at[-2] = at[-1] = at[1] = at[2] = 'N';
        }
    }
    drive_leave(terminal);
    return text;
}

static void test_same_text(void)
{
    static const char *const terms[] = {"TERM=xterm",          "TERM=screen", "TERM=screen-256color",
                                        "TERM=tmux-256color",  "TERM=linux",  "TERM=vt100",
                                        "TERM=xterm-256color", "TERM=vt220",  "TERM=rxvt"};
    char *wanted = screen_on("TERM=xterm-256color");
    CHECK(strstr(wanted, "Vehicle " GOOD_VIN " \xe2\x94\x80") != NULL);
    for (size_t i = 0; i < sizeof terms / sizeof terms[0]; i++) {
        char *found = screen_on(terms[i]);
        printf("%s ", terms[i]);
        CHECK_TEXT(found, wanted);
        free(found);
    }
    free(wanted);
}

/* Colours */

struct colours {
    int basic, bright;  /* SGR 30 to 37 and 40 to 47; 90 to 97 and 100 to 107 */
    int indexed;        /* 38;5;N */
    int most;           /* the largest N */
    int direct;         /* 38:2:... */
    int blink_dim_hide; /* SGR 2, 5, 6 and 8 */
};

static void count_parameter(struct colours *colours, long number)
{
    colours->basic += (number >= 30 && number <= 37) || (number >= 40 && number <= 47) ? 1 : 0;
    colours->bright += (number >= 90 && number <= 97) || (number >= 100 && number <= 107) ? 1 : 0;
    colours->blink_dim_hide += number == 2 || number == 5 || number == 6 || number == 8 ? 1 : 0;
}

/* Reads every SGR sequence. */
static struct colours read_colours(struct terminal *terminal)
{
    struct colours colours = {0};
    size_t unused;
    const char *output = terminal_output(terminal, &unused);
    while ((output = strstr(output, "\033[")) != NULL) {
        output += 2;
        size_t length = strspn(output, "0123456789;:");
        if (output[length] != 'm') {
            continue;
        }
        for (const char *at = output; at < output + length;) {
            char *end;
            long number = strtol(at, &end, 10);
            if ((number == 38 || number == 48) && strncmp(end, ";5;", 3) == 0) {
                int index = (int)strtol(end + 3, &end, 10);
                colours.indexed++;
                colours.most = index > colours.most ? index : colours.most;
            } else if ((number == 38 || number == 48) && strncmp(end, ":2:", 3) == 0) {
                colours.direct++;
                end += strspn(end, "0123456789:");
            } else {
                count_parameter(&colours, number);
            }
            at = end + (*end == ';' ? 1 : 0);
        }
    }
    return colours;
}

static struct colours colours_with(const char *const *environment, const char *const *more)
{
    struct terminal *terminal = start_with(environment, more);
    terminal_send(terminal, "1HGCM82643A004352\r");
    CHECK(terminal_wait_text(terminal, "Enter again sends it", 2000));
    terminal_send(terminal, "\r");
    CHECK(terminal_wait_text(terminal, "Vehicle 1HGCM82643A004352", 5000));
    struct colours colours = read_colours(terminal);
    drive_leave(terminal);
    return colours;
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void test_color_option(void)
{
    const char *const *light = WORDS("--theme=light");
    struct colours found = colours_with(NULL, NULL);
    CHECK(found.basic > 0 && found.bright == 0 && found.indexed == 0 && found.direct == 0);
    found = colours_with(NULL, light);
    CHECK(found.indexed > 0 && found.most > 15);
    found = colours_with(NULL, WORDS("--theme=light", "--color=256"));
    CHECK(found.indexed > 0 && found.most > 15);
    found = colours_with(NULL, WORDS("--theme=light", "--color=16"));
    CHECK(found.basic > 0 && found.indexed == 0);
    found = colours_with(NULL, WORDS("--theme=light", "--color=never"));
    CHECK(found.basic == 0 && found.bright == 0 && found.indexed == 0);
    found = colours_with(NULL, WORDS("--theme=monochrome"));
    CHECK(found.basic == 0 && found.bright == 0 && found.indexed == 0);
    found = colours_with(WORDS("TERM=linux"), light); /* has 8 */
    CHECK(found.basic > 0 && found.bright == 0 && found.indexed == 0);
    found = colours_with(WORDS("TERM=linux"), WORDS("--theme=light", "--color=256"));
    CHECK(found.basic > 0 && found.indexed == 0);
    found = colours_with(WORDS("TERM=vt100"), WORDS("--theme=high-contrast", "--color=256"));
    CHECK(found.basic == 0 && found.bright == 0 && found.indexed == 0);
}

/* no-color.org: set and not empty. */
static void test_no_color(void)
{
    struct colours found = colours_with(WORDS("NO_COLOR=1"), NULL);
    CHECK(found.basic == 0 && found.indexed == 0);
    found = colours_with(WORDS("NO_COLOR="), NULL);
    CHECK(found.basic > 0);
    found = colours_with(WORDS("NO_COLOR=1"), WORDS("--color=256"));
    CHECK(found.basic > 0);
}

/* T18: a light ground that is told of brings the light theme, unless another is wanted. */
static void test_colorfgbg(void)
{
    struct colours found = colours_with(WORDS("COLORFGBG=0;15"), NULL);
    CHECK(found.indexed > 0);
    found = colours_with(WORDS("COLORFGBG=15;0"), NULL);
    CHECK(found.indexed == 0);
    found = colours_with(WORDS("COLORFGBG=0;15"), WORDS("--theme=default"));
    CHECK(found.indexed == 0);
}

static void test_nothing_blinks(void)
{
    static const char *const themes[] = {"--theme=default", "--theme=light", "--theme=high-contrast",
                                         "--theme=monochrome"};
    for (size_t i = 0; i < sizeof themes / sizeof themes[0]; i++) {
        CHECK_INT(colours_with(NULL, WORDS(themes[i])).blink_dim_hide, 0);
    }
}

/* A kind of terminal with direct colours, made for the test: not every system has one. */
static void make_direct_terminal(const char *folder)
{
    char path[256], command[1024];
    snprintf(path, sizeof path, "%s/direct.ti", folder);
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        perror(path);
        abort();
    }
    fputs("xterm-direct|xterm with direct colours,\n\tRGB, colors#0x1000000, pairs#0x10000, ccc@, initc@, oc@,\n"
          "\tsetab=\\E[%?%p1%{8}%<%t4%p1%d%e48\\:2\\:\\:%p1%{65536}%/%d\\:%p1%{256}%/%{255}%&%d\\:%p1%{255}%&%d%;m,\n"
          "\tsetaf=\\E[%?%p1%{8}%<%t3%p1%d%e38\\:2\\:\\:%p1%{65536}%/%d\\:%p1%{256}%/%{255}%&%d\\:%p1%{255}%&%d%;m,\n"
          "\tuse=xterm-256color,\n",
          file);
    fclose(file);
    snprintf(command, sizeof command, "tic -x -o %s %s", folder, path);
    CHECK_INT(system(command), 0);
}

static void test_direct_colours(void)
{
    char folder[] = "/tmp/vindecode-terms-XXXXXX", variable[64], command[64];
    CHECK(mkdtemp(folder) != NULL);
    make_direct_terminal(folder);
    snprintf(variable, sizeof variable, "TERMINFO=%s", folder);
    /* By its own name, by --color=true, and by COLORTERM. */
    struct colours found = colours_with(WORDS(variable, "TERM=xterm-direct"), WORDS("--theme=light"));
    CHECK(found.direct > 0 && found.indexed == 0);
    found = colours_with(WORDS(variable), WORDS("--theme=light", "--color=true"));
    CHECK(found.direct > 0 && found.indexed == 0);
    found = colours_with(WORDS(variable, "COLORTERM=truecolor"), WORDS("--theme=light"));
    CHECK(found.direct > 0 && found.indexed == 0);
    /* The default has nothing to mix; fewer colours are respected; and so is a system without such a terminal. */
    found = colours_with(WORDS(variable, "COLORTERM=truecolor"), NULL);
    CHECK(found.direct == 0 && found.basic > 0);
    found = colours_with(WORDS(variable, "COLORTERM=truecolor"), WORDS("--theme=light", "--color=256"));
    CHECK(found.direct == 0 && found.indexed > 0);
    found = colours_with(WORDS("TERMINFO=/nowhere", "TERM=rxvt", "COLORTERM=truecolor"), WORDS("--theme=light"));
    CHECK(found.direct == 0 && found.basic > 0);
    snprintf(command, sizeof command, "rm -r %s", folder);
    CHECK_INT(system(command), 0);
}

static void test_bad_theme(void)
{
    const char *arguments[] = {VINDECODE_PROGRAM, "--demo=calm", "--theme=nosuch", NULL};
    struct terminal *terminal =
        terminal_start(&(struct terminal_options){.rows = 24, .columns = 160, .arguments = arguments});
    int status = 0;
    size_t length;
    CHECK(terminal_wait_exit(terminal, &status, 3000));
    CHECK(WIFEXITED(status));
    CHECK_INT(WEXITSTATUS(status), 2);
    CHECK(terminal_shows(terminal, "no theme is called \"nosuch\""));
    CHECK(strchr(terminal_output(terminal, &length), '\033') == NULL);
    terminal_end(terminal);
}

static void test_theme_file(void)
{
    char path[] = "/tmp/vindecode-terms-XXXXXX", option[64];
    int file = mkstemp(path);
    CHECK(write(file, "title = #ff00ff\n", 16) == 16);
    close(file);
    snprintf(option, sizeof option, "--theme=%s", path);
    struct colours found = colours_with(NULL, WORDS(option));
    CHECK_INT(found.most, 201);
    unlink(path);
}

/* T48, T49: nothing is asked, and no other keyboard is switched on. Nor is the palette touched: not by the start, not
 * by ^Z and fg, not by the end. */
static void test_left_alone(void)
{
    static const char *const never[] = {"\033[6n",  "\033[c",   "\033[>",   "\033[?u",   "\033[=",  "\033]10;",
                                        "\033]11;", "\033]4;",  "\033]104", "\033]P",    "\033]R",  "\033[?996",
                                        "\033P",    "\033[18t", "\033[21t", "\033[?12h", "\033[5m", "\033[?2026"};
    static const char *const environment[] = {"PS1=shell% ", "HISTFILE", "INPUTRC=/dev/null", NULL};
    const char *arguments[] = {"bash", "--norc", "--noprofile", "-i", NULL};
    struct terminal *terminal = terminal_start(
        &(struct terminal_options){.rows = 24, .columns = 80, .arguments = arguments, .environment = environment});
    CHECK(terminal_wait_text(terminal, "shell%", 3000));
    terminal_send(terminal, VINDECODE_PROGRAM " --demo=calm --theme=light\r");
    CHECK(terminal_wait_text(terminal, "F10 ", 5000));
    decode(terminal);
    terminal_send(terminal, "\x1a");
    CHECK(terminal_wait_text(terminal, "Stopped", 2000));
    terminal_send(terminal, "fg\r");
    CHECK(terminal_wait_text(terminal, "Vehicle " GOOD_VIN, 2000));
    terminal_send(terminal, "\x11");
    CHECK(terminal_wait_text(terminal, "shell%", 2000));
    size_t length;
    const char *output = terminal_output(terminal, &length);
    for (size_t i = 0; i < sizeof never / sizeof never[0]; i++) {
        if (strstr(output, never[i]) != NULL) {
            printf("\nESC%s was written ", never[i] + 1);
        }
        CHECK(strstr(output, never[i]) == NULL);
    }
    terminal_send(terminal, "exit 0\r");
    drive_expect_exit(terminal, 0, 2000);
}

/* T76: the first Ctrl-C cancels a call that takes long, the second leaves. */
static void test_interrupt(void)
{
    struct terminal *terminal = drive_start(&(struct drive){.demo = "slow"});
    if (terminal != NULL) {
        terminal_send(terminal, GOOD_VIN "\r");
        CHECK(terminal_wait_text(terminal, "Decoding", 2000));
        terminal_send(terminal, "\003");
        CHECK(terminal_wait_text(terminal, "Cancelled. ", 1000));
        CHECK(!terminal_shows(terminal, "Decoding"));
        terminal_send(terminal, "\003");
        drive_expect_exit(terminal, 130, 1000);
    }
}

/* The title */

/* How often something was written. */
static int count(const char *output, const char *what)
{
    int found = 0;
    while ((output = strstr(output, what)) != NULL) {
        output += strlen(what);
        found++;
    }
    return found;
}

#define TITLE(state) "\033]2;vindecode \xe2\x80\x93 " state "\007"
#define NO_TITLE "\033]2;\007"

/* T30: it names the state, and nothing that was typed or sent is in it. */
static void test_title(void)
{
    struct terminal *terminal = start_with(NULL, NULL);
    size_t length;
    terminal_settle(terminal, 50);
    CHECK_INT(count(terminal_output(terminal, &length), "\033]"), 1);
    CHECK_INT(count(terminal_output(terminal, &length), TITLE("Type")), 1);
    terminal_send(terminal, "\033[200~\033]2;bad\007\033\\\x9c\033[201~");
    terminal_settle(terminal, 50);
    terminal_send(terminal, "\025");
    decode(terminal);
    const char *output = terminal_output(terminal, &length);
    CHECK(count(output, TITLE("Decoded")) == 1);
    int known = count(output, TITLE("Type")) + count(output, TITLE("Check")) + count(output, TITLE("Ready")) +
                count(output, TITLE("Decoding")) + count(output, TITLE("Decoded"));
    CHECK_INT(count(output, "\033]"), known);
    terminal_send(terminal, "\x11");
    int status;
    CHECK(terminal_wait_exit(terminal, &status, 1000));
    output = terminal_output(terminal, &length);
    CHECK_INT(count(output, NO_TITLE), 1);
    CHECK_INT(count(output, "\033[22;0;0t"), count(output, "\033[23;0;0t"));
    CHECK(strstr(strstr(output, NO_TITLE), "\033]2;v") == NULL);
    terminal_end(terminal);
}

/* Whatever ends the program, the stack of titles is as before. */
static void test_title_restored(void)
{
    static const int signals[] = {SIGTERM, SIGINT, SIGSEGV, SIGABRT};
    static const char *const terms[] = {"TERM=xterm-256color", "TERM=tmux-256color", "TERM=screen"};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        for (size_t k = 0; k < sizeof terms / sizeof terms[0]; k++) {
            struct terminal *terminal = start_with(WORDS(terms[k]), NULL);
            int status;
            size_t length;
            kill(terminal_pid(terminal), signals[i]);
            CHECK(terminal_wait_exit(terminal, &status, 2000));
            const char *output = terminal_output(terminal, &length);
            CHECK(count(output, "\033[22;0") > 0);
            CHECK_INT(count(output, "\033[22;0"), count(output, "\033[23;0"));
            CHECK(count(output, NO_TITLE) + count(output, "\033]0;\007") == 1);
            terminal_end(terminal);
        }
    }
}

/* A console would show the sequence. */
static void test_no_title(void)
{
    static const char *const terms[] = {"TERM=linux", "TERM=vt100", "TERM=vt220"};
    for (size_t i = 0; i < sizeof terms / sizeof terms[0]; i++) {
        struct terminal *terminal = start_with(WORDS(terms[i]), NULL);
        size_t length;
        decode(terminal);
        CHECK_INT(count(terminal_output(terminal, &length), "\033]"), 0);
        CHECK_INT(count(terminal_output(terminal, &length), "\033[22;0"), 0);
        drive_leave(terminal);
    }
}

static void test_title_not_by_the_second(void)
{
    struct terminal *terminal = drive_start(&(struct drive){.demo = "long.json"});
    if (terminal != NULL) {
        size_t before, after;
        terminal_send(terminal, GOOD_VIN "\r");
        CHECK(terminal_wait_text(terminal, "Waiting", 3000));
        terminal_settle(terminal, 100);
        terminal_output(terminal, &before);
        terminal_watch(terminal, 2200);
        const char *output = terminal_output(terminal, &after);
        CHECK(after > before);
        CHECK_INT(count(output + before, "\033]"), 0);
        drive_leave(terminal);
    }
}

/* The bell, and the end of a wait. In all, BEL also ends titles. */
static int count_bells(struct terminal *terminal)
{
    size_t length;
    const char *output = terminal_output(terminal, &length);
    return count(output, "\007") - count(output, "\033]");
}

static void expect_bells(const char *option, int at_the_end_of_the_wait, int at_the_answer)
{
    const char *arguments[] = {VINDECODE_PROGRAM, "--demo=" E2E_FOLDER "/throttle.json", option, NULL};
    struct terminal *terminal =
        terminal_start(&(struct terminal_options){.rows = 24, .columns = 80, .arguments = arguments});
    CHECK(terminal_wait_text(terminal, "F10 ", 5000));
    terminal_send(terminal, GOOD_VIN "\r");
    CHECK(terminal_wait_text(terminal, "Waiting", 3000));
    CHECK_INT(count_bells(terminal), 0);
    terminal_send(terminal, "\b"); /* another VIN: nothing is asked, but the wait goes on */
    CHECK(terminal_wait_text(terminal, "Throttled", 1000));
    CHECK(terminal_wait_text(terminal, "The wait is over. ", 8000));
    terminal_settle(terminal, 50);
    CHECK_INT(count_bells(terminal), at_the_end_of_the_wait);
    terminal_send(terminal, "2");
    CHECK(terminal_wait_no_text(terminal, "The wait is over. ", 1000));
    terminal_send(terminal, "\r");
    CHECK(terminal_wait_text(terminal, "Vehicle " GOOD_VIN, 3000));
    terminal_settle(terminal, 50);
    CHECK_INT(count_bells(terminal), at_the_answer);
    drive_leave(terminal);
}

static void test_bell(void)
{
    expect_bells("--bell", 1, 2);
}

static void test_no_bell(void)
{
    expect_bells(NULL, 0, 0);
}

static const struct unit_test tests[] = {
    {"the same text on every kind of terminal", test_same_text},
    {"--color and --theme", test_color_option},
    {"NO_COLOR", test_no_color},
    {"T18: COLORFGBG", test_colorfgbg},
    {"direct colours", test_direct_colours},
    {"nothing blinks or is dim", test_nothing_blinks},
    {"a theme that is none", test_bad_theme},
    {"a theme from a file", test_theme_file},
    {"T48, T49: keyboard, palette and questions", test_left_alone},
    {"T76: Ctrl-C twice", test_interrupt},
    {"T30: the title names the state", test_title},
    {"the title is put back", test_title_restored},
    {"no title where there is none", test_no_title},
    {"the title does not tick", test_title_not_by_the_second},
    {"the bell, and the end of a wait", test_bell},
    {"no bell unasked", test_no_bell},
};

UNIT_MAIN("terminals and their looks", tests)
