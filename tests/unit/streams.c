#include "tests/unit/unit.h"
#include "tui/line_source.h"
#include "tui/whole_lines.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

/* A file that is gone when it is closed; its path is "/dev/fd/N". */
static int make_file(const char *bytes, size_t length, char *path, size_t size)
{
    FILE *file = tmpfile();
    CHECK(file != NULL);
    CHECK_INT(fwrite(bytes, 1, length, file), length);
    fflush(file);
    int descriptor = dup(fileno(file));
    fclose(file);
    lseek(descriptor, 0, SEEK_SET);
    snprintf(path, size, "/dev/fd/%d", descriptor);
    return descriptor;
}

/* All entries of a file, each in brackets; long ones as their length. */
static void check_entries(const char *bytes, size_t length, const char *wanted)
{
    char path[64];
    int file = make_file(bytes, length, path, sizeof path);
    char *arguments[] = {"first"};
    struct line_source source;
    struct buffer found;
    buffer_init(&found, 1 << 20);
    CHECK(line_source_open(&source, arguments, 1, path));
    const char *text;
    size_t text_length;
    enum line_state state;
    while ((state = line_source_next(&source, &text, &text_length)) != LINE_END) {
        if (state == LINE_LATER) {
            line_source_fill(&source);
        } else if (text_length > 40) {
            buffer_printf(&found, "[%zu]", text_length);
        } else {
            buffer_putc(&found, '[');
            buffer_put(&found, text, text_length);
            buffer_putc(&found, ']');
        }
    }
    CHECK_TEXT(found.data, wanted);
    CHECK_INT(source.error, 0);
    buffer_clear(&found);
    line_source_close(&source);
    close(file);
}

static void check_lines(const char *text, const char *wanted)
{
    check_entries(text, strlen(text), wanted);
}

static void test_lines(void)
{
    check_lines("", "[first]");
    check_lines("A\nB\n", "[first][A][B]");
    check_lines("A\r\nB", "[first][A][B]");
    check_lines("\n\n  \t A  \n\n", "[first][A]");
    check_lines("# all of it\nA # the rest\n#\n", "[first][A]");
    check_lines("\xef\xbb\xbf"
                "A\nB",
                "[first][A][B]");
    check_lines("A,2003\n", "[first][A,2003]");
}

static void test_comma_separated(void)
{
    check_lines("Make,VIN,Note\r\nHonda,A1,\"a \"\"b\"\", c\"\r\n\"x\ny\",\"B2\",\r\n", "[first][A1][B2]");
    check_lines("\xef\xbb\xbf\"vin\"\nA1\n\n  B2 \nC3", "[first][A1][B2][C3]");
    check_lines("# mine\n\nvin,year\nA1,2003\nB2,\nC3,  1999 \n", "[first][A1,2003][B2][C3,1999]");
    check_lines("Kennzeichen;Vin\nM-X 1;A1\nM-X 2;B2\n", "[first][A1][B2]");
    check_lines("Lot #\tVIN\n1\tA1\n2\tB2\n", "[first][A1][B2]");
    check_lines("vin,plate\nA1,x\n,y\n,\nC3,z\n", "[first][A1][][C3]");
    check_lines("VIN\rA1\rB2", "[first][A1][B2]");
    check_lines("vin\n", "[first]");
    check_lines("A1,2003\nB2, 2004 # two, or three, columns\n", "[first][A1,2003][B2, 2004]");
    check_lines("A1 # a, b, and c\n", "[first][A1]");
}

static void check_wrong(const char *bytes, size_t length, const char *expected)
{
    char path[64];
    int file = make_file(bytes, length, path, sizeof path);
    struct line_source source;
    CHECK(line_source_open(&source, NULL, 0, path));
    const char *text;
    size_t text_length;
    enum line_state state;
    while ((state = line_source_next(&source, &text, &text_length)) != LINE_END) {
        if (state == LINE_LATER) {
            line_source_fill(&source);
        }
    }
    if (source.wrong == NULL || strstr(source.wrong, expected) == NULL) {
        printf("\n%.20s: \"%s\", not \"%s\" ", bytes, source.wrong ? source.wrong : "", expected);
    }
    CHECK(source.wrong != NULL && strstr(source.wrong, expected) != NULL);
    CHECK_INT(line_source_next(&source, &text, &text_length), LINE_END);
    line_source_close(&source);
    close(file);
}

