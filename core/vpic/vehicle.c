#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/vpic/members.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* NHTSA has fifteen codes; a set of more than this is cut, and its text stays in the field ErrorCode. */
enum { CODES_MAX = 32, CODE_DIGITS_MAX = 9 };

/* Fields that say nothing about the vehicle itself, so that they do not count for vehicle_is_sparse(). */
static const char *const about_the_answer[] = {
    "AdditionalErrorText", "ErrorCode", "ErrorText",         "MakeID", "ManufacturerId", "ModelID", "PossibleValues",
    "SuggestedVIN",        "VIN",       "VehicleDescriptor",
};

enum { FEW_FIELDS = 5 };

/* Where a field's texts stand in the text area. */
struct place {
    size_t name, value;
    enum field_state state;
};

/* One block, without a pointer in it, so that a copy of the bytes is a copy of the vehicle: this header, `count` places
 * in the order of the answer, `count` numbers of places in the order of the names, and the text area. */
struct vehicle {
    size_t size, count;
    size_t states[FIELD_VALUE + 1];
    size_t vin; /* in the text area */
    size_t code_count;
    int codes[CODES_MAX];
    struct place places[];
};

static size_t *order_of(struct vehicle *vehicle)
{
    return (size_t *)(void *)(vehicle->places + vehicle->count);
}

static char *text_of(struct vehicle *vehicle)
{
    return (char *)(order_of(vehicle) + vehicle->count);
}

static enum field_state state_of(const char *value, size_t length)
{
    static const char not_applicable[] = "Not Applicable";
    value = text_trim(value, &length);
    if (length == 0) {
        return FIELD_NO_DATA;
    }
    bool applicable = length != sizeof not_applicable - 1 || memcmp(value, not_applicable, length) != 0;
    return applicable ? FIELD_VALUE : FIELD_NOT_APPLICABLE;
}

static void add_code(struct vehicle *vehicle, int code)
{
    size_t at = vehicle->code_count;
    while (at > 0 && vehicle->codes[at - 1] > code) {
        at--;
    }
    bool known = at > 0 && vehicle->codes[at - 1] == code;
    if (known || vehicle->code_count == CODES_MAX) {
        return;
    }
    memmove(vehicle->codes + at + 1, vehicle->codes + at, (vehicle->code_count - at) * sizeof(int));
    vehicle->codes[at] = code;
    vehicle->code_count++;
}

/* Reads "1,14" and the form of before 2019, "6 - Incomplete VIN; 7 - ...": a piece between commas or semicolons names a
 * code if it is a number alone or a number and a dash. Texts hold commas and semicolons too, so other pieces are text.
 */
static void read_codes(struct vehicle *vehicle, const char *text)
{
    while (*text != '\0') {
        text += strspn(text, " ");
        size_t digits = strspn(text, "0123456789");
        const char *behind = text + digits;
        behind += strspn(behind, " ");
        if (digits > 0 && digits <= CODE_DIGITS_MAX && (*behind == '\0' || strchr(",;-", *behind) != NULL)) {
            add_code(vehicle, (int)strtol(text, NULL, 10));
        }
        text += strcspn(text, ",;");
        text += *text != '\0';
    }
}

/* By name, and members of one name in the order in which they came: all stand in one array. */
static int by_name(const void *a, const void *b)
{
    const struct member *first = *(struct member *const *)a, *second = *(struct member *const *)b;
    int order = strcmp(first->name, second->name);
    return order != 0 ? order : (first > second) - (first < second);
}

/* The members sorted by name, for a row that did not come sorted; marks doubled ones. The caller frees it. NULL when
 * they stand in order already, as they do in today's answers. */
static struct member **sort_members(struct member *members, size_t count)
{
    size_t sorted = 1;
    while (sorted < count && strcmp(members[sorted - 1].name, members[sorted].name) < 0) {
        sorted++;
    }
    if (sorted >= count) {
        return NULL;
    }
    struct member **order = memory_get(count * sizeof *order);
    for (size_t i = 0; i < count; i++) {
        order[i] = &members[i];
    }
    qsort(order, count, sizeof *order, by_name);
    for (size_t i = 1; i < count; i++) {
        order[i]->doubled = strcmp(order[i]->name, order[i - 1]->name) == 0;
    }
    return order;
}

static size_t put_text(char *area, size_t *used, const char *text, size_t length)
{
    size_t at = *used;
    memcpy(area + at, text, length);
    area[at + length] = '\0';
    *used = at + length + 1;
    return at;
}

/* The VIN that a row names: its member VIN, else the one that was asked for. */
static const char *find_vin(const struct member *members, size_t count, const char *asked, size_t *length)
{
    for (const struct member *member = members; member < members + count; member++) {
        if (!member->doubled && strcmp(member->name, "VIN") == 0) {
            *length = member->value_length;
            const char *vin = text_trim(member->value, length);
            if (*length > 0) {
                return vin;
            }
        }
    }
    *length = strlen(asked);
    return text_trim(asked, length);
}

