#ifndef CORE_VPIC_CATALOGUE_H
#define CORE_VPIC_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>

/* What is known about vPIC's fields and error codes: labels, groups, units, severities, our own sentences. Embedded
 * from assets/fields.tsv and assets/codes.tsv; read once, constant. Any thread. */

struct catalogue_field {
    const char *name;  /* as NHTSA spells the key */
    const char *label; /* for people */
    const char *group; /* NHTSA's group */
    const char *unit;  /* "" without one */
    int headline;      /* 1..: its place among the dozen that are nearly always filled; 0: not one of them */
};

/* NULL for a field that the catalogue does not know: show it under its own name. */
const struct catalogue_field *catalogue_find(const char *name);
size_t catalogue_count(void);
const struct catalogue_field *catalogue_at(size_t index); /* in the order of the groups on the card */

enum severity { SEVERITY_OK, SEVERITY_INFO, SEVERITY_WARNING, SEVERITY_PROBLEM };

const char *severity_name(enum severity severity); /* "ok", "info", "warning", "problem" */

struct catalogue_code {
    int code;
    enum severity severity;
    const char *sentence; /* ours, plain, one sentence */
};

/* NULL for a code that the catalogue does not know: show NHTSA's text. */
const struct catalogue_code *catalogue_code(int code);

#endif
