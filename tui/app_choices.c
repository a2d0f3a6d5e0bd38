#include "tui/app_model.h"

#include "core/vin/lookalike.h"
#include "core/vpic/notes.h"

#include <string.h>

static size_t from_text(const struct app *app, struct choice *out)
{
    for (size_t i = 0; i < app->scan.candidate_count; i++) {
        struct choice *choice = &out[i];
        *choice = (struct choice){.kind = CHOICE_IN_TEXT};
        memcpy(choice->vin, app->scan.candidates[i], sizeof choice->vin);
        choice->check_expected = vin_check_digit(choice->vin);
        choice->check_ok = choice->check_expected == choice->vin[VIN_CHECK_POSITION - 1];
    }
    return app->scan.candidate_count;
}

static size_t from_answer(const struct app *app, const struct vehicle *vehicle, struct choice *out)
{
    struct suggestion suggestions[SUGGESTIONS_MAX];
    size_t count = notes_suggestions(vehicle, app->key.vin, suggestions);
    for (size_t i = 0; i < count; i++) {
        struct choice *choice = &out[i];
        *choice = (struct choice){
            .kind = CHOICE_NHTSA, .check_expected = suggestions[i].check_expected, .check_ok = suggestions[i].check_ok};
        memcpy(choice->vin, suggestions[i].vin, sizeof choice->vin);
        memcpy(choice->differs, suggestions[i].differs, sizeof choice->differs);
    }
    return count;
}

static size_t from_lookalikes(const struct app *app, struct choice *out)
{
    struct lookalike found[LOOKALIKE_MAX];
    enum vin_digit digit = vin_digit(&app->scan.check);
    bool free = digit == VIN_DIGIT_NOT_EXPECTED || digit == VIN_DIGIT_DIFFERS; /* a mismatch there says nothing */
    size_t count = !free && app->scan.check.length == VIN_LENGTH ? lookalike_find(app->key.vin, found) : 0;
    for (size_t i = 0; i < count; i++) {
        struct choice *choice = &out[i];
        *choice = (struct choice){.kind = CHOICE_LOOKALIKE, .check_ok = true, .same_value = found[i].same_value};
        memcpy(choice->vin, found[i].vin, sizeof choice->vin);
        choice->check_expected = choice->vin[VIN_CHECK_POSITION - 1];
        for (size_t p = 0; p < 2; p++) {
            if (found[i].positions[p] > 0) {
                choice->differs[found[i].positions[p] - 1] = true;
            }
        }
    }
    return count;
}

static bool offered(const struct choice *choices, size_t count, const char *vin)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(choices[i].vin, vin) == 0) {
            return true;
        }
    }
    return false;
}

/* NHTSA's before ours; nothing twice. */
size_t app_choices(const struct app *app, struct choice out[CHOICES_MAX])
{
    size_t count = from_text(app, out);
    if (!app->has_key) {
        return count;
    }
    const struct vehicle *vehicle = app_vehicle(app);
    if (vehicle != NULL) {
        count += from_answer(app, vehicle, out + count);
    }
    struct choice ours[LOOKALIKE_MAX];
    size_t found = from_lookalikes(app, ours);
    for (size_t i = 0; i < found; i++) {
        if (!offered(out, count, ours[i].vin)) {
            out[count++] = ours[i];
        }
    }
    return count;
}
