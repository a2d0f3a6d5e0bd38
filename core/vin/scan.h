#ifndef CORE_VIN_SCAN_H
#define CORE_VIN_SCAN_H

#include "core/vin/vin.h"

/* What arrived in the field, from a scanner, a paste or a person, and the VIN in it (input.md). Pure; any thread. */

enum { SCAN_CANDIDATES_MAX = 8, SCAN_REMOVED_MAX = 160 };

struct scan {
    struct vin_check check;         /* of the cleaned text without the year */
    int year;                       /* a model year after a comma; 0: none, or not a year from 1980 to this_year + 1 */
    bool year_bad;                  /* there is a comma, but no such year behind it */
    bool upper_cased;               /* lower-case letters became upper-case ones */
    bool chassis_number;            /* looks like a Japanese chassis number ("SE3P 116167"), not like a part of a VIN */
    char removed[SCAN_REMOVED_MAX]; /* what cleaning took away, for people: "leading I, 2 blanks"; "" if nothing */

    /* VINs that the text may mean, to be asked about and never taken unasked: several in one text, or 17 characters of
     * a longer run (those with a right check digit first, then both ends). The check is then of the whole text. */
    char candidates[SCAN_CANDIDATES_MAX][VIN_LENGTH + 1];
    size_t candidate_count;
};

/* Cleans `length` bytes of `text`. Separators and controls always go; a leading I or %, stars at the ends, AIM
 * identifiers, envelopes and surrounding text only when exactly 17 legal characters remain. */
void scan_clean(const char *text, size_t length, int this_year, struct scan *out);

/* The text as it came, for who wants to see it: nothing is taken out of it or off its ends, and the separators, which
 * never count, are not named as removed. */
void scan_original(const char *text, size_t length, int this_year, struct scan *out);

/* The key to send for a scan; `default_year` when the text names none. Only for a text that is not VIN_BLOCKED. */
struct vin_key scan_key(const struct scan *scan, int default_year);

#endif
