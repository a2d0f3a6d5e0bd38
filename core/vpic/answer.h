#ifndef CORE_VPIC_ANSWER_H
#define CORE_VPIC_ANSWER_H

#include "core/vpic/vehicle.h"

#include <stdint.h>

/* The body of a 200 from DecodeVinValues or DecodeVINValuesBatch, read (vpic.md 2.2). */

/* What the body is. Everything but ANSWER_VEHICLES is an unreadable answer (planner.md T44, T45). */
#define ANSWER_KINDS(X)                                                                                                \
    X(VEHICLES, "vehicles")                                                                                            \
    X(EMPTY, "empty_body")                                                                                             \
    X(HTML, "html")                                                                                                    \
    X(XML, "xml")                                                                                                      \
    X(NOT_JSON, "not_json")                                                                                            \
    X(TRUNCATED, "truncated")   /* begins as JSON, ends before it is whole */                                          \
    X(NO_RESULTS, "no_results") /* JSON, but Results is missing or holds no object */

enum answer_kind {
#define X(name, text) ANSWER_##name,
    ANSWER_KINDS(X)
#undef X
};

const char *answer_kind_name(enum answer_kind kind);

/* Rows behind the first ANSWER_ROWS_MAX are not read: nobody asks for so many at once (VPIC_GROUP_MAX). */
enum { ANSWER_MESSAGE_MAX = 512, ANSWER_ROWS_MAX = 1000 };

struct answer {
    enum answer_kind kind;
    struct vehicle **vehicles; /* in the order of Results; entries that are no object are NULL */
    size_t count;
    char message[ANSWER_MESSAGE_MAX]; /* the envelope's Message, cut, for ANSWER_NO_RESULTS; "" otherwise */
};

/* Reads `length` bytes; any bytes. The caller ends with answer_clear(). */
void answer_read(const char *body, size_t length, struct answer *out);

/* Takes vehicle `index` out of the answer: the caller owns it. */
struct vehicle *answer_take(struct answer *answer, size_t index);

void answer_clear(struct answer *answer);

/* The wait that an error answer's JSON body asks for: its top-level number retryAfterMs, rounded up to whole ms, the
 * largest where the member stands more than once; -1 without one. `content_type` may be NULL. Source: S001; planner.md
 * P16, J01 to J21. It stands here and not in core/policy because it reads JSON, which allocates. */
int64_t body_hint_read(const char *content_type, size_t content_type_length, const char *body, size_t length);

#endif
