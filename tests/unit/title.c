#include "tui/title.h"

#include "tests/unit/unit.h"

/* Everything that is written for a terminal: saved, named, restored. */
static void expect(const char *term, const char *tsl, const char *fsl, const char *smcup, const char *wanted)
{
    struct title title;
    struct buffer out;
    buffer_init(&out, 1024);
    title_init(&title, term, tsl, fsl, smcup);
    title_save(&title, &out);
    title_name(&title, "vindecode \xe2\x80\x93 Ready", true, &out);
    title_restore(&title, &out);
    CHECK_TEXT(out.data, wanted);
    buffer_clear(&out);
}

static void test_kinds(void)
{
#define NAME "vindecode \xe2\x80\x93 Ready"
    /* Debian's xterm keeps the title on the stack with the alternate screen. */
    expect("xterm-256color", NULL, NULL, "\033[?1049h\033[22;0;0t", "\033]2;" NAME "\007\033]2;\007");
    expect("xterm-kitty", NULL, NULL, "\033[?1049h", "\033[22;0t\033]2;" NAME "\007\033]2;\007\033[23;0t");
    expect("tmux-256color", "\033]0;", "\007", "\033[?1049h", "\033[22;0t\033]0;" NAME "\007\033]0;\007\033[23;0t");
    expect("screen", "\033_", "\033\\", NULL, "\033[22;0t\033_" NAME "\033\\\033_\033\\\033[23;0t");
    expect("linux", NULL, NULL, NULL, "");
    expect("vt100", NULL, NULL, NULL, "");
    expect("vt320", "\033[1$}\033[H\033[K%p1%dC", "\033[0$}", NULL, ""); /* a line of the screen, not a title */
    expect("something", "\033]2;", "\007", NULL, "\033]2;" NAME "\007\033]2;\007");
#undef NAME
}

/* T30: nothing in a title can end its sequence early. */
static void test_hostile(void)
{
    struct title title;
    struct buffer out;
    buffer_init(&out, 1024);
    title_init(&title, "xterm", NULL, NULL, "\033[22;0;0t");
    title_name(&title, "a\007b\033\\c\x9c\n\xe2\x80\xae", true, &out);
    CHECK_TEXT(out.data, "\033]2;a^Gb^[\\c<9C>^J<U+202E>\007");
    buffer_reset(&out);
    title_name(&title, "\xe2\x80\x93", false, &out);
    CHECK_TEXT(out.data, "\033]2;-\007");
    buffer_clear(&out);
}

static const struct unit_test tests[] = {
    {"kinds of terminals", test_kinds},
    {"T30: control characters in a title", test_hostile},
};

UNIT_MAIN("title", tests)
