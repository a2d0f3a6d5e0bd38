#include "core/policy/header_value.h"

#include "core/base/text.h"
#include "core/policy/http_date.h"

#include <string.h>

enum { LINE_MAX_BYTES = 1024, NUMBER_MAX_DIGITS = 15, EPOCH_AGE_MAX_MS = 24 * 60 * 60 * 1000 };

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

int64_t header_smallest_known(int64_t a, int64_t b)
{
    if (a == QUOTA_UNKNOWN || b == QUOTA_UNKNOWN) {
        return larger(a, b);
    }
    return a < b ? a : b;
}

/* P1: the name in any case, and nothing else. */
static bool has_name(const struct header_field *field, const struct header_name *name)
{
    return field->name_length == name->length && text_is(field->name, field->name_length, name->text);
}

struct slice header_trim(struct slice slice)
{
    while (slice.length > 0 && (slice.text[0] == ' ' || slice.text[0] == '\t')) {
        slice.text++;
        slice.length--;
    }
    while (slice.length > 0 && (slice.text[slice.length - 1] == ' ' || slice.text[slice.length - 1] == '\t')) {
        slice.length--;
    }
    return slice;
}

/* P2: a line that is malformed as a whole. */
static bool is_clean(struct slice line)
{
    if (line.length > LINE_MAX_BYTES) {
        return false;
    }
    for (size_t i = 0; i < line.length; i++) {
        unsigned char byte = (unsigned char)line.text[i];
        if ((byte < 0x20 && byte != '\t') || byte >= 0x7f) {
            return false;
        }
    }
    return true;
}

bool header_next_line(const struct header_block *block, const struct header_name *name, size_t *at, struct slice *line)
{
    while (*at < block->count) {
        const struct header_field *field = &block->fields[(*at)++];
        if (has_name(field, name)) {
            *line = header_trim((struct slice){field->value, field->value_length});
            if (line->length > 0 && is_clean(*line)) {
                return true;
            }
        }
    }
    return false;
}

static size_t count_digits(struct slice text)
{
    size_t digits = 0;
    while (digits < text.length && text_is_digit(text.text[digits])) {
        digits++;
    }
    return digits;
}

/* Too big is not malformed: more than 15 digits are the largest number there is. */
static int64_t read_whole(const char *text, size_t digits)
{
    while (digits > 0 && *text == '0') {
        text++;
        digits--;
    }
    if (digits > NUMBER_MAX_DIGITS) {
        return DURATION_MAX_MS;
    }
    int64_t value = 0;
    for (size_t i = 0; i < digits; i++) {
        value = value * 10 + (text[i] - '0');
    }
    return value;
}

static int64_t read_thousandths(const char *text, size_t digits)
{
    int64_t value = 0;
    bool more = false;
    for (size_t i = 0; i < digits || i < 3; i++) {
        char digit = i < digits ? text[i] : '0';
        if (i < 3) {
            value = value * 10 + (digit - '0');
        } else if (digit != '0') {
            more = true;
        }
    }
    return more ? value + 1 : value;
}

/* P3. */
bool header_read_number(struct slice text, struct header_number *out)
{
    size_t digits = count_digits(text);
    if (digits == 0) {
        return false;
    }
    *out = (struct header_number){.whole = read_whole(text.text, digits)};
    if (digits == text.length) {
        return true;
    }
    struct slice fraction = {text.text + digits + 1, text.length - digits - 1};
    if (text.text[digits] != '.' || fraction.length == 0 || count_digits(fraction) != fraction.length) {
        return false;
    }
    out->thousandths = read_thousandths(fraction.text, fraction.length);
    return true;
}

/* Behind the last member the text of `rest` is NULL. */
bool header_next_member(struct slice *rest, struct slice *member)
{
    if (rest->text == NULL) {
        return false;
    }
    const char *comma = memchr(rest->text, ',', rest->length);
    size_t length = comma != NULL ? (size_t)(comma - rest->text) : rest->length;
    *member = header_trim((struct slice){rest->text, length});
    *rest = comma != NULL ? (struct slice){comma + 1, rest->length - length - 1} : (struct slice){NULL, 0};
    return true;
}

static int64_t capped_sum(int64_t whole_ms, int64_t more_ms)
{
    return whole_ms > DURATION_MAX_MS - more_ms ? DURATION_MAX_MS : whole_ms + more_ms;
}

