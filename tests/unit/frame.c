#include "tui/frame.h"

#include "unit/unit.h"

/* Text from outside. The numbers are those of the reports of what others got wrong (section T: terminals). */

static char line[512];

/* The first row of an 80-column frame after `bytes` was drawn into it. */
static const char *drawn(const char *bytes, size_t length, bool utf8, int columns)
{
    struct frame frame;
    frame_init(&frame, 1, 80, utf8);
    int used = frame_text(&frame, 0, 0, columns, ROLE_TEXT, bytes, length);
    char *text = frame_dump(&frame);
    text[strcspn(text, "\n")] = '\0';
    (void)snprintf(line, sizeof line, "%s", text);
    CHECK(used <= columns);
    free(text);
    frame_clear(&frame);
    return line;
}

static const char *shown(const char *bytes)
{
    return drawn(bytes, strlen(bytes), true, 80);
}

static const char *shown_ascii(const char *bytes)
{
    return drawn(bytes, strlen(bytes), false, 80);
}

static void test_plain(void)
{
    CHECK_TEXT(shown("HARLEY DAVIDSON"), "HARLEY DAVIDSON");
    CHECK_TEXT(shown("OSNABR\xc3\x9c"
                     "CK"),
               "OSNABR\xc3\x9c"
               "CK");
    CHECK_TEXT(shown("a\xc2\xa0"
                     "b"),
               "a b");
}

static void test_t22_emoji_keep_the_columns(void)
{
    CHECK_TEXT(shown("\xf0\x9f\x9a\x97|"), "\xf0\x9f\x9a\x97|");
    CHECK_INT(frame_width("\xf0\x9f\x9a\x97|", 5, true), 3);
    CHECK_TEXT(shown("\xf0\x9f\x87\xba\xf0\x9f\x87\xb8|"), "US|");               /* a flag */
    CHECK_TEXT(shown("\xf0\x9f\x91\x8d\xf0\x9f\x8f\xbd|"), "\xf0\x9f\x91\x8d|"); /* skin tone */
    CHECK_TEXT(drawn("\xf0\x9f\x9a\x97\xf0\x9f\x9a\x97", 8, true, 3), "\xf0\x9f\x9a\x97");
    CHECK_TEXT(shown_ascii("\xf0\x9f\x9a\x97|"), "?|");
}

static void test_t24_variation_selectors_go(void)
{
    CHECK_TEXT(shown("\xe2\x9d\xa4\xef\xb8\x8f|"), "\xe2\x9d\xa4|");
    CHECK_INT(frame_width("\xe2\x9d\xa4\xef\xb8\x8f|", 7, true), 2);
    CHECK_TEXT(shown("\xef\xb8\x8f|"), "|");
}

static void test_t25_controls_are_visible(void)
{
    CHECK_TEXT(shown("abc\rX"), "abc^MX");
    CHECK_TEXT(shown("\b\b\b"), "^H^H^H");
    CHECK_TEXT(shown("a\nb\tc"), "a^Jb^Ic");
    CHECK_TEXT(drawn("a\0b", 3, true, 80), "a^@b");
    CHECK_TEXT(shown("\x7f"), "^?");
}

static void test_t27_escape_sequences_do_nothing(void)
{
    CHECK_TEXT(shown("\x1b]52;c;aGk=\a"), "^[]52;c;aGk=^G");
    CHECK_TEXT(shown("\x1b]8;;http://x\x1b\\y"), "^[]8;;http://x^[\\y");
    CHECK_TEXT(shown("\x1b[6n"), "^[[6n");
}

