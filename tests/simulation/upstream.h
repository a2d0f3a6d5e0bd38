#ifndef TESTS_SIMULATION_UPSTREAM_H
#define TESTS_SIMULATION_UPSTREAM_H

#include "core/base/buffer.h"
#include "core/vpic/request.h"
#include "simulation/announcement.h"
#include "simulation/draw.h"

/*
 * NHTSA as it might be on a bad day: a quota that is announced in one of the header families, and faults of every kind.
 * Everything is drawn: what it is like from the run's seed, what it does to a call from the call's number.
 */

enum family {
    FAMILY_NONE,
    FAMILY_RETRY_AFTER,   /* nothing but Retry-After, on refusals */
    FAMILY_STRUCTURED,    /* RateLimit: "default";r=..;t=.. */
    FAMILY_DICTIONARY,    /* RateLimit: limit=.., remaining=.., reset=.. */
    FAMILY_TRIPLE,        /* RateLimit-Limit, -Remaining, -Reset */
    FAMILY_X_DELTA,       /* X-RateLimit-*, the reset in seconds */
    FAMILY_X_EPOCH,       /* ... since 1970 */
    FAMILY_X_EPOCH_MS,    /* ... in milliseconds */
    FAMILY_X_RESET_AFTER, /* X-RateLimit-Reset-After */
    FAMILY_X_RATE_LIMIT,  /* X-Rate-Limit-* */
    FAMILY_COUNT
};

/* How a wait is named. */
enum hint_form { HINT_FORM_SECONDS, HINT_FORM_DATE, HINT_FORM_EPOCH, HINT_FORM_MS, HINT_FORM_BODY, HINT_FORM_COUNT };

/* clang-format off */
#define FAULTS(X)                                                                                                      \
    X(NONE) X(RESET) X(REFUSED) X(UNREACHABLE) X(SILENT) X(STALLED) X(PARTIAL) X(DNS) X(NO_HOST) X(CERTIFICATE)        \
    X(UNSUPPORTED) X(NOT_HTTP) X(BAD_HEADERS) X(TOO_LARGE) X(HTML) X(XML) X(EMPTY) X(CUT_JSON) X(NO_RESULTS)           \
    X(WRONG_VIN) X(S301) X(S400) X(S403) X(S404) X(S408) X(S500) X(S502) X(S503) X(S504) X(S429)
/* clang-format on */

enum fault {
#define X(name) FAULT_##name,
    FAULTS(X)
#undef X
        FAULT_COUNT
};

const char *fault_name(enum fault fault);

/* One HTTP call on its way. */
struct call_on_wire {
    uint64_t id; /* 0: a free place */
    struct vin_key keys[VPIC_GROUP_MAX];
    size_t records[VPIC_GROUP_MAX]; /* the keys' places in the record (record.h) */
    size_t count;
    bool group;
    monotime sent_at;
    int64_t timeout_ms;
    bool aborted;
    bool probe;
    bool cut;         /* it has no more time than its tickets have */
    bool perhaps_cut; /* that, or a list's, whose budget cannot be seen from outside */

    /* The upstream's part. */
    monotime due; /* when it ends */
    enum fault fault;
    bool within_quota;
    int64_t remaining;
    monotime reset_at;
    struct random draws;
};

enum { ROLLING_MAX = 64 };

struct upstream {
    uint64_t seed;
    uint64_t calls;
    /* What it is like. */
    enum family family;
    bool rolling;
    int64_t limit; /* 0: no quota */
    int64_t window_ms;
    int refusal; /* the status of a call over the quota */
    enum hint_form hint_form;
    bool hints_on_refusal; /* Retry-After beside the quota fields */
    bool sends_date;
    int64_t skew_ms; /* of its clock against ours */
    unsigned junk_percent, mischief_percent, age_percent;
    unsigned fault_weights[FAULT_COUNT];
    int64_t fastest_ms, slowest_ms;
    /* What it does just now. */
    unsigned fault_percent;
    bool calm; /* the faults are over, for good */
    monotime window_at[ROLLING_MAX];
    int64_t used;
    uint64_t met[FAULT_COUNT]; /* calls that met each fault */
};

void upstream_init(struct upstream *upstream, uint64_t seed);

/* Another mood: how many calls meet a fault. */
void upstream_change_mood(struct upstream *upstream, struct random *random);

/* Another quota, announced in another way; and every fault has its turn. */
void upstream_change_character(struct upstream *upstream, struct random *random);

/* The faults are over: every call is answered well and at once, without a quota. */
void upstream_calm_down(struct upstream *upstream);

/* A call has left: what it asks for is read from its bytes, and its fate is drawn. */
void upstream_receive(struct upstream *upstream, const char *url, const char *form, monotime now,
                      struct call_on_wire *call);

/* The row's number that tells which call it answers: the model's name on the card is "SERIAL-<number>". */
uint64_t upstream_serial(const struct call_on_wire *call, size_t index);

enum { WIRE_LINES_MAX = 24, WIRE_TEXT_MAX = 4096 };

/* What comes back, as the network thread would hand it over. */
struct wire {
    struct response response;
    struct header_field fields[WIRE_LINES_MAX];
    char text[WIRE_TEXT_MAX];
    size_t used;
    struct buffer body;           /* kept from call to call */
    bool has_row[VPIC_GROUP_MAX]; /* a row for the key at that place is in it */
    bool in_order;                /* and all rows stand in the order of the keys, one each */
};

void wire_init(struct wire *wire);
void wire_clear(struct wire *wire);

/* Writes the end of `call` as it is at `now`, by our wall clock `wall`, and says what it means. */
void wire_write(const struct upstream *upstream, struct call_on_wire *call, monotime now, walltime wall,
                struct wire *wire, struct announcement *said);

#endif
