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
const char *demo_scenario(const struct demo *demo);

/* Goes to another scenario from its beginning (F8); false when there is none of that name. */
bool demo_play(struct demo *demo, const char *scenario, char *why, size_t size);

/* The scenarios that are embedded: name and one line of description; false past the last. */
bool demo_list(size_t index, const char **name, const char **description);

/* What happened so far. `early`: calls that came while a wait that had been announced was still running. */
struct demo_counts {
    uint64_t calls, allowed, rejected, early;
    int64_t first_ms, last_ms; /* of the first and the last call, for the span */
};

struct demo_counts demo_counts(struct demo *demo);

/* --serve: plays until SIGINT or SIGTERM; prints the URL first, then a line per call, then a summary. Returns the exit
 * status. */
int demo_serve(const char *scenario, uint16_t port);

#endif