static void test_wrong_content(void)
{
    static char open_quote[200000];
    check_wrong("\x7f"
                "ELF\0\1\2\n",
                8, "no text");
    check_wrong("make,model,year\nHonda,Accord,2003\n", strlen("make,model,year\nHonda,Accord,2003\n"),
                "none is called \"vin\"");
    check_wrong("make;model\nHonda;Accord\n", strlen("make;model\nHonda;Accord\n"), "none is called \"vin\"");
    check_wrong("1,1HGCM82633A004352,x\n", strlen("1,1HGCM82633A004352,x\n"), "none is called \"vin\"");
    check_wrong("vin,x\nA1,\"open\nB2,y\n", strlen("vin,x\nA1,\"open\nB2,y\n"), "never closed");
    memset(open_quote, 'x', sizeof open_quote);
    memcpy(open_quote, "vin,x\nA1,\"", 10);
    check_wrong(open_quote, sizeof open_quote, "too long");
}

static void test_long_lines(void)
{
    static char text[3 * 16384 + 8];
    memset(text, 'X', sizeof text);
    memcpy(text + sizeof text - 8, "\nA\n\nBCD", 7);
    check_entries(text, sizeof text - 1, "[first][4096][A][BCD]");
}

static void test_many_lines(void)
{
    static char text[20000 * 8];
    struct buffer wanted;
    buffer_init(&wanted, 1 << 20);
    buffer_puts(&wanted, "[first]");
    for (size_t i = 0; i < 20000; i++) {
        char line[9];
        snprintf(line, sizeof line, "%07zu\n", i);
        memcpy(text + 8 * i, line, 8);
        buffer_printf(&wanted, "[%07zu]", i);
    }
    check_entries(text, sizeof text, wanted.data);
    buffer_clear(&wanted);
}

static void test_unreadable(void)
{
    struct line_source source;
    CHECK(!line_source_open(&source, NULL, 0, "/nonexistent/file"));
    CHECK(line_source_open(&source, NULL, 0, "/"));
    const char *text;
    size_t length;
    CHECK_INT(line_source_next(&source, &text, &length), LINE_LATER);
    line_source_fill(&source);
    CHECK(source.error != 0);
    CHECK_INT(line_source_next(&source, &text, &length), LINE_END);
    line_source_close(&source);
}

static void test_writing_to_a_pipe(void)
{
    int ends[2];
    CHECK_INT(pipe(ends), 0);
    struct whole_lines lines;
    whole_lines_init(&lines, ends[1]);
    buffer_puts(&lines.pending, "one\ntwo\n");
    CHECK_INT(whole_lines_pending(&lines), 8);
    whole_lines_write(&lines);
    CHECK_INT(whole_lines_pending(&lines), 0);
    char bytes[32] = "";
    CHECK_INT(read(ends[0], bytes, sizeof bytes), 8);
    CHECK_TEXT(bytes, "one\ntwo\n");
    close(ends[0]);
    buffer_puts(&lines.pending, "three\n");
    whole_lines_write(&lines);
    CHECK(lines.error != 0);
    CHECK_INT(whole_lines_pending(&lines), 0);
    whole_lines_clear(&lines);
    close(ends[1]);
}

/* After a signal: the line that was begun is finished, the ones behind it are forgotten. */
static void test_finishing_a_line(void)
{
    int ends[2];
    CHECK_INT(pipe(ends), 0);
    struct whole_lines lines;
    whole_lines_init(&lines, ends[1]);
    for (int i = 0; i < 6000; i++) {
        buffer_putc(&lines.pending, 'x');
    }
    buffer_puts(&lines.pending, "\nlater\n");
    whole_lines_write(&lines);
    CHECK(whole_lines_pending(&lines) > 6);
    whole_lines_finish(&lines, 1000);
    close(ends[1]);
    static char bytes[8192];
    size_t total = 0;
    ssize_t count;
    while ((count = read(ends[0], bytes + total, sizeof bytes - total)) > 0) {
        total += (size_t)count;
    }
    CHECK_INT(total, 6001);
    CHECK_INT(bytes[6000], '\n');
    whole_lines_clear(&lines);
    close(ends[0]);
}

