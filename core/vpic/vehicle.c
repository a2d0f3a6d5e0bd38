#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/vpic/draft.h"

#include <stdatomic.h>
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

enum { ABOUT_THE_ANSWER = sizeof about_the_answer / sizeof *about_the_answer, FEW_FIELDS = 5 };

/* More of an echoed VIN is not kept: what is longer than 17 characters is for another VIN, whatever follows. */
enum { ECHO_MAX = 31 };

/* One block: this header, `count` places in the order of the answer, `count` numbers of places in the order of the
 * names, and the text area. */
struct vehicle {
    atomic_uint holders; /* all that ever changes */
    size_t size, count;
    size_t states[FIELD_VALUE + 1];
    size_t code_count;
    int codes[CODES_MAX];
    char vin[ECHO_MAX + 1];
    struct place places[];
};

static uint32_t *order_of(struct vehicle *vehicle)
{
    return (uint32_t *)(void *)(vehicle->places + vehicle->count);
}

static char *text_of(struct vehicle *vehicle)
{
    return (char *)(order_of(vehicle) + vehicle->count);
}

static enum field_state state_of(const char *value, size_t length)
{
    static const char not_applicable[] = "Not Applicable";
    if (length == 0) {
        return FIELD_NO_DATA; /* as nearly all are */
    }
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

/* Room for a row of today, 154 fields; it grows for another. */
enum { FIELDS_USUAL = 256, TEXT_USUAL = 8192 };

void draft_init(struct draft *draft)
{
    *draft = (struct draft){.room = TEXT_USUAL, .capacity = FIELDS_USUAL};
    draft->text = memory_resize(NULL, draft->room);
    draft->places = memory_resize(NULL, draft->capacity * sizeof *draft->places);
}

void draft_clear(struct draft *draft)
{
    free(draft->text);
    free(draft->places);
    *draft = (struct draft){0};
}

void draft_begin(struct draft *draft, size_t text_length)
{
    draft->used = draft->count = 0;
    memset(draft->states, 0, sizeof draft->states);
    draft->sorted = true;
    if (text_length > draft->room) {
        draft->room = text_length;
        draft->text = memory_resize(draft->text, draft->room);
    }
}

void draft_add(struct draft *draft, const char *name, const char *value, size_t value_length)
{
    if (draft->count == draft->capacity) {
        draft->capacity *= 2;
        draft->places = memory_resize(draft->places, draft->capacity * sizeof *draft->places);
    }
    struct place *place = &draft->places[draft->count];
    char *to = draft->text + draft->used, *behind = stpcpy(to, name) + 1;
    if (value_length > 0) {
        memcpy(behind, value, value_length);
    }
    behind[value_length] = '\0';
    *place = (struct place){(uint32_t)draft->used, (uint32_t)(behind - draft->text), state_of(value, value_length)};
    draft->sorted = draft->sorted && (draft->count == 0 || strcmp(draft->last_name, name) < 0);
    draft->last_name = name;
    draft->states[place->state]++;
    draft->used = place->value + value_length + 1;
    draft->count++;
}

/* A place by its name. */
struct named {
    const char *name;
    uint32_t number;
};

/* By name, and places of one name in the order in which they came. */
static int by_name(const void *a, const void *b)
{
    const struct named *first = a, *second = b;
    int order = strcmp(first->name, second->name);
    return order != 0 ? order : (first->number > second->number) - (first->number < second->number);
}

/* The places in the order of their names. The caller frees it. */
static struct named *sort_names(const struct draft *draft)
{
    struct named *names = memory_get(draft->count * sizeof *names);
    for (size_t i = 0; i < draft->count; i++) {
        names[i] = (struct named){draft->text + draft->places[i].name, (uint32_t)i};
    }
    qsort(names, draft->count, sizeof *names, by_name);
    return names;
}

/* Drops all places but the first of each name. */
static void drop_doubled(struct draft *draft)
{
    struct named *names = sort_names(draft);
    bool *doubled = memory_get(draft->count);
    for (size_t i = 1; i < draft->count; i++) {
        doubled[names[i].number] = strcmp(names[i].name, names[i - 1].name) == 0;
    }
    size_t kept = 0;
    for (size_t i = 0; i < draft->count; i++) {
        if (!doubled[i]) {
            draft->places[kept++] = draft->places[i];
        } else {
            draft->states[draft->places[i].state]--;
        }
    }
    draft->count = kept;
    free(doubled);
    free(names);
}

/* Numbers the places in the order of their names. Today's answers come sorted. */
static void put_order(const struct draft *draft, uint32_t *order)
{
    struct named *names = draft->sorted ? NULL : sort_names(draft);
    for (size_t i = 0; i < draft->count; i++) {
        order[i] = names == NULL ? (uint32_t)i : names[i].number;
    }
    free(names);
}

static void put_vin(struct vehicle *vehicle, const char *vin)
{
    size_t length = strlen(vin);
    vin = text_trim(vin, &length);
    for (size_t i = 0; i < length && i < ECHO_MAX; i++) {
        vehicle->vin[i] = text_upper(vin[i]);
    }
}

void vehicle_answers(struct vehicle *vehicle, const char *asked)
{
    if (vehicle->vin[0] == '\0') {
        put_vin(vehicle, asked);
    }
}

struct vehicle *draft_finish(struct draft *draft)
{
    if (!draft->sorted) {
        drop_doubled(draft);
    }
    size_t places_size = draft->count * sizeof(struct place), order_size = draft->count * sizeof(uint32_t);
    size_t size = sizeof(struct vehicle) + places_size + order_size + draft->used;
    struct vehicle *vehicle = memory_resize(NULL, size);
    *vehicle = (struct vehicle){.holders = 1, .size = size, .count = draft->count};
    memcpy(vehicle->states, draft->states, sizeof vehicle->states);
    memcpy(vehicle->places, draft->places, places_size);
    put_order(draft, order_of(vehicle));
    memcpy(text_of(vehicle), draft->text, draft->used);
    put_vin(vehicle, vehicle_value(vehicle, "VIN"));
    read_codes(vehicle, vehicle_value(vehicle, "ErrorCode"));
    return vehicle;
}

struct vehicle *vehicle_copy(const struct vehicle *vehicle)
{
    struct vehicle *same = (struct vehicle *)vehicle;
    atomic_fetch_add_explicit(&same->holders, 1, memory_order_relaxed);
    return same;
}

void vehicle_free(struct vehicle *vehicle)
{
    if (vehicle != NULL && atomic_fetch_sub_explicit(&vehicle->holders, 1, memory_order_acq_rel) == 1) {
        free(vehicle);
    }
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
    const uint32_t *order = order_of((struct vehicle *)vehicle);
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
    return vehicle->vin;
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
    for (size_t i = 0; i < ABOUT_THE_ANSWER && values <= ABOUT_THE_ANSWER + FEW_FIELDS; i++) {
        values -= filled(vehicle, about_the_answer[i]);
    }
    return values <= FEW_FIELDS || (!filled(vehicle, "Make") && !filled(vehicle, "Model"));
}
