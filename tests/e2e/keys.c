#include "tui/keys.h"
#include "core/base/buffer.h"
#include "tests/e2e/drive.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

/* Every key of the table, pressed in the real program on a terminal, and what changed. A key that is added to the table
 * without a line here is a failure. */

enum { ROWS = 24, WAIT_MS = 5000 };

#define GONE "!" /* before a text: it is not shown any more */
#define MANY "999999999993VV3B7AXXNM077525"
#define TWO_VINS "\033[200~1HGCM82633A004352\nJHMCR6F52EE084680\n\033[201~"
#define SAVED "keys-test.json" /* in the folder that the program runs in: one of its own */

/* A situation is keys, and in braces what to wait for in between. */
#define CARD GOOD_VIN "\r{Decoded}\t{Tab field}"

struct check {
    enum command command;
    const char *before; /* NULL: as the context has it */
    const char *after;  /* keys that make the change visible, and what to wait for */
    const char *shows;  /* what must come */
    const char *demo;
};

static const struct check checks[] = {
    {COMMAND_DECODE, GOOD_VIN "{Ready}", NULL, "Decoded", NULL},
    {COMMAND_AGAIN, NULL, "\033OS{answers}", "attempts 2", NULL},
    {COMMAND_TO_CARD, NULL, NULL, "Tab field", NULL},
    {COMMAND_TO_FIELD, NULL, NULL, "Tab card", NULL},
    {COMMAND_OLDER, CARD "i\025{No answer yet}", NULL, "Vehicle " GOOD_VIN, NULL},
    {COMMAND_NEWER, CARD "i\025{No answer yet}1G{2/17}\033OA{Vehicle}", NULL, "2/17", NULL},
    {COMMAND_ANSWER, CARD "w{Save as}\025" SAVED "{keys-test}", NULL, "Saved as JSON", NULL},
    {COMMAND_LINE_UP, CARD "jj{ 3-15 of}", NULL, " 2-14 of", NULL},
    {COMMAND_LINE_DOWN, NULL, NULL, " 2-14 of", NULL},
    {COMMAND_PAGE_UP, CARD "jjjj{ 5-17 of}", NULL, " 1-13 of", NULL},
    {COMMAND_PAGE_DOWN, NULL, NULL, " 13-25 of", NULL},
    {COMMAND_TOP, CARD "jjjj{ 5-17 of}", NULL, " 1-13 of", NULL},
    {COMMAND_BOTTOM, NULL, NULL, "not applicable; e shows", NULL},
    {COMMAND_TAKE, CARD "i\025{No answer yet}\033OQ{History}", NULL, "Vehicle " GOOD_VIN, NULL},
    {COMMAND_SEARCH, NULL, "Doors", "/Doors", NULL},
    {COMMAND_FIND_NEXT, CARD "/error\r{Tab field}N{from the bottom}", NULL, "Searched on from the top", NULL},
    {COMMAND_FIND_BEFORE, CARD "/error\r{Tab field}", NULL, "Searched on from the bottom", NULL},
    {COMMAND_EMPTY_FIELDS, NULL, "G", "e hides the rest", NULL},
    {COMMAND_DETAILS, NULL, NULL, "What NHTSA wrote", NULL},
    {COMMAND_CHOOSE, MANY "{28/17}\t", NULL, "Other VINs that could be meant", NULL},
    {COMMAND_COPY, NULL, NULL, "clipboard (OSC 52): the card", NULL},
    {COMMAND_SAVE, NULL, NULL, "Save as: " GOOD_VIN ".json", NULL},
    {COMMAND_LIST, NULL, NULL, "There is no list yet", NULL},
    {COMMAND_LIST_FILE, "\033OR{no list}", NULL, "File of VINs:", NULL},
    {COMMAND_LIST_RUN, TWO_VINS "{2 lines}", NULL, "2 of 2 decoded", NULL},
    {COMMAND_LIST_RETRY, TWO_VINS "{2 lines}x{2 failed}", NULL, "2 of 2 decoded", "keys_refused_once.json"},
    {COMMAND_LIST_CLEAR, TWO_VINS "{2 lines}", NULL, "There is no list yet", NULL},
    {COMMAND_HELP, NULL, NULL, "Help \xe2\x94\x80", NULL},
    {COMMAND_HISTORY, NULL, NULL, "History of this session", NULL},
    {COMMAND_METER, NULL, NULL, "Meter \xe2\x94\x80", NULL},
    {COMMAND_LARGE, NULL, NULL, "Nothing is waited for", NULL},
    {COMMAND_SCENARIO, NULL, NULL, "The demo plays", NULL},
    {COMMAND_MOUSE, NULL, NULL, "The mouse is on", NULL},
};

