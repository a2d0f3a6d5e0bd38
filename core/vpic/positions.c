#include "core/vpic/positions.h"

#include "core/base/text.h"
#include "core/vpic/utf8.h"

#include <string.h>

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " ");
}

/* Reads a number at `*text` and moves behind it and the blanks around it. A number that is no position is 0. */
static size_t take_position(const char **text)
{
    size_t position = 0;
    const char *at = skip_blanks(*text);
    for (; text_is_digit(*at); at++) {
        position = position > VIN_LENGTH ? position : position * 10 + (size_t)(*at - '0');
    }
    *text = skip_blanks(at);
    return position > VIN_LENGTH ? 0 : position;
}

static positions bit(size_t position)
{
    return position == 0 ? 0 : (positions)1 << (position - 1);
}

/* Behind `label` in AdditionalErrorText, "" when it does not stand there. */
static const char *remark(const struct vehicle *vehicle, const char *label)
{
    const char *found = strstr(vehicle_value(vehicle, "AdditionalErrorText"), label);
    return found == NULL ? "" : found + strlen(label);
}

/* Behind one character of UTF-8. */
static const char *skip_character(const char *text)
{
    if (*text != '\0') {
        text++;
    }
    while (utf8_continues(*text)) {
        text++;
    }
    return text;
}

positions positions_invalid(const struct vehicle *vehicle)
{
    positions found = 0;
    const char *text = skip_blanks(remark(vehicle, "Invalid character(s):"));
    while (text_is_digit(*text)) {
        size_t position = take_position(&text);
        if (*text != ':') {
            break;
        }
        found |= bit(position);
        text = skip_blanks(skip_character(text + 1));
        text = skip_blanks(*text == ',' ? text + 1 : text);
    }
    return found;
}

positions positions_unused(const struct vehicle *vehicle)
{
    positions found = 0;
    const char *text = skip_blanks(remark(vehicle, "Unused position(s):"));
    while (text_is_digit(*text)) {
        found |= bit(take_position(&text));
        text = skip_blanks(*text == ',' ? text + 1 : text);
    }
    return found;
}

void suggested_vin(const struct vehicle *vehicle, char out[VIN_LENGTH + 1])
{
    const char *value = vehicle_value(vehicle, "SuggestedVIN");
    size_t length = strlen(value);
    value = text_trim(value, &length);
    out[0] = '\0';
    if (length <= VIN_LENGTH) {
        for (size_t i = 0; i < length; i++) {
            out[i] = text_upper(value[i]);
        }
        out[length] = '\0';
    }
}

void possible_values(const struct vehicle *vehicle, struct allowed out[VIN_LENGTH])
{
    memset(out, 0, VIN_LENGTH * sizeof *out);
    const char *text = vehicle_value(vehicle, "PossibleValues");
    while ((text = strchr(text, '(')) != NULL) {
        text++;
        size_t position = take_position(&text);
        if (*text == ':' && position > 0) {
            out[position - 1] = (struct allowed){.characters = text + 1, .count = strcspn(text + 1, "()")};
        }
    }
}

positions positions_suggested(const struct vehicle *vehicle)
{
    positions found = 0;
    char suggested[VIN_LENGTH + 1] = "";
    suggested_vin(vehicle, suggested);
    struct allowed allowed[VIN_LENGTH];
    possible_values(vehicle, allowed);
    const char *vin = vehicle_vin(vehicle);
    size_t length = strlen(vin), suggested_length = strlen(suggested);
    for (size_t i = 0; i < VIN_LENGTH; i++) {
        bool other = i < suggested_length && (suggested[i] == '!' || (i < length && suggested[i] != vin[i]));
        if (other || allowed[i].count > 0) {
            found |= bit(i + 1);
        }
    }
    return found;
}
