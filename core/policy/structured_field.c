#include "core/policy/structured_field.h"

#include "core/base/text.h"

#include <string.h>

/* RFC 9651 4.2.4: an Integer has at most 15 digits, a Decimal at most 12 before and 3 behind its point. */
enum { INTEGER_DIGITS = 15, DECIMAL_WHOLE_DIGITS = 12, DECIMAL_PLACES = 3 };

struct structured_reader structured_read(const char *text, size_t length)
{
    return (struct structured_reader){.at = text, .end = text + length};
}

/* What comes next, a tab as a space; 0 at the end. (A NUL in the text is no legal character anywhere either.) */
static char peek(const struct structured_reader *reader)
{
    if (reader->at == reader->end) {
        return 0;
    }
    return *reader->at == '\t' ? ' ' : *reader->at;
}

static bool take(struct structured_reader *reader, char wanted)
{
    if (reader->at == reader->end || peek(reader) != wanted) {
        return false;
    }
    reader->at++;
    return true;
}

static bool fail(struct structured_reader *reader)
{
    reader->failed = true;
    reader->at = reader->end;
    return false;
}

static void skip_spaces(struct structured_reader *reader)
{
    while (take(reader, ' ')) {
    }
}

static bool is_one_of(char byte, const char *set)
{
    return byte != 0 && strchr(set, byte) != NULL;
}

static bool is_lower(char byte)
{
    return byte >= 'a' && byte <= 'z';
}

static bool read_key(struct structured_reader *reader, struct structured_key *key)
{
    key->text = reader->at;
    if (!is_lower(peek(reader)) && peek(reader) != '*') {
        return fail(reader);
    }
    while (is_lower(peek(reader)) || text_is_digit(peek(reader)) || is_one_of(peek(reader), "_-.*")) {
        reader->at++;
    }
    key->length = (size_t)(reader->at - key->text);
    return true;
}

/* 4.2.4. */
static bool read_number(struct structured_reader *reader, struct structured_item *item)
{
    bool negative = take(reader, '-');
    int digits = 0, places = 0;
    int64_t value = 0;
    for (; text_is_digit(peek(reader)); reader->at++) {
        if (++digits > INTEGER_DIGITS) {
            return fail(reader);
        }
        value = value * 10 + (*reader->at - '0');
    }
    if (digits == 0) {
        return fail(reader);
    }
    item->integer = negative ? -value : value;
    item->kind = STRUCTURED_INTEGER;
    if (!take(reader, '.')) {
        return true;
    }
    for (; text_is_digit(peek(reader)); reader->at++) {
        places++;
    }
    item->kind = STRUCTURED_DECIMAL;
    return digits <= DECIMAL_WHOLE_DIGITS && places >= 1 && places <= DECIMAL_PLACES ? true : fail(reader);
}

/* 4.2.5, behind the opening quote. */
static bool read_string(struct structured_reader *reader, struct structured_item *item)
{
    item->kind = STRUCTURED_STRING;
    item->text = reader->at;
    while (peek(reader) != '"') {
        if (take(reader, '\\') && peek(reader) != '"' && peek(reader) != '\\') {
            return fail(reader);
        }
        if (peek(reader) < 0x20 || peek(reader) == 0x7f) {
            return fail(reader);
        }
        reader->at++;
    }
    item->length = (size_t)(reader->at - item->text);
    reader->at++;
    return true;
}

/* 4.2.6. */
static bool read_token(struct structured_reader *reader, struct structured_item *item)
{
    item->kind = STRUCTURED_TOKEN;
    item->text = reader->at;
    while (text_is_letter(peek(reader)) || text_is_digit(peek(reader)) ||
           is_one_of(peek(reader), "!#$%&'*+-.^_`|~:/")) {
        reader->at++;
    }
    item->length = (size_t)(reader->at - item->text);
    return true;
}

/* 4.2.7, behind the opening colon. Padding may be missing, but stands nowhere else than at the end. */
static bool read_bytes(struct structured_reader *reader, struct structured_item *item)
{
    item->kind = STRUCTURED_BYTES;
    int digits = 0, padding = 0;
    while (text_is_letter(peek(reader)) || text_is_digit(peek(reader)) || is_one_of(peek(reader), "+/")) {
        reader->at++;
        digits = (digits + 1) % 4;
    }
    while (take(reader, '=')) {
        padding++;
    }
    bool whole = digits != 1 && (padding == 0 || (digits > 0 && digits + padding == 4));
    return whole && take(reader, ':') ? true : fail(reader);
}

/* 4.2.8, behind the question mark. */
static bool read_boolean(struct structured_reader *reader, struct structured_item *item)
{
    item->kind = STRUCTURED_BOOLEAN;
    item->integer = peek(reader) == '1';
    return take(reader, '0') || take(reader, '1') ? true : fail(reader);
}

/* 4.2.9, behind the at sign. */
static bool read_date(struct structured_reader *reader, struct structured_item *item)
{
    if (!read_number(reader, item) || item->kind != STRUCTURED_INTEGER) {
        return fail(reader);
    }
    item->kind = STRUCTURED_DATE;
    return true;
}

