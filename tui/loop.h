#ifndef TUI_LOOP_H
#define TUI_LOOP_H

#include "core/net/network.h"
#include "tui/app.h"
#include "tui/errands.h"
#include "tui/report.h"
#include "tui/screen.h"

/* The UI thread's loop (architecture.md, "Threads and events"): one poll over the terminal, the signals, the network
 * thread's news, the errands and the alarm of the next change. It reads all pending keys, then draws once. It alone
 * reads the clock for the model. */

/* Draws the first frame, then starts the network thread, and runs until the app or a signal says to leave. `signals` is
 * from signals_open(); `bell`: the terminal rings when a wait is over and when an answer comes. Closes the screen,
 * stops the network and hands its last counters to `report`, which is open and stays so. Returns the exit status; a
 * reason for a status of 1 is on standard error. */
int loop_run(struct screen *screen, struct app *app, struct errands *errands, struct report *report,
             const struct network_options *options, int signals, bool bell);

#endif
