#include "tui/keys.h"
#include "core/base/buffer.h"
#include "screen/stage.h"
#include "unit/unit.h"

/* The one table of keys, and what is made of it. */

static struct stage stage;

static const enum key_context contexts[] = {KEYS_FIELD, KEYS_PROMPT, KEYS_OUTSIDE};
enum { CONTEXTS = sizeof contexts / sizeof contexts[0] };

static bool meet(const struct key_binding *a, const struct key_binding *b)
{
    for (size_t i = 0; i < CONTEXTS; i++) {
        if (a->key == b->key && a->code == b->code && keys_hold(a, contexts[i]) && keys_hold(b, contexts[i])) {
            return true;
        }
    }
    return false;
}

static void test_no_key_means_two_things(void)
{
    for (size_t i = 0; i < keys_count(); i++) {
        const struct key_binding *binding = keys_at(i);
        struct input input = {.key = binding->key, .code = binding->code};
        for (size_t k = i + 1; k < keys_count(); k++) {
            if (meet(binding, keys_at(k))) {
                printf("\n%s is twice in the table ", binding->name);
                CU_FAIL("a key means two things");
            }
        }
        for (size_t c = 0; c < CONTEXTS; c++) {
            CHECK(!keys_hold(binding, contexts[c]) || keys_find(contexts[c], &input) == binding);
        }
        CHECK(binding->help != NULL && binding->help[0] != '\0' && binding->name[0] != '\0');
    }
}

/* A prompt is a place for text. */
static void test_characters_are_text_in_a_prompt(void)
{
    for (uint32_t code = 0x20; code < 0x7f; code++) {
        struct input input = {.key = KEY_CHARACTER, .code = code};
        CHECK(keys_find(KEYS_PROMPT, &input) == NULL);
    }
}

#define LONG_VIN "1FBNE3BE1CDB23596"

/* A card that scrolls, with a suggestion, behind a line that can be edited. */
static void arrange_card(void)
{
    stage_type(&stage, LONG_VIN);
    stage_key(&stage, KEY_ENTER, 0);
    stage_key(&stage, KEY_ENTER, 0);
    stage_decoded(
        &stage,
        "{\"Results\":[{\"VIN\":\"" LONG_VIN "\",\"Make\":\"FORD\",\"ErrorCode\":\"3\",\"SuggestedVIN\":"
        "\"1FBNE3BL1CDB23596\",\"Doors\":\"4\",\"Note\":\"\",\"ABS\":\"a\",\"ESC\":\"b\",\"TPMS\":\"c\",\"EDR\":\"d\","
        "\"CIB\":\"e\",\"Turbo\":\"f\",\"Seats\":\"5\",\"Axles\":\"2\",\"Trim2\":\"g\",\"Series\":\"h\",\"Windows\":"
        "\"i\",\"BusType\":\"j\",\"DriveType\":\"k\"}]}",
        false);
}

/* A list with one that failed, one that is out and one to do, stopped. */
static void arrange_list(void)
{
    static const char vins[] = "1HGCM82633A004352\n3VV3B7AX9NM000001\n";
    stage_paste(&stage, vins, sizeof vins - 1);
    stage_key(&stage, KEY_CHARACTER, 'x');
    struct event_failed failed = {.code = CODE_UPSTREAM_UNAVAILABLE, .status = 500};
    stage_failed(&stage, &failed);
    stage_key(&stage, KEY_CHARACTER, 'x');
}

static void arrange_field(enum command command)
{
    arrange_card();
    stage_key(&stage, KEY_CONTROL, 'U');
    stage_type(&stage, "1G 22");
    stage_key(&stage, KEY_CONTROL, 'W');
    if (command == COMMAND_NEWER) {
        stage_key(&stage, KEY_GO_UP, 0);
    }
    stage_key(&stage, KEY_GO_LEFT, 0);
}

static void arrange_prompt(void)
{
    arrange_card();
    stage_key(&stage, KEY_TAB, 0);
    stage_key(&stage, KEY_CHARACTER, '/');
    stage_type(&stage, "a 12 b");
    stage_key(&stage, KEY_CONTROL, 'W');
    stage_type(&stage, "34");
    stage_key(&stage, KEY_GO_LEFT, 0);
}

/* Where the key can do something. */
static void arrange(const struct key_binding *binding, enum key_context context)
{
    enum command command = binding->command;
    stage_open(&stage, "calm");
    app_size(stage.app, 24, 80);
    if (command == COMMAND_DECODE) {
        stage_type(&stage, LONG_VIN);
    } else if (context == KEYS_PROMPT) {
        arrange_prompt();
    } else if (command >= COMMAND_LIST_FILE && command <= COMMAND_LIST_CLEAR) {
        arrange_list();
    } else if (command == COMMAND_AGAIN && context == KEYS_FIELD) {
        arrange_card();
    } else if (context == KEYS_OUTSIDE) {
        arrange_card();
        stage_key(&stage, KEY_TAB, 0);
        stage_key(&stage, KEY_GO_PAGE_DOWN, 0);
        stage_key(&stage, KEY_GO_UP, 0);
    } else {
        arrange_field(command);
    }
    if (command == COMMAND_TAKE) {
        stage_key(&stage, KEY_FUNCTION, 2);
    } else if (command == COMMAND_ESCAPE && context != KEYS_PROMPT) {
        stage_key(&stage, KEY_FUNCTION, 1);
    } else if (command == COMMAND_FIND_NEXT || command == COMMAND_FIND_BEFORE) {
        stage_key(&stage, KEY_CHARACTER, '/');
        stage_type(&stage, "a");
        stage_key(&stage, KEY_ENTER, 0);
    } else if (command >= COMMAND_PAGE_UP && command <= COMMAND_PAGE_DOWN && context == KEYS_FIELD) {
        stage_key(&stage, KEY_GO_UP, 0);
        stage_key(&stage, command == COMMAND_PAGE_UP ? KEY_GO_PAGE_DOWN : KEY_GO_PAGE_UP, 0);
    }
}