/* Commands whose effect is no text: looked at by functions of their own. */
static bool is_special(enum command command)
{
    return command <= COMMAND_LINE_LAST || command == COMMAND_ESCAPE || command == COMMAND_INTERRUPT ||
           command == COMMAND_REDRAW || command == COMMAND_SUSPEND || command == COMMAND_LEAVE;
}

static const struct check *check_of(enum command command)
{
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        if (checks[i].command == command) {
            return &checks[i];
        }
    }
    return NULL;
}

/* What xterm sends. */
static const char *bytes_of(const struct key_binding *binding)
{
    static const char *const named[] = {
        [KEY_ENTER] = "\r",           [KEY_ESCAPE] = "\033",         [KEY_TAB] = "\t",
        [KEY_BACK_TAB] = "\033[Z",    [KEY_RUBOUT] = "\177",         [KEY_DELETE] = "\033[3~",
        [KEY_GO_UP] = "\033OA",       [KEY_GO_DOWN] = "\033OB",      [KEY_GO_LEFT] = "\033OD",
        [KEY_GO_RIGHT] = "\033OC",    [KEY_GO_HOME] = "\033OH",      [KEY_GO_END] = "\033OF",
        [KEY_GO_PAGE_UP] = "\033[5~", [KEY_GO_PAGE_DOWN] = "\033[6~"};
    static const char *const functions[] = {"",         "\033OP",   "\033OQ",   "\033OR",   "\033OS",  "\033[15~",
                                            "\033[17~", "\033[18~", "\033[19~", "\033[20~", "\033[21~"};
    static char bytes[3];
    switch (binding->key) {
    case KEY_CHARACTER:
        (void)snprintf(bytes, sizeof bytes, "%c", (char)binding->code);
        return bytes;
    case KEY_CONTROL:
        (void)snprintf(bytes, sizeof bytes, "%c", (char)(binding->code ^ 0x40));
        return bytes;
    case KEY_ALT:
        (void)snprintf(bytes, sizeof bytes, "\033%c", (char)binding->code);
        return bytes;
    case KEY_FUNCTION:
        return functions[binding->code];
    default:
        return named[binding->key];
    }
}

/* Sends keys, and waits where braces say for what. False when that did not come. */
static bool play(struct terminal *terminal, const char *keys)
{
    while (keys != NULL && *keys != '\0') {
        size_t length = strcspn(keys, "{");
        char text[64];
        terminal_send_bytes(terminal, keys, length);
        keys += length;
        if (*keys == '{') {
            size_t wanted = strcspn(keys + 1, "}");
            (void)snprintf(text, sizeof text, "%.*s", (int)wanted, keys + 1);
            if (!terminal_wait_text(terminal, text, WAIT_MS)) {
                return false;
            }
            keys += wanted + 2;
        }
    }
    terminal_settle(terminal, 20);
    return true;
}

static const char *situation_of(enum key_context context)
{
    return context == KEYS_OUTSIDE ? CARD : context == KEYS_PROMPT ? CARD "/{Enter done}" : CARD "i{Tab card}";
}

static struct terminal *start(const char *demo)
{
    return drive_start(&(struct drive){.demo = demo != NULL ? demo : "answers-20ms"});
}

static void fail(const struct key_binding *binding, enum key_context context, const char *what)
{
    printf("\n%s, %s: %s ", binding->name, key_context_name(context), what);
    CU_FAIL("a key of the table");
}

