#ifndef TUI_REPORT_H
#define TUI_REPORT_H

#include "core/net/network.h"
#include "tui/options.h"
#include "tui/record.h"

#include <stdio.h>

/* What the program tells about its own work: the decision log (--log), the counters for Prometheus (--metrics), the
 * summary at the end (--stats) and the alert line. The same for a run with and without a screen. One thread. */

enum { REPORT_EVERY_MS = 10000 };

/* Results by status, and when it began. */
struct tally {
    uint64_t by_status[RECORD_CANCELLED + 1];
    uint64_t warnings, from_cache, left_out; /* left_out: --resume */
    monotime started_at;
};

struct report {
    const struct options *options;
    const char *host; /* as for tui/words.h */
    FILE *log;
    int64_t wall_ahead_ms; /* for clock_wall_at() */
    bool log_failed, metrics_failed, alerted;
    struct tally tally;
    struct meter meter; /* the latest */
    monotime metrics_due;
    bool meter_asked; /* and has not come yet */
};

/* Opens the log and writes the first metrics. False with one clear line in `why` when a file cannot be written. */
bool report_open(struct report *report, const struct options *options, const char *host, monotime now, char *why,
                 size_t size);

/* Something the engine said; call it before the event is cleared. True when it raises the alert, which is then a line
 * for people, see report_alert(). */
bool report_event(struct report *report, const struct event *event);

/* A VIN's one result. */
void report_result(struct report *report, enum record_status status, bool warning, bool from_cache);

/* For runs with a person at them: whatever the network thread says, as an event, a result or the counters; no result
 * when the VIN is `still_to_do`, because a VIN of a list has one. The alert goes to standard error. Call it before the
 * event is cleared. */
void report_news(struct report *report, const struct network_news *news, bool still_to_do, monotime now);

/* The user has taken this ticket back; the engine says no more about it. `still_to_do` as above. */
void report_cancelled(struct report *report, uint64_t ticket, bool still_to_do, monotime now);

/* What is still in the inbox after network_stop(), taken from it and freed. */
void report_rest(struct report *report, struct mailbox *inbox);

/* When a meter is to be asked for; MONOTIME_NEVER: never, or one is on its way. */
monotime report_due(const struct report *report);

/* Asks for the meter if that is due. */
void report_ask(struct report *report, struct network *network, monotime now);

/* The engine's counters; writes the metrics. */
void report_meter(struct report *report, const struct meter *meter, monotime now);

/* At the end, behind a last report_meter(): --stats to standard error, everything closed. */
void report_close(struct report *report, monotime now);

/* The alert as one sentence. */
void report_alert(const struct report *report, char *out, size_t size);

/* One line of the log for the event, "" when it is not one that the log keeps. Serial numbers are masked unless
 * `full_vin`. `wall` is the time of day at `now`. */
void log_line(const struct event *event, bool full_vin, monotime now, walltime wall, struct buffer *out);

/* The counters in the text format of Prometheus, version 0.0.4. */
void metrics_text(const struct tally *tally, const struct meter *meter, monotime now, struct buffer *out);

/* The summary, for people or as one line of JSON. */
void stats_text(const struct tally *tally, const struct meter *meter, monotime now, struct buffer *out);
void stats_json(const struct tally *tally, const struct meter *meter, monotime now, struct buffer *out);

#endif
