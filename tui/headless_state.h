#ifndef TUI_HEADLESS_STATE_H
#define TUI_HEADLESS_STATE_H

#include "core/net/network.h"
#include "tui/line_source.h"
#include "tui/options.h"
#include "tui/output_file.h"
#include "tui/progress.h"
#include "tui/record.h"
#include "tui/report.h"
#include "tui/resume.h"
#include "tui/whole_lines.h"

/* The state of a run without a screen, for headless*.c alone. */

enum {
    WINDOW = 400, /* VINs that are out at once: what bounds memory, and more than group calls under way can hold */
    PENDING_ENOUGH = 256 * 1024 /* bytes of results that wait for a reader before no more are made */
};

enum { STATUS_RUNNING = -1 };

/* What earlier turns of a VIN have cost. */
struct effort {
    int attempts;
    int64_t waited_ms, elapsed_ms;
};

/* One VIN on its way. Its place in the input, from 1, is its ticket; on its second turn with SECOND_TURN added. Its
 * result is kept as the text that will be written: that is a fraction of what it was made from. */
struct slot {
    char *input;
    size_t input_length;
    struct vin_key key;
    bool second_turn;
    struct effort before;
    struct wait wait; /* what it waits for; until 0: nothing */
    char *line;       /* NULL: no result yet */
    size_t line_length;
    enum record_status status;
    bool warning, from_cache;
};

#define SECOND_TURN (UINT64_C(1) << 62)

struct headless {
    const struct options *options;
    struct record_context context;
    int this_year;
    enum profile profile;
    struct network *network;
    struct mailbox inbox;
    bool boxed; /* there is an inbox */
    struct line_source source;
    bool sourced; /* it is open */
    struct resume *resume;
    struct output_file output;
    struct whole_lines results;
    struct buffer draft; /* a result that is being made */
    struct report report;
    struct progress progress;
    struct slot *window;  /* WINDOW of them, written when a VIN takes one: a run with few VINs touches little memory */
    uint64_t first, next; /* places: first <= open < next */
    struct submission *fresh; /* to be submitted together; WINDOW at most */
    size_t fresh_count;
    bool source_ended;
    bool source_later; /* there is nothing to read now */
    bool stopped;      /* by the upstream's refusals: the rest of the list is not read */
    struct host_state host;
    int signals;
    int worst;  /* the exit status so far */
    int ending; /* STATUS_RUNNING, or the exit status to leave with at once */
};

/* headless_list.c */

/* VINs in: reads what is there and hands it to the network. */
void headless_take_lines(struct headless *run);

/* News: keeps results, sees to second turns, waits and the end of a list that is refused. */
void headless_take_news(struct headless *run);

/* Results out: makes the lines of those that are next in order. */
void headless_make_results(struct headless *run);

void headless_clear_window(struct headless *run);

/* A line of standard error, behind the progress. */
void headless_say(struct headless *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
