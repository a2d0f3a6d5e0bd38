#include "tui/progress.h"

#include "tui/frame.h"
#include "tui/words.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { EVERY_MS = 250, BAR = 20, COLUMNS_DEFAULT = 80, ESTIMATE_FROM_MS = 3000 };

void progress_init(struct progress *progress, bool quiet, const char *host, int64_t utc_offset_ms, monotime now)
{
    *progress = (struct progress){
        .on = !quiet && isatty(STDERR_FILENO), .host = host, .utc_offset_ms = utc_offset_ms, .started_at = now};
}

static void put_bar(const struct progress *progress, char bar[BAR + 1])
{
    size_t full = progress->total > 0 ? progress->done * BAR / progress->total : 0;
    full = full < BAR ? full : BAR;
    memset(bar, ' ', BAR);
    memset(bar, '=', full);
    bar[BAR] = '\0';
    if (full < BAR) {
        bar[full] = '>';
    }
}

/* "about 3 min left", from how long it took so far; "" while that says nothing. */
static void put_estimate(const struct progress *progress, monotime now, char *out, size_t size)
{
    char duration[32];
    int64_t elapsed_ms = now - progress->started_at;
    out[0] = '\0';
    if (progress->done < 2 || progress->done >= progress->total || elapsed_ms < ESTIMATE_FROM_MS) {
        return;
    }
    double left_ms = (double)elapsed_ms / (double)progress->done * (double)(progress->total - progress->done);
    int64_t wait_ms = progress->wait.until - now;
    if (progress->wait.until != MONOTIME_NEVER && wait_ms > 0 && (double)wait_ms > left_ms) {
        left_ms = (double)wait_ms;
    }
    words_duration((int64_t)left_ms, duration, sizeof duration);
    snprintf(out, size, "  about %s left", duration);
}

void progress_text(const struct progress *progress, monotime now, int columns, char *out, size_t size)
{
    char bar[BAR + 1], wait[192] = "", estimate[64], line[2 * PROGRESS_MAX];
    put_bar(progress, bar);
    put_estimate(progress, now, estimate, sizeof estimate);
    if (progress->wait.until > now && progress->wait.until != MONOTIME_NEVER) {
        char left[32], origin[128];
        words_countdown(progress->wait.until - now, left, sizeof left);
        words_origin(&progress->wait, progress->host, progress->utc_offset_ms, origin, sizeof origin);
        snprintf(wait, sizeof wait, "  waiting %s, %s", left, origin);
    }
    if (progress->total > 0) {
        snprintf(line, sizeof line, "[%s] %zu/%zu%s%s", bar, progress->done, progress->total, wait, estimate);
    } else {
        snprintf(line, sizeof line, "%zu done%s", progress->done, wait);
    }
    size_t fits = frame_wrap(line, strlen(line), columns, true);
    frame_clean(line, fits, true, out, size);
}

static int terminal_columns(void)
{
    struct winsize window;
    bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 1;
    return known ? window.ws_col - 1 : COLUMNS_DEFAULT - 1; /* the last column would move the cursor */
}

/* Blanks instead of an escape sequence: every terminal knows those. */
static void overwrite(struct progress *progress, const char *text)
{
    char line[3 * PROGRESS_MAX];
    struct pollfd terminal = {.fd = STDERR_FILENO, .events = POLLOUT};
    if (poll(&terminal, 1, 0) != 1) {
        return; /* It takes nothing now: a bar is not worth waiting for. */
    }
    int columns = frame_width(text, strlen(text), true);
    int before = frame_width(progress->shown, strlen(progress->shown), true);
    int length = snprintf(line, sizeof line, "\r%s%*s%s", text, before > columns ? before - columns : 0, "",
                          columns == 0 ? "\r" : "");
    if (write(STDERR_FILENO, line, (size_t)length) < 0) {
        progress->on = false; /* The terminal is gone; there is nobody to tell. */
    }
    snprintf(progress->shown, sizeof progress->shown, "%s", text);
}

void progress_draw(struct progress *progress, monotime now)
{
    char text[PROGRESS_MAX];
    if (!progress->on) {
        return;
    }
    progress_text(progress, now, terminal_columns(), text, sizeof text);
    progress->stale = strcmp(text, progress->shown) != 0;
    if (progress->stale && (progress->drawn_at == 0 || now - progress->drawn_at >= EVERY_MS)) {
        overwrite(progress, text);
        progress->drawn_at = now;
        progress->stale = false;
    }
}

void progress_hide(struct progress *progress)
{
    if (progress->on && progress->shown[0] != '\0') {
        overwrite(progress, "");
    }
}

int progress_due_ms(const struct progress *progress, monotime now)
{
    if (!progress->on) {
        return -1;
    }
    int64_t since_ms = now - progress->drawn_at;
    if (progress->stale) {
        return since_ms < EVERY_MS ? (int)(EVERY_MS - since_ms) : 0;
    }
    if (progress->wait.until == MONOTIME_NEVER || progress->wait.until <= now) {
        return 1000; /* the estimate */
    }
    int64_t edge_ms = (progress->wait.until - now) % 1000; /* when the shown second changes */
    return (int)(edge_ms > 0 ? edge_ms : 1000);
}
