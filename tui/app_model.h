#ifndef TUI_APP_MODEL_H
#define TUI_APP_MODEL_H

#include "core/vin/scan.h"
#include "tui/app.h"
#include "tui/keys.h"
#include "tui/line_editor.h"
#include "tui/list.h"

/* The inside of the model: for app*.c, which change it, and view*.c, which only read it. */

/* What is known of one key. The table of these is the history of the session, too: an entry is made at the submit. */
struct result {
    struct vin_key key;
    uint64_t asked; /* grows with each submit: the order of the history */
    bool answered;
    struct event_decoded answer;
    monotime shown_at; /* when the answer came to us: from the cache it was older than now */
    bool failed;       /* the last try; an answer from before stays */
    struct event_failed failure;
    monotime failed_at;
};

enum { RESULTS_MAX = 256 };

struct results {
    struct result entries[RESULTS_MAX]; /* in no order */
    size_t count;
    uint64_t asked;
};

struct result *results_find(struct results *results, const struct vin_key *key);
struct result *results_ask(struct results *results, const struct vin_key *key); /* made if need be; now the newest */
const struct result *results_newest(const struct results *results,
                                    size_t index); /* 0: the newest; NULL past the last */
size_t results_order(const struct results *results, const struct result *out[RESULTS_MAX]); /* the newest first */
void results_clear(struct results *results);

/* The ticket that is open, if any: one at a time on this screen. */

struct open_ticket {
    uint64_t ticket; /* 0: none */
    struct vin_key key;
    enum ticket_stage stage;
    monotime since; /* of this stage */
    struct event_calling calling;
    struct event_waiting waiting;
};

enum overlay_kind {
    OVERLAY_HELP,
    OVERLAY_HISTORY,
    OVERLAY_LIST,
    OVERLAY_METER,
    OVERLAY_CHOOSE,
    OVERLAY_DETAILS,
    OVERLAY_LARGE,
    OVERLAYS_MAX /* each of them lies there once */
};

/* Where a page stands. */
struct place {
    size_t scroll;
    size_t selected; /* of a page whose lines can be chosen */
};

struct overlay {
    enum overlay_kind kind;
    struct place place;
};

/* A question at the foot of the screen. */
enum prompt_kind { PROMPT_NONE, PROMPT_SEARCH, PROMPT_SAVE, PROMPT_LIST_FILE };

struct prompt {
    enum prompt_kind kind;
    struct line_editor line;
    struct place before; /* where the page stood */
    bool refused;        /* the answer was not taken; the same once more insists */
};

enum { SEARCH_MAX = 80, SAID_MAX = 256 };

/* What the last key left behind, until the next one. */
enum notice {
    NOTICE_NONE,
    NOTICE_REFUSED, /* Enter, while the action is off: the reason stands out */
    NOTICE_ASKED,   /* Enter under Check: once more sends */
    NOTICE_CUT,     /* what was pasted or typed did not fit */
    NOTICE_CANCELLED,
    NOTICE_SAID,    /* see said */
    NOTICE_UNSAVED, /* the list holds answers that were not saved: once more leaves */
    NOTICE_FORGET   /* once more forgets them */
};

/* A VIN that is offered instead of what stands in the field. */
enum choice_kind { CHOICE_IN_TEXT, CHOICE_NHTSA, CHOICE_LOOKALIKE };

struct choice {
    char vin[VIN_LENGTH + 1];
    enum choice_kind kind; /* who offers it */
    bool differs[VIN_LENGTH];
    char check_expected; /* 0: none can be computed */
    bool check_ok;
    bool same_value; /* a look-alike that the check digit cannot tell from what stands there */
};

enum { CHOICES_MAX = 64 };

struct owned_effect {
    struct effect effect;
    char *owned_text;
    struct event *owned_event;
};

struct app {
    char *upstream, *demo; /* the host as people call it; the scenario, NULL outside the demo */
    int this_year, model_year;
    int64_t gate_max_ms, deadline_ms, utc_offset_ms;
    bool scan_end_tab;

    struct line_editor field;
    struct scan scan;   /* of the field */
    bool original;      /* the field shows what came, and nothing of it was cleaned away */
    bool has_key;       /* the field holds something that may be sent: */
    struct vin_key key; /* and this it is */
    bool entered;       /* Enter was the last thing that was done to it */
    size_t walked;      /* how far back in the history the field stands; 0: not at all */
    char *draft;        /* what stood in the field before; owned */

    struct results results;
    struct open_ticket open;
    uint64_t last_ticket;
    struct host_state host;
    monotime gate_since, breaker_since;  /* when their present ends were first told: the bar's whole length */
    monotime wait_ended;                 /* the last end of a wait that the state above no longer shows */
    monotime key_at;                     /* the last key: what has ended since is told */
    bool answered_before, failed_before; /* how the last ticket ended: the title's word on the connection */

