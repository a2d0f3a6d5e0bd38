#include "core/base/text.h"

#include <string.h>

bool text_is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

bool text_is_letter(char byte)
{
    return (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
}

bool text_is_blank(char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

char text_upper(char byte)
{
    if (byte >= 'a' && byte <= 'z') {
        return (char)(byte - 'a' + 'A');
    }
    return byte;
}

char text_lower(char byte)
{
    if (byte >= 'A' && byte <= 'Z') {
        return (char)(byte - 'A' + 'a');
    }
    return byte;
}

int text_compare(const char *a, const char *b)
{
    while (*a != '\0' && text_lower(*a) == text_lower(*b)) {
        a++;
        b++;
    }
    unsigned char left = (unsigned char)text_lower(*a), right = (unsigned char)text_lower(*b);
    return (left > right) - (left < right);
}

bool text_is(const char *bytes, size_t length, const char *wanted)
{
    if (strlen(wanted) != length) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        if (text_lower(bytes[i]) != text_lower(wanted[i])) {
            return false;
        }
    }
    return true;
}

const char *text_trim(const char *bytes, size_t *length)
{
    while (*length > 0 && text_is_blank(bytes[0])) {
        bytes++;
        (*length)--;
    }
    while (*length > 0 && text_is_blank(bytes[*length - 1])) {
        (*length)--;
    }
    return bytes;
}

size_t text_character(const char *bytes, size_t length, uint32_t *character)
{
    unsigned char first = (unsigned char)bytes[0];
    if (first < 0x80) {
        *character = first;
        return 1;
    }
    /* The lead byte says how many bytes there are; a value that fewer could hold is an overlong form. */
    size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    uint32_t value = first & (0xffu >> (size + 1));
    bool whole = first >= 0xc2 && first <= 0xf4 && size <= length;
    for (size_t i = 1; whole && i < size; i++) {
        unsigned char next = (unsigned char)bytes[i];
        whole = (next & 0xc0) == 0x80;
        value = value << 6 | (next & 0x3f);
    }
    if (!whole || value < smallest[size] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) {
        *character = TEXT_BROKEN;
        return 1;
    }
    *character = value;
    return size;
}
