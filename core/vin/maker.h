#ifndef CORE_VIN_MAKER_H
#define CORE_VIN_MAKER_H

#include <stdbool.h>

/* Who built it, by the world manufacturer identifier (ISO 3780): positions 1-3, with 12-14 where the third is 9. From
 * the table that is embedded; local knowledge, never an answer of NHTSA. Any thread. Strings are constant. */
struct maker {
    char code[7];             /* the code that matched, 3 or 6 characters */
    const char *name;         /* "" when the code is not in the table: unknown is not invalid */
    const char *country;      /* from the table, else from the first characters by ISO 3780; "" unknown */
    const char *vehicle_type; /* "" unknown */
    bool small;               /* the third character is 9: fewer than 1,000 vehicles a year */
    bool north_american;      /* the check digit is required: the first character is 1 to 5 or 7 */
};

/* `vin`: at least 3 characters, upper case. False when it is shorter. */
bool maker_find(const char *vin, struct maker *out);

#endif
