#include "tui/key_reader.h"

#include "tests/unit/unit.h"

/* Feeds text and reads what it means as a line: "V", "Enter", "Alt-b", "Ctrl-A", "Paste(...)". The text is bytes, with
 * the brackets of a paste and the arrow up as curses would report them. "~" stands for silence. */

static const char begin[] = "\033[200~", end[] = "\033[201~", up[] = "\033[A";

static void put_inputs(struct key_reader *reader, struct buffer *out)
{
    struct input input;
    while (key_reader_next(reader, &input)) {
        if (out->length > 0) {
            buffer_putc(out, ' ');
        }
        switch (input.key) {
        case KEY_CHARACTER:
            buffer_printf(out, input.code < 0x80 ? "%c" : "U+%04X", input.code);
            break;
        case KEY_ENTER:
            buffer_puts(out, "Enter");
            break;
        case KEY_ESCAPE:
            buffer_puts(out, "Esc");
            break;
        case KEY_TAB:
            buffer_puts(out, "Tab");
            break;
        case KEY_RUBOUT:
            buffer_puts(out, "Rubout");
            break;
        case KEY_GO_UP:
            buffer_puts(out, "Up");
            break;
        case KEY_CONTROL:
            buffer_printf(out, "Ctrl-%c", input.code);
            break;
        case KEY_ALT:
            buffer_printf(out, "Alt-%c", input.code == '\r' ? '!' : (int)input.code);
            break;
        case KEY_CLICK:
        case KEY_WHEEL_UP:
        case KEY_WHEEL_DOWN:
            buffer_printf(out, "%s(%d,%d)",
                          input.key == KEY_CLICK      ? "Click"
                          : input.key == KEY_WHEEL_UP ? "WheelUp"
                                                      : "WheelDown",
                          input.row, input.column);
            break;
        case KEY_PASTE:
            buffer_printf(out, "Paste(%s)", input.bytes);
            CHECK_INT(input.length, strlen(input.bytes));
            break;
        default:
            buffer_puts(out, "Unknown");
            break;
        }
        free(input.bytes);
    }
}

static size_t put_one(struct key_reader *reader, const char *text, monotime now)
{
    struct token token = {.kind = TOKEN_BYTE, .code = (unsigned char)text[0]};
    size_t used = 1;
    if (strncmp(text, begin, 6) == 0) {
        token = (struct token){.kind = TOKEN_PASTE_BEGIN};
        used = 6;
    } else if (strncmp(text, end, 6) == 0) {
        token = (struct token){.kind = TOKEN_PASTE_END};
        used = 6;
    } else if (strncmp(text, up, 3) == 0) {
        token = (struct token){.kind = TOKEN_KEY, .key = KEY_GO_UP, .text = "\033[A"};
        used = 3;
    }
    key_reader_put(reader, &token, now);
    return used;
}

static void check(const char *text, const char *wanted)
{
    struct key_reader reader;
    struct buffer found;
    key_reader_init(&reader);
    buffer_init(&found, 1 << 20);
    for (size_t i = 0; text[i] != '\0';) {
        if (text[i] == '~') {
            key_reader_idle(&reader);
            i++;
        } else {
            i += put_one(&reader, text + i, 1000);
        }
        put_inputs(&reader, &found);
    }
    key_reader_idle(&reader);
    put_inputs(&reader, &found);
    CHECK_TEXT(found.data, wanted);
    buffer_clear(&found);
    key_reader_clear(&reader);
}

static void test_characters(void)
{
    check("1Hg*", "1 H g *");
    check("\t\x7f\x01\x08\x1f\x1c", "Tab Rubout Ctrl-A Ctrl-H Ctrl-_ Ctrl-\\");
    check("\x11\x13\x16\x0f\x1a\x03", "Ctrl-Q Ctrl-S Ctrl-V Ctrl-O Ctrl-Z Ctrl-C");
}

static void test_utf8(void)
{
    check("\xc3\xab\xe2\x82\xac\xf0\x9f\x9a\x97", "U+00EB U+20AC U+1F697");
    check("\xc3~\xab", "U+00EB"); /* in two reads */
    check("\xc3"
          "A",
          "U+FFFD A");                      /* cut short */
    check("\xff\x80", "U+FFFD U+FFFD");     /* no lead byte */
    check("\xed\xa0\x80", "U+FFFD");        /* a surrogate */
    check("\xc0\xaf", "U+FFFD U+FFFD");     /* overlong */
    check("\xc3\xc3\xab", "U+FFFD U+00EB"); /* begins anew */
}

static void test_line_ends(void)
{
    check("\r", "Enter");
    check("\n", "Enter");
    check("\r\n", "Enter");
    check("\r~\n", "Enter");
    check("\n\r", "Enter Enter");
    check("\r\n\r\n", "Enter Enter");
    check("\r\n\n", "Enter Enter");
    check("\rA\n", "Enter A Enter");
}

static void test_line_feed_later(void)
{
    struct key_reader reader;
    struct buffer found;
    key_reader_init(&reader);
    buffer_init(&found, 100);
    put_one(&reader, "\r", 1000);
    put_one(&reader, "\n", 1000 + KEY_READER_CRLF_MS);
    put_inputs(&reader, &found);
    CHECK_TEXT(found.data, "Enter");
    put_one(&reader, "\r", 2000);
    put_one(&reader, "\n", 2001 + KEY_READER_CRLF_MS);
    put_inputs(&reader, &found);
    CHECK_TEXT(found.data, "Enter Enter Enter");
    buffer_clear(&found);
    key_reader_clear(&reader);
}

