#include "core/vin/scan.h"

#include "core/vin/clean.h"

#include "core/base/text.h"

#include <stdio.h>
#include <string.h>

/* A longer run of letters and digits is no VIN with something before or behind it. */
enum { LONGEST_RUN_WITH_A_VIN = 2 * VIN_LENGTH };

/* What went, in words. A remark that does not fit is left out whole. */
static void say_removed(struct scan *scan, const char *what)
{
    size_t used = strlen(scan->removed), comma = used == 0 ? 0 : 2, size = strlen(what);
    if (used + comma + size < sizeof(scan->removed)) {
        memcpy(scan->removed + used, ", ", comma);
        memcpy(scan->removed + used + comma, what, size + 1);
    }
}

static void say_removed_ends(struct scan *scan, unsigned ends)
{
    static const struct {
        enum clean_end end;
        const char *what;
    } remarks[] = {
        {CLEAN_END_AIM, "AIM identifier"},
        {CLEAN_END_LABEL, "the word VIN"},
        {CLEAN_END_LEADING_I, "leading I (import label)"},
        {CLEAN_END_PERCENT, "leading % (check the first character)"},
        {CLEAN_END_STARS, "* at the ends"},
    };
    for (size_t i = 0; i < sizeof(remarks) / sizeof(remarks[0]); i++) {
        if ((ends & remarks[i].end) != 0) {
            say_removed(scan, remarks[i].what);
        }
    }
}

static void say_removed_separators(struct scan *scan, const size_t removed[CLEAN_KINDS])
{
    static const struct {
        enum clean_kind kind;
        const char *one, *many;
    } remarks[] = {
        {CLEAN_BLANK, "1 blank", "blanks"},
        {CLEAN_HYPHEN, "1 hyphen", "hyphens"},
        {CLEAN_DOT, "1 dot", "dots"},
        {CLEAN_TAB, "Tab", "Tabs"},
        {CLEAN_CR, "CR", "CRs"},
        {CLEAN_LF, "LF", "LFs"},
        {CLEAN_NUL, "1 NUL", "NULs"},
        {CLEAN_CONTROL, "1 control character", "control characters"},
        {CLEAN_INVISIBLE, "1 invisible character", "invisible characters"},
    };
    for (size_t i = 0; i < sizeof(remarks) / sizeof(remarks[0]); i++) {
        size_t count = removed[remarks[i].kind];
        if (count == 1) {
            say_removed(scan, remarks[i].one);
        } else if (count > 1) {
            char many[64];
            snprintf(many, sizeof(many), "%zu %s", count, remarks[i].many);
            say_removed(scan, many);
        }
    }
}

/* Whether a character belongs to a word: letters, digits and whatever else is no ASCII punctuation and no separator. A
 * dollar does: it may be half of a key that the reader should have sent (Full ASCII Code 39), so it is named, not
 * dropped. */
static bool is_of_a_word(uint32_t character, enum clean_kind kind)
{
    return kind == CLEAN_LEGAL || kind == CLEAN_FORBIDDEN ||
           (kind == CLEAN_OTHER && (character >= 0x80 || character == '$'));
}

/* Finds the next word at or after `at`; invisible characters do not end one. Returns where it ends, and the word
 * without them; its length is 0 when there is none. */
static size_t next_word(const char *text, size_t length, size_t at, struct clean *word)
{
    size_t start = length;
    while (at < length) {
        uint32_t character;
        size_t size = text_character(text + at, length - at, &character);
        enum clean_kind kind = clean_kind(character < 0x80 ? (unsigned char)text_upper(text[at]) : character);
        bool inside = is_of_a_word(character, kind);
        if (inside && start == length) {
            start = at;
        }
        if (!inside && kind != CLEAN_INVISIBLE && start < length) {
            break;
        }
        at += size;
    }
    clean_separators(text + start, at - start, word);
    return at;
}

