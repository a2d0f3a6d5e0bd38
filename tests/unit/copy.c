#include "tui/copy.h"
#include "unit/unit.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* The clipboard: the bytes that ask a terminal for it, and tmux. */

static char *sequence_of(const char *text, size_t length, bool in_screen)
{
    struct buffer out;
    buffer_init(&out, 1 << 20);
    copy_sequence(text, length, in_screen, &out);
    char *sequence = buffer_take(&out);
    buffer_clear(&out);
    return sequence;
}

static void test_the_sequence(void)
{
    static const struct {
        const char *text, *sequence;
    } cases[] = {
        {"", "\033]52;c;\007"},        {"f", "\033]52;c;Zg==\007"},          {"fo", "\033]52;c;Zm8=\007"},
        {"foo", "\033]52;c;Zm9v\007"}, {"foobar", "\033]52;c;Zm9vYmFy\007"}, {"\xc3\xbc\xff", "\033]52;c;w7z/\007"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *found = sequence_of(cases[i].text, strlen(cases[i].text), false);
        CHECK_TEXT(found, cases[i].sequence);
        free(found);
    }
    char *wrapped = sequence_of("foo", 3, true);
    CHECK_TEXT(wrapped, "\033P\033]52;c;Zm9v\007\033\\");
    free(wrapped);
}

/* GNU screen takes 768 bytes at a time. */
static void test_pieces_for_screen(void)
{
    static char text[5000];
    memset(text, 'x', sizeof text);
    char *wrapped = sequence_of(text, sizeof text, true);
    size_t longest = 0;
    for (char *piece = wrapped; *piece != '\0';) {
        CHECK(strncmp(piece, "\033P", 2) == 0);
        char *stop = strstr(piece, "\033\\");
        CHECK(stop != NULL);
        longest = (size_t)(stop - piece) > longest ? (size_t)(stop - piece) : longest;
        piece = stop + 2;
    }
    CHECK(longest <= 768);
    free(wrapped);
}

static void test_terminals_without_a_clipboard(void)
{
    CHECK(copy_has_clipboard("xterm-256color"));
    CHECK(copy_has_clipboard("tmux-256color"));
    CHECK(!copy_has_clipboard("linux"));
    CHECK(!copy_has_clipboard("vt100"));
}

/* A tmux of our own that does what `script` says. */
static void with_tmux(const char *script, char *folder, size_t size)
{
    char path[256];
    (void)snprintf(folder, size, "/tmp/vindecode-copy-XXXXXX");
    CHECK(mkdtemp(folder) != NULL);
    (void)snprintf(path, sizeof path, "%s/tmux", folder);
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0755);
    CHECK(write(file, script, strlen(script)) == (ssize_t)strlen(script));
    close(file);
    (void)snprintf(path, sizeof path, "%s:/usr/bin:/bin", folder);
    setenv("PATH", path, 1);
}

static void without_tmux(const char *folder)
{
    char path[256];
    (void)snprintf(path, sizeof path, "%s/tmux", folder);
    (void)unlink(path);
    (void)snprintf(path, sizeof path, "%s/got", folder);
    (void)unlink(path);
    CHECK_INT(rmdir(folder), 0);
}

static bool wait_for_child(struct copy_child *child)
{
    bool well = false, ended = false;
    while (!ended) {
        struct pollfd done = {.fd = child->done, .events = POLLIN};
        CHECK_INT(poll(&done, 1, 20000), 1);
        if (done.revents == 0) {
            copy_abandon(child);
            return false;
        }
        ended = copy_reap(child, &well);
    }
    CHECK_INT(child->pid, 0);
    return well;
}

static void test_through_tmux(void)
{
    char folder[64], path[128], got[64] = "";
    struct copy_child child = {0};
    with_tmux("#!/bin/sh\n[ \"$*\" = 'load-buffer -w -' ] && cat > \"${0%/*}/got\"\n", folder, sizeof folder);
    CHECK(copy_to_tmux(&child, "1HGCM82633A004352", 17));
    CHECK(wait_for_child(&child));
    (void)snprintf(path, sizeof path, "%s/got", folder);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    CHECK(file >= 0 && read(file, got, sizeof got - 1) == 17);
    close(file);
    CHECK_TEXT(got, "1HGCM82633A004352");
    without_tmux(folder);
}

static void test_a_tmux_that_refuses(void)
{
    char folder[64];
    struct copy_child child = {0};
    with_tmux("#!/bin/sh\necho 'no server running' >&2\nexit 1\n", folder, sizeof folder);
    CHECK(copy_to_tmux(&child, "x", 1));
    CHECK(!wait_for_child(&child));
    without_tmux(folder);
}

/* T75: without one nothing breaks; a tmux that hangs is given up. */
static void test_t75_no_tmux_and_one_that_hangs(void)
{
    char folder[64];
    struct copy_child child = {0};
    with_tmux("#!/bin/sh\nexec sleep 600\n", folder, sizeof folder);
    CHECK(copy_to_tmux(&child, "x", 1));
    CHECK(!copy_to_tmux(&child, "y", 1)); /* one at a time */
    copy_abandon(&child);
    CHECK_INT(child.pid, 0);
    without_tmux(folder);
    setenv("PATH", "/nonexistent", 1);
    CHECK(!copy_to_tmux(&child, "x", 1));
    CHECK_INT(child.pid, 0);
}

static const struct unit_test tests[] = {
    {"the sequence", test_the_sequence},
    {"pieces for screen", test_pieces_for_screen},
    {"terminals without a clipboard", test_terminals_without_a_clipboard},
    {"through tmux", test_through_tmux},
    {"a tmux that refuses", test_a_tmux_that_refuses},
    {"T75: no tmux, and one that hangs", test_t75_no_tmux_and_one_that_hangs},
};

UNIT_MAIN("copy", tests)
