#ifndef CORE_VIN_CLEAN_H
#define CORE_VIN_CLEAN_H

#include "core/vin/vin.h"

#include <stdint.h>

/* What may stand around and between the characters of a VIN, and how it goes (input.md). For vin.c and scan.c, which
 * ask for less and for more of it. Pure; any thread. */

enum clean_kind {
    CLEAN_LEGAL,     /* A-Z 0-9 without I, O, Q */
    CLEAN_FORBIDDEN, /* I, O, Q */
    CLEAN_STAR,
    CLEAN_OTHER, /* can never be sent */

    /* The separators, which always go. */
    CLEAN_BLANK, /* all of Unicode's white space but the four below */
    CLEAN_CR,
    CLEAN_LF,
    CLEAN_TAB,
    CLEAN_HYPHEN, /* and dashes */
    CLEAN_DOT,
    CLEAN_INVISIBLE, /* soft hyphen, zero-width characters, direction marks, U+FEFF */
    CLEAN_NUL,
    CLEAN_CONTROL,
    CLEAN_KINDS
};

/* The kind of a character in upper case. */
enum clean_kind clean_kind(uint32_t character);

/* A text without its separators and in upper case. Each byte that is no UTF-8 became U+FFFD: left as they are, two of
 * them could become a character when what stood between them goes. */
struct clean {
    char text[VIN_TEXT_MAX + 1];
    size_t bytes;  /* of `text`; a text longer than VIN_TEXT_MAX is cut between two characters */
    size_t length; /* in characters, of the whole */
    size_t removed[CLEAN_KINDS];
    bool cut;
    bool upper_cased; /* there was a lower-case letter */
};

void clean_separators(const char *text, size_t length, struct clean *out);

/* Whether `length` bytes are exactly the 17 legal characters of a VIN. */
bool clean_is_vin(const char *text, size_t length);

/* What may stand at the ends. Each goes only when exactly 17 legal characters remain in the end, stars as many as
 * there are, the others once: a second leading I is no import label but a slip that the person should see. */
enum clean_end {
    CLEAN_END_STARS = 1,     /* start and stop characters of Code 39; the end mark on a vehicle's bus */
    CLEAN_END_LEADING_I = 2, /* import label */
    CLEAN_END_PERCENT = 4,   /* label of the European Union */
    CLEAN_END_AIM = 8,       /* "]C0": the reader's name for the kind of code (ISO/IEC 15424) */
    CLEAN_END_LABEL = 16,    /* the word "VIN" */
    CLEAN_END_ALL = 31
};

/* Takes off those of the set `allowed` that stand there, if that leaves a VIN; otherwise nothing. Returns the set of
 * those that went. */
unsigned clean_ends(struct clean *clean, unsigned allowed);

#endif