/* Pressed where it can do something, every key of the table changes the frame or asks the loop for something. */
static void press_and_look(const struct key_binding *binding, enum key_context context)
{
    struct frame before, after;
    struct effect effect;
    frame_init(&before, 24, 80, true);
    frame_init(&after, 24, 80, true);
    arrange(binding, context);
    CHECK_INT(app_context(stage.app), context);
    view(stage.app, stage.now, stage.wall, &before);
    struct input input = {.key = binding->key, .code = binding->code};
    app_input(stage.app, &input, stage.now);
    view(stage.app, stage.now, stage.wall, &after);
    bool asked = app_next_effect(stage.app, &effect);
    bool differs = memcmp(before.cells, after.cells, 24 * 80 * sizeof *before.cells) != 0 ||
                   before.cursor_column != after.cursor_column || before.cursor_row != after.cursor_row;
    if (!asked && !differs) {
        printf("\n%s (%s) does nothing in context %d ", binding->name, key_context_name(binding->context), context);
    }
    CHECK(asked || differs);
    frame_clear(&before);
    frame_clear(&after);
    stage_close(&stage);
}

static void test_every_key_does_something(void)
{
    for (size_t i = 0; i < keys_count(); i++) {
        for (size_t c = 0; c < CONTEXTS; c++) {
            bool page_key = keys_at(i)->command >= COMMAND_LINE_UP && keys_at(i)->command <= COMMAND_BOTTOM;
            bool elsewhere = contexts[c] == KEYS_PROMPT && (page_key || keys_at(i)->command == COMMAND_AGAIN);
            bool in_a_list = keys_at(i)->command == COMMAND_ESCAPE && contexts[c] == KEYS_FIELD;
            if (keys_hold(keys_at(i), contexts[c]) && !elsewhere && !in_a_list) {
                press_and_look(keys_at(i), contexts[c]);
            }
        }
    }
}

static void press(const struct key_binding *binding)
{
    stage_key(&stage, binding->key, binding->code);
}

/* The key line names only keys of the table that do something now. */
static void test_the_key_line(void)
{
    stage_open(&stage, NULL);
    char *text = stage_frame(&stage, 24, 120, true);
    CHECK(strstr(text, "Enter decode") == NULL);
    CHECK(strstr(text, "F5 again") == NULL);
    CHECK(strstr(text, "Esc") == NULL);
    free(text);
    stage_type(&stage, STAGE_VIN);
    text = stage_frame(&stage, 24, 120, true);
    CHECK(strstr(text, "Enter decode") != NULL);
    free(text);
    stage_key(&stage, KEY_ENTER, 0);
    text = stage_frame(&stage, 24, 120, true);
    CHECK(strstr(text, "Enter decode") == NULL);
    CHECK(strstr(text, "Esc cancel") != NULL);
    free(text);
    stage_close(&stage);
}

static void test_help_knows_every_key(void)
{
    stage_open(&stage, NULL);
    stage_key(&stage, KEY_FUNCTION, 1);
    char *text = stage_frame(&stage, 200, 120, true);
    for (size_t i = 0; i < keys_count(); i++) {
        CHECK(strstr(text, keys_at(i)->name) != NULL);
    }
    free(text);
    press(keys_find(KEYS_OUTSIDE, &(struct input){.key = KEY_CHARACTER, .code = '?'}));
    CHECK(app_overlay(stage.app) == NULL);
    stage_close(&stage);
}

/* The whole of a file; "" when there is none. */
static char *content(const char *path)
{
    struct buffer text;
    char piece[4096];
    size_t count;
    FILE *file = fopen(path, "rb");
    buffer_init(&text, 1 << 20);
    while (file != NULL && (count = fread(piece, 1, sizeof piece, file)) > 0) {
        buffer_put(&text, piece, count);
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    char *whole = buffer_take(&text);
    buffer_clear(&text);
    return whole;
}

/* The manual's part on keys is what the table says. */
static void test_the_manual(void)
{
    static const char begins[] = ".\\\" from the table of keys\n", ends[] = ".\\\" end of the keys\n";
    struct buffer keys;
    char *manual = content(MANUAL);
    char *from = strstr(manual, begins), *to = strstr(manual, ends);
    buffer_init(&keys, 1 << 20);
    keys_write_man(&keys);
    CHECK(!keys.failed && from != NULL && to != NULL);
    if (from != NULL && to != NULL) {
        *to = '\0';
        if (strcmp(from + strlen(begins), keys.data) != 0) {
            printf("\nthe manual is behind the table: assets/refresh writes it anew ");
        }
        CHECK(strcmp(from + strlen(begins), keys.data) == 0);
    }
    buffer_clear(&keys);
    free(manual);
}

static const struct unit_test tests[] = {
    {"no key means two things", test_no_key_means_two_things},
    {"characters are text in a prompt", test_characters_are_text_in_a_prompt},
    {"every key does something", test_every_key_does_something},
    {"the key line", test_the_key_line},
    {"the help knows every key", test_help_knows_every_key},
    {"the manual", test_the_manual},
};

UNIT_MAIN("keys", tests)
