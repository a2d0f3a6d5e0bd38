#ifndef TUI_APP_H
#define TUI_APP_H

#include "core/engine/engine.h"
#include "core/vin/vin.h"
#include "tui/input.h"

/*
 * The model and update(): one thing that happened in, the next model out, and effects for the loop to carry out. Pure:
 * no terminal, no clock, no network. The UI thread alone uses it.
 *
 * Stale is not representable: results stand in a table keyed by VIN and year, and whoever draws asks for the result of
 * what stands in the field. An event whose ticket is not the open one is dropped in one place, app_event() (its news
 * about the host is kept).
 */
struct app;

struct app_options {
    const char *host; /* the upstream, for the title and the texts: "NHTSA" when it is NHTSA; copied */
    const char *demo; /* the scenario's name, or NULL outside the demo; copied */
    int this_year;
    int model_year;        /* --year; 0: none */
    int64_t gate_max_ms;   /* how long a pause is believed at most */
    int64_t deadline_ms;   /* whole time for one VIN, minted at submit */
    int64_t utc_offset_ms; /* of local time, to show times of day */
    bool scan_end_tab;
    bool mouse; /* taken from the start */
};

enum effect_kind {
    EFFECT_SUBMIT,  /* submission */
    EFFECT_CANCEL,  /* ticket; list: its entry is still to do */
    EFFECT_LEAVE,   /* status */
    EFFECT_REDRAW,  /* Ctrl-L */
    EFFECT_SUSPEND, /* Ctrl-Z */
    EFFECT_ASK_METER,
    EFFECT_KEEP,      /* event, index: how an entry of the list ended, for EFFECT_RECALL and EFFECT_SAVE */
    EFFECT_RECALL,    /* index: hand it to app_recalled() */
    EFFECT_FORGET,    /* all that was kept */
    EFFECT_OPEN_LIST, /* text: a file's path; then app_list_begin() or app_answer() */
    EFFECT_SAVE,      /* text: a file's path; list, replace; then app_answer() */
    EFFECT_COPY,      /* text; NULL: the card; then app_say() */
    EFFECT_SCENARIO,  /* the demo's next one; then app_scenario() */
    EFFECT_MOUSE      /* on */
};

/* What it points to belongs to the app and lives until the next thing happens to that. */
struct effect {
    enum effect_kind kind;
    struct submission submission;
    uint64_t ticket;
    int status;
    const char *text;
    const struct event *event;
    size_t index;
    bool list;    /* it is about the list; else about the card */
    bool replace; /* a file that is there already */
    bool on;
};

struct app *app_new(const struct app_options *options);
void app_free(struct app *app);

/* A key or a paste. Takes what `input` owns. */
void app_input(struct app *app, struct input *input, monotime now);

/* Text as if typed (a VIN of the command line); sends it at once if it is Ready and `send`. */
void app_set_text(struct app *app, const char *text, bool send, monotime now);

/* News from the network thread; takes what `event` owns. */
void app_event(struct app *app, struct event *event, monotime now);
void app_meter(struct app *app, const struct meter *meter, monotime now);

/* The window's size, so that scrolling knows a page. */
void app_size(struct app *app, int rows, int columns);

/* What became of a prompt's answer: `done` closes the prompt. `said` stands where the reason of things stands, until
 * the next key. */
void app_answer(struct app *app, bool done, const char *said);
void app_say(struct app *app, const char *said);

/* What was saved is no longer asked about at the end. */
void app_saved(struct app *app);

void app_scenario(struct app *app, const char *name);

/* The list: begins with its lines' source, a file's name or "pasted", which opens its pane; each line is "VIN" or
 * "VIN,YEAR". Lines can be sent from the first one on. `wrong`: why the lines ended before their end, NULL: they are
 * all there. */
void app_list_begin(struct app *app, const char *name);
void app_list_line(struct app *app, const char *text, size_t length);
void app_list_end(struct app *app, const char *wrong);

/* An entry of the list, for whoever saves it. `input` is what was given; borrowed until the next thing happens. */
size_t app_list_count(const struct app *app);
const char *app_list_input(const struct app *app, size_t index, bool *ended); /* ended: kept, or never to be sent */

/* Whether the list asks once more for the VIN that has failed with this event: then it is no result yet. Ask before
 * app_event(). */
bool app_list_asks_again(struct app *app, const struct event *event);

/* What was kept of entry `index` comes back; takes what `event` owns. */
void app_recalled(struct app *app, size_t index, struct event *event);

/* What stands in the field, and how its last ticket ended: for whoever saves or copies the card. False when nothing
 * did. */
bool app_card(const struct app *app, const char **text, size_t *length, struct event *borrowed);

/* The next effect, in order; false when there is none. */
bool app_next_effect(struct app *app, struct effect *out);

/* screen.md, "Words that never change". */
enum state_word {
    STATE_DECODING,
    STATE_WAITING,
    STATE_TYPE,
    STATE_THROTTLED,
    STATE_PAUSED,
    STATE_RESTING,
    STATE_DECODED,
    STATE_FAILED,
    STATE_CHECK,
    STATE_READY
};

const char *state_word_name(enum state_word word);

/* The one verdict: the state word, whether Enter sends, and until when it does not. Everything else derives from it. */
struct verdict {
    enum state_word word;
    bool action_on;
    struct wait off; /* origin and end of what keeps the action off; until 0: no countdown */
};

struct verdict can_decode(const struct app *app, monotime now);

/* The next moment at which the view would change by itself; MONOTIME_NEVER: never. */
monotime app_next_change(const struct app *app, monotime now);

#endif