static void offer(struct scan *scan, const char *vin)
{
    if (!clean_is_vin(vin, VIN_LENGTH) || scan->candidate_count == SCAN_CANDIDATES_MAX) {
        return;
    }
    for (size_t i = 0; i < scan->candidate_count; i++) {
        if (memcmp(scan->candidates[i], vin, VIN_LENGTH) == 0) {
            return;
        }
    }
    memcpy(scan->candidates[scan->candidate_count++], vin, VIN_LENGTH);
}

/* Offers the words that are VINs. The first of them is `vin`; returns where it ends. */
static size_t offer_words(const char *text, size_t length, struct clean *vin, struct scan *out)
{
    struct clean word;
    size_t end = 0;
    for (size_t at = 0; at < length;) {
        at = next_word(text, length, at, &word);
        if (clean_is_vin(word.text, word.bytes)) {
            if (out->candidate_count == 0) {
                *vin = word;
                end = at;
            }
            offer(out, word.text);
        }
    }
    return end;
}

static void offer_if_right(struct scan *scan, const char *part)
{
    if (vin_check_digit(part) == part[VIN_CHECK_POSITION - 1]) {
        offer(scan, part);
    }
}

/* Offers what a run that is too long may hold. Digits too many stand at one of the ends (B88), and a right check digit
 * is a hint, one in eleven by chance. */
static void offer_parts(const struct clean *run, struct scan *out)
{
    if (run->bytes <= VIN_LENGTH || run->bytes > LONGEST_RUN_WITH_A_VIN) {
        return;
    }
    const char *first = run->text, *last = run->text + run->bytes - VIN_LENGTH;
    offer_if_right(out, first);
    offer_if_right(out, last);
    for (const char *part = first + 1; part < last; part++) {
        offer_if_right(out, part);
    }
    offer(out, first);
    offer(out, last);
}

/* The same for each word that is too long, or, when blanks cut it into pieces, for the whole. */
static void offer_parts_of_words(const char *text, size_t length, const struct clean *whole, struct scan *out)
{
    struct clean word;
    for (size_t at = 0; at < length;) {
        at = next_word(text, length, at, &word);
        offer_parts(&word, out);
    }
    if (out->candidate_count == 0) {
        offer_parts(whole, out);
    }
}

/* A model year, alone in the text; 0: none from 1980 to this_year + 1. */
static int read_year(const char *text, size_t length, int this_year)
{
    struct clean digits;
    clean_separators(text, length, &digits);
    int year = 0;
    for (size_t i = 0; i < digits.bytes; i++) {
        if (!text_is_digit(digits.text[i])) {
            return 0;
        }
        year = year * 10 + (digits.text[i] - '0');
        if (year > this_year + 1) {
            return 0;
        }
    }
    return digits.bytes == 4 && year >= 1980 ? year : 0;
}

static bool ends_a_field(char byte)
{
    enum { END_OF_TRANSMISSION = 0x04, GROUP_SEPARATOR = 0x1d, RECORD_SEPARATOR = 0x1e };
    return byte == GROUP_SEPARATOR || byte == RECORD_SEPARATOR || byte == END_OF_TRANSMISSION;
}

/* The first field of an ISO 15434 envelope that is a VIN, as such or behind the data identifier I. The envelope begins
 * with "[)>"; GS, RS and EOT end its fields. */
static bool find_in_envelope(const char *text, size_t length, struct clean *vin)
{
    size_t at = 0;
    while (length - at >= 3 && memcmp(text + at, "[)>", 3) != 0) {
        at++;
    }
    if (length - at < 3) {
        return false;
    }
    while (at < length) {
        size_t end = at;
        while (end < length && !ends_a_field(text[end])) {
            end++;
        }
        clean_separators(text + at, end - at, vin);
        if (clean_is_vin(vin->text, vin->bytes) || clean_ends(vin, CLEAN_END_LEADING_I) != 0) {
            return true;
        }
        at = end + 1;
    }
    return false;
}

