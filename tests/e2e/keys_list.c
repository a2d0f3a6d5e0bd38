#include "core/vin/vin.h"
#include "tests/e2e/drive.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Files of VINs that are none, too large or full of nonsense, and places where nothing may be written: in the real
 * program. */

enum { WAIT_MS = 10000, LINES = 100000, MOST_KIB = 96 * 1024, KEY_MS = 50, READING_MS = 1500, NOVEL_BYTES = 1 << 20 };

static char folder[] = "/tmp/vindecode-list-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_bytes(const char *name, const char *bytes, size_t length)
{
    int file = open(in_folder(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    CHECK(file >= 0 && write(file, bytes, length) == (ssize_t)length);
    close(file);
}

static void write_text(const char *name, const char *text)
{
    write_bytes(name, text, strlen(text));
}

static void begin(void)
{
    (void)snprintf(folder, sizeof folder, "/tmp/vindecode-list-XXXXXX");
    CHECK(mkdtemp(folder) != NULL);
}

static void end(void)
{
    static const char *const names[] = {"empty.txt", "closed.txt", "bytes.bin", "novel.txt", "vins.txt", "out.csv"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        (void)unlink(in_folder(names[i]));
    }
    (void)rmdir(in_folder("folder"));
    CHECK_INT(rmdir(folder), 0);
}

/* Names a file in the list's prompt; the prompt is open. */
static void name_file(struct terminal *terminal, const char *name, const char *answer)
{
    terminal_send(terminal, "\025");
    terminal_send(terminal, in_folder(name));
    terminal_send(terminal, "\r");
    CHECK(terminal_wait_text(terminal, answer, WAIT_MS));
}

static void test_files_that_are_none(void)
{
    begin();
    CHECK_INT(mkdir(in_folder("folder"), 0755), 0);
    write_bytes("bytes.bin", "\0\1\2\xff\xfe\0\0", 7);
    write_text("empty.txt", "");
    write_text("closed.txt", GOOD_VIN "\n");
    write_text("novel.txt", "It was a dark\nand stormy night\n\033[2J\033]0;x\007\n");
    struct terminal *terminal = drive_start_calm();
    if (terminal != NULL) {
        terminal_send(terminal, "\033OR");
        CHECK(terminal_wait_text(terminal, "no list yet", WAIT_MS));
        terminal_send(terminal, "o");
        CHECK(terminal_wait_text(terminal, "File of VINs:", WAIT_MS));
        name_file(terminal, "nowhere.txt", "nowhere.txt: No such file or directory");
        name_file(terminal, "folder", "is a directory, no file with VINs");
        if (geteuid() != 0) { /* who may read everything may read this */
            CHECK_INT(chmod(in_folder("closed.txt"), 0), 0);
            name_file(terminal, "closed.txt", "Permission denied");
        }
        name_file(terminal, "empty.txt", "holds no VIN");
        terminal_send(terminal, "o");
        name_file(terminal, "bytes.bin", "no text");
        terminal_send(terminal, "o");
        name_file(terminal, "novel.txt", "0 of 3 decoded, 3 unsent");
        CHECK(terminal_shows(terminal, "It was a dark"));
        CHECK(terminal_shows(terminal, "Type")); /* and the field is as it was */
        drive_leave(terminal);
    }
    end();
}

static void make_long_list(void)
{
    FILE *file = fopen(in_folder("vins.txt"), "w");
    CHECK(file != NULL);
    for (unsigned i = 0; file != NULL && i < LINES; i++) {
        char vin[VIN_LENGTH + 1];
        (void)snprintf(vin, sizeof vin, "JHMCM82603A%06u", i % 1000000);
        vin[VIN_CHECK_POSITION - 1] = vin_check_digit(vin);
        fprintf(file, "%s\n", vin);
    }
    CHECK(file != NULL && fclose(file) == 0);
}

static void test_a_hundred_thousand_lines(void)
{
    begin();
    make_long_list();
    const char *arguments[] = {VINDECODE_PROGRAM, "--demo=answers-20ms", "-f", in_folder("vins.txt"), NULL};
    struct terminal *terminal =
        terminal_start(&(struct terminal_options){.rows = 24, .columns = 80, .arguments = arguments});
    CHECK(terminal_wait_text(terminal, "of 100000 decoded", WAIT_MS));
    CHECK(terminal_wait_no_text(terminal, "still reading", WAIT_MS));
    terminal_send(terminal, "G");
    CHECK(terminal_wait_text(terminal, "A099999", WAIT_MS));
    terminal_send(terminal, "\t1HG"); /* the field is usable meanwhile */
    CHECK(terminal_wait_text(terminal, "3/17", WAIT_MS));
    CHECK(terminal_shows(terminal, "list "));
    long kib = terminal_most_memory(terminal);
    printf("(%ld KiB) ", kib);
    CHECK(!sanitized_measures("memory") || kib < MOST_KIB);
    terminal_send(terminal, "\033OR");
    CHECK(terminal_wait_text(terminal, "of 100000 decoded", WAIT_MS));
    terminal_send(terminal, "w\025/proc/nowhere.csv\r");
    CHECK(terminal_wait_text(terminal, "Nothing saved: cannot write", WAIT_MS));
    terminal_send(terminal, "\025");
    terminal_send(terminal, in_folder("out.csv"));
    terminal_send(terminal, "\r");
    CHECK(terminal_wait_text(terminal, "Saved as CSV in", WAIT_MS));
    terminal_send(terminal, "\003"); /* stops the list */
    CHECK(terminal_wait_text(terminal, "the list stopped", WAIT_MS));
    terminal_end(terminal);
    end();
}

struct keyed {
    char wanted[16];
};

static bool shows_count(struct terminal *terminal, void *context)
{
    const struct keyed *keyed = context;
    return strstr(terminal_row(terminal, 1), keyed->wanted) != NULL;
}

/* While a hundred thousand lines are read, a key is answered as if there were none. */
static void test_keys_while_reading(void)
{
    begin();
    make_long_list();
    const char *arguments[] = {VINDECODE_PROGRAM, "--demo=answers-20ms", "-f", in_folder("vins.txt"), NULL};
    struct terminal *terminal =
        terminal_start(&(struct terminal_options){.rows = 24, .columns = 80, .arguments = arguments});
    CHECK(terminal_wait_text(terminal, "DEMO", WAIT_MS));
    double longest = 0, from = terminal_clock_ms();
    int keys = 0;
    terminal_send(terminal, "\t");
    for (; keys < 17 || terminal_clock_ms() - from < READING_MS; keys++) {
        struct keyed keyed;
        bool last = keys % 17 == 16;
        (void)snprintf(keyed.wanted, sizeof keyed.wanted, " %d/17", last ? 0 : keys % 17 + 1);
        double pressed = terminal_clock_ms();
        terminal_send(terminal, last ? "\025" : "1");
        CHECK(terminal_wait(terminal, shows_count, &keyed, keyed.wanted, WAIT_MS));
        double took = terminal_clock_ms() - pressed;
        longest = took > longest ? took : longest;
    }
    printf("(%d keys, the longest took %.1f ms) ", keys, longest);
    CHECK(!sanitized_measures("time") || longest < KEY_MS * terminal_slowness());
    terminal_send(terminal, "\033OR");
    CHECK(terminal_wait_text(terminal, "of 100000 decoded", WAIT_MS));
    terminal_end(terminal);
    end();
}

/* A novel in the field: what does not fit is said, what stood there before comes back, and the next key is answered. */
static void test_a_novel(void)
{
    static const char sentence[] = "It was a dark and stormy night; the rain fell in torrents.\r\n";
    char *novel = malloc(NOVEL_BYTES + sizeof sentence);
    size_t length = 0;
    struct terminal *terminal = drive_start_calm();
    CHECK(novel != NULL);
    if (terminal == NULL || novel == NULL) {
        free(novel);
        return;
    }
    while (length < NOVEL_BYTES) {
        memcpy(novel + length, sentence, sizeof sentence - 1);
        length += sizeof sentence - 1;
    }
    terminal_send(terminal, GOOD_VIN);
    CHECK(terminal_wait_text(terminal, "Ready", WAIT_MS));
    terminal_send(terminal, "\033[200~");
    terminal_send_bytes(terminal, novel, length);
    terminal_send(terminal, "\033[201~");
    CHECK(terminal_wait_text(terminal, "the rest was left out", WAIT_MS));
    CHECK(terminal_shows(terminal, "Type"));
    terminal_send(terminal,
                  "\037\037\037"); /* Ctrl-_: what was cleaned away comes back, then the empty field, then the VIN */
    CHECK(terminal_wait_text(terminal, "VIN " GOOD_VIN "  17/17", WAIT_MS));
    CHECK(terminal_shows(terminal, "Ready"));
    free(novel);
    drive_leave(terminal);
}

/* Several VINs on the command line are a list that starts. */
static void test_several_arguments(void)
{
    const char *arguments[] = {VINDECODE_PROGRAM, "--demo=answers-20ms", GOOD_VIN, "JHMCR6F52EE084680", NULL};
    struct terminal *terminal =
        terminal_start(&(struct terminal_options){.rows = 24, .columns = 80, .arguments = arguments});
    CHECK(terminal_wait_text(terminal, "2 of 2 decoded", WAIT_MS));
    terminal_send(terminal, "\r"); /* takes the first line: its answer was kept */
    CHECK(terminal_wait_text(terminal, "Vehicle " GOOD_VIN, WAIT_MS));
    terminal_end(terminal);
}

static const struct unit_test tests[] = {
    {"files that are none", test_files_that_are_none}, {"a hundred thousand lines", test_a_hundred_thousand_lines},
    {"keys while reading", test_keys_while_reading},   {"a novel", test_a_novel},
    {"several arguments", test_several_arguments},
};

UNIT_MAIN("lists in a terminal", tests)