static void test_t28_bidi_c1_and_tags_are_visible(void)
{
    CHECK_TEXT(shown("a\xe2\x80\xae"
                     "b"),
               "a<U+202E>b");
    CHECK_TEXT(shown("\xe2\x81\xa6"), "<U+2066>");
    CHECK_TEXT(shown("\xe2\x80\x8b\xef\xbb\xbf"), "<U+200B><U+FEFF>");
    CHECK_TEXT(shown("\xf3\xa0\x81\x81"), "<U+E0041>");
    CHECK_TEXT(shown("\xc2\x9b"
                     "6n"),
               "<U+009B>6n");
    CHECK_TEXT(shown("\x9b"
                     "6n"),
               "<9B>6n");
    CHECK_TEXT(shown("\xe2\x80\xa8"), "<U+2028>");
}

static void test_t30_titles_are_clean(void)
{
    char out[64];
    size_t length = frame_clean("1HG\x1b\\\x07\x9c", 7, true, out, sizeof out);
    CHECK_TEXT(out, "1HG^[\\^G<9C>");
    CHECK_INT(length, strlen(out));
}

static void test_broken_utf8(void)
{
    CHECK_TEXT(shown("\xc3"), "<C3>");
    CHECK_TEXT(shown("\xc0\xaf"), "<C0><AF>");         /* overlong */
    CHECK_TEXT(shown("\xed\xa0\x80"), "<ED><A0><80>"); /* a surrogate */
    CHECK_TEXT(shown("\xf4\x90\x80\x80"), "<F4><90><80><80>");
    CHECK_TEXT(shown("\xe2\x82z"), "<E2><82>z");
    CHECK_TEXT(shown("\xef\xbf\xbf"), "<U+FFFF>");
}

static void test_marks(void)
{
    CHECK_TEXT(shown("e\xcc\x81|"), "e\xcc\x81|");
    CHECK_INT(frame_width("e\xcc\x81|", 4, true), 2);
    CHECK_TEXT(shown("e\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81|"), "e\xcc\x81\xcc\x81\xcc\x81|"); /* CELL_MARKS */
    CHECK_TEXT(shown("\xcc\x81|"), "<U+0301>|"); /* nothing to stand on */
    CHECK_TEXT(shown_ascii("e\xcc\x81|"), "e|");
}

static void test_ascii(void)
{
    CHECK_TEXT(shown_ascii("OSNABR\xc3\x9c"
                           "CK"),
               "OSNABRUCK");
    CHECK_TEXT(shown_ascii("Dual Motor \xe2\x80\x93 Standard"), "Dual Motor - Standard");
    CHECK_TEXT(shown_ascii("\xc3\xa9\xc3\x9f\xc3\xa6\xc5\x81\xc2\xbd\xe2\x82\xac"), "essaeL1/2EUR");
    CHECK_TEXT(shown_ascii("\xe6\x97\xa5\xe6\x9c\xac"), "??");
    for (uint32_t code = 1; code < 0x110000; code++) {
        char bytes[4];
        size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
        static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
        for (size_t i = length; i-- > 1;) {
            bytes[i] = (char)(0x80 | ((code >> (6 * (length - 1 - i))) & 0x3f));
        }
        bytes[0] = (char)(lead[length] | (code >> (6 * (length - 1))));
        char out[64];
        size_t written = frame_clean(bytes, length, false, out, sizeof out);
        for (size_t i = 0; i < written; i++) {
            if (out[i] < 0x20 || out[i] == 0x7f) {
                printf("\nU+%04lX gives the byte %d ", (unsigned long)code, out[i]);
                CU_FAIL("a byte that may not reach a terminal");
                return;
            }
        }
        CU_ASSERT_EQUAL_FATAL(frame_width(bytes, length, false), (int)written);
    }
}

