#include "core/base/text.h"
#include "core/vin/maker.h"
#include "core/vin/vin.h"
#include "tui/demo/vehicles.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* NHTSA's texts of its error codes (vpic.md 2.4), by code. */
static const struct {
    int code;
    const char *text;
} error_texts[] = {
    {0, "0 - VIN decoded clean. Check Digit (9th position) is correct"},
    {1, "1 - Check Digit (9th position) does not calculate properly"},
    {2, "2 - VIN corrected, error in one position"},
    {3, "3 - VIN corrected, error in one position (assuming Check Digit is correct)"},
    {4, "4 - VIN corrected, error in one position only (indicated by ! in Suggested VIN), multiple matches found"},
    {5, "5 - VIN has errors in few positions"},
    {6, "6 - Incomplete VIN"},
    {7,
     "7 - Manufacturer is not registered with NHTSA for sale or importation in the U.S. for use on U.S roads; Please "
     "contact the manufacturer directly for more information"},
    {8, "8 - No detailed data available currently"},
    {10,
     "10 - Off-Road Vehicle Warning – This is not a Vehicle Identification Number (VIN) for a motor vehicle. This "
     "indicates that the manufacturer did not certify this product as complying with the Federal Motor Vehicle Safety "
     "Standards that are applicable to motor vehicles as defined in 49 U.S.C. 30102."},
    {11,
     "11 - Incorrect Model Year - Position 10 does not match valid model year codes (I, O, Q, U, Z, 0). Decoded data "
     "may not be accurate."},
    {12,
     "12 - Model Year Warning - Model Year entered for decoding with VIN does not match the model year based on the "
     "10th position in VIN."},
    {14, "14 - Unable to provide information for some of the characters in the VIN, based on the manufacturer "
         "submission."},
    {400, "400 - Invalid Characters Present"},
};

enum { ERROR_TEXT_COUNT = sizeof error_texts / sizeof error_texts[0], TEXT_CUT = 500, FIRST_YEAR = 1980 };

static const char doubtful_year[] = "The Model Year decoded for this VIN may be incorrect. If you know the Model year, "
                                    "please enter it and decode again to "
                                    "get more accurate information.";

static const char year_codes[] = "ABCDEFGHJKLMNPRSTVWXY123456789";

/* The codes of an answer, a bit for each of error_texts. */
typedef unsigned code_set;

static size_t code_index(int code)
{
    size_t i = 0;
    while (error_texts[i].code != code) {
        i++;
    }
    return i;
}

static void add_code(code_set *set, int code)
{
    *set |= 1u << code_index(code);
}

/* The codes of a sample's ErrorCode, "5,10,14". */
static code_set read_codes(const char *text)
{
    code_set set = 0;
    while (*text != '\0') {
        int code = 0;
        for (; text_is_digit(*text); text++) {
            code = code * 10 + (*text - '0');
        }
        add_code(&set, code);
        text += *text == ',' ? 1 : 0;
    }
    return set;
}

/* NHTSA cuts its texts behind 500 characters, in mid-word. */
static void cut(char *text)
{
    size_t characters = 0;
    for (char *byte = text; *byte != '\0'; byte++) {
        bool first = ((unsigned char)*byte & 0xc0) != 0x80;
        if (first && characters++ == TEXT_CUT) {
            *byte = '\0';
            return;
        }
    }
}

static void append(char *text, size_t size, const char *more)
{
    size_t length = strlen(text);
    snprintf(text + length, size - length, "%s", more);
}

static void set_value(struct row *row, const char *name, const char *value)
{
    size_t index = row_field_find(name);
    if (index < row_field_count()) {
        row->values[index] = value;
    }
}

static void write_codes(struct row *row, code_set set)
{
    row->codes[0] = row->text[0] = '\0';
    for (size_t i = 0; i < ERROR_TEXT_COUNT; i++) {
        if ((set & 1u << i) != 0) {
            char number[16];
            snprintf(number, sizeof number, "%s%d", row->codes[0] != '\0' ? "," : "", error_texts[i].code);
            append(row->codes, sizeof row->codes, number);
            append(row->text, sizeof row->text, row->text[0] != '\0' ? "; " : "");
            append(row->text, sizeof row->text, error_texts[i].text);
        }
    }
    cut(row->text);
    set_value(row, "ErrorCode", row->codes);
    set_value(row, "ErrorText", row->text);
}

/* Positions 1 to 8, 10 and 11; a small maker's, whose third character is 9, also 12 to 14. What is missing is "*". */
static void write_descriptor(const char *vin, char descriptor[15])
{
    size_t length = strlen(vin);
    size_t wanted = length >= 14 && vin[2] == '9' ? 14 : 11;
    for (size_t i = 0; i < wanted; i++) {
        descriptor[i] = i < length && i != VIN_CHECK_POSITION - 1 ? vin[i] : '*';
    }
    descriptor[wanted] = '\0';
}