/* A model code with letters and digits, then five to seven digits (B58). */
static bool is_chassis_number(const char *text, size_t length)
{
    struct clean model, serial, rest;
    size_t at = next_word(text, length, 0, &model);
    at = next_word(text, length, at, &serial);
    next_word(text, length, at, &rest);
    return model.bytes >= 2 && model.bytes <= 7 && text_is_letter(model.text[0]) &&
           strpbrk(model.text, "0123456789") != NULL && serial.bytes >= 5 && serial.bytes <= 7 &&
           strspn(serial.text, "0123456789") == serial.bytes && rest.bytes == 0;
}

/* The year after a comma that follows a word of a longer text. */
static int year_after(const char *text, size_t length, size_t at, int this_year)
{
    while (at < length && text_is_blank(text[at])) {
        at++;
    }
    if (at == length || text[at] != ',') {
        return 0;
    }
    struct clean word;
    next_word(text, length, at, &word);
    return read_year(word.text, word.bytes, this_year);
}

/* The field holds one VIN or a part of one, and perhaps a year after a comma; what is `allowed` goes from the ends. */
static void take_field(const char *text, size_t length, int this_year, unsigned allowed, struct scan *out)
{
    const char *found = length == 0 ? NULL : memchr(text, ',', length);
    size_t comma = found == NULL ? length : (size_t)(found - text);
    if (comma < length) {
        out->year = read_year(text + comma + 1, length - comma - 1, this_year);
        out->year_bad = out->year == 0;
    }
    struct clean vin;
    clean_separators(text, comma, &vin);
    say_removed_ends(out, clean_ends(&vin, allowed));
    say_removed_separators(out, vin.removed);
    out->upper_cased = vin.upper_cased;
    if (vin.cut) {
        vin_check_whole(text, comma, this_year, &out->check); /* counts the whole text */
    } else {
        vin_check_whole(vin.text, vin.bytes, this_year, &out->check);
    }
    if (vin.length < VIN_LENGTH) {
        out->chassis_number = is_chassis_number(text, comma);
    } else if (vin.length > VIN_LENGTH) {
        offer_parts_of_words(text, comma, &vin, out);
    }
}

/* One VIN was found in a longer text. */
static void take_found(const struct clean *vin, const char *removed, int this_year, struct scan *out)
{
    vin_check(vin->text, vin->bytes, this_year, &out->check);
    out->upper_cased = vin->upper_cased;
    out->candidate_count = 0;
    say_removed(out, removed);
}

void scan_clean(const char *text, size_t length, int this_year, struct scan *out)
{
    *out = (struct scan){0};
    struct clean vin = {0};
    if (find_in_envelope(text, length, &vin)) {
        take_found(&vin, "ISO 15434 envelope", this_year, out);
        return;
    }
    size_t end = offer_words(text, length, &vin, out);
    if (out->candidate_count > 1) {
        vin_check(text, length, this_year, &out->check);
        return;
    }
    struct scan field = {0};
    take_field(text, length, this_year, CLEAN_END_ALL, &field);
    if (out->candidate_count == 1 && !field.check.has_check_digit) {
        take_found(&vin, "text around the VIN", this_year, out);
        out->year = year_after(text, length, end, this_year);
        return;
    }
    *out = field;
}

void scan_original(const char *text, size_t length, int this_year, struct scan *out)
{
    *out = (struct scan){0};
    take_field(text, length, this_year, 0, out);
    out->removed[0] = '\0';
    out->upper_cased = false;
}

struct vin_key scan_key(const struct scan *scan, int default_year)
{
    struct vin_key key = {.year = scan->year != 0 ? scan->year : default_year};
    if (scan->check.length <= VIN_LENGTH) {
        snprintf(key.vin, sizeof(key.vin), "%.*s", VIN_LENGTH, scan->check.text);
    }
    return key;
}
