#ifndef CORE_VPIC_NOTES_H
#define CORE_VPIC_NOTES_H

#include "core/vin/vin.h"
#include "core/vpic/catalogue.h"
#include "core/vpic/vehicle.h"

/* NHTSA's remarks about a VIN, as notes for people (vpic.md 2.4). Pure; any thread. */

enum { NOTES_MAX = 24, NOTE_TEXT_MAX = 640, NOTE_WITHOUT_CODE = -1 };

struct note {
    int code; /* NOTE_WITHOUT_CODE: NHTSA remarks something, and no number could be read */
    enum severity severity;
    char text[NOTE_TEXT_MAX]; /* our sentence with what the answer adds; for an unknown code NHTSA's text, bytes */
};

/* The notes of an answer, in the order of the codes. The check-digit exception of code 0 is honoured. Returns how many.
 */
size_t notes_read(const struct vehicle *vehicle, struct note out[NOTES_MAX]);

/* The worst severity among them. */
enum severity notes_severity(const struct vehicle *vehicle);

/* Whether NHTSA cut AdditionalErrorText or ErrorText at its 500 characters. */
bool notes_cut(const struct vehicle *vehicle);

/* Marks the positions that the answer calls wrong: marks[p - 1] for position p. These are the invalid characters, those
 * that SuggestedVIN and PossibleValues would change, 9 with code 1 and 10 with code 11. Unused positions (code 14) are
 * not wrong; the text of the note names them. */
void notes_positions(const struct vehicle *vehicle, bool marks[VIN_LENGTH]);

enum { SUGGESTIONS_MAX = 32 };

struct suggestion {
    char vin[VIN_LENGTH + 1];
    bool differs[VIN_LENGTH]; /* from the VIN asked for */
    char check_expected;      /* 0: cannot be computed */
    bool check_ok;
};

/* What SuggestedVIN and PossibleValues offer instead of `vin` (upper case); a blank, an equal or an unchanged one is
 * none. Those whose check digit is right come first. The choices for several positions multiply: where not all
 * combinations fit, only those with the right digit are offered, and where these do not fit either, none, because a
 * part of so many would be a guess. Never applied by itself. Returns how many. */
size_t notes_suggestions(const struct vehicle *vehicle, const char *vin, struct suggestion out[SUGGESTIONS_MAX]);

/* Whether SuggestedVIN marks positions with "!"; `out` becomes it. Without suggestions so much fits there that it is
 * not listed, which has to be said. */
bool notes_open_suggestion(const struct vehicle *vehicle, char out[VIN_LENGTH + 1]);

#endif