/* Whether the type of vehicle is one of those whose serial is five digits and whose position 7 tells the cycle of
 * years. */
static bool is_light(const char *type)
{
    return text_compare(type, "Passenger Car") == 0 || strstr(type, "(MPV)") != NULL || strstr(type, "(mpv)") != NULL;
}

/* Where the serial begins (from 1). */
static size_t serial_position(const char *vin, const char *type)
{
    if (vin[2] == '9') {
        return 15;
    }
    return is_light(type) ? 13 : 14;
}

/* Whether the character may stand at `position` (from 1) of a VIN whose serial begins at `serial`. */
static bool is_legal(char character, size_t position, size_t serial)
{
    if (character == '\0') {
        return false;
    }
    if (position == VIN_CHECK_POSITION) {
        return strchr("0123456789X*", character) != NULL;
    }
    if (position == VIN_YEAR_POSITION) {
        return strchr(year_codes, character) != NULL;
    }
    return strchr(position < serial ? "0123456789ABCDEFGHJKLMNPRSTUVWXYZ*" : "0123456789*", character) != NULL;
}

/* Lists the illegal characters. False when there are none. */
static bool list_illegal(const char *vin, const char *type, char *out, size_t size)
{
    bool any = false;
    size_t serial = serial_position(vin, type);
    for (size_t i = 0; vin[i] != '\0'; i++) {
        if (i >= VIN_LENGTH || !is_legal(vin[i], i + 1, serial)) {
            char piece[64];
            snprintf(piece, sizeof piece, "%s%zu:%c", any ? ", " : "Invalid character(s): ", i + 1, vin[i]);
            append(out, size, piece);
            any = true;
        }
    }
    append(out, size, any ? "." : "");
    return any;
}

/* The model year that position 10 tells, 0 when none. `ambiguous`: the other cycle would do as well. */
static int year_of(const char *vin, const char *type, int this_year, bool *ambiguous)
{
    *ambiguous = false;
    const char *code = strlen(vin) >= VIN_YEAR_POSITION ? strchr(year_codes, vin[VIN_YEAR_POSITION - 1]) : NULL;
    if (code == NULL) {
        return 0;
    }
    int later = FIRST_YEAR + 30 + (int)(code - year_codes);
    if ((is_light(type) && text_is_digit(vin[6])) || later > this_year + 1) {
        return later - 30;
    }
    *ambiguous = !is_light(type);
    return later;
}

/* What the length, the characters and the check digit say about the VIN. */
static code_set check(const char *vin, const char *type, struct row *row)
{
    code_set set = 0;
    size_t length = strlen(vin);
    bool illegal = list_illegal(vin, type, row->more, sizeof row->more);
    if (illegal) {
        add_code(&set, 400);
    }
    if (length < VIN_LENGTH || (length == VIN_LENGTH && strchr(vin, '*') != NULL)) {
        add_code(&set, 6);
    } else if (length > VIN_LENGTH || illegal || vin_check_digit(vin) != vin[VIN_CHECK_POSITION - 1]) {
        add_code(&set, 1);
    }
    if (length < VIN_YEAR_POSITION || strchr("IOQUZ0*", vin[VIN_YEAR_POSITION - 1]) != NULL) {
        add_code(&set, 11);
    }
    return set;
}

/* A model year that was sent counts when it is one and position 10 allows it; else NHTSA warns. */
static void use_requested_year(struct row *row, code_set *set, int requested, int told, int this_year)
{
    if (requested < FIRST_YEAR || requested > this_year + 1 || requested == told) {
        return;
    }
    if (told == 0 || (requested - told) % 30 == 0) {
        snprintf(row->year, sizeof row->year, "%d", requested);
        set_value(row, "ModelYear", row->year);
    } else {
        add_code(set, 12);
    }
}

static void copy_upper(char *to, size_t size, const char *from)
{
    size_t length = 0;
    for (; from[length] != '\0' && length + 1 < size; length++) {
        to[length] = text_upper(from[length]);
    }
    to[length] = '\0';
}

/* The make, where the maker code leaves no choice: the only one registered for it, or that of a sample with the code.
 */
static const char *find_make(struct row *row, const struct maker *maker)
{
    if (strpbrk(maker->makes, ",;") != NULL) {
        return "";
    }
    copy_upper(row->make, sizeof row->make, maker->makes);
    for (size_t i = 0; i < sample_count() && row->make[0] == '\0' && !maker->small; i++) {
        if (strncmp(sample_vin(sample_at(i)), row->vin, 3) == 0) {
            return sample_value(sample_at(i), row_field_find("Make"));
        }
    }
    return row->make;
}