/* A vehicle with room for the members that are not doubled and for `extra` bytes of text. */
static struct vehicle *make_room(const struct member *members, size_t count, size_t extra)
{
    size_t kept = 0, text = extra;
    for (const struct member *member = members; member < members + count; member++) {
        if (!member->doubled) {
            kept++;
            text += member->name_length + member->value_length + 2;
        }
    }
    size_t size = sizeof(struct vehicle) + kept * (sizeof(struct place) + sizeof(size_t)) + text;
    struct vehicle *vehicle = memory_get(size);
    vehicle->size = size;
    vehicle->count = kept;
    return vehicle;
}

/* Packs the members that are not doubled into places and text area. Returns the bytes of text. */
static size_t put_members(struct vehicle *vehicle, char *area, struct member *members, size_t count)
{
    size_t used = 0, number = 0;
    for (struct member *member = members; member < members + count; member++) {
        if (!member->doubled) {
            struct place *place = &vehicle->places[number];
            place->name = put_text(area, &used, member->name, member->name_length);
            place->value = put_text(area, &used, member->value, member->value_length);
            place->state = state_of(member->value, member->value_length);
            vehicle->states[place->state]++;
            member->number = number++;
        }
    }
    return used;
}

struct vehicle *vehicle_new(struct member *members, size_t count, const char *asked)
{
    struct member **sorted = sort_members(members, count);
    size_t vin_length;
    const char *vin = find_vin(members, count, asked, &vin_length);
    struct vehicle *vehicle = make_room(members, count, vin_length + 1);
    size_t *order = order_of(vehicle);
    char *area = text_of(vehicle);
    size_t used = put_members(vehicle, area, members, count);
    for (size_t i = 0; i < count; i++) {
        const struct member *member = sorted == NULL ? &members[i] : sorted[i];
        if (!member->doubled) {
            *order++ = member->number;
        }
    }
    free(sorted);
    vehicle->vin = put_text(area, &used, vin, vin_length);
    for (char *at = area + vehicle->vin; *at != '\0'; at++) {
        *at = text_upper(*at);
    }
    read_codes(vehicle, vehicle_value(vehicle, "ErrorCode"));
    return vehicle;
}

struct vehicle *vehicle_copy(const struct vehicle *vehicle)
{
    return memory_copy(vehicle, vehicle->size);
}

void vehicle_free(struct vehicle *vehicle)
{
    free(vehicle);
}

size_t vehicle_size(const struct vehicle *vehicle)
{
    return vehicle->size;
}

size_t vehicle_field_count(const struct vehicle *vehicle)
{
    return vehicle->count;
}

struct vehicle_field vehicle_field_at(const struct vehicle *vehicle, size_t index)
{
    const char *area = text_of((struct vehicle *)vehicle);
    const struct place *place = &vehicle->places[index];
    return (struct vehicle_field){.name = area + place->name, .value = area + place->value, .state = place->state};
}

/* The field called `name`, or false. */
static bool find_field(const struct vehicle *vehicle, const char *name, struct vehicle_field *out)
{
    const size_t *order = order_of((struct vehicle *)vehicle);
    size_t first = 0, end = vehicle->count;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        *out = vehicle_field_at(vehicle, order[middle]);
        int side = strcmp(name, out->name);
        if (side == 0) {
            return true;
        }
        if (side < 0) {
            end = middle;
        } else {
            first = middle + 1;
        }
    }
    return false;
}

const char *vehicle_value(const struct vehicle *vehicle, const char *name)
{
    struct vehicle_field field;
    return find_field(vehicle, name, &field) ? field.value : "";
}

size_t vehicle_count(const struct vehicle *vehicle, enum field_state state)
{
    return vehicle->states[state];
}

size_t vehicle_code_count(const struct vehicle *vehicle)
{
    return vehicle->code_count;
}

int vehicle_code_at(const struct vehicle *vehicle, size_t index)
{
    return vehicle->codes[index];
}

bool vehicle_has_code(const struct vehicle *vehicle, int code)
{
    for (size_t i = 0; i < vehicle->code_count; i++) {
        if (vehicle->codes[i] == code) {
            return true;
        }
    }
    return false;
}

const char *vehicle_vin(const struct vehicle *vehicle)
{
    return text_of((struct vehicle *)vehicle) + vehicle->vin;
}

/* Whether the field `name` has a value. */
static bool filled(const struct vehicle *vehicle, const char *name)
{
    struct vehicle_field field;
    return find_field(vehicle, name, &field) && field.state == FIELD_VALUE;
}

bool vehicle_is_sparse(const struct vehicle *vehicle)
{
    size_t values = vehicle->states[FIELD_VALUE];
    for (size_t i = 0; i < sizeof about_the_answer / sizeof *about_the_answer; i++) {
        values -= filled(vehicle, about_the_answer[i]);
    }
    return values <= FEW_FIELDS || (!filled(vehicle, "Make") && !filled(vehicle, "Model"));
}
