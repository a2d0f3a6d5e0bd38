#ifndef TUI_PLAIN_SAY_H
#define TUI_PLAIN_SAY_H

#include "core/base/buffer.h"
#include "tui/app_model.h"
#include "tui/record.h"

/* The model in words, one line after the other, for a screen reader and for a log (--plain). What is said begins with
 * the state word; a countdown is said once and then every ten seconds. Pure: time and state in, lines out. */

struct plain_said {
    bool any;             /* else nothing is known to have been said */
    enum state_word word; /* what was said last */
    uint64_t ticket;
    int attempt;
    struct vin_key key;
    monotime until;      /* the end of the wait that was told about; 0: none */
    monotime next_count; /* when its countdown is said again */
};

/* The first lines. */
void plain_greet(const struct app *app, bool utf8, struct buffer *out);

/* Adds what has changed since; `context` says how a card is written, its time is the present. */
void plain_say(const struct app *app, struct plain_said *said, const struct record_context *context,
               struct buffer *out);

/* The ticket for `vin` was closed by the user. */
void plain_say_cancelled(const char *vin, struct buffer *out);

/* When there is something to say without an event; MONOTIME_NEVER: never. */
monotime plain_next(const struct plain_said *said, monotime now);

#endif
