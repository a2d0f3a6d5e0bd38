#include "tui/headless_state.h"

#include "core/base/memory.h"
#include "tui/frame.h"
#include "tui/list.h"
#include "tui/words.h"

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The window over the list: VINs in, news, results out. */

void headless_say(struct headless *run, const char *format, ...)
{
    char what[2048], clean[2 * sizeof what]; /* it may name a file as it was given */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    (void)frame_clean(what, strlen(what), true, clean, sizeof clean);
    progress_hide(&run->progress);
    fprintf(stderr, "vindecode: %s\n", clean);
}

static struct slot *slot_of(struct headless *run, uint64_t ticket)
{
    uint64_t place = ticket & ~SECOND_TURN;
    struct slot *slot = place >= run->first && place < run->next ? &run->window[place % WINDOW] : NULL;
    return slot != NULL && slot->second_turn == ((ticket & SECOND_TURN) != 0) ? slot : NULL;
}

/* VINs in */

/* The result of a VIN as it will be written; `event` NULL: the local check found it invalid. */
static void make_line(struct headless *run, struct slot *slot, const struct event *event)
{
    static void (*const writers[])(const struct record *, const struct record_context *,
                                   struct buffer *) = {[OUTPUT_DEFAULT] = text_write,
                                                       [OUTPUT_TEXT] = text_write,
                                                       [OUTPUT_JSON] = json_write,
                                                       [OUTPUT_CSV] = csv_row_write};
    struct record record = {.input = slot->input, .input_length = slot->input_length, .event = event};
    if (event == NULL) {
        scan_clean(slot->input, slot->input_length, run->this_year, &record.scan);
    } else {
        vin_check(slot->key.vin, strlen(slot->key.vin), run->this_year, &record.scan.check);
    }
    run->context.now = clock_now();
    run->context.wall = clock_wall();
    buffer_reset(&run->draft);
    writers[run->options->output](&record, &run->context, &run->draft);
    run->results.pending.failed = run->results.pending.failed || run->draft.failed;
    slot->line = memory_copy(run->draft.data, run->draft.length + 1);
    slot->line_length = run->draft.length;
    slot->status = record_status(&record);
    slot->warning = record_has_warning(&record);
    slot->from_cache = event != NULL && event->kind == EVENT_DECODED && event->as.decoded.from_cache;
}

/* Whether the local check lets it go: what it would ask about on a screen needs --force. */
static bool is_sendable(const struct headless *run, const struct scan *scan)
{
    enum vin_verdict verdict = vin_verdict(&scan->check);
    bool doubtful = verdict == VIN_ASK || scan->year_bad;
    return verdict != VIN_BLOCKED && scan->candidate_count == 0 && (!doubtful || run->options->force);
}

static void submit(struct headless *run, uint64_t ticket, const struct vin_key *key)
{
    run->fresh[run->fresh_count++] = (struct submission){.ticket = ticket, .key = *key, .profile = run->profile};
}

/* Whole groups travel together, so that a list costs as few calls as it can. What is left of a group goes along when
 * there is nothing more to read now, or when everything else waits for it. */
static void hand_over(struct headless *run, bool all)
{
    size_t group = run->options->policy.group_size;
    bool awaited = run->fresh_count > 0 && run->fresh[0].ticket == run->first && run->next - run->first == WINDOW;
    size_t whole = run->fresh_count / group * group;
    size_t count = all || (awaited && whole == 0) ? run->fresh_count : whole;
    if (count == 0) {
        return;
    }
    network_submit_all(run->network, run->fresh, count);
    run->fresh_count -= count;
    memmove(run->fresh, run->fresh + count, run->fresh_count * sizeof run->fresh[0]);
}

static void accept(struct headless *run, const char *text, size_t length)
{
    if (run->resume != NULL && resume_take(run->resume, text, length)) {
        run->report.tally.left_out++;
        return;
    }
    struct slot *slot = &run->window[run->next % WINDOW];
    struct scan scan;
    scan_clean(text, length, run->this_year, &scan);
    char *input = memory_get(length + 1);
    memcpy(input, text, length);
    *slot = (struct slot){.input = input, .input_length = length};
    if (is_sendable(run, &scan)) {
        slot->key = scan_key(&scan, run->options->year);
        submit(run, run->next, &slot->key);
    } else {
        make_line(run, slot, NULL);
    }
    run->next++;
}

/* Whether a read would not block now. */
static bool is_readable(int descriptor)
{
    struct pollfd ready = {.fd = descriptor, .events = POLLIN};
    return descriptor >= 0 && poll(&ready, 1, 0) > 0;
}

void headless_take_lines(struct headless *run)
{
    const char *text;
    size_t length;
    run->source_later = false;
    while (!run->source_ended && !run->source_later && run->next - run->first < WINDOW) {
        enum line_state state = line_source_next(&run->source, &text, &length);
        if (state == LINE_READY) {
            accept(run, text, length);
        } else if (state == LINE_END) {
            run->source_ended = true;
        } else if (is_readable(run->source.descriptor)) {
            line_source_fill(&run->source);
        } else {
            run->source_later = run->source.descriptor >= 0;
        }
    }
    hand_over(run, run->source_ended || run->source_later);
}

