#include "core/vin/maker.h"

#include "core/vin/country.h"
#include "core/vin/vin.h"

#include <stdio.h>
#include <string.h>

extern const unsigned char asset_makers_tsv[];
extern const size_t asset_makers_tsv_size;

enum { CODE_LENGTH = 3, SMALL_CODE_REST = 11 /* where positions 12-14 begin */ };

static const char *vehicle_type(char letter)
{
    static const struct {
        char letter;
        const char *type;
    } types[] = {
        {'B', "Bus"},
        {'I', "Incomplete Vehicle"},
        {'K', "Truck"},
        {'L', "Low Speed Vehicle (LSV)"},
        {'M', "Motorcycle"},
        {'O', "Off Road Vehicle"},
        {'P', "Passenger Car"},
        {'T', "Trailer"},
        {'V', "Multipurpose Passenger Vehicle (MPV)"},
    };
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        if (types[i].letter == letter) {
            return types[i].type;
        }
    }
    return "";
}

/* The line of the table that begins with `code` and a tab; NULL when there is none. The table is sorted, so half of
 * what is left goes at each step; lines differ in length, so the middle moves back to where its line begins. */
static const char *find_line(const char *code)
{
    const char *table = (const char *)asset_makers_tsv;
    size_t low = 0, high = asset_makers_tsv_size, length = strlen(code);
    while (low < high) {
        size_t line = low + (high - low) / 2;
        while (line > low && table[line - 1] != '\n') {
            line--;
        }
        size_t width = strcspn(table + line, "\t\n");
        int order = strncmp(code, table + line, length < width ? length : width);
        if (order == 0 && length == width) {
            return table + line;
        }
        if (order < 0 || (order == 0 && length < width)) {
            high = line;
        } else {
            low = line + strcspn(table + line, "\n") + 1;
        }
    }
    return NULL;
}

/* Copies the column that begins at `from`; returns where the next one begins, or the end of the line. */
static const char *copy_column(const char *from, char *out, size_t size)
{
    size_t width = strcspn(from, "\t\n");
    snprintf(out, size, "%.*s", (int)width, from);
    return from[width] == '\t' ? from + width + 1 : from + width;
}

bool maker_find(const char *vin, struct maker *out)
{
    size_t length = strlen(vin);
    *out = (struct maker){.country = "", .vehicle_type = ""};
    if (length < CODE_LENGTH) {
        return false;
    }
    out->small = vin[CODE_LENGTH - 1] == '9';
    out->north_american = vin_is_north_american(vin);
    out->country = country_find(vin);
    memcpy(out->code, vin, CODE_LENGTH);
    if (out->small && length >= SMALL_CODE_REST + CODE_LENGTH) {
        memcpy(out->code + CODE_LENGTH, vin + SMALL_CODE_REST, CODE_LENGTH);
    }
    const char *line = find_line(out->code);
    if (line != NULL) {
        char type[2];
        const char *column = strchr(line, '\t') + 1;
        column = copy_column(column, type, sizeof(type));
        column = copy_column(column, out->name, sizeof(out->name));
        copy_column(column, out->makes, sizeof(out->makes));
        out->vehicle_type = vehicle_type(type[0]);
    }
    return true;
}
