#include "tui/report.h"

#include "core/base/clock.h"
#include "tui/frame.h"
#include "tui/output_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_LIMIT = 256 * 1024 };

static bool complain(const char *path, char *why, size_t size)
{
    char shown[256];
    int error = errno;
    frame_clean(path, strlen(path), true, shown, sizeof shown);
    snprintf(why, size, "cannot write %s: %s", shown, strerror(error));
    return false;
}

static bool write_metrics(struct report *report, monotime now)
{
    struct buffer text;
    buffer_init(&text, TEXT_LIMIT);
    metrics_text(&report->tally, &report->meter, now, &text);
    bool good = output_file_replace(report->options->metrics, text.data, text.length);
    buffer_clear(&text);
    return good;
}

bool report_open(struct report *report, const struct options *options, const char *host, monotime now, char *why,
                 size_t size)
{
    *report = (struct report){.options = options, .host = host, .metrics_due = MONOTIME_NEVER};
    report->tally.started_at = now;
    if (options->metrics != NULL) {
        if (!write_metrics(report, now)) {
            return complain(options->metrics, why, size);
        }
        report->metrics_due = monotime_add(now, REPORT_EVERY_MS);
    }
    if (options->log != NULL) {
        report->log = fopen(options->log, "a");
        if (report->log == NULL) {
            return complain(options->log, why, size);
        }
    }
    return true;
}

/* Says once that a file takes no more; the results are worth more than the log of them. */
static void give_up(const char *path, bool *failed)
{
    char why[512];
    if (!*failed) {
        complain(path, why, sizeof why);
        fprintf(stderr, "vindecode: %s\n", why);
    }
    *failed = true;
}

static void write_log(struct report *report, const struct event *event)
{
    struct buffer line;
    monotime now = clock_now();
    buffer_init(&line, TEXT_LIMIT);
    log_line(event, report->options->log_full_vin, now, clock_wall_at(&report->wall_ahead_ms, now), &line);
    if (line.length > 0 &&
        (fwrite(line.data, 1, line.length, report->log) != line.length || fflush(report->log) != 0)) {
        give_up(report->options->log, &report->log_failed);
    }
    buffer_clear(&line);
}

bool report_event(struct report *report, const struct event *event)
{
    if (report->log != NULL && !report->log_failed) {
        write_log(report, event);
    }
    if (event->kind != EVENT_HOST) {
        return false;
    }
    bool raised = event->as.host.alert && !report->alerted;
    report->alerted = event->as.host.alert;
    return raised;
}

void report_alert(const struct report *report, char *out, size_t size)
{
    snprintf(out, size, "%s is failing: more than 20 %% of the last 50 requests were given up", report->host);
}

void report_result(struct report *report, enum record_status status, bool warning, bool from_cache)
{
    report->tally.by_status[status]++;
    report->tally.warnings += warning;
    report->tally.from_cache += from_cache;
}

static void report_in_person(struct report *report, const struct event *event, bool still_to_do)
{
    if (report_event(report, event) && !report->options->quiet) {
        char alert[256];
        report_alert(report, alert, sizeof alert);
        fprintf(stderr, "vindecode: %s\n", alert);
    }
    if (!still_to_do && (event->kind == EVENT_DECODED || event->kind == EVENT_FAILED)) {
        struct record record = {.event = event};
        report_result(report, record_status(&record), record_has_warning(&record),
                      event->kind == EVENT_DECODED && event->as.decoded.from_cache);
    }
}

void report_news(struct report *report, const struct network_news *news, bool still_to_do, monotime now)
{
    if (news->is_meter) {
        report_meter(report, &news->meter, now);
    } else {
        report_in_person(report, &news->event, still_to_do);
    }
}

void report_cancelled(struct report *report, uint64_t ticket, bool still_to_do, monotime now)
{
    report_in_person(report,
                     &(struct event){.kind = EVENT_FAILED,
                                     .ticket = ticket,
                                     .at = now,
                                     .as.failed = {.code = CODE_CANCELLED, .reason = REASON_CANCELLED}},
                     still_to_do);
}

void report_rest(struct report *report, struct mailbox *inbox)
{
    struct mail *mail = mailbox_take(inbox);
    while (mail != NULL) {
        struct network_news *news = (struct network_news *)mail;
        mail = mail->next;
        report_news(report, news, false, clock_now());
        network_news_free(news);
    }
}

monotime report_due(const struct report *report)
{
    return report->metrics_failed || report->meter_asked ? MONOTIME_NEVER : report->metrics_due;
}

void report_ask(struct report *report, struct network *network, monotime now)
{
    if (report_due(report) <= now) {
        network_ask_meter(network);
        report->meter_asked = true;
    }
}

void report_meter(struct report *report, const struct meter *meter, monotime now)
{
    report->meter = *meter;
    report->meter_asked = false;
    if (report->options->metrics == NULL || report->metrics_failed) {
        return;
    }
    report->metrics_due = monotime_add(now, REPORT_EVERY_MS);
    if (!write_metrics(report, now)) {
        give_up(report->options->metrics, &report->metrics_failed);
    }
}

void report_close(struct report *report, monotime now)
{
    if (report->log != NULL && fclose(report->log) != 0) {
        give_up(report->options->log, &report->log_failed);
    }
    report->log = NULL;
    if (report->options->stats == STATS_NONE) {
        return;
    }
    struct buffer text;
    buffer_init(&text, TEXT_LIMIT);
    if (report->options->stats == STATS_JSON) {
        stats_json(&report->tally, &report->meter, now, &text);
    } else {
        stats_text(&report->tally, &report->meter, now, &text);
    }
    fputs(text.data, stderr);
    buffer_clear(&text);
}
