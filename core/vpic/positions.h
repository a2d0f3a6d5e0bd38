#ifndef CORE_VPIC_POSITIONS_H
#define CORE_VPIC_POSITIONS_H

#include "core/vin/vin.h"
#include "core/vpic/vehicle.h"

#include <stdint.h>

/* What an answer says about single positions of the VIN: private to core/vpic. A set of positions is a number whose bit
 * p - 1 stands for position p; positions behind the 17th are left out. */
typedef uint32_t positions;

/* "Invalid character(s): 9:!, 11:!." in AdditionalErrorText. */
positions positions_invalid(const struct vehicle *vehicle);

/* "Unused position(s): 4,5,8." there: characters that were not decoded, which is no error in them. */
positions positions_unused(const struct vehicle *vehicle);

/* Where SuggestedVIN holds "!" or differs from the VIN, or PossibleValues names other characters. */
positions positions_suggested(const struct vehicle *vehicle);

/* SuggestedVIN without the blanks around it, upper case; "" when there is none or it is no VIN by its length. */
void suggested_vin(const struct vehicle *vehicle, char out[VIN_LENGTH + 1]);

/* The characters that PossibleValues, "(4:BF)(5:U)", allows at a position. */
struct allowed {
    const char *characters; /* in the vehicle, not NUL-terminated */
    size_t count;           /* 0: the position is not named */
};

void possible_values(const struct vehicle *vehicle, struct allowed out[VIN_LENGTH]);

#endif
