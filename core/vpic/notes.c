#include "core/vpic/notes.h"

#include "core/base/text.h"
#include "core/vin/maker.h"
#include "core/vpic/positions.h"
#include "core/vpic/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* NHTSA cuts its texts at so many characters, in mid-word (vpic.md 2.3). */
enum { NHTSA_TEXT_MAX = 500 };

/* The codes that have something to add to our sentence (vpic.md 2.4). */
enum {
    CODE_CLEAN = 0,
    CODE_CHECK_DIGIT = 1,
    CODE_CORRECTED = 2,
    CODE_CORRECTED_BY_DIGIT = 3,
    CODE_SEVERAL_MATCHES = 4,
    CODE_FEW_POSITIONS = 5,
    CODE_INCOMPLETE = 6,
    CODE_MODEL_YEAR = 11,
    CODE_PARTIAL_DATA = 14,
    CODE_INVALID_CHARACTERS = 400
};

static void __attribute__((format(printf, 2, 3))) add(struct note *note, const char *format, ...)
{
    size_t length = strlen(note->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(note->text + length, sizeof note->text - length, format, arguments);
    va_end(arguments);
}

/* NHTSA's texts; before 2019 they stood in ErrorCode. */
static const char *nhtsa_text(const struct vehicle *vehicle)
{
    const char *text = vehicle_value(vehicle, "ErrorText");
    return text[strspn(text, " ")] != '\0' ? text : vehicle_value(vehicle, "ErrorCode");
}

/* Where the piece of code `code` begins in NHTSA's text, "N - ...": at its start or behind "; ". NULL if nowhere. */
static const char *find_piece(const char *text, int code)
{
    char number[16];
    int digits = snprintf(number, sizeof number, "%d", code);
    for (const char *at = text; (at = strstr(at, number)) != NULL; at += digits) {
        const char *before = at, *behind = at + digits;
        while (before > text && before[-1] == ' ') {
            before--;
        }
        behind += strspn(behind, " ");
        if ((before == text || before[-1] == ';') && *behind == '-') {
            return at;
        }
    }
    return NULL;
}

/* NHTSA's text for a code that we have no sentence for. A piece ends where that of another code of the set begins: a
 * semicolon alone ends nothing, since texts hold some. */
static void add_piece(const struct vehicle *vehicle, struct note *note)
{
    const char *text = nhtsa_text(vehicle);
    const char *piece = find_piece(text, note->code);
    if (piece == NULL) {
        add(note, "NHTSA gave the code %d and no text for it.", note->code);
        return;
    }
    size_t length = strlen(piece);
    for (size_t i = 0; i < vehicle_code_count(vehicle); i++) {
        const char *other = find_piece(text, vehicle_code_at(vehicle, i));
        if (other > piece && (size_t)(other - piece) < length) {
            length = (size_t)(other - piece);
        }
    }
    piece = text_trim(piece, &length);
    if (length > 0 && piece[length - 1] == ';') {
        length--;
    }
    add(note, "%.*s", (int)utf8_cut(piece, length, NOTE_TEXT_MAX - 1), piece);
}

static void add_positions(struct note *note, positions set)
{
    bool several = (set & (set - 1)) != 0;
    const char *separator = several ? " Positions " : " Position ";
    const char *end = set == 0 ? "" : ".";
    for (int position = 1; set != 0; position++, set >>= 1) {
        if ((set & 1) != 0) {
            add(note, "%s%d", separator, position);
            separator = ", ";
        }
    }
    add(note, "%s", end);
}

/* What stands in position 9 and what the others call for, and where a mismatch means little. */
static void add_check_digit(const char *vin, struct note *note)
{
    char expected = strlen(vin) == VIN_LENGTH ? vin_check_digit(vin) : '\0', actual = vin[VIN_CHECK_POSITION - 1];
    if (expected != '\0' && (text_is_letter(actual) || text_is_digit(actual))) {
        add(note, " It is %c; the others call for %c.", actual, expected);
    }
    struct maker maker;
    if (maker_find(vin, &maker) && !maker.north_american) {
        add(note, " This is normal for a vehicle that was not built for North America.");
    }
}

/* What this answer adds to our sentence for the code. */
static void add_details(const struct vehicle *vehicle, struct note *note)
{
    const char *vin = vehicle_vin(vehicle);
    switch (note->code) {
    case CODE_CLEAN:
        if (strstr(nhtsa_text(vehicle), "Check Digit Exception") != NULL) {
            add(note, " Its check digit does not match, but NHTSA makes an exception: the maker reported the error.");
        }
        break;
    case CODE_CHECK_DIGIT:
        add_check_digit(vin, note);
        break;
    case CODE_CORRECTED:
    case CODE_CORRECTED_BY_DIGIT:
    case CODE_SEVERAL_MATCHES:
    case CODE_FEW_POSITIONS:
        add_positions(note, positions_suggested(vehicle));
        break;
    case CODE_PARTIAL_DATA:
        add_positions(note, positions_unused(vehicle));
        break;
    case CODE_INVALID_CHARACTERS:
        add_positions(note, positions_invalid(vehicle));
        break;
    default:
        break;
    }
}

/* The severity of a code in this answer: a VIN that was sent in part on purpose, with "*" in it, is no reason to warn.
 */
static enum severity severity_of(const struct vehicle *vehicle, int code)
{
    const struct catalogue_code *known = catalogue_code(code);
    if (code == CODE_INCOMPLETE && strchr(vehicle_vin(vehicle), '*') != NULL) {
        return SEVERITY_INFO;
    }
    return known == NULL ? SEVERITY_WARNING : known->severity;
}

/* Whether NHTSA remarks something without a number that could be read. */
static bool remarks_without_code(const struct vehicle *vehicle)
{
    if (vehicle_code_count(vehicle) > 0) {
        return false;
    }
    const char *text = nhtsa_text(vehicle);
    return text[strspn(text, " ")] != '\0';
}

size_t notes_read(const struct vehicle *vehicle, struct note out[NOTES_MAX])
{
    size_t count = 0;
    for (; count < NOTES_MAX && count < vehicle_code_count(vehicle); count++) {
        struct note *note = &out[count];
        *note = (struct note){.code = vehicle_code_at(vehicle, count)};
        note->severity = severity_of(vehicle, note->code);
        const struct catalogue_code *known = catalogue_code(note->code);
        if (known != NULL) {
            add(note, "%s", known->sentence);
            add_details(vehicle, note);
        } else {
            add_piece(vehicle, note);
        }
    }
    if (remarks_without_code(vehicle)) {
        const char *text = nhtsa_text(vehicle);
        out[0] = (struct note){.code = NOTE_WITHOUT_CODE, .severity = SEVERITY_WARNING};
        add(&out[0], "%.*s", (int)utf8_cut(text, strlen(text), NOTE_TEXT_MAX - 1), text);
        count = 1;
    }
    return count;
}

enum severity notes_severity(const struct vehicle *vehicle)
{
    enum severity worst = remarks_without_code(vehicle) ? SEVERITY_WARNING : SEVERITY_OK;
    for (size_t i = 0; i < vehicle_code_count(vehicle); i++) {
        enum severity severity = severity_of(vehicle, vehicle_code_at(vehicle, i));
        worst = severity > worst ? severity : worst;
    }
    return worst;
}

bool notes_cut(const struct vehicle *vehicle)
{
    return utf8_count(vehicle_value(vehicle, "AdditionalErrorText")) >= NHTSA_TEXT_MAX ||
           utf8_count(vehicle_value(vehicle, "ErrorText")) >= NHTSA_TEXT_MAX;
}

void notes_positions(const struct vehicle *vehicle, bool marks[VIN_LENGTH])
{
    positions set = positions_invalid(vehicle) | positions_suggested(vehicle);
    if (vehicle_has_code(vehicle, CODE_CHECK_DIGIT)) {
        set |= (positions)1 << (VIN_CHECK_POSITION - 1);
    }
    if (vehicle_has_code(vehicle, CODE_MODEL_YEAR)) {
        set |= (positions)1 << (VIN_YEAR_POSITION - 1);
    }
    for (size_t i = 0; i < VIN_LENGTH; i++) {
        marks[i] = (set >> i & 1) != 0;
    }
}
