#ifndef CORE_POLICY_HEADER_VALUE_H
#define CORE_POLICY_HEADER_VALUE_H

#include "core/base/clock.h"
#include "core/policy/header.h"
#include "core/policy/quota_headers.h"

#include <stdbool.h>

/* What single header lines say: planner.md P1 to P9. Inside core/policy only; the readers of quota fields stand on it.
 */

/* The header section of one answer, and the clocks that its dates are read by. */
struct header_block {
    const struct header_field *fields;
    size_t count;
    walltime now;  /* the local wall clock */
    walltime base; /* from where dates and epochs are turned into waits (P6) */
};

/* A field name, in lower case. */
struct header_name {
    const char *text;
    size_t length;
};
#define HEADER_NAME(literal)                                                                                           \
    {                                                                                                                  \
        literal, sizeof(literal) - 1                                                                                   \
    }

/* Bytes of a value, borrowed. */
struct slice {
    const char *text;
    size_t length;
};

/* The next line of a name, in any case and trimmed (P1, P2); malformed and empty lines are as good as absent. `*at`
 * starts at 0. */
bool header_next_line(const struct header_block *block, const struct header_name *name, size_t *at, struct slice *line);

/* The next member of a comma list, trimmed. `rest` starts as the line. */
bool header_next_member(struct slice *rest, struct slice *member);

struct slice header_trim(struct slice slice);

/* A number without a sign (P3), its fraction rounded up to thousandths (P4): 0 to 1000. */
struct header_number {
    int64_t whole;
    int64_t thousandths;
};
bool header_read_number(struct slice text, struct header_number *out);

/* The number as milliseconds, rounded up, and as a count, cut off. */
int64_t header_as_milliseconds(const struct header_number *number);
int64_t header_as_count(const struct header_number *number);

/* What a line says about a wait, and in which form. */
struct wait_hint {
    int64_t ms; /* QUOTA_UNKNOWN: nothing */
    enum hint_source source;
};

/* A number by P8: seconds from now, or a moment since 1970 in seconds or milliseconds. False for an epoch more than a
 * day old. */
bool header_classify(const struct header_block *block, const struct header_number *number, struct wait_hint *out);

/* A field that holds waits in seconds, epochs or dates (P5 to P9): Retry-After and the resets. */
struct wait_hint header_read_wait(const struct header_block *block, const struct header_name *name);

/* All lines of a field of plain numbers: the smallest and the largest of them as `convert` makes them, both
 * QUOTA_UNKNOWN without any. */
struct number_range {
    int64_t least, most;
};
struct number_range header_read_numbers(const struct header_block *block, const struct header_name *name,
                                        int64_t (*convert)(const struct header_number *));

/* The smaller of two where both are known, else the one that is. */
int64_t header_smallest_known(int64_t a, int64_t b);

#endif
