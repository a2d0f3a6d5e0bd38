#include "tui/headless.h"

#include "core/base/memory.h"
#include "tui/line_source.h"
#include "tui/record.h"
#include "tui/signals.h"
#include "tui/whole_lines.h"
#include "tui/words.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    WINDOW = 256,                /* VINs that are out at once: what bounds memory */
    PENDING_ENOUGH = 256 * 1024, /* bytes of results that wait for a reader before no more are made */
    FINISH_MS = 200              /* how long a half-written line may take after a signal */
};

enum { STATUS_RUNNING = -1 };

/* One VIN on its way; its ticket is its place in the input, from 1. */
struct slot {
    char *input;
    size_t input_length;
    bool done;
    bool has_event; /* else the local check found it invalid */
    struct event event;
};

struct headless {
    const struct options *options;
    struct record_context context;
    int this_year;
    enum profile profile;
    struct network *network;
    struct mailbox inbox;
    bool boxed; /* there is an inbox */
    struct line_source source;
    struct whole_lines results;
    struct slot window[WINDOW];
    uint64_t first, next; /* tickets: first <= open < next */
    bool source_ended;
    int signals;
    int worst;              /* the exit status so far */
    int ending;             /* STATUS_RUNNING, or the exit status to leave with at once */
    monotime noticed_until; /* the wait that standard error has told about */
};

static struct slot *slot_of(struct headless *run, uint64_t ticket)
{
    return ticket >= run->first && ticket < run->next ? &run->window[ticket % WINDOW] : NULL;
}

/* VINs in */

/* Whether the local check lets it go: what it would ask about on a screen needs --force. */
static bool is_sendable(const struct headless *run, const struct scan *scan)
{
    enum vin_verdict verdict = vin_verdict(&scan->check);
    bool doubtful = verdict == VIN_ASK || scan->year_bad;
    return verdict != VIN_BLOCKED && scan->candidate_count == 0 && (!doubtful || run->options->force);
}

static void accept(struct headless *run, const char *text, size_t length)
{
    struct slot *slot = &run->window[run->next % WINDOW];
    struct scan scan;
    scan_clean(text, length, run->this_year, &scan);
    char *input = memory_get(length + 1);
    memcpy(input, text, length);
    *slot = (struct slot){.input = input, .input_length = length, .done = !is_sendable(run, &scan)};
    if (!slot->done) {
        struct submission submission = {
            .ticket = run->next, .key = scan_key(&scan, run->options->year), .profile = run->profile};
        network_submit(run->network, &submission);
    }
    run->next++;
}

static void take_lines(struct headless *run)
{
    const char *text;
    size_t length;
    while (!run->source_ended && run->next - run->first < WINDOW) {
        enum line_state state = line_source_next(&run->source, &text, &length);
        if (state == LINE_READY) {
            accept(run, text, length);
        } else if (state == LINE_END) {
            run->source_ended = true;
        } else {
            return;
        }
    }
}

/* News */

/* Says once on standard error that a wait has begun, when a person is there to read it. */
static void notice_wait(struct headless *run, const struct wait *wait, monotime now)
{
    if (run->options->quiet || !isatty(STDERR_FILENO) || wait->until == MONOTIME_NEVER ||
        wait->until < run->noticed_until + 1000) {
        return;
    }
    char left[32], origin[128];
    words_countdown(wait->until - now, left, sizeof left);
    words_origin(wait, run->context.host, run->context.utc_offset_ms, origin, sizeof origin);
    fprintf(stderr, "vindecode: waiting %s (%s)\n", left, origin);
    run->noticed_until = wait->until;
}

static void take_event(struct headless *run, struct event *event)
{
    struct slot *slot = slot_of(run, event->ticket);
    if (event->kind == EVENT_WAITING) {
        notice_wait(run, &event->as.waiting.wait, clock_now());
    }
    if ((event->kind != EVENT_DECODED && event->kind != EVENT_FAILED) || slot == NULL || slot->done) {
        event_clear(event);
        return;
    }
    slot->event = *event;
    slot->has_event = slot->done = true;
}

static void take_news(struct headless *run)
{
    struct mail *mail = mailbox_take(&run->inbox);
    while (mail != NULL) {
        struct network_news *news = (struct network_news *)mail;
        mail = mail->next;
        if (!news->is_meter) {
            take_event(run, &news->event);
            news->event = (struct event){.kind = EVENT_HOST}; /* what it owned is the slot's now, or freed */
        }
        network_news_free(news);
    }
}

/* Results out */

static void clear_slot(struct slot *slot)
{
    free(slot->input);
    if (slot->has_event) {
        event_clear(&slot->event);
    }
    *slot = (struct slot){0};
}