    struct list list;
    bool list_unsaved; /* it holds answers that were not saved */

    bool in_card; /* the focus, when no overlay is open */
    struct place card;
    bool show_empty;
    struct overlay overlays[OVERLAYS_MAX]; /* the last one lies on top */
    size_t overlay_count;
    struct prompt prompt;
    char search[SEARCH_MAX]; /* what is marked on the page; "" nothing */
    bool found;              /* it stands somewhere */
    enum notice notice;
    char said[SAID_MAX];
    bool mouse;
    struct meter meter;
    bool has_meter;
    int rows, columns;

    struct owned_effect *effects; /* owned, with what they point to */
    size_t effect_count, effect_next, effect_capacity;
};

/* app.c. An effect's text is copied; what its event owns changes owner. */
void app_effect(struct app *app, const struct effect *effect);
void app_field_changed(struct app *app);  /* reads the field anew; closes a ticket that is not for it */
void app_field_original(struct app *app); /* the same, with nothing cleaned away */
void app_cancel(struct app *app);         /* closes the open ticket, if any */
void app_submit(struct app *app, bool past_caches, monotime now);

/* The VIN of a key as text for the field: with its year where that is not the one that is sent anyway. */
enum { KEY_TEXT_MAX = VIN_LENGTH + 16 };
void app_key_text(const struct app *app, const struct vin_key *key, char *out, size_t size);
const struct result *app_result(const struct app *app);   /* of what stands in the field; NULL: none */
const struct vehicle *app_vehicle(const struct app *app); /* that belongs on the card; NULL: none */

/* app_verdict.c */
struct standing {
    struct verdict verdict;
    monotime since; /* when the wait in verdict.off began */
};

struct standing app_standing(const struct app *app, monotime now);
bool app_gate_closed(const struct app *app, monotime now);
bool app_breaker_open(const struct app *app, monotime now); /* until a moment to come */
bool app_wait_shown(const struct wait *wait, monotime now); /* it has an end, which is not over */
bool app_wait_over(const struct app *app, monotime now);    /* one that held the field up ended since the last key */

/* app_can.c */
bool app_in_field(const struct app *app);
enum key_context app_context(const struct app *app);
const struct overlay *app_overlay(const struct app *app);                /* on top; NULL: none */
bool app_on_top(const struct app *app, enum overlay_kind kind);          /* and it is of this kind */
bool app_overlay_of(enum command command, enum overlay_kind *out);       /* that the command opens and closes */
bool app_has_choice(const struct app *app);                              /* the page's lines can be chosen */
size_t app_choice_count(const struct app *app);                          /* how many there are */
bool app_asks_again(enum state_word word);                               /* F5 skips the caches under this word */
bool app_can(const struct app *app, enum command command, monotime now); /* it would do something now */

/* app_keys.c */
void app_run(struct app *app, enum command command, enum notice before, monotime now);
void app_open_overlay(struct app *app, enum overlay_kind kind);

/* app_field.c: keys for the field */
void app_edit(struct app *app, enum command command);
void app_type(struct app *app, const char *bytes, size_t length, bool typed);
void app_paste(struct app *app, const char *bytes, size_t length);
void app_walk(struct app *app, bool older);
void app_replace_field(struct app *app, const char *text);
bool app_line_do(struct line_editor *line, enum command command); /* a command of a line */

/* app_page.c: keys for the page */
void app_scroll(struct app *app, enum command command, monotime now);
void app_take(struct app *app);
void app_show(struct app *app, size_t line, monotime now); /* scrolls, or chooses, so that it is in sight */
size_t app_page_rows(const struct app *app, size_t fixed, monotime now); /* that scroll; `fixed` do not */
struct place *app_place(struct app *app);                                /* of the page that shows */
bool app_chosen_vin(const struct app *app, char *out, size_t size);
void app_find(struct app *app, enum command command, monotime now); /* COMMAND_FIND_NEXT or _BEFORE */
void app_find_from(struct app *app, size_t line, monotime now);     /* the search as it is typed */

/* app_prompt.c */
void app_open_prompt(struct app *app, enum prompt_kind kind);
void app_close_prompt(struct app *app);
void app_prompt_run(struct app *app, enum command command, monotime now);
void app_prompt_type(struct app *app, const char *bytes, size_t length, bool typed, monotime now);
const char *app_prompt_label(enum prompt_kind kind);

/* app_list.c */
bool app_list_event(struct app *app, struct event *event); /* it was for the list; took what it owns */
void app_list_run(struct app *app, enum command command, enum notice before);
void app_list_stop(struct app *app);
bool app_list_paste(struct app *app, const char *bytes, size_t length); /* there was more than one VIN */

/* app_mouse.c */
void app_click(struct app *app, const struct input *input, enum notice before, monotime now);

/* app_choices.c */
size_t app_choices(const struct app *app, struct choice out[CHOICES_MAX]);

#endif