static void press(const struct key_binding *binding, enum key_context context)
{
    const struct check *check = check_of(binding->command);
    if (check == NULL) {
        fail(binding, context, "no test knows this command");
        return;
    }
    struct terminal *terminal = start(check->demo);
    if (terminal == NULL) {
        return;
    }
    const char *before = check->before != NULL && context == binding->context ? check->before : situation_of(context);
    bool page_key = binding->command == COMMAND_PAGE_UP || binding->command == COMMAND_PAGE_DOWN;
    before = page_key && binding->command == COMMAND_PAGE_UP ? check->before : before;
    bool there = play(terminal, before);
    if (there && terminal_shows(terminal, check->shows)) {
        fail(binding, context, "the text that shall come is there before");
    }
    terminal_send(terminal, bytes_of(binding));
    there = there && play(terminal, check->after) && terminal_wait_text(terminal, check->shows, WAIT_MS);
    if (!there) {
        fail(binding, context, "what shall come did not");
    }
    terminal_end(terminal);
}

static void test_keys_that_show(void)
{
    static const enum key_context contexts[] = {KEYS_FIELD, KEYS_OUTSIDE, KEYS_PROMPT};
    char folder[] = "/tmp/vindecode-keys-XXXXXX";
    CHECK(mkdtemp(folder) != NULL && chdir(folder) == 0);
    for (size_t i = 0; i < keys_count(); i++) {
        const struct key_binding *binding = keys_at(i);
        for (size_t c = 0; c < 3 && !is_special(binding->command); c++) {
            bool in_prompt = contexts[c] == KEYS_PROMPT && binding->context == KEYS_EVERYWHERE;
            /* Everywhere is the same: the prompt is closed and the command done. One of them is enough. */
            if (keys_hold(binding, contexts[c]) && (!in_prompt || binding->command == COMMAND_HELP)) {
                press(binding, contexts[c]);
            }
        }
    }
    CHECK_INT(unlink(SAVED), 0); /* what Enter saved */
    CHECK_INT(chdir("/"), 0);
    CHECK_INT(rmdir(folder), 0);
}

/* Keys of a line: what becomes of "ABCDGH" with the cursor before the H, after EF was cut and GH typed. */
static const struct {
    enum command command;
    const char *text;
    int cursor;
} lines[] = {
    {COMMAND_LEFT, "ABCDGH", 4},          {COMMAND_RIGHT, "ABCDGH", 6},
    {COMMAND_HOME, "ABCDGH", 0},          {COMMAND_END, "ABCDGH", 6},
    {COMMAND_WORD_LEFT, "ABCDGH", 4},     {COMMAND_WORD_RIGHT, "ABCDGH", 6},
    {COMMAND_RUB_OUT, "ABCDH", 4},        {COMMAND_DELETE, "ABCDG", 5},
    {COMMAND_KILL_TO_END, "ABCDG", 5},    {COMMAND_KILL_TO_START, "H", 0},
    {COMMAND_KILL_WORD_BACK, "ABCDH", 4}, {COMMAND_KILL_WORD_FORWARD, "ABCDG", 5},
    {COMMAND_YANK, "ABCDGEFH", 7},        {COMMAND_UNDO, "ABCD", 4},
};

/* The text that stands behind `label` in its row, without separators, and the cursor in it. */
static void read_line(struct terminal *terminal, int row, size_t label, char *text, size_t size, int *cursor)
{
    const char *line = terminal_row(terminal, row);
    int at, column;
    bool visible;
    size_t used = 0, hidden = 0;
    terminal_cursor(terminal, &at, &column, &visible);
    CHECK_INT(at, row);
    CHECK(visible);
    for (const char *c = line + label; *c != '\0' && *c != ' ' && used + 1 < size; c++) {
        if (*c == '-') {
            hidden += (int)(c - line) < column;
        } else {
            text[used++] = *c;
        }
    }
    text[used] = '\0';
    *cursor = column - (int)label - (int)hidden;
}

