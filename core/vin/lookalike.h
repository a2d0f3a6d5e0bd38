#ifndef CORE_VIN_LOOKALIKE_H
#define CORE_VIN_LOOKALIKE_H

#include "core/vin/vin.h"

/* Which VIN could have been meant. Characters that look alike (O/0, I/1, Q/0, S/5, B/8, Z/2, G/6) are tried one and two
 * at a time. A letter among the last four, where ISO 3779 has digits, may also stand for the digit that counts alike (R
 * read for 9): no check digit sees that. Pure; any thread. */
enum { LOOKALIKE_MAX = 8 };

struct lookalike {
    char vin[VIN_LENGTH + 1];
    size_t positions[2]; /* that differ, from 1; 0: none */
    bool same_value;     /* the check digit cannot tell the two apart */
};

/* Candidates for 17 characters whose check digit does not match, that hold I, O or Q, or that have a letter among the
 * last four: legal ones whose digit is right, fewest changes first, then by position. Returns how many were written; 0
 * for any other text. */
size_t lookalike_find(const char *vin, struct lookalike out[LOOKALIKE_MAX]);

#endif
