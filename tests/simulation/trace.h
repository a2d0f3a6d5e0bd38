#ifndef TESTS_SIMULATION_TRACE_H
#define TESTS_SIMULATION_TRACE_H

#include "core/base/clock.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* What happened in a run, a line each. Lines cost time, so they are made only when somebody reads them: a person, or
 * the digest by which two runs are compared. */
struct trace {
    FILE *out; /* NULL: not printed */
    bool digests;
    uint64_t digest;
    uint64_t lines;
};

struct trace trace_none(void);
struct trace trace_to(FILE *out);
struct trace trace_digest(void);

bool trace_is_on(const struct trace *trace);

/* One line about the moment `now`. */
void trace_line(struct trace *trace, monotime now, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