int64_t header_as_milliseconds(const struct header_number *number)
{
    return capped_sum(number->whole, number->thousandths > 0 ? 1 : 0);
}

int64_t header_as_count(const struct header_number *number)
{
    return number->whole;
}

static int64_t as_seconds(const struct header_number *number)
{
    return number->whole > DURATION_MAX_MS / 1000 ? DURATION_MAX_MS
                                                  : capped_sum(number->whole * 1000, number->thousandths);
}

static const struct wait_hint no_hint = {QUOTA_UNKNOWN, HINT_NONE};

/* P9: of several the largest, of equals the first. */
static void keep_larger(struct wait_hint *kept, struct wait_hint other)
{
    if (other.ms > kept->ms) {
        *kept = other;
    }
}

/* P6, P7: a moment becomes a wait at once, and one in the past is no wait. */
static int64_t wait_until(const struct header_block *block, walltime moment)
{
    return moment > block->base ? moment - block->base : 0;
}

/* P8. */
bool header_classify(const struct header_block *block, const struct header_number *number, struct wait_hint *out)
{
    bool seconds = number->whole >= INT64_C(1000000000) && number->whole < INT64_C(10000000000);
    bool milliseconds = number->whole >= INT64_C(1000000000000) && number->whole < INT64_C(10000000000000);
    if (!seconds && !milliseconds) {
        *out = (struct wait_hint){as_seconds(number), HINT_RETRY_AFTER_SECONDS};
        return true;
    }
    walltime moment = seconds ? as_seconds(number) : header_as_milliseconds(number);
    *out = (struct wait_hint){wait_until(block, moment), HINT_RETRY_AFTER_EPOCH};
    return block->base - moment <= EPOCH_AGE_MAX_MS;
}

/* A line of numbers by P8. */
static bool read_wait_numbers(const struct header_block *block, struct slice line, struct wait_hint *out)
{
    struct slice rest = line, member;
    *out = no_hint;
    while (header_next_member(&rest, &member)) {
        struct header_number number;
        struct wait_hint hint;
        if (!header_read_number(member, &number) || !header_classify(block, &number, &hint)) {
            return false;
        }
        keep_larger(out, hint);
    }
    return true;
}

/* A line of numbers, or a date (P5). */
static struct wait_hint read_wait_line(const struct header_block *block, struct slice line)
{
    struct wait_hint hint;
    walltime date;
    if (read_wait_numbers(block, line, &hint)) {
        return hint;
    }
    if (http_date_read(line.text, line.length, block->now, &date)) {
        return (struct wait_hint){wait_until(block, date), HINT_RETRY_AFTER_HTTP_DATE};
    }
    return no_hint;
}

struct wait_hint header_read_wait(const struct header_block *block, const struct header_name *name)
{
    struct wait_hint largest = no_hint;
    struct slice line;
    for (size_t at = 0; header_next_line(block, name, &at, &line);) {
        keep_larger(&largest, read_wait_line(block, line));
    }
    return largest;
}

static struct number_range join_ranges(struct number_range a, struct number_range b)
{
    return (struct number_range){header_smallest_known(a.least, b.least), larger(a.most, b.most)};
}

/* A line of plain numbers; a bad member spoils it. */
static struct number_range read_number_line(struct slice line, int64_t (*convert)(const struct header_number *))
{
    struct slice rest = line, member;
    struct number_range range = {QUOTA_UNKNOWN, QUOTA_UNKNOWN};
    while (header_next_member(&rest, &member)) {
        struct header_number number;
        if (!header_read_number(member, &number)) {
            return (struct number_range){QUOTA_UNKNOWN, QUOTA_UNKNOWN};
        }
        int64_t value = convert(&number);
        range = join_ranges(range, (struct number_range){value, value});
    }
    return range;
}

struct number_range header_read_numbers(const struct header_block *block, const struct header_name *name,
                                        int64_t (*convert)(const struct header_number *))
{
    struct number_range range = {QUOTA_UNKNOWN, QUOTA_UNKNOWN};
    struct slice line;
    for (size_t at = 0; header_next_line(block, name, &at, &line);) {
        range = join_ranges(range, read_number_line(line, convert));
    }
    return range;
}
