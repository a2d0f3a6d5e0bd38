#include "tui/line_editor.h"

#include "unit/unit.h"

static struct line_editor editor;

static void begin(const char *text)
{
    line_editor_clear(&editor);
    line_editor_init(&editor);
    for (const char *at = text; *at != '\0'; at++) {
        (void)line_editor_insert(&editor, at, 1, true);
    }
}

static void test_moves(void)
{
    begin("1HG,2003");
    CHECK_INT(editor.cursor, 8);
    CHECK(!line_editor_do(&editor, LINE_RIGHT));
    CHECK(line_editor_do(&editor, LINE_WORD_LEFT));
    CHECK_INT(editor.cursor, 4);
    CHECK(line_editor_do(&editor, LINE_WORD_LEFT));
    CHECK_INT(editor.cursor, 0);
    CHECK(!line_editor_do(&editor, LINE_LEFT));
    CHECK(line_editor_do(&editor, LINE_WORD_RIGHT));
    CHECK_INT(editor.cursor, 3);
    CHECK(line_editor_do(&editor, LINE_END));
    CHECK_INT(editor.cursor, 8);
    CHECK(line_editor_do(&editor, LINE_HOME));
    CHECK(line_editor_do(&editor, LINE_RIGHT));
    CHECK_INT(editor.cursor, 1);
}

static void test_characters_not_bytes(void)
{
    begin("");
    (void)line_editor_insert(&editor,
                             "a\xc3\x9c\xff"
                             "b",
                             5, false);
    CHECK(line_editor_do(&editor, LINE_LEFT));
    CHECK(line_editor_do(&editor, LINE_LEFT));
    CHECK_INT(editor.cursor, 3); /* before the broken byte */
    CHECK(line_editor_do(&editor, LINE_RUB_OUT));
    CHECK_TEXT(editor.text, "a\xff"
                            "b");
    CHECK(line_editor_do(&editor, LINE_DELETE));
    CHECK_TEXT(editor.text, "ab");
}

static void test_kill_and_yank(void)
{
    begin("one two three");
    CHECK(line_editor_do(&editor, LINE_KILL_WORD_BACK));
    CHECK(line_editor_do(&editor, LINE_KILL_WORD_BACK));
    CHECK_TEXT(editor.text, "one ");
    CHECK(line_editor_do(&editor, LINE_HOME));
    CHECK(line_editor_do(&editor, LINE_YANK)); /* kills in a row are one text */
    CHECK_TEXT(editor.text, "two threeone ");
    CHECK(line_editor_do(&editor, LINE_KILL_TO_START));
    CHECK_TEXT(editor.text, "one ");
    CHECK(line_editor_do(&editor, LINE_KILL_WORD_FORWARD));
    CHECK_TEXT(editor.text, " ");
    CHECK(line_editor_do(&editor, LINE_KILL_TO_END));
    CHECK_TEXT(editor.text, "");
    CHECK(!line_editor_do(&editor, LINE_KILL_TO_END));
    CHECK(line_editor_do(&editor, LINE_YANK));
    CHECK_TEXT(editor.text, "two threeone ");
}

static void test_undo_brings_the_scan_back(void)
{
    begin("IJHLRD77874C026456"); /* a run of typing is one step */
    CHECK(line_editor_do(&editor, LINE_RUB_OUT));
    CHECK(line_editor_do(&editor, LINE_RUB_OUT));
    (void)line_editor_insert(&editor, "X", 1, true);
    CHECK_TEXT(editor.text, "IJHLRD77874C0264X");
    CHECK(line_editor_do(&editor, LINE_UNDO));
    CHECK_TEXT(editor.text, "IJHLRD77874C0264");
    CHECK(line_editor_do(&editor, LINE_UNDO));
    CHECK_TEXT(editor.text, "IJHLRD77874C026456");
    CHECK(line_editor_do(&editor, LINE_UNDO));
    CHECK_TEXT(editor.text, "");
    CHECK(!line_editor_do(&editor, LINE_UNDO));
}

static void test_undo_of_a_replacement(void)
{
    begin("abc");
    line_editor_set(&editor, "xyz", 3);
    CHECK_TEXT(editor.text, "xyz");
    CHECK(line_editor_do(&editor, LINE_UNDO));
    CHECK_TEXT(editor.text, "abc");
}

static void test_limits(void)
{
    static char novel[LINE_EDITOR_MAX + 100];
    memset(novel, 'x', sizeof novel);
    novel[LINE_EDITOR_MAX - 1] = '\xc3'; /* a character across the edge is left out whole */
    novel[LINE_EDITOR_MAX] = '\x9c';
    begin("");
    CHECK(!line_editor_insert(&editor, novel, sizeof novel, false));
    CHECK_INT(editor.length, LINE_EDITOR_MAX - 1);
    CHECK_INT(editor.text[editor.length], 0);
    for (int i = 0; i < 10 * LINE_EDITOR_UNDO_MAX; i++) {
        (void)line_editor_do(&editor, LINE_RUB_OUT);
        (void)line_editor_insert(&editor, "y", 1, true);
    }
    CHECK_INT(editor.undo_count, LINE_EDITOR_UNDO_MAX);
    CHECK(line_editor_do(&editor, LINE_KILL_TO_START));
    CHECK(line_editor_do(&editor, LINE_YANK));
    CHECK_INT(editor.length, LINE_EDITOR_MAX - 1);
    line_editor_clear(&editor);
}

static const struct unit_test tests[] = {
    {"moves", test_moves},
    {"characters, not bytes", test_characters_not_bytes},
    {"kill and yank", test_kill_and_yank},
    {"undo brings the scan back", test_undo_brings_the_scan_back},
    {"undo of a replacement", test_undo_of_a_replacement},
    {"limits", test_limits},
};

UNIT_MAIN("line editor", tests)
