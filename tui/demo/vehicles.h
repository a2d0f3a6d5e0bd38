#ifndef TUI_DEMO_VEHICLES_H
#define TUI_DEMO_VEHICLES_H

#include <stddef.h>

/*
 * What the simulated service knows: the fields of an answer and the sample vehicles of assets/vehicles.tsv. And the row
 * that it gives for any VIN, by the rules of vpic.md 2.4 and 2.5. Read once, constant. Any thread.
 */

/* The fields of every row, in the order of their bytes, which is NHTSA's. */
size_t row_field_count(void);
const char *row_field_name(size_t index);

/* Where the field called `name` stands; row_field_count() when there is none. */
size_t row_field_find(const char *name);

struct sample;

size_t sample_count(void);
const struct sample *sample_at(size_t index);
const char *sample_vin(const struct sample *sample);

/* What the sample says about field `index`: a value, "Not Applicable", or "". */
const char *sample_value(const struct sample *sample, size_t index);

enum { ROW_FIELDS_MAX = 192, ROW_TEXT_MAX = 2560, ROW_VIN_MAX = 64 };

/* What a vehicle is known by of which only its type is known: "Not Applicable" in fields that make no sense for it, ""
 * in all others. */
void row_fill(const char *vehicle_type, const char *values[ROW_FIELDS_MAX]);

/* A row of an answer. Its values point to constants or into itself: it is never copied. */
struct row {
    const char *values[ROW_FIELDS_MAX]; /* row_field_count() of them, none is NULL */
    char vin[ROW_VIN_MAX + 1];
    char descriptor[15];
    char year[12];
    char type[80], maker[128], make[64];
    char codes[64], text[ROW_TEXT_MAX], more[ROW_TEXT_MAX];
};

/* Decodes `vin` as the service would, in `this_year`, with the model year that was sent with it (0: none). A sample, or
 * a VIN that differs from one only where that says nothing about the vehicle, gets the sample's facts; any other gets
 * what its maker code and its characters say. */
void row_decode(const char *vin, int requested_year, int this_year, struct row *out);

/* The value of the field called `name`, "" when there is no such field. */
const char *row_value(const struct row *row, const char *name);

#endif