static int hexadecimal(char byte)
{
    if (text_is_digit(byte)) {
        return byte - '0';
    }
    return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

/* How many bytes follow the first byte of a UTF-8 sequence, and what the second may be; -1 for no first byte. */
static int utf8_followers(unsigned first, unsigned *lowest, unsigned *highest)
{
    *lowest = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    *highest = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (first < 0x80) {
        return 0;
    }
    if (first < 0xc2 || first > 0xf4) {
        return -1;
    }
    return first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
}

/* 4.2.10, behind the per cent sign: percent-encoded UTF-8 in quotes. */
static bool read_display_string(struct structured_reader *reader, struct structured_item *item)
{
    item->kind = STRUCTURED_DISPLAY_STRING;
    int due = 0;
    unsigned lowest = 0x80, highest = 0xbf;
    if (!take(reader, '"')) {
        return fail(reader);
    }
    while (peek(reader) != '"' || due > 0) {
        if (peek(reader) < 0x20 || peek(reader) == 0x7f) {
            return fail(reader);
        }
        unsigned byte = (unsigned char)peek(reader);
        reader->at++;
        if (byte == '%') {
            int high = hexadecimal(peek(reader));
            reader->at += high >= 0;
            int low = hexadecimal(peek(reader));
            reader->at += low >= 0;
            if (high < 0 || low < 0) {
                return fail(reader);
            }
            byte = (unsigned)(high * 16 + low);
        }
        if (due > 0) {
            if (byte < lowest || byte > highest) {
                return fail(reader);
            }
            lowest = 0x80;
            highest = 0xbf;
            due--;
        } else {
            due = utf8_followers(byte, &lowest, &highest);
            if (due < 0) {
                return fail(reader);
            }
        }
    }
    reader->at++;
    return true;
}

/* 4.2.3.1. */
static bool read_bare_item(struct structured_reader *reader, struct structured_item *item)
{
    *item = (struct structured_item){0};
    char first = peek(reader);
    if (text_is_digit(first) || first == '-') {
        return read_number(reader, item);
    }
    if (text_is_letter(first) || first == '*') {
        return read_token(reader, item);
    }
    switch (first) {
    case '"':
        reader->at++;
        return read_string(reader, item);
    case ':':
        reader->at++;
        return read_bytes(reader, item);
    case '?':
        reader->at++;
        return read_boolean(reader, item);
    case '@':
        reader->at++;
        return read_date(reader, item);
    case '%':
        reader->at++;
        return read_display_string(reader, item);
    default:
        return fail(reader);
    }
}

/* 4.2.1.2, behind the opening bracket: the items are read and dropped. */
static bool read_inner_list(struct structured_reader *reader, struct structured_item *item)
{
    struct structured_key key;
    struct structured_item dropped;
    for (;;) {
        skip_spaces(reader);
        if (take(reader, ')')) {
            *item = (struct structured_item){.kind = STRUCTURED_INNER_LIST};
            return true;
        }
        if (!read_bare_item(reader, &dropped)) {
            return false;
        }
        while (structured_parameter_next(reader, &key, &dropped)) {
        }
        if (reader->failed || (peek(reader) != ' ' && peek(reader) != ')')) {
            return fail(reader);
        }
    }
}

static bool read_member(struct structured_reader *reader, struct structured_item *item)
{
    return take(reader, '(') ? read_inner_list(reader, item) : read_bare_item(reader, item);
}

/* Goes to where the next member begins. False at the end; a comma must have a member behind it. */
static bool go_to_member(struct structured_reader *reader)
{
    if (reader->failed) {
        return false;
    }
    skip_spaces(reader);
    if (reader->at == reader->end) {
        return false;
    }
    if (!reader->begun) {
        reader->begun = true;
        return true;
    }
    if (!take(reader, ',')) {
        return fail(reader);
    }
    skip_spaces(reader);
    return reader->at < reader->end ? true : fail(reader);
}

bool structured_list_next(struct structured_reader *reader, struct structured_item *item)
{
    return go_to_member(reader) && read_member(reader, item);
}

/* A key without a value is a boolean true (4.2.2, 4.2.3.2). */
static const struct structured_item true_item = {.kind = STRUCTURED_BOOLEAN, .integer = 1};

bool structured_dictionary_next(struct structured_reader *reader, struct structured_key *key,
                                struct structured_item *item)
{
    if (!go_to_member(reader) || !read_key(reader, key)) {
        return false;
    }
    *item = true_item;
    return take(reader, '=') ? read_member(reader, item) : true;
}

bool structured_parameter_next(struct structured_reader *reader, struct structured_key *key,
                               struct structured_item *item)
{
    if (reader->failed || !take(reader, ';')) {
        return false;
    }
    skip_spaces(reader);
    if (!read_key(reader, key)) {
        return false;
    }
    *item = true_item;
    return take(reader, '=') ? read_bare_item(reader, item) : true;
}

bool structured_key_is(const struct structured_key *key, const char *wanted)
{
    return strlen(wanted) == key->length && memcmp(key->text, wanted, key->length) == 0;
}

/* The next character of a string's text: an escaped one without its backslash, a tab as a space. */
static char next_character(const struct structured_item *item, size_t *at)
{
    if (item->kind == STRUCTURED_STRING && item->text[*at] == '\\') {
        ++*at;
    }
    char character = item->text[(*at)++];
    return character == '\t' ? ' ' : character;
}

bool structured_same_text(const struct structured_item *a, const struct structured_item *b)
{
    size_t at_a = 0, at_b = 0;
    while (at_a < a->length && at_b < b->length) {
        if (next_character(a, &at_a) != next_character(b, &at_b)) {
            return false;
        }
    }
    return at_a == a->length && at_b == b->length;
}
