#ifndef CORE_VIN_VIN_H
#define CORE_VIN_VIN_H

#include <stdbool.h>
#include <stddef.h>

/* A vehicle identification number by ISO 3779 and 49 CFR 565. Pure functions; any thread. */

enum {
    VIN_LENGTH = 17,
    VIN_CHECK_POSITION = 9, /* positions count from 1, as in the standard */
    VIN_YEAR_POSITION = 10,
    VIN_TEXT_MAX = 512,   /* bytes of a normalised text that are kept; a longer one is cut and stays too long */
    VIN_PROBLEMS_MAX = 64 /* problems that are kept; the length problem is always among them */
};

/* What vPIC is asked about: the cleaned VIN (1 to 17 characters of A-Z 0-9 *) and the model year sent with it (0:
 * none). The key of single flight, of the caches and of what the screen may show. */
struct vin_key {
    char vin[VIN_LENGTH + 1];
    int year;
};

bool vin_key_equal(const struct vin_key *a, const struct vin_key *b);

enum vin_problem_kind {
    VIN_EMPTY,
    VIN_TOO_SHORT,
    VIN_TOO_LONG,
    VIN_BAD_CHARACTER,    /* can never be sent */
    VIN_FORBIDDEN_LETTER, /* I, O, Q */
    VIN_WILDCARD          /* "*" inside: a partial VIN on purpose */
};

struct vin_problem {
    enum vin_problem_kind kind;
    size_t position; /* in characters, from 1; 0 for the length problems */
};

/* What the text itself says. Value type. */
struct vin_check {
    char text[VIN_TEXT_MAX + 1]; /* normalised: upper case, separators gone; a byte that is no UTF-8 is U+FFFD */
    size_t length;               /* in characters, of the whole normalised text */
    struct vin_problem problems[VIN_PROBLEMS_MAX]; /* by position, the length last */
    size_t problem_count;
    bool has_check_digit; /* there are no problems, so the next three mean something */
    char check_expected, check_actual;
    bool check_ok;
    bool one_character; /* all 17 are the same: a matching check digit says nothing */
    int years[2];       /* model-year candidates by position 10, ascending; a year later than this_year + 1 is none */
    size_t year_count;  /* 2: the codes come again after 30 years. Also of a part of a VIN; 0 when it is too long */
};

/* Normalises `text` (bytes, normally UTF-8) and checks it. */
void vin_check(const char *text, size_t length, int this_year, struct vin_check *out);

/* The same, but nothing is taken off the ends: a leading I and stars stay. */
void vin_check_whole(const char *text, size_t length, int this_year, struct vin_check *out);

/* Which of two model-year candidates a passenger car, a multipurpose vehicle or a light truck for the United States has
 * (49 CFR 565.15(b)): the later one when position 7 is a letter, the earlier one when it is a digit. Other vehicles
 * have no such rule. 0: there are not two, or position 7 is unknown. */
int vin_year_of_car(const struct vin_check *check);

/* What a character counts in the check digit (49 CFR 565.15, table III), 0 to 9; -1 if it has no value. */
int vin_value(char character);

/* The check digit that the 17 characters of `vin` call for ('0'-'9', 'X'); 0 if a character has no value. */
char vin_check_digit(const char *vin);

/* Whether the maker code (positions 1-3) is of North America, where 49 CFR 565 requires the check digit: the first
 * character is 1 to 5 or 7. */
bool vin_is_north_american(const char *vin);

/* What the check digit says. */
enum vin_digit {
    VIN_DIGIT_UNKNOWN,      /* there are problems: nothing to say */
    VIN_DIGIT_MATCHES,      /* may be chance, one in eleven */
    VIN_DIGIT_WRONG,        /* on a North American maker code, which must have the right one */
    VIN_DIGIT_NOT_EXPECTED, /* does not match; ZZZ in positions 4-6 says that the maker uses none (Europe) */
    VIN_DIGIT_DIFFERS       /* does not match, elsewhere: a note */
};

enum vin_digit vin_digit(const struct vin_check *check);

/* What may be done with an input (screen.md, "What the local check blocks, asks or notes"). */
enum vin_verdict {
    VIN_SENDABLE,
    VIN_ASK,    /* I, O, Q; under 17; "*"; a mismatch on a North American maker code */
    VIN_BLOCKED /* empty, over 17, or a character outside A-Z 0-9 "*" */
};

enum vin_verdict vin_verdict(const struct vin_check *check);

#endif
