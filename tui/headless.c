#include "tui/headless.h"

#include "core/base/memory.h"
#include "core/base/random.h"
#include "tui/headless_state.h"
#include "tui/signals.h"
#include "tui/words.h"

#include <errno.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FINISH_MS = 200,       /* how long a half-written line may take after a signal */
    LINE_LIMIT = 16 << 20, /* of one result */
    LAST_METER_MS = 1000   /* how long the last counters may take */
};

enum { STATUS_INTERNAL = 1, STATUS_USAGE = 2 };

/* The loop */

static void take_signals(struct headless *run)
{
    int number;
    while ((number = signals_next(run->signals)) != 0) {
        if (number == SIGTSTP) {
            progress_hide(&run->progress);
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
        headless_say(run, "out of memory");
        run->ending = STATUS_INTERNAL;
    } else if (run->results.error == EPIPE) {
        run->ending = 128 + SIGPIPE;
    } else if (run->results.error != 0) {
        headless_say(run, "cannot write the results: %s", strerror(run->results.error));
        run->ending = STATUS_INTERNAL;
    }
}

/* What a person who watches is told: the pause that holds for everybody, else what the next VIN in order waits for. */
static void show_progress(struct headless *run, monotime now)
{
    struct progress *progress = &run->progress;
    const struct slot *next = &run->window[run->first % WINDOW];
    progress->done = (size_t)(run->first - 1 + run->report.tally.left_out);
    if (run->host.gate.until > now) {
        progress->wait = run->host.gate;
    } else if (run->host.breaker_wait.until > now) {
        progress->wait = run->host.breaker_wait;
    } else {
        progress->wait = run->first < run->next ? next->wait : (struct wait){0};
    }
    if (progress->on) {
        signals_let_through(STDERR_FILENO);
        progress_draw(progress, now);
        signals_hold();
    }
}

static int timeout_until(monotime at, monotime now)
{
    int64_t left_ms = at == MONOTIME_NEVER ? -1 : at > now ? at - now : 0;
    return left_ms < INT_MAX ? (int)left_ms : INT_MAX;
}

static int sooner_ms(int a, int b)
{
    return a < 0 ? b : b < 0 || a < b ? a : b;
}

static void write_results(struct headless *run)
{
    bool on_terminal = run->output.path == NULL && run->results.is_terminal;
    if (on_terminal) {
        signals_let_through(STDOUT_FILENO);
        progress_hide(&run->progress);
    }
    whole_lines_write(&run->results);
    if (on_terminal) {
        signals_hold();
    }
}

static void wait_for_something(struct headless *run)
{
    monotime now = clock_now();
    bool room = !run->source_ended && run->next - run->first < WINDOW;
    bool at_once = room && !run->source_later; /* results have made room for lines that are there already */
    struct pollfd ready[4] = {
        {.fd = run->signals, .events = POLLIN},
        {.fd = mailbox_descriptor(&run->inbox), .events = POLLIN},
        {.fd = room ? run->source.descriptor : -1, .events = POLLIN},
        {.fd = whole_lines_pending(&run->results) > 0 ? run->results.descriptor : -1, .events = POLLOUT},
    };
    int timeout_ms = sooner_ms(progress_due_ms(&run->progress, now), timeout_until(report_due(&run->report), now));
    if (poll(ready, 4, at_once ? 0 : timeout_ms) < 0) {
        return;
    }
    if (ready[0].revents != 0) {
        take_signals(run);
    }
    if (ready[3].revents != 0) {
        write_results(run);
    }
}

static bool is_finished(const struct headless *run)
{
    return run->source_ended && run->first == run->next && whole_lines_pending(&run->results) == 0;
}

static void pump(struct headless *run)
{
    while (run->ending == STATUS_RUNNING) {
        headless_take_news(run);
        headless_make_results(run);
        headless_take_lines(run);
        headless_make_results(run);
        if (is_finished(run)) {
            return;
        }
        monotime now = clock_now();
        report_ask(&run->report, run->network, now);
        show_progress(run, now);
        wait_for_something(run);
        check_output(run);
    }
}

/* The counters as they are at the end. */
static void ask_last_meter(struct headless *run)
{
    if (run->options->stats == STATS_NONE && run->options->metrics == NULL) {
        return;
    }
    headless_take_news(run);
    network_ask_meter(run->network);
    run->report.meter_asked = true;
    while (run->report.meter_asked) {
        struct pollfd inbox = {.fd = mailbox_descriptor(&run->inbox), .events = POLLIN};
        if (poll(&inbox, 1, LAST_METER_MS) == 0) {
            return;
        }
        headless_take_news(run);
    }
}

/* Before the first call */

/* How many VINs there are, where they can be counted beforehand: for a person who watches. */
static size_t count_entries(const struct options *options)
{
    struct stat status;
    if (options->file != NULL && (stat(options->file, &status) != 0 || !S_ISREG(status.st_mode))) {
        return 0;
    }
    struct line_source *source = memory_get(sizeof *source);
    const char *text;
    size_t length, count = 0;
    enum line_state state = LINE_END;
    bool open = line_source_open(source, options->vins, options->vin_count, options->file);
    while (open && (state = line_source_next(source, &text, &length)) != LINE_END) {
        if (state == LINE_READY) {
            count++;
        } else {
            line_source_fill(source);
        }
    }
    if (open) {
        line_source_close(source);
    }
    free(source);
    return count;
}

/* --spread. Signals are heard. */
static void sleep_at_random(struct headless *run)
{
    struct random random = random_from_seed(random_seed_from_system());
    int64_t wait_ms = (int64_t)(random_unit(&random) * (double)run->options->spread_ms);
    monotime until = monotime_add(clock_now(), wait_ms);
    char duration[32];
    words_duration(wait_ms, duration, sizeof duration);
    if (run->progress.on && wait_ms > 0) {
        headless_say(run, "starting in %s", duration);
    }
    while (run->ending == STATUS_RUNNING && clock_now() < until) {
        struct pollfd signals = {.fd = run->signals, .events = POLLIN};
        if (poll(&signals, 1, timeout_until(until, clock_now())) > 0) {
            take_signals(run);
        }
    }
}

static bool wants_utf8(const struct options *options)
{
    if (options->ascii) {
        return false;
    }
    if (options->output_file != NULL || !isatty(STDOUT_FILENO)) {
        return true;
    }
    setlocale(LC_CTYPE, "");
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

static bool open_resume(struct headless *run, char *why, size_t size)
{
    const struct options *options = run->options;
    if (options->output != OUTPUT_JSON && options->output != OUTPUT_CSV) {
        snprintf(why, size, "--resume goes with --json or --csv: a card for people is not read back");
        return false;
    }
    struct buffer header;
    buffer_init(&header, 1 << 20);
    csv_header_write(&run->context, &header);
    bool same = options->output_file != NULL && strcmp(options->output_file, options->resume) == 0;
    run->resume = resume_read(options->resume, options->output, same ? header.data : NULL, why, size);
    buffer_clear(&header);
    return run->resume != NULL;
}

/* Opens what is read and written. False with one line in `why`. */
static bool open_all(struct headless *run, char *why, size_t size)
{
    const struct options *options = run->options;
    if (options->file != NULL &&
        output_file_is(&(struct output_file){.path = (char *)options->output_file}, options->file)) {
        snprintf(why, size, "the list is the output file too");
        return false;
    }
    if (options->resume != NULL && !open_resume(run, why, size)) {
        return false;
    }
    run->sourced = line_source_open(&run->source, options->vins, options->vin_count, options->file);
    if (!run->sourced) {
        snprintf(why, size, "cannot read %s: %s", options->file, strerror(errno));
        return false;
    }
    signals_hold(); /* reading a pipe may take for ever; what follows has something to clean up */
    if (!report_open(&run->report, options, run->context.host, clock_now(), why, size) ||
        !output_file_open(&run->output, options->output_file, options->resume != NULL, why, size)) {
        return false;
    }
    whole_lines_init(&run->results, run->output.descriptor);
    if (options->output == OUTPUT_CSV && !run->output.begun) {
        csv_header_write(&run->context, &run->results.pending);
    }
    return true;
}

/* After the last call */

/* What is wrong with the list, "" when nothing is. */
static void list_problem(const struct headless *run, char *why, size_t size)
{
    const char *file =
        run->options->file != NULL && strcmp(run->options->file, "-") == 0 ? "standard input" : run->options->file;
    why[0] = '\0';
    if (run->source.error != 0) {
        snprintf(why, size, "cannot read %s: %s", file, strerror(run->source.error));
    } else if (run->source.wrong != NULL) {
        snprintf(why, size, "cannot read %s: %s", file, run->source.wrong);
    } else if (run->next == 1 && run->report.tally.left_out == 0 && !run->stopped) {
        snprintf(why, size, "%s holds no VIN", file);
    }
}

/* The exit status when all is said. */
static int conclude(struct headless *run)
{
    char why[512];
    const char *left;
    int status = run->ending != STATUS_RUNNING ? run->ending : run->worst;
    if (run->ending == STATUS_RUNNING) {
        list_problem(run, why, sizeof why);
        if (why[0] != '\0') {
            headless_say(run, "%s", why);
            status = STATUS_USAGE;
        }
    }
    bool complete = run->ending == STATUS_RUNNING && !run->stopped && status != STATUS_USAGE;
    if (!output_file_close(&run->output, complete, &left, why, sizeof why)) {
        headless_say(run, "%s", why);
        status = STATUS_INTERNAL;
    }
    if (left != NULL) {
        headless_say(run, "the results so far are in %s", left);
    }
    return status;
}

static int run_network(struct headless *run, const struct network_options *network)
{
    const char *why = "the system gives no more descriptors";
    run->boxed = mailbox_init(&run->inbox);
    run->network = run->boxed ? network_start(network, &run->inbox, &why) : NULL;
    if (run->network == NULL) {
        headless_say(run, "%s", why);
        run->ending = STATUS_INTERNAL;
        return conclude(run);
    }
    pump(run);
    progress_hide(&run->progress);
    whole_lines_finish(&run->results, FINISH_MS);
    ask_last_meter(run);
    network_stop(run->network);
    int status = conclude(run);
    report_close(&run->report, clock_now());
    return status;
}

static void clear_run(struct headless *run)
{
    if (run->boxed) {
        headless_take_news(run);
        mailbox_clear(&run->inbox);
    }
    headless_clear_window(run);
    buffer_clear(&run->draft);
    if (run->results.pending.data != NULL) {
        whole_lines_clear(&run->results);
    }
    if (run->sourced) {
        line_source_close(&run->source);
    }
    output_file_clear(&run->output);
    resume_free(run->resume);
    free(run->window);
    free(run->fresh);
    free(run);
}

int headless_run(const struct options *options, const struct network_options *network, const char *host,
                 int64_t utc_offset_ms, int this_year, int signals)
{
    char why[1024];
    struct headless *run = memory_get(sizeof *run);
    run->window = memory_resize(NULL, WINDOW * sizeof *run->window);
    run->fresh = memory_resize(NULL, WINDOW * sizeof *run->fresh);
    run->options = options;
    run->this_year = this_year;
    run->signals = signals;
    run->ending = STATUS_RUNNING;
    run->context = (struct record_context){.host = host,
                                           .utc_offset_ms = utc_offset_ms,
                                           .fields = &options->fields,
                                           .show_empty = options->empty_fields == EMPTY_FIELDS_DEFAULT
                                                             ? options->output == OUTPUT_CSV
                                                             : options->empty_fields == EMPTY_FIELDS_SHOWN,
                                           .utf8 = wants_utf8(options)};
    run->profile = options->file != NULL || options->vin_count > 1 ? PROFILE_LIST : PROFILE_INTERACTIVE;
    run->first = run->next = 1;
    run->output.descriptor = -1;
    buffer_init(&run->draft, LINE_LIMIT);
    progress_init(&run->progress, options->quiet, host, utc_offset_ms, clock_now());
    int status = STATUS_USAGE;
    if (open_all(run, why, sizeof why)) {
        run->progress.total = run->progress.on ? count_entries(options) : 0;
        sleep_at_random(run);
        status = run->ending == STATUS_RUNNING ? run_network(run, network) : conclude(run);
    } else {
        headless_say(run, "%s", why);
    }
    clear_run(run);
    return status;
}
