#ifndef CORE_BASE_CLOCK_H
#define CORE_BASE_CLOCK_H

#include <stdint.h>

/*
 * Two clocks, a type for each. All times are whole milliseconds.
 *
 * monotime runs on CLOCK_BOOTTIME (CLOCK_MONOTONIC where there is none): it only goes forward and goes on while the
 * machine sleeps. Every wait, deadline and age is one. Names end in _at, _until or deadline.
 * walltime is milliseconds since 1970 UTC. It is used to read dates that a server sends and to show a time of day,
 * never to wait. Durations are int64_t and their names end in _ms.
 *
 * Nothing below tui/ and core/net reads a clock: `now` is a parameter, read once a turn of a loop.
 */
typedef int64_t monotime;
typedef int64_t walltime;

/* A moment that never comes. */
#define MONOTIME_NEVER INT64_MAX

/* The largest duration there is: fifteen nines, 31,700 years, exact in a double. Whatever is larger is this. */
#define DURATION_MAX_MS INT64_C(999999999999999)

/* The present moment. Any thread. */
monotime clock_now(void);
walltime clock_wall(void);

/* The time of day at `now`, for showing. Two clocks are never read at the same moment: as long as nobody sets the wall
 * clock, `*ahead_ms` (0 at first, kept by the caller) stays what it was, so that a moment of the past is shown alike
 * each time. */
walltime clock_wall_at(int64_t *ahead_ms, monotime now);

/* A descriptor that becomes readable at a moment set by clock_alarm_set(), on the clock of clock_now(); -1 where the
 * system has none (then callers use poll's own time-out). The caller closes it. */
int clock_alarm_open(void);

/* Sets the alarm to `at` (MONOTIME_NEVER: off). Also clears a pending expiry. */
void clock_alarm_set(int alarm, monotime at);

/* a + b without overflow, at most MONOTIME_NEVER. */
static inline monotime monotime_add(monotime at, int64_t duration_ms)
{
    return duration_ms > 0 && at > MONOTIME_NEVER - duration_ms ? MONOTIME_NEVER : at + duration_ms;
}

#endif
