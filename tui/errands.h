#ifndef TUI_ERRANDS_H
#define TUI_ERRANDS_H

#include "tui/app.h"
#include "tui/demo/demo.h"
#include "tui/screen.h"

#include <poll.h>
#include <stdbool.h>

/* What the app asks for that is neither the network's nor the terminal's: files of VINs, kept answers, saving, the
 * clipboard, the demo. It never blocks: the loop polls for it and gives it turns. UI thread only. */
struct errands;

struct errands_options {
    struct app *app;
    struct screen *screen;
    struct demo *demo; /* NULL outside the demo */
    const char *host;  /* as for tui/words.h */
    int this_year;
    int64_t utc_offset_ms;
};

struct errands *errands_new(const struct errands_options *options);
void errands_free(struct errands *errands);

/* Begins the list of the command line: VINs of its arguments (borrowed for as long as they are read), then those of a
 * file. False with one clear line in `why`. */
bool errands_open_list(struct errands *errands, char **arguments, size_t count, const char *path, char *why,
                       size_t size);

/* Carries out an effect; those of others are ignored. */
void errands_do(struct errands *errands, const struct effect *effect, monotime now, walltime wall);

/* What to poll for: fills in at most ERRANDS_POLLS and returns how many. `busy`: do not sleep, there is more to do. */
enum { ERRANDS_POLLS = 2 };

size_t errands_poll(const struct errands *errands, struct pollfd out[ERRANDS_POLLS], bool *busy);

/* A turn after poll. */
void errands_turn(struct errands *errands, const struct pollfd polled[ERRANDS_POLLS], monotime now, walltime wall);

#endif
