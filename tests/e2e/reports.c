#include "core/base/buffer.h"
#include "tests/e2e/drive.h"

#include <sys/wait.h>
#include <unistd.h>

/* The decision log, the counters and the summary of a run with a person at it: on the screen and with --plain. */

static char folder[] = "/tmp/vindecode-reports-XXXXXX";

static const char *path_of(const char *name)
{
    static char paths[4][128];
    static size_t next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static struct buffer content_of(const char *name)
{
    struct buffer content;
    char chunk[4096];
    size_t length;
    buffer_init(&content, 1 << 20);
    FILE *file = fopen(path_of(name), "r");
    CU_ASSERT_FATAL(file != NULL);
    while ((length = fread(chunk, 1, sizeof chunk, file)) > 0) {
        buffer_put(&content, chunk, length);
    }
    fclose(file);
    buffer_putc(&content, '\0');
    return content;
}

static void expect_in_order(const char *name, const char *const *texts)
{
    struct buffer content = content_of(name);
    const char *rest = content.data;
    for (; *texts != NULL; texts++) {
        const char *found = strstr(rest, *texts);
        if (found == NULL) {
            printf("\nnot in %s, or not in this order: %s\n%s\n", name, *texts, content.data);
            CHECK(found != NULL);
            break;
        }
        rest = found + strlen(*texts);
    }
    buffer_clear(&content);
}

static struct terminal *start(const char *manner)
{
    const char *arguments[] = {VINDECODE_PROGRAM,
                               "--demo=" E2E_FOLDER "/throttle.json",
                               "--stats",
                               "--log",
                               path_of("log"),
                               "--metrics",
                               path_of("prom"),
                               manner,
                               NULL};
    return terminal_start(&(struct terminal_options){.rows = 100, .columns = 80, .arguments = arguments});
}

static void leave(struct terminal *terminal, const char *keys)
{
    int status = -1;
    terminal_send(terminal, keys);
    CHECK(terminal_wait_exit(terminal, &status, 2000));
    CHECK(WIFEXITED(status));
    CHECK_INT(WEXITSTATUS(status), 0);
}

/* One VIN that is throttled and then answered, and the end of the program. */
static void check_session(const char *manner, const char *keys)
{
    static const char *const log[] = {
        "\"vin\":\"1HGCM82633A******\"", "\"what\":\"calling\"", "\"hint_source\":\"retry-after-seconds\"",
        "\"action\":\"wait\"",           "\"what\":\"waiting\"", "\"what\":\"calling\"",
        "\"action\":\"deliver\"",        "\"what\":\"decoded\"", NULL};
    static const char *const metrics[] = {"\nvindecode_results_total{status=\"decoded\"} 1\n",
                                          "\nvindecode_attempts_total 2\n",
                                          "\nvindecode_refusals_total{status=\"429\"} 1\n", NULL};
    unlink(path_of("log"));
    struct terminal *terminal = start(manner);
    CHECK(terminal_wait_text(terminal, "Type", 3000));
    terminal_send(terminal, GOOD_VIN "\r");
    CHECK(terminal_wait_text(terminal, "Decoded", 8000));
    terminal_settle(terminal, 50);
    leave(terminal, keys);
    CHECK(terminal_wait_text(terminal, "VINs      1 in ", 1000)); /* --stats, behind the screen */
    CHECK(terminal_shows(terminal, "1 decoded"));
    CHECK_TEXT(terminal_left_behind(terminal), "");
    terminal_end(terminal);
    expect_in_order("log", log);
    expect_in_order("prom", metrics);
}

static void test_screen(void)
{
    check_session(NULL, "\021"); /* Ctrl-Q */
}

static void test_plain(void)
{
    check_session("--plain", "\004");
}

/* What is typed over is a result, too. */
static void test_cancelled(void)
{
    static const char *const log[] = {"\"what\":\"waiting\"", "\"what\":\"failed\",\"code\":\"cancelled\"", NULL};
    static const char *const metrics[] = {"\nvindecode_results_total{status=\"cancelled\"} 1\n", NULL};
    unlink(path_of("log"));
    struct terminal *terminal = start(NULL);
    CHECK(terminal_wait_text(terminal, "Type", 3000));
    terminal_send(terminal, GOOD_VIN "\r");
    CHECK(terminal_wait_text(terminal, "Waiting", 8000));
    terminal_send(terminal, "\033");
    CHECK(terminal_wait_no_text(terminal, "Waiting", 2000));
    leave(terminal, "\021");
    terminal_end(terminal);
    expect_in_order("log", log);
    expect_in_order("prom", metrics);
}

/* A VIN of a list has one result, however often it was refused, stopped and asked for again before. */
static void test_list(void)
{
    static const char *const log[] = {"\"what\":\"failed\"", "\"code\":\"cancelled\"", "\"what\":\"decoded\"", NULL};
    static const char *const metrics[] = {"\nvindecode_results_total{status=\"decoded\"} 2\n",
                                          "\nvindecode_results_total{status=\"throttled\"} 0\n",
                                          "\nvindecode_results_total{status=\"cancelled\"} 0\n", NULL};
    const char *arguments[] = {VINDECODE_PROGRAM,   "--demo=" E2E_FOLDER "/throttle.json",
                               "--max-wait",        "3",
                               "--stats",           "--log",
                               path_of("log"),      "--metrics",
                               path_of("prom"),     GOOD_VIN,
                               "1M8GDM9AXKP042788", NULL};
    unlink(path_of("log"));
    struct terminal *terminal =
        terminal_start(&(struct terminal_options){.rows = 24, .columns = 80, .arguments = arguments});
    CHECK(terminal_wait_text(terminal, "waits 0:", 3000));
    terminal_send(terminal, "x");
    CHECK(terminal_wait_text(terminal, "x starts", 2000));
    terminal_send(terminal, "x");
    CHECK(terminal_wait_text(terminal, "2 of 2 decoded", 8000));
    leave(terminal, "\021\021"); /* the answers are not saved, so twice */
    CHECK(terminal_wait_text(terminal, "VINs      2 in ", 1000));
    terminal_end(terminal);
    expect_in_order("log", log);
    expect_in_order("prom", metrics);
}

/* A file that cannot be written is said before the screen opens, and nothing is touched. */
static void test_no_log(void)
{
    const char *arguments[] = {VINDECODE_PROGRAM, "--demo", "--log", folder, NULL};
    struct terminal *terminal =
        terminal_start(&(struct terminal_options){.rows = 24, .columns = 80, .arguments = arguments});
    int status = -1;
    CHECK(terminal_wait_exit(terminal, &status, 3000));
    CHECK_INT(WEXITSTATUS(status), 2);
    CHECK(terminal_shows(terminal, "vindecode: cannot write /tmp/vindecode-reports-"));
    CHECK_INT(strchr(terminal_output(terminal, &(size_t){0}), '\033') != NULL, false);
    terminal_end(terminal);
}

static const struct unit_test tests[] = {
    {"the screen reports", test_screen},
    {"plain mode reports", test_plain},
    {"a cancelled VIN is counted", test_cancelled},
    {"a VIN of a list is counted once", test_list},
    {"a log that cannot be written", test_no_log},
};

int main(void)
{
    if (mkdtemp(folder) == NULL) {
        perror(folder);
        return 1;
    }
    int status = unit_run("reports", tests, sizeof tests / sizeof tests[0]);
    unlink(path_of("log"));
    unlink(path_of("prom"));
    rmdir(folder);
    return status;
}
