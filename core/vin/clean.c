#include "core/vin/clean.h"

#include "core/base/text.h"

#include <string.h>

enum clean_kind clean_kind(uint32_t character)
{
    static const struct {
        uint32_t first, last;
        enum clean_kind kind;
    } ranges[] = {
        /* What nearly all characters are: found at once. */
        {'0', '9', CLEAN_LEGAL},
        {'I', 'I', CLEAN_FORBIDDEN},
        {'O', 'O', CLEAN_FORBIDDEN},
        {'Q', 'Q', CLEAN_FORBIDDEN},
        {'A', 'Z', CLEAN_LEGAL},
        /* What the others are. */
        {0x00, 0x00, CLEAN_NUL},
        {'\t', '\t', CLEAN_TAB},
        {'\n', '\n', CLEAN_LF},
        {'\v', '\f', CLEAN_BLANK},
        {'\r', '\r', CLEAN_CR},
        {' ', ' ', CLEAN_BLANK},
        {'*', '*', CLEAN_STAR},
        {'-', '-', CLEAN_HYPHEN},
        {'.', '.', CLEAN_DOT},
        {0x85, 0x85, CLEAN_BLANK},
        {0x01, 0x1f, CLEAN_CONTROL},
        {0x7f, 0x9f, CLEAN_CONTROL},
        {0xa0, 0xa0, CLEAN_BLANK},
        {0xad, 0xad, CLEAN_INVISIBLE},
        {0x61c, 0x61c, CLEAN_INVISIBLE},
        {0x1680, 0x1680, CLEAN_BLANK},
        {0x180e, 0x180e, CLEAN_INVISIBLE},
        {0x2000, 0x200a, CLEAN_BLANK},
        {0x200b, 0x200f, CLEAN_INVISIBLE},
        {0x2010, 0x2015, CLEAN_HYPHEN},
        {0x2028, 0x2029, CLEAN_BLANK},
        {0x202a, 0x202e, CLEAN_INVISIBLE},
        {0x202f, 0x202f, CLEAN_BLANK},
        {0x205f, 0x205f, CLEAN_BLANK},
        {0x2060, 0x206f, CLEAN_INVISIBLE},
        {0x2212, 0x2212, CLEAN_HYPHEN},
        {0x3000, 0x3000, CLEAN_BLANK},
        {0xfe00, 0xfe0f, CLEAN_INVISIBLE},
        {0xfe58, 0xfe58, CLEAN_HYPHEN},
        {0xfe63, 0xfe63, CLEAN_HYPHEN},
        {0xfeff, 0xfeff, CLEAN_INVISIBLE},
        {0xff0d, 0xff0d, CLEAN_HYPHEN},
        {0xe0000, 0xe007f, CLEAN_INVISIBLE},
    };
    for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
        if (character >= ranges[i].first && character <= ranges[i].last) {
            return ranges[i].kind;
        }
    }
    return CLEAN_OTHER;
}

/* Appends one character of `size` bytes, unless it does not fit. */
static void append(struct clean *clean, const char *character, size_t size)
{
    clean->length++;
    clean->cut = clean->cut || size > VIN_TEXT_MAX - clean->bytes;
    if (!clean->cut) {
        memcpy(clean->text + clean->bytes, character, size);
        clean->bytes += size;
    }
}

void clean_separators(const char *text, size_t length, struct clean *out)
{
    *out = (struct clean){0};
    for (size_t at = 0; at < length;) {
        uint32_t character;
        size_t size = text_character(text + at, length - at, &character);
        char upper = text_upper(text[at]);
        enum clean_kind kind = clean_kind(size == 1 && character != TEXT_BROKEN ? (unsigned char)upper : character);
        if (kind >= CLEAN_BLANK) {
            out->removed[kind]++;
        } else if (character == TEXT_BROKEN) {
            append(out, "\xef\xbf\xbd", 3);
        } else if (size == 1) {
            out->upper_cased = out->upper_cased || upper != text[at];
            append(out, &upper, 1);
        } else {
            append(out, text + at, size);
        }
        at += size;
    }
}

bool clean_is_vin(const char *text, size_t length)
{
    bool legal = length == VIN_LENGTH;
    for (size_t i = 0; i < length && legal; i++) {
        legal = clean_kind((unsigned char)text[i]) == CLEAN_LEGAL;
    }
    return legal;
}

/* How many bytes of the text between `from` and `end` are the one of the set that can stand there; `which` says it. */
static size_t leading(const char *text, size_t from, size_t end, unsigned allowed, unsigned *which)
{
    const char *at = text + from;
    size_t left = end - from;
    *which = 0;
    if (left > 0 && *at == '*') {
        *which = CLEAN_END_STARS & allowed;
        return 1;
    }
    if (left > 0 && *at == '%') {
        *which = CLEAN_END_PERCENT & allowed;
        return 1;
    }
    if (left > 0 && *at == 'I') {
        *which = CLEAN_END_LEADING_I & allowed;
        return 1;
    }
    if (left > 2 && *at == ']' && text_is_letter(at[1]) && text_is_digit(at[2])) {
        *which = CLEAN_END_AIM & allowed;
        return 3;
    }
    if (left > 2 && memcmp(at, "VIN", 3) == 0) {
        *which = CLEAN_END_LABEL & allowed;
        return left > 3 && strchr(":=#", at[3]) != NULL ? 4 : 3;
    }
    return 0;
}

unsigned clean_ends(struct clean *clean, unsigned allowed)
{
    unsigned used = 0, which = 0;
    if (clean->cut) {
        return 0; /* what stands at the end is not known */
    }
    size_t from = 0, end = clean->bytes;
    while (end > 0 && clean->text[end - 1] == '*' && (allowed & CLEAN_END_STARS) != 0) {
        used |= CLEAN_END_STARS;
        end--;
    }
    while (from < end && !clean_is_vin(clean->text + from, end - from)) {
        size_t size = leading(clean->text, from, end, allowed, &which);
        bool again = (used & which & ~(unsigned)CLEAN_END_STARS) != 0;
        if (which == 0 || again) {
            return 0;
        }
        used |= which;
        from += size;
    }
    if (used == 0 || from >= end) {
        return 0;
    }
    memmove(clean->text, clean->text + from, VIN_LENGTH);
    clean->text[VIN_LENGTH] = '\0';
    clean->bytes = clean->length = VIN_LENGTH;
    return used;
}
