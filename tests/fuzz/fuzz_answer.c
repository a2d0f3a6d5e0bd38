/* Any bytes as the body of an answer: everything that can be asked about the result is asked. */
#include "core/vpic/answer.h"
#include "core/vpic/notes.h"
#include "fuzz/promise.h"

#include <string.h>

static void ask_fields(const struct vehicle *vehicle)
{
    size_t count = vehicle_field_count(vehicle), states[FIELD_VALUE + 1] = {0};
    for (size_t i = 0; i < count; i++) {
        struct vehicle_field field = vehicle_field_at(vehicle, i);
        promise(vehicle_value(vehicle, field.name) == field.value, "each name stands once and is found");
        promise(strlen(field.value) < vehicle_size(vehicle), "values stand inside the vehicle");
        states[field.state]++;
    }
    for (int state = FIELD_NO_DATA; state <= FIELD_VALUE; state++) {
        promise(vehicle_count(vehicle, (enum field_state)state) == states[state], "states are counted");
    }
    for (size_t i = 1; i < vehicle_code_count(vehicle); i++) {
        promise(vehicle_code_at(vehicle, i - 1) < vehicle_code_at(vehicle, i), "codes ascend");
    }
    promise(vehicle_is_sparse(vehicle) || count > 0, "nothing is sparse");
}

static void ask_notes(const struct vehicle *vehicle)
{
    static struct note notes[NOTES_MAX];
    static struct suggestion suggestions[SUGGESTIONS_MAX];
    bool marks[VIN_LENGTH];
    size_t count = notes_read(vehicle, notes);
    promise(count <= NOTES_MAX, "notes fit");
    for (size_t i = 0; i < count; i++) {
        promise(notes[i].text[0] != '\0', "a note says something");
        promise(memchr(notes[i].text, '\0', NOTE_TEXT_MAX) != NULL, "the text of a note ends");
        promise(notes[i].severity <= notes_severity(vehicle), "none is worse than the worst");
    }
    notes_cut(vehicle);
    notes_positions(vehicle, marks);
    count = notes_suggestions(vehicle, vehicle_vin(vehicle), suggestions);
    promise(count <= SUGGESTIONS_MAX, "suggestions fit");
    for (size_t i = 0; i < count; i++) {
        promise(strcmp(suggestions[i].vin, vehicle_vin(vehicle)) != 0, "a suggestion is another VIN");
    }
}

static void read_answer(const char *body, size_t size)
{
    struct answer answer;
    answer_read(body, size, &answer);
    promise(answer.kind == ANSWER_VEHICLES || answer.kind == ANSWER_NO_RESULTS || answer.count == 0,
            "no rows in a page");
    promise(memchr(answer.message, '\0', ANSWER_MESSAGE_MAX) != NULL, "the message ends");
    for (size_t i = 0; i < answer.count; i++) {
        if (answer.vehicles[i] != NULL) {
            struct vehicle *copy = vehicle_copy(answer.vehicles[i]);
            struct vehicle *vehicle = answer_take(&answer, i);
            promise(vehicle_size(copy) == vehicle_size(vehicle), "a copy is as large");
            vehicle_free(vehicle);
            ask_fields(copy);
            ask_notes(copy);
            vehicle_free(copy);
        }
    }
    answer_clear(&answer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_answer((const char *)data, size);
    return 0;
}