static void press_in_line(struct terminal *terminal, const struct key_binding *binding, bool prompt)
{
    char text[64];
    int cursor = 0;
    size_t known = 0;
    while (known < sizeof lines / sizeof lines[0] && lines[known].command != binding->command) {
        known++;
    }
    if (known == sizeof lines / sizeof lines[0]) {
        fail(binding, binding->context, "no test knows this command");
        return;
    }
    play(terminal, "\005\025AB-CD-EF\027GH\033OD"); /* Ctrl-E Ctrl-U, Ctrl-W */
    terminal_send(terminal, bytes_of(binding));
    bool right = false;
    for (int i = 0; i < 50 && !right; i++) { /* A busy machine draws late. */
        terminal_settle(terminal, 40);
        read_line(terminal, prompt ? ROWS - 1 : 1, prompt ? 1 : 4, text, sizeof text, &cursor);
        right = strcmp(text, lines[known].text) == 0 && cursor == lines[known].cursor;
    }
    if (!right) {
        printf("\n%s (%s): \"%s\", the cursor at %d, not \"%s\" at %d ", binding->name, prompt ? "prompt" : "field",
               text, cursor, lines[known].text, lines[known].cursor);
        CU_FAIL("a key of the table");
    }
}

static void test_keys_of_a_line(void)
{
    for (int prompt = 0; prompt < 2; prompt++) {
        struct terminal *terminal = start(NULL);
        if (terminal == NULL || !play(terminal, prompt != 0 ? CARD "/{Enter done}" : "")) {
            CU_FAIL("the situation did not come");
            continue;
        }
        for (size_t i = 0; i < keys_count(); i++) {
            if (keys_at(i)->context == KEYS_LINE) {
                press_in_line(terminal, keys_at(i), prompt != 0);
            }
        }
        terminal_end(terminal);
    }
}

/* The tests below send these bytes: no other row of the table has the command. */
static void check_only_key(enum command command, const char *bytes)
{
    size_t rows = 0;
    for (size_t i = 0; i < keys_count(); i++) {
        if (keys_at(i)->command == command) {
            CHECK_TEXT(bytes_of(keys_at(i)), bytes);
            rows++;
        }
    }
    CHECK_INT(rows, 1);
}

/* Esc closes what lies on top, then cancels; Ctrl-C the same, and leaves when nothing is open. */
static void test_escape_and_interrupt(void)
{
    struct terminal *terminal = start("slow");
    check_only_key(COMMAND_ESCAPE, "\033");
    check_only_key(COMMAND_INTERRUPT, "\003");
    if (terminal == NULL) {
        return;
    }
    CHECK(play(terminal, "\033OP{Help \xe2\x94\x80}\033"));
    CHECK(terminal_wait_no_text(terminal, "Help \xe2\x94\x80", WAIT_MS));
    CHECK(play(terminal, GOOD_VIN "\r{Decoding}"));
    terminal_send(terminal, "\033");
    CHECK(terminal_wait_text(terminal, "Cancelled", WAIT_MS));
    CHECK(play(terminal, "\r{Decoding}\003{Cancelled}"));
    CHECK(play(terminal, "\t\033OR{no list}o{File of VINs}\003"));
    CHECK(terminal_wait_no_text(terminal, "File of VINs", WAIT_MS));
    CHECK(play(terminal, "o{File of VINs}\033"));
    CHECK(terminal_wait_no_text(terminal, "File of VINs", WAIT_MS));
    terminal_send(terminal, "\003"); /* closes the list */
    CHECK(terminal_wait_no_text(terminal, "There is no list yet", WAIT_MS));
    CHECK(terminal_alternate_screen(terminal)); /* it has not left */
    terminal_send(terminal, "\003");
    drive_expect_exit(terminal, 130, 2000);
}