/* News */

/* A list ends when the upstream turns it away, or when the person did not want to wait: it says why, and the rest is
 * not read. */
static void stop_list(struct headless *run, const struct event_failed *failed)
{
    bool turned_away = run->profile == PROFILE_LIST && list_is_turned_away(failed);
    bool impatient =
        run->options->no_wait && (failed->code == CODE_UPSTREAM_THROTTLE || failed->code == CODE_CIRCUIT_OPEN);
    if (run->stopped || !(impatient || turned_away)) {
        return;
    }
    char message[RECORD_MESSAGE_MAX];
    if (turned_away) {
        words_turned_away(failed, run->context.host, message, sizeof message);
    } else {
        words_failure(failed, run->context.host, clock_now(), clock_wall(), run->context.utc_offset_ms, message,
                      sizeof message);
    }
    run->stopped = run->source_ended = true;
    headless_say(run, "%s%s", message, run->profile == PROFILE_LIST && !turned_away ? " The list stops here." : "");
}

static bool deserves_second_turn(const struct headless *run, const struct slot *slot, const struct event_failed *failed)
{
    return run->profile == PROFILE_LIST && !run->options->no_wait && !slot->second_turn &&
           list_wants_second_turn(failed, run->options->policy.gate_max_ms);
}

static void begin_second_turn(struct headless *run, struct slot *slot, uint64_t place,
                              const struct event_failed *failed)
{
    slot->second_turn = true;
    slot->before = (struct effort){failed->attempts, failed->waited_ms, failed->elapsed_ms};
    network_submit(run->network,
                   &(struct submission){.ticket = place | SECOND_TURN, .key = slot->key, .profile = run->profile});
}

static void keep_result(struct headless *run, struct slot *slot, struct event *event)
{
    if (event->kind == EVENT_DECODED) {
        event->as.decoded.attempts += slot->before.attempts;
        event->as.decoded.waited_ms += slot->before.waited_ms;
        event->as.decoded.elapsed_ms += slot->before.elapsed_ms;
    } else {
        event->as.failed.attempts += slot->before.attempts;
        event->as.failed.waited_ms += slot->before.waited_ms;
        event->as.failed.elapsed_ms += slot->before.elapsed_ms;
        stop_list(run, &event->as.failed);
    }
    make_line(run, slot, event);
}

static void take_ticket_event(struct headless *run, struct event *event)
{
    struct slot *slot = slot_of(run, event->ticket);
    if (slot == NULL || slot->line != NULL) {
        return;
    }
    slot->wait = event->kind == EVENT_WAITING ? event->as.waiting.wait : (struct wait){0};
    if (event->kind == EVENT_FAILED && deserves_second_turn(run, slot, &event->as.failed)) {
        begin_second_turn(run, slot, event->ticket, &event->as.failed);
    } else if (event->kind == EVENT_DECODED || event->kind == EVENT_FAILED) {
        keep_result(run, slot, event);
    }
}

static void take_event(struct headless *run, struct event *event)
{
    if (report_event(&run->report, event) && !run->options->quiet) {
        char alert[256];
        report_alert(&run->report, alert, sizeof alert);
        headless_say(run, "%s", alert);
    }
    if (event->kind == EVENT_HOST && event->as.host.sequence > run->host.sequence) {
        run->host = event->as.host;
    }
    if (event->ticket != 0) {
        take_ticket_event(run, event);
    }
}

void headless_take_news(struct headless *run)
{
    struct mail *mail = mailbox_take(&run->inbox);
    while (mail != NULL) {
        struct network_news *news = (struct network_news *)mail;
        mail = mail->next;
        if (news->is_meter) {
            report_meter(&run->report, &news->meter, clock_now());
        } else {
            take_event(run, &news->event);
        }
        network_news_free(news);
    }
}

/* Results out */

static void clear_slot(struct slot *slot)
{
    free(slot->input);
    free(slot->line);
    *slot = (struct slot){0};
}

void headless_clear_window(struct headless *run)
{
    while (run->first < run->next) {
        clear_slot(&run->window[run->first++ % WINDOW]);
    }
}

void headless_make_results(struct headless *run)
{
    while (run->first < run->next && whole_lines_pending(&run->results) < PENDING_ENOUGH) {
        struct slot *slot = &run->window[run->first % WINDOW];
        if (slot->line == NULL) {
            return;
        }
        buffer_put(&run->results.pending, slot->line, slot->line_length);
        report_result(&run->report, slot->status, slot->warning, slot->from_cache);
        int status = slot->warning && run->options->strict ? RECORD_EXIT_WARNING : record_exit_status(slot->status);
        run->worst = status > run->worst ? status : run->worst;
        clear_slot(slot);
        run->first++;
    }
}
