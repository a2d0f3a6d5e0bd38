#ifndef CORE_VPIC_UTF8_H
#define CORE_VPIC_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Where characters of UTF-8 end, for cutting and counting: private to core/vpic. Broken bytes count as they fall. */

/* Whether `byte` goes on with a character that an earlier byte has begun. */
static inline bool utf8_continues(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* The largest length up to `most` at which `text` of `length` bytes can be cut between two characters. */
static inline size_t utf8_cut(const char *text, size_t length, size_t most)
{
    if (length <= most) {
        return length;
    }
    while (most > 0 && utf8_continues(text[most])) {
        most--;
    }
    return most;
}

/* How many characters a text has. */
static inline size_t utf8_count(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text++) {
        count += !utf8_continues(*text);
    }
    return count;
}

#endif
