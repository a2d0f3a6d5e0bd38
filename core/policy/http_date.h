#ifndef CORE_POLICY_HTTP_DATE_H
#define CORE_POLICY_HTTP_DATE_H

#include "core/base/clock.h"

#include <stdbool.h>
#include <stddef.h>

/* Reads a date in one of the three forms of RFC 9110 5.6.7, or of RFC 3339 with an offset. Strict: nothing before,
 * after or between, GMT only, the calendar is checked (there is no 30 February); the weekday must be one, but need not
 * be that of the date; second 60 is a second of its own. `now` tells the century of a year of two digits. A fraction is
 * rounded up to a whole millisecond. False if it is no such date. Source: planner.md P5 and decision 8. Pure; any
 * thread, any TZ. */
bool http_date_read(const char *text, size_t length, walltime now, walltime *out);

#endif
