#include "tests/e2e/drive.h"

#include <sys/wait.h>

enum { FIRST_FRAME_MS = 5000, LEAVE_MS = 2000 };

struct terminal *drive_start(const struct drive *drive)
{
    char demo[512];
    const char *name = drive->demo ? drive->demo : "calm";
    bool is_file = strstr(name, ".json") != NULL;
    snprintf(demo, sizeof demo, "--demo=%s%s%s", is_file ? E2E_FOLDER : "", is_file ? "/" : "", name);
    const char *arguments[] = {VINDECODE_PROGRAM, demo, NULL};
    struct terminal_options options = {.rows = drive->rows > 0 ? drive->rows : 24,
                                       .columns = drive->columns > 0 ? drive->columns : 80,
                                       .arguments = arguments,
                                       .environment = drive->environment,
                                       .ignore_hangup = drive->ignore_hangup};
    struct terminal *terminal = terminal_start(&options);
    if (!terminal_wait_text(terminal, "DEMO", FIRST_FRAME_MS)) {
        CU_FAIL("no first frame");
        terminal_end(terminal);
        return NULL;
    }
    terminal_settle(terminal, 20);
    return terminal;
}

struct terminal *drive_start_calm(void)
{
    return drive_start(&(struct drive){0});
}

static void expect_end(struct terminal *terminal, int limit_ms, int *status)
{
    double from = terminal_clock_ms();
    CHECK(terminal_wait_exit(terminal, status, limit_ms));
    printf("(%.1f ms) ", terminal_clock_ms() - from);
    CHECK_TEXT(terminal_left_behind(terminal), "");
    CHECK_INT(terminal_answers(terminal), 0);
}

void drive_expect_exit(struct terminal *terminal, int status, int limit_ms)
{
    int found = 0;
    expect_end(terminal, limit_ms, &found);
    CHECK(WIFEXITED(found));
    CHECK_INT(WEXITSTATUS(found), status);
    terminal_end(terminal);
}

void drive_expect_death(struct terminal *terminal, int number, int limit_ms)
{
    int found = 0;
    expect_end(terminal, limit_ms, &found);
    CHECK(WIFSIGNALED(found));
    CHECK_INT(WTERMSIG(found), number);
    terminal_end(terminal);
}

void drive_leave(struct terminal *terminal)
{
    terminal_send(terminal, "\033[21~"); /* F10 */
    drive_expect_exit(terminal, 0, LEAVE_MS);
}