static void test_escape(void)
{
    check("\033", "Esc");
    check("\033~b", "Esc b");
    check("\033b\033f", "Alt-b Alt-f");
    check("\033\r", "Alt-!"); /* T33: never Esc */
    check("\033\033", "Esc Esc");
    check("\033\033b", "Esc Alt-b");
    check("\033[A", "Up");
    check("\033\033[A", "Up");
    check("\033\xc3\xab", "U+00EB");
}

static void test_unknown_sequences(void)
{
    check("\033[1;5X1H", "Unknown 1 H");

    check("\033[?62;22cA", "Unknown A");
    check("\033OzA", "Unknown A");
    check("\033]11;rgb:0000/0000/0000\033\\A", "Unknown Alt-\\ A");
    check("\033]11;rgb:0000/0000/0000\007A", "Unknown A");
    check("\033[", "Alt-[");
    check("\033O", "Alt-O");
}

/* What is no press of the first button and no wheel is nothing at all. */
static void test_mouse(void)
{
    check("\033[<0;6;2M\033[<0;6;2mA", "Click(1,5) A");
    check("\033[<64;1;1M\033[<65;120;40M", "WheelUp(0,0) WheelDown(39,119)");
    check("\033[<20;6;2M", "Click(1,5)");               /* with Shift and Ctrl */
    check("\033[<2;6;2M\033[<35;7;3M\033[<3;1;1M", ""); /* the third button, a movement */
    check("\033[<0;6~;2~M", "Click(1,5)");              /* in three reads */
    check("\033[<0;99999999999999999999;2M1", "Click(1,99998) 1");
    check("\033[<0;0;0M\033[<0;6M1", "Unknown 1"); /* counts from 1; two numbers are no report */
    check("\033[<1;2;3;4M1\033[<x1", "Unknown 1 Unknown 1");
    check("\033[<0;6\033[A1", "Up 1"); /* broken off by a key */
    check("\033[<0;6\0331", "Unknown Alt-1");
    check("\033[M &\"A\033[M#&\"B", "Click(1,5) A B"); /* the older form: a press, a release */
    check("\033[M`!!\033[Ma!!", "WheelUp(0,0) WheelDown(0,0)");
    check("\033[200~\033[<0;6;2M\033[201~", "Paste(\033[<0;6;2M)");
}

static void test_paste(void)
{
    check("\033[200~VIN\rq\n\033[201~", "Paste(VIN\rq\n)");
    check("\033[200~\033[201~", "Paste()");
    check("\033[200~a\033[201~~q", "Paste(a) q");
    check("\033[200~a\033[201~q\r", "Paste(a) q Enter"); /* typed behind it, without another end */
    check("\033[200~a\033[Ab\033[201~", "Paste(a\033[Ab)");
    check("\033[200~a\033b\033[201~", "Paste(a\033b)");
    check("\033[201~a", "a");
    check("\033[200~a\033[201~\033[200~b\033[201~", "Paste(a) Paste(b)");
    check("\033[200~\xc3\xab\033[201~", "Paste(\xc3\xab)");
}

/* T36: an end bracket inside the text, with commands behind it, runs nothing. */
static void test_paste_with_end(void)
{
    check("\033[200~abc\033[201~q\r\033[201~", "Paste(abc\033[201~q\r)");
    check("\033[200~a\033[201~b\033[201~c\033[201~~d", "Paste(a\033[201~b\033[201~c) d");
    char text[400] = "\033[200~a\033[201~", wanted[400] = "Paste(a\033[201~";
    for (int i = 0; i < 3 * KEY_READER_TAIL; i++) {
        strcat(text, "q");
        strcat(wanted, "q");
    }
    check(strcat(text, "\033[201~"), strcat(wanted, ")"));
}

static void test_paste_without_end(void)
{
    struct key_reader reader;
    struct buffer found;
    key_reader_init(&reader);
    buffer_init(&found, 100);
    put_one(&reader, begin, 1000);
    put_one(&reader, "a", 1001);
    key_reader_idle(&reader);
    put_one(&reader, "b", 1001 + KEY_READER_PASTE_SILENCE_MS);
    put_inputs(&reader, &found);
    CHECK_TEXT(found.data, "");
    put_one(&reader, "c", 1002 + 2 * KEY_READER_PASTE_SILENCE_MS);
    put_inputs(&reader, &found);
    CHECK_TEXT(found.data, "Paste(ab) c");
    buffer_clear(&found);
    key_reader_clear(&reader);
}

static const struct unit_test tests[] = {
    {"characters and controls", test_characters},
    {"UTF-8", test_utf8},
    {"CR, LF and CRLF", test_line_ends},
    {"LF belongs to CR only when it comes soon", test_line_feed_later},
    {"Esc and Alt", test_escape},
    {"unknown sequences are one key", test_unknown_sequences},
    {"reports of the mouse", test_mouse},
    {"a paste is one input", test_paste},
    {"T36: an end inside a paste", test_paste_with_end},
    {"a paste whose end is lost", test_paste_without_end},
};

UNIT_MAIN("key reader", tests)
