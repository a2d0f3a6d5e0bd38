#ifndef CORE_VPIC_DRAFT_H
#define CORE_VPIC_DRAFT_H

#include "core/vpic/vehicle.h"

#include <stddef.h>
#include <stdint.h>

/* How a vehicle is made: private to core/vpic. A draft collects the members of one row, with room that is used again
 * for the next one, so that a vehicle costs one allocation and one pass over its texts. */

/* Where a field's texts stand in the text area. */
struct place {
    uint32_t name, value;
    enum field_state state;
};

struct draft {
    char *text; /* names and values, each with a NUL behind it */
    size_t used, room;
    struct place *places;
    size_t count, capacity;
    size_t states[FIELD_VALUE + 1]; /* how many fields are in each */
    const char *last_name;          /* as it was given */
    bool sorted;                    /* each name sorts behind the one before it, so that none is doubled */
};

void draft_init(struct draft *draft);
void draft_clear(struct draft *draft);

/* Begins a row whose JSON has `text_length` bytes, below 4 GiB: its names and values, which lose their quotes and
 * separators there, need no more room. */
void draft_begin(struct draft *draft, size_t text_length);

/* Adds a member; the value need not end with a NUL, and the name is looked at once more when the next one is added. */
void draft_add(struct draft *draft, const char *name, const char *value, size_t value_length);

/* The vehicle of the members added since the beginning, in their order, of each name the first. */
struct vehicle *draft_finish(struct draft *draft);

/* Says which VIN was asked for: the vehicle takes it for its own when its row names none. */
void vehicle_answers(struct vehicle *vehicle, const char *asked);

#endif
