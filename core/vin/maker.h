#ifndef CORE_VIN_MAKER_H
#define CORE_VIN_MAKER_H

#include <stdbool.h>

/* Who built it, by the world manufacturer identifier (ISO 3780): positions 1-3, with 12-14 where the third is 9. From
 * the table that is embedded (assets/makers.tsv); local knowledge, never an answer of NHTSA. A value type; any thread.
 */
struct maker {
    char code[7];        /* the code that was looked up, 3 or 6 characters */
    char name[128];      /* as registered with NHTSA; "" when the code is not in the table: unknown is not invalid */
    char makes[64];      /* that the name does not tell: "Lincoln" for FORD MOTOR COMPANY; "" none */
    const char *country; /* from the first two characters by ISO 3780; "" unknown */
    const char *vehicle_type; /* as NHTSA spells it; "" unknown */
    bool small;          /* the third character is 9: few vehicles a year; without positions 12-14 nobody is found */
    bool north_american; /* the check digit is required: the first character is 1 to 5 or 7 */
};

/* `vin`: at least 3 characters, upper case. False when it is shorter. */
bool maker_find(const char *vin, struct maker *out);

#endif