/* The row of a VIN that no sample speaks for: what its maker code says. */
static void decode_maker(struct row *row, int requested_year, int this_year)
{
    const char *vin = row->vin;
    struct maker maker = {.name = "", .vehicle_type = ""};
    maker_find(vin, &maker);
    code_set set = check(vin, maker.vehicle_type, row);
    bool ambiguous = false;
    int year = year_of(vin, maker.vehicle_type, this_year, &ambiguous);
    if (maker.name[0] == '\0' || strlen(vin) > VIN_LENGTH) {
        add_code(&set, 7); /* of a maker that it does not know NHTSA says nothing at all, not even the year */
    } else {
        add_code(&set, 8);
        snprintf(row->maker, sizeof row->maker, "%s", maker.name);
        copy_upper(row->type, sizeof row->type, maker.vehicle_type);
        row_fill(row->type, row->values);
        set_value(row, "VehicleType", row->type);
        set_value(row, "Manufacturer", row->maker);
        set_value(row, "Make", find_make(row, &maker));
        if (year != 0) {
            snprintf(row->year, sizeof row->year, "%d", year);
            set_value(row, "ModelYear", row->year);
        }
        if (ambiguous && requested_year == 0) {
            append(row->more, sizeof row->more, row->more[0] != '\0' ? " " : "");
            append(row->more, sizeof row->more, doubtful_year);
        }
        use_requested_year(row, &set, requested_year, year, this_year);
    }
    write_codes(row, set);
}

/* The row of a sample; `exact`: asked for by its own VIN, so that its codes are NHTSA's own. */
static void decode_sample(struct row *row, const struct sample *sample, bool exact, int requested_year, int this_year)
{
    size_t count = row_field_count();
    for (size_t i = 0; i < count; i++) {
        row->values[i] = sample_value(sample, i);
    }
    code_set set = read_codes(row_value(row, "ErrorCode"));
    const char *said = row_value(row, "ErrorText");
    if (!exact) {
        const char *type = row_value(row, "VehicleType");
        code_set lacking = set & 1u << code_index(8);
        set = check(row->vin, type, row) | lacking;
        if (set == 0) {
            add_code(&set, 0);
        }
        said = "";
    }
    int told = (int)strtol(row_value(row, "ModelYear"), NULL, 10);
    use_requested_year(row, &set, requested_year, told, this_year);
    bool more_to_say = said[0] != '\0';
    write_codes(row, set);
    if (more_to_say) {
        set_value(row, "ErrorText", said);
    }
    if (!exact) {
        set_value(row, "AdditionalErrorText", row->more);
    }
}

/* The sample that speaks for the VIN: its own, or one of the same maker, model and year that decodes without a doubt.
 */
static const struct sample *find_sample(const struct row *row, bool *exact)
{
    const struct sample *alike = NULL;
    for (size_t i = 0; i < sample_count(); i++) {
        const struct sample *sample = sample_at(i);
        if (strcmp(sample_vin(sample), row->vin) == 0) {
            *exact = true;
            return sample;
        }
        char descriptor[15];
        write_descriptor(sample_vin(sample), descriptor);
        if (strcmp(descriptor, row->descriptor) == 0) {
            const char *codes = sample_value(sample, row_field_find("ErrorCode"));
            alike = strchr("0168", codes[0]) != NULL && codes[1] == '\0' ? sample : alike;
        }
    }
    *exact = false;
    return alike;
}

void row_decode(const char *vin, int requested_year, int this_year, struct row *out)
{
    *out = (struct row){.vin = ""};
    size_t length = strlen(vin);
    vin = text_trim(vin, &length);
    for (size_t i = 0; i < length && i < ROW_VIN_MAX; i++) {
        bool plain = vin[i] > ' ' && vin[i] <= '~';
        out->vin[i] = plain ? text_upper(vin[i]) : '?';
    }
    row_fill("", out->values);
    write_descriptor(out->vin, out->descriptor);
    bool exact;
    const struct sample *sample = strlen(out->vin) <= VIN_LENGTH ? find_sample(out, &exact) : NULL;
    if (sample != NULL) {
        decode_sample(out, sample, exact, requested_year, this_year);
    } else {
        decode_maker(out, requested_year, this_year);
        cut(out->more);
        set_value(out, "AdditionalErrorText", out->more);
    }
    set_value(out, "VIN", out->vin);
    set_value(out, "VehicleDescriptor", out->descriptor);
}

const char *row_value(const struct row *row, const char *name)
{
    size_t index = row_field_find(name);
    return index < row_field_count() ? row->values[index] : "";
}