static void test_redraw_and_suspend(void)
{
    struct terminal *terminal = start(NULL);
    size_t before, after;
    check_only_key(COMMAND_REDRAW, "\014");
    check_only_key(COMMAND_SUSPEND, "\032");
    if (terminal == NULL) {
        return;
    }
    terminal_settle(terminal, 50);
    (void)terminal_output(terminal, &before);
    terminal_send(terminal, "\014");
    terminal_settle(terminal, 50);
    const char *output = terminal_output(terminal, &after);
    CHECK(after > before + 200); /* the whole screen came again */
    CHECK(strstr(output + before, "\033[1;24r") !=
          NULL); /* margins that a frame of another size left behind are gone */
    CHECK(terminal_shows(terminal, "DEMO"));
    /* No shell is there that could continue it: Ctrl-Z does nothing, and everything goes on. */
    terminal_send(terminal, "\0321HG");
    CHECK(terminal_wait_text(terminal, "3/17", WAIT_MS));
    drive_leave(terminal);
}

static void test_leaving(void)
{
    for (size_t i = 0; i < keys_count(); i++) {
        const struct key_binding *binding = keys_at(i);
        if (binding->command == COMMAND_LEAVE) {
            struct terminal *terminal = start(NULL);
            if (terminal != NULL && play(terminal, binding->context == KEYS_OUTSIDE ? "\t{Tab field}" : "")) {
                terminal_send(terminal, bytes_of(binding));
                drive_expect_exit(terminal, 0, 2000);
            }
        }
    }
}

/* T75: the bytes of a copy, and of the mouse's modes, reach the terminal. */
static void test_what_the_terminal_gets(void)
{
    struct terminal *terminal = start(NULL);
    size_t length;
    if (terminal == NULL) {
        return;
    }
    CHECK(play(terminal, "1HGCM8{6/17}\ty{OSC 52}"));
    CHECK(strstr(terminal_output(terminal, &length), "\033]52;c;MUhHQ004\007") != NULL);
    CHECK(!terminal_mode(terminal, 1000));
    CHECK(play(terminal, "\033[20~{mouse is on}"));
    CHECK(terminal_mode(terminal, 1000));
    CHECK(play(terminal, "\033[<0;6;2M{Tab card}")); /* a click on the field, as SGR mode tells it */
    CHECK(play(terminal, "\033[20~{mouse is off}"));
    CHECK(!terminal_mode(terminal, 1000));
    CHECK(play(terminal, "\033[20~{mouse is on}"));
    drive_leave(terminal); /* and nothing of it is left behind */
}

/* The countdown goes on, and so does all else, whatever the mouse reports; and none of it is text. */
static void test_reports_of_the_mouse(void)
{
    static const char *const reports[] = {"\033[<0;6;2M", "\033[<0;6;2m",  "\033[<2;9;9M", "\033[<2;9;9m",
                                          "\033[<0;6",    "\033[<35;9;9M", "\033[M !!",    "\033[M#!!"};
    struct terminal *terminal = start("retry-after");
    if (terminal == NULL || !play(terminal, GOOD_VIN "\r{Waiting}\033[20~{mouse is on}")) {
        CU_FAIL("the situation did not come");
        return;
    }
    for (int off = 0; off < 2; off++) {
        for (size_t i = 0; i < sizeof reports / sizeof reports[0]; i++) {
            terminal_send(terminal, reports[i]);
            terminal_settle(terminal, 20);
            if (i % 2 == 1 || off == 1) {
                CHECK(terminal_watch(terminal, 1200) > 0);
            }
        }
        CHECK(terminal_shows(terminal, "VIN " GOOD_VIN "  17/17"));
        CHECK(play(terminal, "\033[20~"));
    }
    CHECK(terminal_wait_text(terminal, "mouse is on", WAIT_MS));
    drive_leave(terminal);
}

static const struct unit_test tests[] = {
    {"keys that show", test_keys_that_show},
    {"keys of a line", test_keys_of_a_line},
    {"Esc and Ctrl-C", test_escape_and_interrupt},
    {"redraw and suspend", test_redraw_and_suspend},
    {"leaving", test_leaving},
    {"T75: what the terminal gets", test_what_the_terminal_gets},
    {"reports of the mouse", test_reports_of_the_mouse},
};

UNIT_MAIN("every key in a terminal", tests)
