#ifndef CORE_VPIC_VEHICLE_H
#define CORE_VPIC_VEHICLE_H

#include <stdbool.h>
#include <stddef.h>

/* One decoded vehicle: a row of vPIC's flat form, as it came. Immutable, so that any number of holders on any thread
 * may share it; it goes with the last of them. */
struct vehicle;

/* vPIC's three states of a field, which mean different things. */
enum field_state {
    FIELD_NO_DATA,        /* "": NHTSA has no data */
    FIELD_NOT_APPLICABLE, /* "Not Applicable": makes no sense for this type of vehicle */
    FIELD_VALUE
};

/* `name` and `value` are bytes as they came, NUL-terminated, and live as long as the vehicle. They become text for
 * people only through frame_text(). */
struct vehicle_field {
    const char *name;
    const char *value; /* numbers and booleans as their JSON text; null as ""; nested values as their JSON text */
    enum field_state state;
};

/* One more hold on it, to be given up with vehicle_free() like the first. Any thread. */
struct vehicle *vehicle_copy(const struct vehicle *vehicle);
void vehicle_free(struct vehicle *vehicle);

/* Bytes of memory it takes. */
size_t vehicle_size(const struct vehicle *vehicle);

/* All fields in the order in which they came; of doubled keys the first. */
size_t vehicle_field_count(const struct vehicle *vehicle);
struct vehicle_field vehicle_field_at(const struct vehicle *vehicle, size_t index);

/* The value of the field called `name` (letter case counts), "" when there is none. */
const char *vehicle_value(const struct vehicle *vehicle, const char *name);

/* How many fields are in `state`. */
size_t vehicle_count(const struct vehicle *vehicle, enum field_state state);

/* NHTSA's error codes, ascending, as a set (the leading number of each piece of ErrorCode); at most 32 of its fifteen.
 */
size_t vehicle_code_count(const struct vehicle *vehicle);
int vehicle_code_at(const struct vehicle *vehicle, size_t index);
bool vehicle_has_code(const struct vehicle *vehicle, int code);

/* The VIN that the answer says it belongs to, upper case: the row's VIN, or for a row without one that is alone in its
 * answer the one in the envelope's SearchCriteria; "" when it says none. Cut behind 31 bytes. */
const char *vehicle_vin(const struct vehicle *vehicle);

/* Whether NHTSA knows hardly anything: neither Make nor Model has a value, or at most five fields have one beside those
 * that speak of the answer and not of the vehicle (VIN, VehicleDescriptor, the ids of make, model and manufacturer, and
 * NHTSA's codes, texts and suggestions). A sparse answer is a success. */
bool vehicle_is_sparse(const struct vehicle *vehicle);

#endif
