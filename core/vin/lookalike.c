#include "core/vin/lookalike.h"

#include "core/vin/clean.h"

#include "core/base/text.h"

#include <string.h>

/* The legal character that looks like this one; 0: none. */
static char look_alike(char character)
{
    static const char pairs[][2] = {{'O', '0'}, {'Q', '0'}, {'I', '1'}, {'S', '5'}, {'5', 'S'}, {'B', '8'},
                                    {'8', 'B'}, {'Z', '2'}, {'2', 'Z'}, {'G', '6'}, {'6', 'G'}};
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        if (pairs[i][0] == character) {
            return pairs[i][1];
        }
    }
    return 0;
}

/* Adds the VIN that results from changing the characters at one or two positions, if it is right. */
static size_t try_change(const char *vin, size_t first, size_t second, struct lookalike *out, size_t count)
{
    struct lookalike changed = {.positions = {first, second}};
    memcpy(changed.vin, vin, VIN_LENGTH);
    for (size_t i = 0; i < 2 && changed.positions[i] > 0; i++) {
        char *character = &changed.vin[changed.positions[i] - 1];
        *character = look_alike(*character);
    }
    if (count == LOOKALIKE_MAX || !clean_is_vin(changed.vin, VIN_LENGTH) ||
        vin_check_digit(changed.vin) != changed.vin[VIN_CHECK_POSITION - 1]) {
        return count;
    }
    out[count] = changed;
    return count + 1;
}

/* The VIN with digits for one or two letters among the last four; the check digit is right before and after. */
static size_t find_digits_of_same_value(const char *vin, struct lookalike *out)
{
    struct lookalike changed = {.same_value = true};
    size_t letters = 0;
    memcpy(changed.vin, vin, VIN_LENGTH);
    for (size_t i = VIN_LENGTH - 4; i < VIN_LENGTH; i++) {
        if (text_is_letter(vin[i])) {
            changed.vin[i] = (char)('0' + vin_value(vin[i]));
            changed.positions[letters < 2 ? letters : 1] = i + 1;
            letters++;
        }
    }
    if (letters == 0 || letters > 2) {
        return 0;
    }
    out[0] = changed;
    return 1;
}

size_t lookalike_find(const char *vin, struct lookalike out[LOOKALIKE_MAX])
{
    size_t count = 0;
    if (strlen(vin) != VIN_LENGTH) {
        return 0;
    }
    if (vin_check_digit(vin) == vin[VIN_CHECK_POSITION - 1]) {
        return find_digits_of_same_value(vin, out);
    }
    for (size_t first = 1; first <= VIN_LENGTH; first++) {
        count = try_change(vin, first, 0, out, count);
    }
    for (size_t first = 1; first <= VIN_LENGTH; first++) {
        for (size_t second = first + 1; second <= VIN_LENGTH; second++) {
            count = try_change(vin, first, second, out, count);
        }
    }
    return count;
}
