#ifndef CORE_BASE_TEXT_H
#define CORE_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ASCII alone, whatever the locale: bytes from 0x80 are no letters, no digits and no blanks. Pure; any thread. */

bool text_is_digit(char byte);
bool text_is_letter(char byte);
bool text_is_blank(char byte); /* space, tab, CR, LF, vertical tab, form feed */
char text_upper(char byte);
char text_lower(char byte);

/* -1, 0 or 1 as `a` sorts before, with or after `b` when upper and lower case are one. */
int text_compare(const char *a, const char *b);

/* Whether `length` bytes at `bytes` are the text `wanted`, in any case. */
bool text_is(const char *bytes, size_t length, const char *wanted);

/* Where `length` bytes at `bytes` begin when the blanks at both ends are left out; `length` becomes what remains. */
const char *text_trim(const char *bytes, size_t *length);

/* What text_character() gives for a byte that belongs to no well-formed character. */
#define TEXT_BROKEN UINT32_C(0xffffffff)

/* Reads one character of UTF-8 (RFC 3629: no overlong forms, no surrogates) from `length` bytes, at least 1, into
 * `character`. Returns how many bytes it took; a broken one takes 1. */
size_t text_character(const char *bytes, size_t length, uint32_t *character);

#endif