static void write_record(struct headless *run, const struct slot *slot)
{
    struct record record = {
        .input = slot->input, .input_length = slot->input_length, .event = slot->has_event ? &slot->event : NULL};
    scan_clean(slot->input, slot->input_length, run->this_year, &record.scan);
    run->context.now = clock_now();
    run->context.wall = clock_wall();
    json_write(&record, &run->context, &run->results.pending);
    int status = record_exit_status(record_status(&record));
    run->worst = status > run->worst ? status : run->worst;
}

static void make_results(struct headless *run)
{
    while (run->first < run->next && run->window[run->first % WINDOW].done &&
           whole_lines_pending(&run->results) < PENDING_ENOUGH) {
        struct slot *slot = &run->window[run->first % WINDOW];
        write_record(run, slot);
        clear_slot(slot);
        run->first++;
    }
}

/* The loop */

static void take_signals(struct headless *run)
{
    int number;
    while ((number = signals_next(run->signals)) != 0) {
        if (number == SIGTSTP) {
            kill(getpid(), SIGSTOP);
        } else if (number != SIGWINCH && number != SIGCONT) {
            run->ending = 128 + number;
        }
    }
}

/* A reader that has enough is no error worth a word; anything else is. */
static void check_output(struct headless *run)
{
    if (run->results.pending.failed) {
        fprintf(stderr, "vindecode: out of memory\n");
        run->ending = 1;
    } else if (run->results.error == EPIPE) {
        run->ending = 128 + SIGPIPE;
    } else if (run->results.error != 0) {
        fprintf(stderr, "vindecode: cannot write the results: %s\n", strerror(run->results.error));
        run->ending = 1;
    }
}

static void wait_for_something(struct headless *run)
{
    bool room = !run->source_ended && run->next - run->first < WINDOW;
    struct pollfd ready[4] = {
        {.fd = run->signals, .events = POLLIN},
        {.fd = mailbox_descriptor(&run->inbox), .events = POLLIN},
        {.fd = room ? run->source.descriptor : -1, .events = POLLIN},
        {.fd = whole_lines_pending(&run->results) > 0 ? STDOUT_FILENO : -1, .events = POLLOUT},
    };
    if (poll(ready, 4, -1) < 0) {
        return;
    }
    if (ready[0].revents != 0) {
        take_signals(run);
    }
    if (ready[2].revents != 0) {
        line_source_fill(&run->source);
    }
    if (ready[3].revents != 0) {
        whole_lines_write(&run->results);
    }
}

static bool is_finished(const struct headless *run)
{
    return run->source_ended && run->first == run->next && whole_lines_pending(&run->results) == 0;
}

static void pump(struct headless *run)
{
    while (run->ending == STATUS_RUNNING) {
        take_news(run);
        make_results(run);
        take_lines(run);
        make_results(run);
        if (is_finished(run)) {
            return;
        }
        wait_for_something(run);
        check_output(run);
    }
}

static void clear_run(struct headless *run)
{
    if (run->boxed) {
        take_news(run);
        mailbox_clear(&run->inbox);
    }
    while (run->first < run->next) {
        clear_slot(&run->window[run->first++ % WINDOW]);
    }
    whole_lines_clear(&run->results);
    line_source_close(&run->source);
}

/* The exit status when all is said. */
static int conclude(const struct headless *run)
{
    if (run->ending != STATUS_RUNNING) {
        return run->ending;
    }
    if (run->source.error != 0) {
        fprintf(stderr, "vindecode: cannot read %s: %s\n", run->options->file, strerror(run->source.error));
        return 2;
    }
    if (run->next == 1) {
        fprintf(stderr, "vindecode: %s holds no VIN\n", run->options->file);
        return 2;
    }
    return run->worst;
}

int headless_run(const struct options *options, const struct network_options *network, const char *host,
                 int64_t utc_offset_ms, int this_year, int signals)
{
    struct headless *run = memory_get(sizeof *run);
    *run = (struct headless){.options = options, .this_year = this_year, .signals = signals, .ending = STATUS_RUNNING};
    run->context.host = host;
    run->context.utc_offset_ms = utc_offset_ms;
    run->profile = options->file != NULL || options->vin_count > 1 ? PROFILE_LIST : PROFILE_INTERACTIVE;
    run->first = run->next = 1;
    if (!line_source_open(&run->source, options->vins, options->vin_count, options->file)) {
        fprintf(stderr, "vindecode: cannot read %s: %s\n", options->file, strerror(errno));
        free(run);
        return 2;
    }
    whole_lines_init(&run->results, STDOUT_FILENO);
    const char *why = "the system gives no more descriptors";
    run->boxed = mailbox_init(&run->inbox);
    run->network = run->boxed ? network_start(network, &run->inbox, &why) : NULL;
    int status = 1;
    if (run->network != NULL) {
        pump(run);
        whole_lines_finish(&run->results, FINISH_MS);
        network_stop(run->network);
        status = conclude(run);
    } else {
        fprintf(stderr, "vindecode: %s\n", why);
    }
    clear_run(run);
    free(run);
    return status;
}
