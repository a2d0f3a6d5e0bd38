#ifndef TUI_DEMO_DEMO_H
#define TUI_DEMO_DEMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The embedded upstream: vPIC's interface on loopback, real HTTP, simulated NHTSA. It plays a scenario: how it answers
 * over time, per call. Scenarios stand in assets/scenarios as JSON; assets/scenarios/README.md describes the format.
 */
struct demo;

/* Starts it on 127.0.0.1:`port` (0: any free one) with the scenario called `scenario`; a name with a "/" or ending in
 * ".json" is a file's path. NULL with one clear line in `why`. */
struct demo *demo_start(const char *scenario, uint16_t port, char *why, size_t size);
void demo_stop(struct demo *demo);

/* "http://127.0.0.1:PORT/api". Lives as long as the demo. */
const char *demo_base(const struct demo *demo);

/* The name of the scenario that is played; lives until demo_play(), and only for the thread that calls that. */
const char *demo_scenario(const struct demo *demo);

/* Goes to another scenario from its beginning (F8), which forgets the waits that were announced; false, with a line in
 * `why`, when there is none of that name. */
bool demo_play(struct demo *demo, const char *scenario, char *why, size_t size);

/* The scenarios that are embedded: name and one line of description; false past the last. */
bool demo_list(size_t index, const char **name, const char **description);

/* What happened so far; each call is counted once. `early`: it came while a wait that had been announced to its client
 * was still running (play.h says exactly when); `rejected`: answered with a status from 400, or not at all; `allowed`:
 * the rest. */
struct demo_counts {
    uint64_t calls, allowed, rejected, early;
    int64_t first_ms, last_ms; /* of the first and the last call, for the span */
};

struct demo_counts demo_counts(struct demo *demo);

/* --serve: plays until SIGINT or SIGTERM; prints the URL first, then a line per call, then a summary. Returns the exit
 * status. */
int demo_serve(const char *scenario, uint16_t port);

#endif
