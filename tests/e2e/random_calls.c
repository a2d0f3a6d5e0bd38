#include "tests/e2e/random_run.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/*
 * Two accounts of the same calls. The program's own log says what it knew of the gate when each call left: that alone
 * would not show a wait that it failed to read. The upstream says which calls came before the end of what it had
 * announced: but the answer of a call that was cancelled, or that came to a program which has ended since, told nobody
 * anything. So a call that it calls early is a fault when no such answer can have been what announced the wait.
 */
/* The longest wait of the scenario, two seconds of a quota in whole ones, and the time that its announcement takes. */
enum { DAY_MS = 86400000, LONGEST_WAIT_MS = 2500, SLACK_MS = 60 };

static int64_t now_of_day(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return ((int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000) % DAY_MS;
}

/* How much later than `before` it is; a run may last over midnight. */
static int64_t later_by(int64_t at, int64_t before)
{
    int64_t by = (at - before) % DAY_MS;
    return by > DAY_MS / 2 ? by - DAY_MS : by < -DAY_MS / 2 ? by + DAY_MS : by;
}

static void note(struct moments *moments, int64_t at)
{
    if (moments->count == moments->room) {
        moments->room = moments->room == 0 ? 64 : moments->room * 2;
        moments->at = realloc(moments->at, moments->room * sizeof *moments->at);
        if (moments->at == NULL) {
            abort();
        }
    }
    moments->at[moments->count++] = at;
}

/* The upstream */

bool upstream_start(struct upstream *upstream, char *url, size_t size)
{
    int ends[2];
    size_t used = 0;
    if (pipe(ends) != 0) {
        return false;
    }
    upstream->pid = fork();
    if (upstream->pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execl(VINDECODE_PROGRAM, VINDECODE_PROGRAM, "--demo=" E2E_FOLDER "/random_faults.json", "--serve",
              (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    upstream->out = ends[0];
    while (used + 1 < size && read(upstream->out, url + used, 1) == 1 && url[used] != '\n') {
        used++;
    }
    url[used] = '\0';
    upstream->started_ms = now_of_day();
    fcntl(upstream->out, F_SETFL, O_NONBLOCK);
    fcntl(upstream->out, F_SETFD, FD_CLOEXEC);
    return used > 0;
}

/* "1234 early 200 GET /path", or the summary. */
static void hear_line(struct upstream *upstream, const char *line)
{
    int64_t at;
    char verdict[16];
    if (begins(line, "calls ")) {
        (void)snprintf(upstream->summary, sizeof upstream->summary, "%s", line);
    } else if (sscanf(line, "%" SCNd64 " %15s", &at, verdict) == 2 && strcmp(verdict, "early") == 0) {
        note(&upstream->early, (upstream->started_ms + at) % DAY_MS);
    }
}

void upstream_hear(struct upstream *upstream)
{
    char byte;
    while (read(upstream->out, &byte, 1) == 1) {
        if (byte != '\n') {
            upstream->line[upstream->length] = byte;
            upstream->length += upstream->length + 2 < sizeof upstream->line;
            continue;
        }
        upstream->line[upstream->length] = '\0';
        upstream->length = 0;
        hear_line(upstream, upstream->line);
    }
}

void upstream_stop(struct upstream *upstream)
{
    kill(upstream->pid, SIGTERM);
    waitpid(upstream->pid, NULL, 0);
    upstream_hear(upstream);
    close(upstream->out);
}

void upstream_free(struct upstream *upstream)
{
    free(upstream->early.at);
    free(upstream->unheard.at);
}

void upstream_forgotten(struct upstream *upstream)
{
    note(&upstream->unheard, now_of_day());
}

/* The log */

/* The number behind `"name":`, or 0. */
static int64_t number_of(const char *line, const char *name)
{
    const char *found = strstr(line, name);
    return found != NULL ? strtoll(found + strlen(name), NULL, 10) : 0;
}

static int64_t time_of(const char *line)
{
    int hour, minute, second, milli;
    const char *found = strstr(line, "\"at\":\"");
    if (found == NULL || sscanf(found + 17, "%d:%d:%d.%dZ", &hour, &minute, &second, &milli) != 4) {
        return -1;
    }
    return ((int64_t)hour * 3600 + minute * 60 + second) * 1000 + milli;
}

struct known {
    bool closed;
    int64_t until;
    struct moments left, numbers; /* of calls without an answer: when they left, and which they are */
};

static void read_line(struct run *run, const char *line, struct known *known)
{
    int64_t at = time_of(line), call = number_of(line, "\"call\":");
    if (strstr(line, "\"what\":\"host\"") != NULL) {
        int64_t wait = number_of(line, "\"wait_ms\":");
        known->closed = strstr(line, "\"gate_closed\":true") != NULL && wait > 0;
        known->until = (at + wait) % DAY_MS;
    } else if (strstr(line, "\"what\":\"attempt\"") != NULL) {
        if (known->closed && later_by(known->until, at) > 0) {
            run_complain(run, "a call left while the gate was known to be closed", line);
        }
        note(&known->left, at);
        note(&known->numbers, call);
    } else if (strstr(line, "\"what\":\"plan\"") != NULL) {
        for (size_t i = known->numbers.count; i-- > 0;) {
            if (known->numbers.at[i] == call) {
                known->numbers.at[i] = known->numbers.at[--known->numbers.count];
                known->left.at[i] = known->left.at[--known->left.count];
                break;
            }
        }
    }
}

void judge_log(struct run *run, struct upstream *upstream)
{
    FILE *file = fopen(run->log, "r");
    char line[2048];
    struct known known = {0};
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        read_line(run, line, &known);
    }
    if (file == NULL) {
        run_complain(run, "the program kept no log", run->log);
    } else {
        (void)fclose(file);
    }
    for (size_t i = 0; i < known.left.count; i++) {
        note(&upstream->unheard, known.left.at[i]);
    }
    free(known.left.at);
    free(known.numbers.at);
    (void)unlink(run->log);
}

void judge_early(struct run *run, struct upstream *upstream)
{
    for (size_t i = 0; i < upstream->early.count; i++) {
        bool excused = false;
        for (size_t j = 0; j < upstream->unheard.count && !excused; j++) {
            int64_t behind = later_by(upstream->early.at[i], upstream->unheard.at[j]);
            excused = behind > -SLACK_MS && behind < (int64_t)LONGEST_WAIT_MS * terminal_slowness();
        }
        if (!excused) {
            char found[64];
            (void)snprintf(found, sizeof found, "%" PRId64 " ms after it began",
                           later_by(upstream->early.at[i], upstream->started_ms));
            run_complain(run, "the upstream had announced a wait, and a call came before its end", found);
        }
    }
}
