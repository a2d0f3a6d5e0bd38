#include "core/base/text.h"
#include "core/vpic/notes.h"
#include "core/vpic/positions.h"

#include <string.h>

/* How many combinations of possible characters are looked at; NHTSA's lists for several positions multiply. */
enum { COMBINATIONS_MAX = 20000 };

/* SuggestedVIN with the characters that may take the place of each "!"; `choice` is the combination that stands now. */
struct pattern {
    char vin[VIN_LENGTH + 1];
    struct allowed allowed[VIN_LENGTH];
    size_t choice[VIN_LENGTH];
};

/* False when the answer offers nothing, or marks a position without naming characters for it. */
static bool pattern_read(const struct vehicle *vehicle, struct pattern *out)
{
    memset(out, 0, sizeof *out);
    suggested_vin(vehicle, out->vin);
    possible_values(vehicle, out->allowed);
    for (size_t i = 0; out->vin[i] != '\0'; i++) {
        if (out->vin[i] == '!' && out->allowed[i].count == 0) {
            return false;
        }
    }
    return out->vin[0] != '\0';
}

/* Goes to the next combination, the last position fastest; false behind the last one. */
static bool pattern_next(struct pattern *pattern)
{
    for (size_t i = VIN_LENGTH; i-- > 0;) {
        if (pattern->vin[i] == '!') {
            if (++pattern->choice[i] < pattern->allowed[i].count) {
                return true;
            }
            pattern->choice[i] = 0;
        }
    }
    return false;
}

/* Writes the combination that stands now and judges it. False if it is `vin` itself or holds what no VIN can hold. */
static bool pattern_candidate(const struct pattern *pattern, const char *vin, struct suggestion *out)
{
    memset(out, 0, sizeof *out);
    size_t vin_length = strlen(vin), length = strlen(pattern->vin);
    for (size_t i = 0; i < length; i++) {
        bool open = pattern->vin[i] == '!';
        char character = open ? text_upper(pattern->allowed[i].characters[pattern->choice[i]]) : pattern->vin[i];
        if (!text_is_letter(character) && !text_is_digit(character) && character != '*') {
            return false;
        }
        out->vin[i] = character;
        out->differs[i] = i >= vin_length || vin[i] != character;
    }
    if (length == VIN_LENGTH && strchr(out->vin, '*') == NULL) {
        out->check_expected = vin_check_digit(out->vin);
        out->check_ok = out->check_expected == out->vin[VIN_CHECK_POSITION - 1];
    }
    return strcmp(out->vin, vin) != 0;
}

static bool listed(const struct suggestion *list, size_t count, const char *vin)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i].vin, vin) == 0) {
            return true;
        }
    }
    return false;
}

/* Adds the candidates whose check digit is right, or the others, to the `count` in the list. False if there are more
 * than it holds. */
static bool add_candidates(struct pattern *pattern, const char *vin, bool right, struct suggestion *list, size_t *count)
{
    size_t combinations = 0;
    memset(pattern->choice, 0, sizeof pattern->choice);
    do {
        struct suggestion candidate;
        if (pattern_candidate(pattern, vin, &candidate) && candidate.check_ok == right &&
            !listed(list, *count, candidate.vin)) {
            if (*count == SUGGESTIONS_MAX) {
                return false;
            }
            list[(*count)++] = candidate;
        }
        if (++combinations > COMBINATIONS_MAX) {
            return false;
        }
    } while (pattern_next(pattern));
    return true;
}

size_t notes_suggestions(const struct vehicle *vehicle, const char *vin, struct suggestion out[SUGGESTIONS_MAX])
{
    struct pattern pattern;
    size_t right = 0;
    if (!pattern_read(vehicle, &pattern) || !add_candidates(&pattern, vin, true, out, &right)) {
        return 0;
    }
    size_t all = right;
    return add_candidates(&pattern, vin, false, out, &all) ? all : right;
}

bool notes_open_suggestion(const struct vehicle *vehicle, char out[VIN_LENGTH + 1])
{
    suggested_vin(vehicle, out);
    return strchr(out, '!') != NULL;
}