static void test_finishing_nothing(void)
{
    int ends[2];
    CHECK_INT(pipe(ends), 0);
    struct whole_lines lines;
    whole_lines_init(&lines, ends[1]);
    buffer_puts(&lines.pending, "not begun\n");
    whole_lines_finish(&lines, 1000);
    close(ends[1]);
    char byte;
    CHECK_INT(read(ends[0], &byte, 1), 0);
    whole_lines_clear(&lines);
    close(ends[0]);
}

/* A reader who always leaves something does not make the buffer grow, and the half line stays known. */
static void test_slow_reader(void)
{
    int ends[2];
    CHECK_INT(pipe(ends), 0);
    struct whole_lines lines;
    whole_lines_init(&lines, ends[1]);
    static char bytes[65536];
    size_t read_bytes = 0, put = 0;
    for (int i = 0; i < 2000; i++) {
        while (whole_lines_pending(&lines) < 30000) {
            buffer_printf(&lines.pending, "%0999d\n", (int)(put / 1000));
            put += 1000;
        }
        whole_lines_write(&lines);
        ssize_t count = read(ends[0], bytes, sizeof bytes);
        for (ssize_t k = 0; k < count; k++) {
            CU_ASSERT_TRUE_FATAL((bytes[k] == '\n') == (read_bytes % 1000 == 999));
            read_bytes++;
        }
    }
    CHECK(read_bytes > 4000000 && lines.pending.capacity < 200000);
    whole_lines_finish(&lines, 1000);
    close(ends[1]);
    ssize_t count;
    while ((count = read(ends[0], bytes, sizeof bytes)) > 0) {
        read_bytes += (size_t)count;
    }
    CHECK_INT(read_bytes % 1000, 0);
    whole_lines_clear(&lines);
    close(ends[0]);
}

/* A file that takes no more is cut back to its last whole line. */
static void test_file_that_is_full(void)
{
    char path[] = "/tmp/vindecode-lines-XXXXXX", content[8192] = "";
    int file = mkstemp(path);
    struct rlimit before, limit;
    getrlimit(RLIMIT_FSIZE, &before);
    limit = before;
    limit.rlim_cur = 4096;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    struct whole_lines lines;
    whole_lines_init(&lines, file);
    for (int i = 0; i < 3; i++) {
        buffer_printf(&lines.pending, "%01899d\n", i);
    }
    whole_lines_write(&lines);
    CHECK_INT(lines.written, 4096 - 3800);
    whole_lines_write(&lines);
    CHECK_INT(lines.error, EFBIG);
    setrlimit(RLIMIT_FSIZE, &before);
    CHECK_INT(pread(file, content, sizeof content, 0), 3800);
    CHECK_INT(content[3799], '\n');
    whole_lines_clear(&lines);
    close(file);
    unlink(path);
}

static int ignore_broken_pipes(void)
{
    return signal(SIGPIPE, SIG_IGN) == SIG_ERR;
}

static const struct unit_test tests[] = {
    {"lines, comments, byte order mark", test_lines},
    {"comma-separated values", test_comma_separated},
    {"content that is no list", test_wrong_content},
    {"a long line is cut", test_long_lines},
    {"many lines", test_many_lines},
    {"what cannot be read", test_unreadable},
    {"writing, and a reader that goes away", test_writing_to_a_pipe},
    {"a line that was begun is finished", test_finishing_a_line},
    {"a line that was not begun is not", test_finishing_nothing},
    {"a slow reader", test_slow_reader},
    {"a file that is full", test_file_that_is_full},
};

int main(void)
{
    return ignore_broken_pipes() || unit_run("streams", tests, sizeof tests / sizeof tests[0]);
}
