#ifndef TUI_FIELD_CHOICE_H
#define TUI_FIELD_CHOICE_H

#include "core/vpic/catalogue.h"

#include <stdbool.h>
#include <stddef.h>

/* Which of NHTSA's fields are wanted (--fields), in the order in which they were named. A value; no chosen field means
 * all of them. */
enum { FIELD_CHOICE_MAX = 256 };

struct field_choice {
    const struct catalogue_field *fields[FIELD_CHOICE_MAX];
    size_t count;
};

/* Reads "Make,Model,Engine": names as NHTSA spells them or groups of the catalogue, in any letter case; a group's name
 * also stands for the groups below it ("Exterior" for "Exterior / Body"). False with one line in `why` for a name that
 * is neither. */
bool field_choice_read(const char *list, struct field_choice *out, char *why, size_t size);

/* All fields of the catalogue, in its order. */
void field_choice_all(struct field_choice *out);

#endif