static void test_edges(void)
{
    struct frame frame;
    frame_init(&frame, 2, 4, true);
    CHECK_INT(frame_puts(&frame, 0, 2, 80, ROLE_TEXT, "abcdef"), 2);
    CHECK_INT(frame_puts(&frame, 5, 0, 80, ROLE_TEXT, "abc"), 0);
    CHECK_INT(frame_puts(&frame, -1, 0, 80, ROLE_TEXT, "abc"), 0);
    CHECK_INT(frame_puts(&frame, 0, 4, 80, ROLE_TEXT, "abc"), 0);
    CHECK_INT(frame_puts(&frame, 1, 3, 80, ROLE_TEXT, "\xf0\x9f\x9a\x97"), 0); /* half of it would not fit */
    frame_put(&frame, 9, 9, 'x', ROLE_TEXT);
    frame_put(&frame, 1, 3, 0x1F697, ROLE_TEXT);
    char *text = frame_dump(&frame);
    CHECK_TEXT(text, "  ab\n\n");
    free(text);
    frame_clear(&frame);
}

static void test_halves_of_wide_characters(void)
{
    struct frame frame;
    frame_init(&frame, 1, 6, true);
    (void)frame_puts(&frame, 0, 0, 6, ROLE_TEXT, "\xf0\x9f\x9a\x97\xf0\x9f\x9a\x97");
    frame_put(&frame, 0, 1, 'x', ROLE_TEXT);
    frame_put(&frame, 0, 2, 'y', ROLE_TEXT);
    char *text = frame_dump(&frame);
    CHECK_TEXT(text, " xy\n");
    free(text);
    frame_put(&frame, 0, 5, '\x1b', ROLE_TEXT);
    CHECK_INT(frame.cells[5].code, '?');
    frame_clear(&frame);
}

static void test_wrap(void)
{
    const char *text = "one two three";
    CHECK_INT(frame_wrap(text, strlen(text), 80, true), 13);
    CHECK_INT(frame_wrap(text, strlen(text), 9, true), 7);
    CHECK_INT(frame_wrap(text, strlen(text), 7, true), 7);
    CHECK_INT(frame_wrap(text, strlen(text), 2, true), 2);
    CHECK_INT(frame_wrap("\xf0\x9f\x9a\x97", 4, 1, true), 4); /* at least one character, always onward */
    CHECK_INT(frame_wrap("", 0, 10, true), 0);
}

static void test_sizes(void)
{
    struct frame frame;
    frame_init(&frame, 0, -3, true);
    CHECK_INT(frame.rows, 1);
    CHECK_INT(frame.columns, 1);
    frame_resize(&frame, 400, 1000);
    CHECK_INT(frame_printf(&frame, 399, 0, 1000, ROLE_TEXT, "%0999d", 7), 999);
    frame_clear(&frame);
}

static void test_clean_is_cut_between_characters(void)
{
    char out[8];
    CHECK_INT(frame_clean("abcdef\xc3\x9c", 8, true, out, sizeof out), 6);
    CHECK_TEXT(out, "abcdef");
    CHECK_INT(frame_clean("abcdefg\x1b", 8, true, out, sizeof out), 7);
    CHECK_INT(frame_clean("abc", 3, true, out, 1), 0);
    CHECK_TEXT(out, "");
}

static const struct unit_test tests[] = {
    {"plain text", test_plain},
    {"T22: emoji keep the columns", test_t22_emoji_keep_the_columns},
    {"T24: variation selectors go", test_t24_variation_selectors_go},
    {"T25: controls are visible", test_t25_controls_are_visible},
    {"T27: escape sequences do nothing", test_t27_escape_sequences_do_nothing},
    {"T28: bidi, C1 and tags are visible", test_t28_bidi_c1_and_tags_are_visible},
    {"T30: titles are clean", test_t30_titles_are_clean},
    {"broken UTF-8", test_broken_utf8},
    {"combining marks", test_marks},
    {"ASCII only, for every code point", test_ascii},
    {"the grid's edges", test_edges},
    {"halves of wide characters", test_halves_of_wide_characters},
    {"wrapping", test_wrap},
    {"sizes", test_sizes},
    {"cleaning cuts between characters", test_clean_is_cut_between_characters},
};

UNIT_MAIN("frame", tests)
