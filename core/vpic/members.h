#ifndef CORE_VPIC_MEMBERS_H
#define CORE_VPIC_MEMBERS_H

#include "core/vpic/vehicle.h"

#include <stddef.h>

/* How a vehicle is made: private to core/vpic. */

/* One member of a row, before it is packed. The bytes belong to the caller and hold no NUL. */
struct member {
    const char *name, *value;
    size_t name_length, value_length;
    bool doubled;  /* false; vehicle_new notes here that an earlier member has the same name */
    size_t number; /* vehicle_new notes here the field's number among those that are kept */
};

/* A vehicle of these members, in their order, the first of each name. `asked` is the VIN to take when the members name
 * none; "" for none. */
struct vehicle *vehicle_new(struct member *members, size_t count, const char *asked);

#endif
