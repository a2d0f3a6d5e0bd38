#ifndef TUI_PLAIN_H
#define TUI_PLAIN_H

#include "core/net/network.h"
#include "tui/app.h"
#include "tui/record.h"
#include "tui/report.h"

/* --plain: no screen control at all. VINs come as lines of standard input, events go as lines to standard output
 * (plain_say.h); the model is the same as on the screen, and so is what may be sent when.
 *
 * From a terminal a new line takes the place of whatever is open; from a pipe the next line is taken when the call in
 * flight has ended, and takes the place of a wait. An empty line is Enter: it sends what was asked about. Ctrl-C
 * cancels what is open, else leaves (130); the end of input leaves with 0, from a pipe when what is open has ended. */

struct plain_options {
    struct app *app;
    const struct network_options *network;
    struct report *report;         /* open; it stays so, with the last counters */
    struct record_context context; /* how cards are written; its times are set here */
    int signals;                   /* from signals_open() */
    const char *first;             /* a VIN of the command line; NULL: none */
    bool ascii, bell;
};

/* Returns the exit status. Sets LC_CTYPE. */
int plain_run(const struct plain_options *options);

#endif
