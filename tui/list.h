#ifndef TUI_LIST_H
#define TUI_LIST_H

#include "core/engine/event.h"
#include "core/vin/scan.h"
#include "core/vpic/catalogue.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Many VINs and how it stands with each: what the list pane shows. Pure; part of the model. It holds no vehicles, so
 * that a list of LIST_MAX entries takes tens of megabytes and not hundreds: whole answers go to whoever keeps them.
 */
enum {
    LIST_MAX = 100000,
    LIST_INPUT_MAX = 256, /* bytes of a line that are kept */
    LIST_OUT_MAX = 150    /* tickets that are open at once: three full group calls */
};

enum list_state {
    LIST_REFUSED, /* the local check does not let it go by itself */
    LIST_TODO,
    LIST_OUT, /* its ticket is open */
    LIST_DECODED,
    LIST_FAILED,
    LIST_STATES
};

struct list_entry {
    struct vin_key key; /* vin "" when it can never be sent */
    uint8_t state, code, severity;
    bool second_turn;
    char *input;    /* what was given, where it is not the key's VIN; owned */
    char *headline; /* of a decoded one; owned */
};

enum ticket_stage { STAGE_HANDED_OVER, STAGE_CALLING, STAGE_WAITING };

struct list_ticket {
    uint64_t ticket;
    size_t index;
    enum ticket_stage stage;
    struct wait wait;
};

struct list {
    char *name; /* where it is from; owned, NULL: there is no list */
    struct list_entry *entries;
    size_t count, capacity;
    size_t counts[LIST_STATES];
    size_t next;     /* nothing before it is LIST_TODO */
    size_t left_out; /* lines for which there was no room */
    bool reading;    /* there are more lines to come */
    bool stopped;
    struct list_ticket out[LIST_OUT_MAX];
    size_t out_count;
};

void list_clear(struct list *list); /* frees; the list is empty then */

/* A line: "VIN" or "VIN,YEAR". False when the list is full. */
bool list_add(struct list *list, const char *text, size_t length, int this_year, int model_year);

/* What was given, as bytes. */
const char *list_input(const struct list_entry *entry);

/* The first entry that is to do; SIZE_MAX: none. */
size_t list_todo(struct list *list);

void list_sent(struct list *list, size_t index, uint64_t ticket);
struct list_ticket *list_find(struct list *list, uint64_t ticket); /* NULL: none of the list's */

/* The ticket has ended. `headline` is copied; NULL unless decoded. */
void list_ended(struct list *list, struct list_ticket *ticket, enum code code, enum severity severity,
                const char *headline);

/* Whether a VIN with this failure goes back into the line, once: it was refused because the wait is too long to sit
 * out, or because nobody named a time. In the line it waits for the gate as long as lists do. Not when the upstream
 * wants more than a gate holds: it would come back too early. */
bool list_wants_second_turn(const struct event_failed *failed, int64_t gate_max_ms);

/* The ticket has ended like that, and its VIN has not had its second turn. */
void list_second_turn(struct list *list, struct list_ticket *ticket);

/* Whether a list ends with this failure: the upstream refuses everybody at the door, or nothing can ever reach it. */
bool list_is_turned_away(const struct event_failed *failed);

/* All open tickets are given up: what was out is to do again. */
void list_stop(struct list *list);

/* What failed is to do again. */
void list_retry(struct list *list);

/* How many entries have nothing more to come. */
size_t list_done(const struct list *list);
bool list_has_begun(const struct list *list); /* something of it was asked */

/* The wait that all open tickets share: the soonest of theirs when none has a call in flight. False without one. */
bool list_wait(const struct list *list, struct wait *out);
size_t list_calling(const struct list *list); /* VINs whose call is in flight */

#endif
