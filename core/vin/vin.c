#include "core/vin/vin.h"

#include "core/vin/clean.h"

#include "core/base/text.h"

#include <string.h>

int vin_value(char character)
{
    static const char values[] = "12345678.12345.7.923456789"; /* of A to Z; I, O and Q have none */
    if (text_is_digit(character)) {
        return character - '0';
    }
    if (character < 'A' || character > 'Z' || values[character - 'A'] == '.') {
        return -1;
    }
    return values[character - 'A'] - '0';
}

char vin_check_digit(const char *vin)
{
    /* 49 CFR 565.15, table IV. */
    static const int weights[VIN_LENGTH] = {8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2};
    int sum = 0;
    for (size_t i = 0; i < VIN_LENGTH; i++) {
        int value = vin_value(vin[i]);
        if (value < 0) {
            return 0;
        }
        sum += value * weights[i];
    }
    return "0123456789X"[sum % 11];
}

/* 49 CFR 565.15, table VII, and its repetition after 30 years. */
static void find_years(char code, int this_year, struct vin_check *out)
{
    static const char codes[] = "ABCDEFGHJKLMNPRSTVWXY123456789";
    enum { FIRST_YEAR = 1980, CYCLE = 30 };
    const char *at = strchr(codes, code);
    if (code == '\0' || at == NULL) {
        return;
    }
    for (int year = FIRST_YEAR + (int)(at - codes); year < FIRST_YEAR + 2 * CYCLE; year += CYCLE) {
        if (year <= this_year + 1) {
            out->years[out->year_count++] = year;
        }
    }
}

/* One place is kept for the length, which comes last. */
static void add_problem(struct vin_check *check, enum vin_problem_kind kind, size_t position)
{
    size_t room = position == 0 ? VIN_PROBLEMS_MAX : VIN_PROBLEMS_MAX - 1;
    if (check->problem_count < room) {
        check->problems[check->problem_count++] = (struct vin_problem){.kind = kind, .position = position};
    }
}

static void find_problems(const struct clean *clean, struct vin_check *out)
{
    size_t position = 1;
    for (size_t at = 0; at < clean->bytes; position++) {
        uint32_t character;
        at += text_character(clean->text + at, clean->bytes - at, &character);
        switch (clean_kind(character)) {
        case CLEAN_LEGAL:
            break;
        case CLEAN_FORBIDDEN:
            add_problem(out, VIN_FORBIDDEN_LETTER, position);
            break;
        case CLEAN_STAR:
            add_problem(out, VIN_WILDCARD, position);
            break;
        default:
            add_problem(out, VIN_BAD_CHARACTER, position);
            break;
        }
    }
    if (clean->length != VIN_LENGTH) {
        add_problem(out, clean->length == 0 ? VIN_EMPTY : clean->length < VIN_LENGTH ? VIN_TOO_SHORT : VIN_TOO_LONG, 0);
    }
}

static void check_clean(const struct clean *clean, int this_year, struct vin_check *out)
{
    *out = (struct vin_check){.length = clean->length};
    memcpy(out->text, clean->text, clean->bytes);
    find_problems(clean, out);
    if (clean->length >= VIN_YEAR_POSITION && clean->bytes == clean->length && clean->length <= VIN_LENGTH) {
        find_years(out->text[VIN_YEAR_POSITION - 1], this_year, out);
    }
    if (out->problem_count > 0) {
        return;
    }
    out->has_check_digit = true;
    out->check_expected = vin_check_digit(out->text);
    out->check_actual = out->text[VIN_CHECK_POSITION - 1];
    out->check_ok = out->check_actual == out->check_expected;
    out->one_character = strspn(out->text, (const char[]){out->text[0], '\0'}) == VIN_LENGTH;
}

void vin_check(const char *text, size_t length, int this_year, struct vin_check *out)
{
    struct clean clean;
    clean_separators(text, length, &clean);
    clean_ends(&clean, CLEAN_END_STARS | CLEAN_END_LEADING_I);
    check_clean(&clean, this_year, out);
}

void vin_check_whole(const char *text, size_t length, int this_year, struct vin_check *out)
{
    struct clean clean;
    clean_separators(text, length, &clean);
    check_clean(&clean, this_year, out);
}

int vin_year_of_car(const struct vin_check *check)
{
    enum { CYCLE_POSITION = 7 };
    char cycle = check->text[CYCLE_POSITION - 1];
    if (check->year_count != 2 || (!text_is_letter(cycle) && !text_is_digit(cycle))) {
        return 0;
    }
    return check->years[text_is_letter(cycle) ? 1 : 0];
}

enum vin_digit vin_digit(const struct vin_check *check)
{
    if (!check->has_check_digit) {
        return VIN_DIGIT_UNKNOWN;
    }
    if (check->check_ok) {
        return VIN_DIGIT_MATCHES;
    }
    if (vin_is_north_american(check->text)) {
        return VIN_DIGIT_WRONG;
    }
    return memcmp(check->text + 3, "ZZZ", 3) == 0 ? VIN_DIGIT_NOT_EXPECTED : VIN_DIGIT_DIFFERS;
}

bool vin_is_north_american(const char *vin)
{
    return vin[0] != '\0' && strchr("123457", vin[0]) != NULL;
}

enum vin_verdict vin_verdict(const struct vin_check *check)
{
    enum vin_verdict verdict = vin_digit(check) == VIN_DIGIT_WRONG ? VIN_ASK : VIN_SENDABLE;
    for (size_t i = 0; i < check->problem_count; i++) {
        switch (check->problems[i].kind) {
        case VIN_EMPTY:
        case VIN_TOO_LONG:
        case VIN_BAD_CHARACTER:
            return VIN_BLOCKED;
        case VIN_TOO_SHORT:
        case VIN_FORBIDDEN_LETTER:
        case VIN_WILDCARD:
            verdict = VIN_ASK;
        }
    }
    return verdict;
}

bool vin_key_equal(const struct vin_key *a, const struct vin_key *b)
{
    return a->year == b->year && strcmp(a->vin, b->vin) == 0;
}
