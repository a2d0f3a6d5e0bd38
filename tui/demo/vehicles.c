#include "tui/demo/vehicles.h"

#include "core/base/memory.h"
#include "core/vpic/catalogue.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const unsigned char asset_vehicles_tsv[];
extern const size_t asset_vehicles_tsv_size;

enum { SAMPLES_MAX = 128, TYPES_MAX = 16 };

struct sample {
    const char *vin;
    const char *values[ROW_FIELDS_MAX];
};

struct type {
    const char *name;
    bool not_applicable[ROW_FIELDS_MAX];
};

static struct {
    char *text; /* the names and values point into it */
    const char *fields[ROW_FIELDS_MAX];
    size_t field_count;
    struct sample samples[SAMPLES_MAX];
    size_t sample_count;
    struct type types[TYPES_MAX];
    size_t type_count;
} table;

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void read_fields(void)
{
    table.field_count = catalogue_count();
    for (size_t i = 0; i < table.field_count && i < ROW_FIELDS_MAX; i++) {
        table.fields[i] = catalogue_at(i)->name;
    }
    qsort(table.fields, table.field_count, sizeof table.fields[0], compare_names);
}

/* The table is ours: what does not fit in it is a bug, which a test of every sample finds. */
static void insist(bool fits, const char *what)
{
    if (!fits) {
        fprintf(stderr, "vindecode: assets/vehicles.tsv: %s\n", what);
        abort();
    }
}

static size_t find_field(const char *name)
{
    const char *const *found = bsearch(&name, table.fields, table.field_count, sizeof table.fields[0], compare_names);
    return found == NULL ? table.field_count : (size_t)(found - table.fields);
}

/* A value in double quotes keeps its blanks. */
static char *unquote(char *value)
{
    size_t length = strlen(value);
    if (length >= 2 && value[0] == '"' && value[length - 1] == '"') {
        value[length - 1] = '\0';
        return value + 1;
    }
    return value;
}

static void read_fact(char *line)
{
    char *value = strchr(line, '\t');
    insist(value != NULL && table.sample_count > 0, line);
    *value++ = '\0';
    size_t field = find_field(line);
    insist(field < table.field_count, line);
    table.samples[table.sample_count - 1].values[field] = unquote(value);
}

static void read_not_applicable(char *line)
{
    char *rest = NULL;
    for (char *name = strtok_r(line, " ", &rest); name != NULL; name = strtok_r(NULL, " ", &rest)) {
        size_t field = find_field(name);
        insist(field < table.field_count, name);
        table.types[table.type_count - 1].not_applicable[field] = true;
    }
}

static void fill(const char *vehicle_type, const char *values[ROW_FIELDS_MAX])
{
    const struct type *known = NULL;
    size_t length = strlen(vehicle_type);
    while (length > 0 && vehicle_type[length - 1] == ' ') {
        length--; /* NHTSA writes "TRUCK " */
    }
    for (size_t i = 0; i < table.type_count; i++) {
        const char *name = table.types[i].name;
        known = strlen(name) == length && memcmp(name, vehicle_type, length) == 0 ? &table.types[i] : known;
    }
    for (size_t i = 0; i < table.field_count; i++) {
        values[i] = known != NULL && known->not_applicable[i] ? "Not Applicable" : "";
    }
}

/* The fields of a sample that its lines do not speak of have what its type says about them. */
static void complete(struct sample *sample)
{
    const char *of_type[ROW_FIELDS_MAX];
    const char *type = sample->values[find_field("VehicleType")];
    fill(type == NULL ? "" : type, of_type);
    for (size_t i = 0; i < table.field_count; i++) {
        sample->values[i] = sample->values[i] == NULL ? of_type[i] : sample->values[i];
    }
}

static void read_table(void)
{
    read_fields();
    insist(table.field_count <= ROW_FIELDS_MAX, "more fields than a row holds");
    table.text = memory_copy(asset_vehicles_tsv, asset_vehicles_tsv_size + 1);
    bool in_type = false;
    char *rest = NULL;
    for (char *line = strtok_r(table.text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        if (line[0] == '#') {
            continue;
        }
        if (line[0] == '=') {
            insist(table.type_count < TYPES_MAX, "too many types");
            table.types[table.type_count++].name = line + 1;
            in_type = true;
        } else if (line[0] != '\t') {
            insist(table.sample_count < SAMPLES_MAX, "too many vehicles");
            table.samples[table.sample_count++].vin = line;
            in_type = false;
        } else if (in_type) {
            read_not_applicable(line + 1);
        } else {
            read_fact(line + 1);
        }
    }
    for (size_t i = 0; i < table.sample_count; i++) {
        complete(&table.samples[i]);
    }
}

static void ready(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_table);
}

size_t row_field_count(void)
{
    ready();
    return table.field_count;
}

const char *row_field_name(size_t index)
{
    return table.fields[index];
}

size_t row_field_find(const char *name)
{
    ready();
    return find_field(name);
}

size_t sample_count(void)
{
    ready();
    return table.sample_count;
}

const struct sample *sample_at(size_t index)
{
    ready();
    return &table.samples[index];
}

const char *sample_vin(const struct sample *sample)
{
    return sample->vin;
}

void row_fill(const char *vehicle_type, const char *values[ROW_FIELDS_MAX])
{
    ready();
    fill(vehicle_type, values);
}

const char *sample_value(const struct sample *sample, size_t index)
{
    return sample->values[index];
}
