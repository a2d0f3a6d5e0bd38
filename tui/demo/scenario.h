#ifndef TUI_DEMO_SCENARIO_H
#define TUI_DEMO_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A scenario as data: how the demo upstream answers over time and per call. assets/scenarios/README.md describes the
 * members and their spelling; here stands what they become. Immutable once read; any thread. */

/* What the body of an answer is. Those up to "truncated" hold rows: on a route that the service does not have, a 200
 * with one of them is the service's own 404. */
#define BODY_KINDS(X)                                                                                                  \
    X(VEHICLE, "vehicle")             /* what the service itself says to the call */                                   \
    X(OTHER_VEHICLE, "other_vehicle") /* the same, but the middle row is another vehicle's */                          \
    X(MISSING_ROW, "missing_row")     /* the middle row is left out */                                                 \
    X(DOUBLED_ROW, "doubled_row")     /* the first row comes twice */                                                  \
    X(EXTRA_ROW, "extra_row")         /* a row that nobody asked for at the end */                                     \
    X(REVERSED, "reversed")           /* the rows in the opposite order */                                             \
    X(NO_RESULTS, "no_results")       /* an envelope with empty Results */                                             \
    X(XML, "xml")                     /* the rows as XML, whatever was asked for */                                    \
    X(TRUNCATED, "truncated")         /* whole HTTP, but the JSON in it ends in its middle */                          \
    X(HTML, "html")                   /* a page for people: maintenance, or "Access Denied" with 403 */                \
    X(EMPTY, "empty")                                                                                                  \
    X(RETRY_AFTER_MS, "retry_after_ms") /* JSON whose member retryAfterMs asks for a wait */                           \
    X(OVERSIZE, "oversize")             /* a very long JSON body */                                                    \
    X(TEXT, "text")                     /* the bytes of the member "text" */

enum body_kind {
#define X(name, text) BODY_##name,
    BODY_KINDS(X)
#undef X
        BODY_KIND_COUNT
};

/* How the answer ends. */
#define ENDINGS(X)                                                                                                     \
    X(WHOLE, "whole")                                                                                                  \
    X(CLOSE, "close") /* whole, and the connection is closed behind it */                                              \
    X(CUT, "cut")     /* the connection is closed in the middle of the body */                                         \
    X(DROP, "drop")   /* the connection is closed without an answer */

enum ending {
#define X(name, text) ENDING_##name,
    ENDINGS(X)
#undef X
        ENDING_COUNT
};

/* How a quota is announced in the headers of every answer. */
#define FAMILIES(X)                                                                                                    \
    X(RATELIMIT, "ratelimit")                     /* RateLimit-Limit, -Remaining, -Reset in seconds */                 \
    X(STRUCTURED, "ratelimit-structured")         /* RateLimit and RateLimit-Policy, structured fields */              \
    X(X_RATELIMIT_EPOCH, "x-ratelimit-epoch")     /* X-RateLimit-*, the reset as seconds since 1970 */                 \
    X(X_RATELIMIT_SECONDS, "x-ratelimit-seconds") /* X-RateLimit-*, the reset as seconds from now */                   \
    X(X_RATE_LIMIT, "x-rate-limit")               /* X-Rate-Limit-*, the reset as seconds from now */                  \
    X(RETRY_AFTER, "retry-after")                 /* nothing, until it is exceeded */                                  \
    X(NONE, "none")                               /* nothing, ever */

enum quota_family {
#define X(name, text) FAMILY_##name,
    FAMILIES(X)
#undef X
        FAMILY_COUNT
};

struct scripted_header {
    const char *name;
    const char *value; /* with placeholders in braces, which placeholder.h knows */
};

/* One way to answer. */
struct scripted_answer {
    int status;
    enum body_kind body;
    const char *text;         /* for BODY_TEXT */
    int64_t retry_after_ms;   /* for BODY_RETRY_AFTER_MS */
    size_t bytes;             /* for BODY_OVERSIZE */
    const char *content_type; /* NULL: that of the body */
    struct scripted_header *headers;
    size_t header_count;
    int64_t delay_least_ms, delay_most_ms; /* drawn between the two, both included */
    enum ending ending;
    int64_t times; /* in turn: so many calls in a row; at random: its weight */
};

/* At most `calls` calls in each window of `window_ms`. */
struct quota_rule {
    int64_t calls;
    int64_t window_ms;
    bool rolling;     /* else fixed: windows lie side by side */
    bool wall_second; /* fixed windows begin with a second of the wall clock; else with the first call */
    enum quota_family family;
    struct scripted_answer exceeded;
};

struct phase {
    const char *name;               /* "" without one */
    int64_t for_ms;                 /* it ends so long after it began; 0: not by time */
    int64_t for_calls;              /* it ends behind so many calls; 0: not by number */
    bool until_waited;              /* it ends when a wait was announced in it and has run out */
    const struct quota_rule *quota; /* in force: the scenario's or its own; NULL: none */
    struct quota_rule own_quota;
    struct scripted_answer *answers;
    size_t answer_count; /* at least 1 */
    bool random;         /* else in turn, then from the first again */
};

struct scenario;

/* Reads a scenario from `length` bytes of JSON. `file` is what an error line calls it. NULL with one clear line in
 * `why`. The caller frees it. */
struct scenario *scenario_read(const char *text, size_t length, const char *file, char *why, size_t size);

/* The scenario called `name`: an embedded one, or a file when the name holds a "/" or ends in ".json". NULL with one
 * clear line in `why`. The caller frees it. */
struct scenario *scenario_open(const char *name, char *why, size_t size);
void scenario_free(struct scenario *scenario);

const char *scenario_name(const struct scenario *scenario);
const char *scenario_description(const struct scenario *scenario);
size_t scenario_phase_count(const struct scenario *scenario);
const struct phase *scenario_phase(const struct scenario *scenario, size_t index); /* the first follows the last */

/* Draws are made from this seed, so that a scenario plays the same way every time. */
uint64_t scenario_seed(const struct scenario *scenario);

/* For so long after a wait was announced, a call may have been under way already: it is not early. */
int64_t scenario_under_way_ms(const struct scenario *scenario);

#endif
