#include "core/policy/quota_headers.h"

#include "core/base/text.h"
#include "core/policy/http_date.h"
#include "core/policy/structured_field.h"

#include <stdbool.h>
#include <string.h>

/* Reads from top to bottom as planner.md P0 to P15. The caller sees to P0: only the final answer's header section. */

enum { LINE_MAX_BYTES = 1024, NUMBER_MAX_DIGITS = 15, EPOCH_AGE_MAX_MS = 24 * 60 * 60 * 1000 };

struct block {
    const struct header_field *fields;
    size_t count;
    walltime now;  /* the local wall clock */
    walltime base; /* from where dates and epochs are turned into waits */
};

/* Bytes of a value, borrowed. */
struct slice {
    const char *text;
    size_t length;
};

struct name {
    const char *text;
    size_t length;
};
#define NAME(literal)                                                                                                  \
    {                                                                                                                  \
        literal, sizeof literal - 1                                                                                    \
    }

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t smallest_known(int64_t a, int64_t b)
{
    if (a == QUOTA_UNKNOWN || b == QUOTA_UNKNOWN) {
        return larger(a, b);
    }
    return a < b ? a : b;
}

/* P1: the name in any case, and nothing else. */
static bool has_name(const struct header_field *field, const struct name *name)
{
    return field->name_length == name->length && text_is(field->name, field->name_length, name->text);
}

static struct slice trim(struct slice slice)
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

/* The next line of a name, trimmed. Malformed and empty lines are as good as absent. `*at` starts at 0. */
static bool next_line(const struct block *block, const struct name *name, size_t *at, struct slice *line)
{
    while (*at < block->count) {
        const struct header_field *field = &block->fields[(*at)++];
        if (has_name(field, name)) {
            *line = trim((struct slice){field->value, field->value_length});
            if (line->length > 0 && is_clean(*line)) {
                return true;
            }
        }
    }
    return false;
}

/* P3: a number, the fraction rounded up to thousandths (P4): 0 to 1000. */
struct number {
    int64_t whole;
    int64_t thousandths;
};

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

static bool read_number(struct slice text, struct number *out)
{
    size_t digits = count_digits(text);
    if (digits == 0) {
        return false;
    }
    *out = (struct number){.whole = read_whole(text.text, digits)};
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

/* The next member of a comma list, trimmed. `rest` starts as the line; its text is NULL behind the last member. */
static bool next_member(struct slice *rest, struct slice *member)
{
    if (rest->text == NULL) {
        return false;
    }
    const char *comma = memchr(rest->text, ',', rest->length);
    size_t length = comma != NULL ? (size_t)(comma - rest->text) : rest->length;
    *member = trim((struct slice){rest->text, length});
    *rest = comma != NULL ? (struct slice){comma + 1, rest->length - length - 1} : (struct slice){NULL, 0};
    return true;
}

static int64_t capped_sum(int64_t whole_ms, int64_t more_ms)
{
    return whole_ms > DURATION_MAX_MS - more_ms ? DURATION_MAX_MS : whole_ms + more_ms;
}

/* A number of milliseconds, rounded up. */
static int64_t as_milliseconds(const struct number *number)
{
    return capped_sum(number->whole, number->thousandths > 0 ? 1 : 0);
}

static int64_t as_seconds(const struct number *number)
{
    return number->whole > DURATION_MAX_MS / 1000 ? DURATION_MAX_MS
                                                  : capped_sum(number->whole * 1000, number->thousandths);
}

/* What a line says about a wait. */
struct wait_hint {
    int64_t ms; /* QUOTA_UNKNOWN: nothing */
    enum hint_source source;
};

static const struct wait_hint no_hint = {QUOTA_UNKNOWN, HINT_NONE};

/* P9: of several the largest, of equals the first. */
static void keep_larger(struct wait_hint *kept, struct wait_hint other)
{
    if (other.ms > kept->ms) {
        *kept = other;
    }
}

/* P6, P7: a moment becomes a wait at once, and one in the past is no wait. */
static int64_t wait_until(const struct block *block, walltime moment)
{
    return moment > block->base ? moment - block->base : 0;
}

/* P8: seconds from now, or a moment since 1970 in seconds or milliseconds. False for an epoch more than a day old. */
static bool classify(const struct block *block, const struct number *number, struct wait_hint *out)
{
    bool seconds = number->whole >= INT64_C(1000000000) && number->whole < INT64_C(10000000000);
    bool milliseconds = number->whole >= INT64_C(1000000000000) && number->whole < INT64_C(10000000000000);
    if (!seconds && !milliseconds) {
        *out = (struct wait_hint){as_seconds(number), HINT_RETRY_AFTER_SECONDS};
        return true;
    }
    walltime moment = seconds ? as_seconds(number) : as_milliseconds(number);
    *out = (struct wait_hint){wait_until(block, moment), HINT_RETRY_AFTER_EPOCH};
    return block->base - moment <= EPOCH_AGE_MAX_MS;
}

/* A line of numbers by P8; a bad member spoils it. */
static bool read_wait_numbers(const struct block *block, struct slice line, struct wait_hint *out)
{
    struct slice rest = line, member;
    *out = no_hint;
    while (next_member(&rest, &member)) {
        struct number number;
        struct wait_hint hint;
        if (!read_number(member, &number) || !classify(block, &number, &hint)) {
            return false;
        }
        keep_larger(out, hint);
    }
    return true;
}

/* A line of numbers, or a date (P5). */
static struct wait_hint read_wait_line(const struct block *block, struct slice line)
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

/* A field that holds a wait in seconds, an epoch or a date: Retry-After and the resets. */
static struct wait_hint read_wait_field(const struct block *block, const struct name *name)
{
    struct wait_hint largest = no_hint;
    struct slice line;
    for (size_t at = 0; next_line(block, name, &at, &line);) {
        keep_larger(&largest, read_wait_line(block, line));
    }
    return largest;
}

/* A line of plain numbers: the smallest and the largest of them, in the unit that `convert` makes. */
static bool read_number_line(struct slice line, int64_t (*convert)(const struct number *), int64_t *least,
                             int64_t *most)
{
    struct slice rest = line, member;
    *least = *most = QUOTA_UNKNOWN;
    while (next_member(&rest, &member)) {
        struct number number;
        if (!read_number(member, &number)) {
            return false;
        }
        *least = smallest_known(*least, convert(&number));
        *most = larger(*most, convert(&number));
    }
    return true;
}

/* A field that holds a wait in milliseconds. */
static struct wait_hint read_ms_field(const struct block *block, const struct name *name)
{
    struct wait_hint largest = no_hint;
    struct slice line;
    for (size_t at = 0; next_line(block, name, &at, &line);) {
        int64_t least, most;
        if (read_number_line(line, as_milliseconds, &least, &most)) {
            keep_larger(&largest, (struct wait_hint){most, HINT_RETRY_AFTER_MS});
        }
    }
    return largest;
}

/* P10. */
static struct wait_hint read_retry_hint(const struct block *block)
{
    static const struct name in_ms[] = {NAME("retry-after-ms"), NAME("x-ms-retry-after-ms")};
    static const struct name retry_after = NAME("retry-after");
    for (size_t i = 0; i < sizeof in_ms / sizeof in_ms[0]; i++) {
        struct wait_hint hint = read_ms_field(block, &in_ms[i]);
        if (hint.ms != QUOTA_UNKNOWN) {
            return hint;
        }
    }
    return read_wait_field(block, &retry_after);
}

/* P12: decimals are cut off. */
static int64_t as_count(const struct number *number)
{
    return number->whole;
}

static int64_t read_remaining(const struct block *block, const struct name *name)
{
    int64_t smallest = QUOTA_UNKNOWN;
    struct slice line;
    for (size_t at = 0; next_line(block, name, &at, &line);) {
        int64_t least, most;
        if (read_number_line(line, as_count, &least, &most)) {
            smallest = smallest_known(smallest, least);
        }
    }
    return smallest;
}

/* Is this what may follow a limit: parameters, each a name with or without a value? */
static bool are_parameters(struct slice text)
{
    while (text.length > 0) {
        const char *next = memchr(text.text + 1, ';', text.length - 1);
        size_t length = next != NULL ? (size_t)(next - text.text) : text.length;
        struct slice parameter = trim((struct slice){text.text + 1, length - 1});
        if (text.text[0] != ';' || parameter.length == 0 || !text_is_letter(parameter.text[0])) {
            return false;
        }
        text.text += length;
        text.length -= length;
    }
    return true;
}

/* A line of limits. Where members carry parameters (drafts to -06: the limit in force, then the policies) the first
 * counts, else the smallest (P9). */
static int64_t read_limit_line(struct slice line)
{
    struct slice rest = line, member;
    int64_t first = QUOTA_UNKNOWN, smallest = QUOTA_UNKNOWN;
    bool has_parameters = false;
    while (next_member(&rest, &member)) {
        const char *semicolon = memchr(member.text, ';', member.length);
        size_t length = semicolon != NULL ? (size_t)(semicolon - member.text) : member.length;
        struct number number;
        if (!read_number(trim((struct slice){member.text, length}), &number) ||
            !are_parameters((struct slice){member.text + length, member.length - length})) {
            return QUOTA_UNKNOWN;
        }
        has_parameters = has_parameters || semicolon != NULL;
        first = first == QUOTA_UNKNOWN ? number.whole : first;
        smallest = smallest_known(smallest, number.whole);
    }
    return has_parameters ? first : smallest;
}

static int64_t read_limit(const struct block *block, const struct name *name)
{
    int64_t smallest = QUOTA_UNKNOWN;
    struct slice line;
    for (size_t at = 0; next_line(block, name, &at, &line);) {
        smallest = smallest_known(smallest, read_limit_line(line));
    }
    return smallest;
}

/* What one family of fields says. */
struct family {
    int64_t limit, remaining, reset_ms;
};

static const struct family silent = {QUOTA_UNKNOWN, QUOTA_UNKNOWN, QUOTA_UNKNOWN};

/* P13: RateLimit as a structured field. A value that is there but wrong drops the whole field. */
static const struct name ratelimit = NAME("ratelimit");
static const struct name ratelimit_policy = NAME("ratelimit-policy");
enum { WRONG = -2 };

static int64_t as_quantity(const struct structured_item *item)
{
    return item->kind == STRUCTURED_INTEGER && item->integer >= 0 ? item->integer : WRONG;
}

/* `t` and `reset` by P8; what that calls malformed is absent. */
static int64_t structured_wait(const struct block *block, int64_t seconds)
{
    struct number number = {.whole = seconds};
    struct wait_hint hint;
    return seconds != QUOTA_UNKNOWN && classify(block, &number, &hint) ? hint.ms : QUOTA_UNKNOWN;
}

static void skip_parameters(struct structured_reader *reader)
{
    struct structured_key key;
    struct structured_item value;
    while (structured_parameter_next(reader, &key, &value)) {
    }
}

/* The draft-07 form: limit=10, remaining=3, reset=5. False if the field is no Dictionary with one of these keys. */
static bool read_ratelimit_dictionary(const struct block *block, struct family *out)
{
    struct family found = silent;
    bool known = false;
    struct slice line;
    for (size_t at = 0; next_line(block, &ratelimit, &at, &line);) {
        struct structured_reader reader = structured_read(line.text, line.length);
        struct structured_key key;
        struct structured_item item;
        while (structured_dictionary_next(&reader, &key, &item)) {
            int64_t *place = structured_key_is(&key, "limit")       ? &found.limit
                             : structured_key_is(&key, "remaining") ? &found.remaining
                             : structured_key_is(&key, "reset")     ? &found.reset_ms
                                                                    : NULL;
            if (place != NULL) {
                *place = as_quantity(&item);
                known = true;
            }
            skip_parameters(&reader);
        }
        if (reader.failed) {
            return false;
        }
    }
    *out = silent;
    if (found.limit != WRONG && found.remaining != WRONG && found.reset_ms != WRONG) {
        found.reset_ms = structured_wait(block, found.reset_ms);
        *out = found;
    }
    return known;
}

/* A member of the list form: "name";r=3;t=5. */
struct policy_member {
    struct structured_item name;
    int64_t r, t_ms;
};

/* The member that binds: the smallest r, among equals the longest t; one without r only if none has one. */
static bool binds_more(const struct policy_member *a, const struct policy_member *b)
{
    int64_t a_r = a->r == QUOTA_UNKNOWN ? INT64_MAX : a->r, b_r = b->r == QUOTA_UNKNOWN ? INT64_MAX : b->r;
    return a_r != b_r ? a_r < b_r : a->t_ms > b->t_ms;
}

/* Reads the parameters `first` and `second` of a member named by a String or a Token. False drops the field. */
static bool read_quantities(struct structured_reader *reader, const struct structured_item *name, const char *first_key,
                            int64_t *first, const char *second_key, int64_t *second)
{
    struct structured_key key;
    struct structured_item value;
    *first = *second = QUOTA_UNKNOWN;
    while (structured_parameter_next(reader, &key, &value)) {
        if (structured_key_is(&key, first_key)) {
            *first = as_quantity(&value);
        } else if (structured_key_is(&key, second_key)) {
            *second = as_quantity(&value);
        }
    }
    return !reader->failed && (name->kind == STRUCTURED_STRING || name->kind == STRUCTURED_TOKEN) && *first != WRONG &&
           *second != WRONG;
}

/* The q of the first policy of that name in RateLimit-Policy. */
static int64_t read_policy_limit(const struct block *block, const struct structured_item *name)
{
    int64_t limit = QUOTA_UNKNOWN;
    bool found = false;
    struct slice line;
    for (size_t at = 0; next_line(block, &ratelimit_policy, &at, &line);) {
        struct structured_reader reader = structured_read(line.text, line.length);
        struct structured_item policy;
        while (structured_list_next(&reader, &policy)) {
            int64_t q, w;
            if (!read_quantities(&reader, &policy, "q", &q, "w", &w)) {
                return QUOTA_UNKNOWN;
            }
            if (!found && structured_same_text(&policy, name)) {
                found = true;
                limit = q;
            }
        }
        if (reader.failed) {
            return QUOTA_UNKNOWN;
        }
    }
    return limit;
}

static struct family read_ratelimit_list(const struct block *block)
{
    struct policy_member binding = {.r = QUOTA_UNKNOWN, .t_ms = QUOTA_UNKNOWN};
    bool any = false;
    struct slice line;
    for (size_t at = 0; next_line(block, &ratelimit, &at, &line);) {
        struct structured_reader reader = structured_read(line.text, line.length);
        struct policy_member member;
        while (structured_list_next(&reader, &member.name)) {
            int64_t t;
            if (!read_quantities(&reader, &member.name, "r", &member.r, "t", &t)) {
                return silent;
            }
            member.t_ms = structured_wait(block, t);
            if (!any || binds_more(&member, &binding)) {
                binding = member;
                any = true;
            }
        }
        if (reader.failed) {
            return silent;
        }
    }
    return any ? (struct family){read_policy_limit(block, &binding.name), binding.r, binding.t_ms} : silent;
}

/* P11: the families, the first that says something about remaining or reset claims the quota. */
enum { RESET_NAMES = 4 };

static const struct plain_family {
    enum quota_source source;
    struct name limit, remaining, resets[RESET_NAMES];
} plain_families[] = {
    {QUOTA_RATELIMIT, NAME("ratelimit-limit"), NAME("ratelimit-remaining"), {NAME("ratelimit-reset")}},
    {QUOTA_X_RATELIMIT,
     NAME("x-ratelimit-limit"),
     NAME("x-ratelimit-remaining"),
     {NAME("x-ratelimit-reset-after"), NAME("x-ratelimit-retry-after"), NAME("x-ratelimit-reset"),
      NAME("x-ratelimit-next")}},
    {QUOTA_X_RATELIMIT,
     NAME("x-rate-limit-limit"),
     NAME("x-rate-limit-remaining"),
     {NAME("x-rate-limit-reset-after"), NAME("x-rate-limit-retry-after"), NAME("x-rate-limit-reset"),
      NAME("x-rate-limit-next")}},
};

/* The structured field comes first, then the plain ones. */
enum { FAMILIES = 1 + sizeof plain_families / sizeof plain_families[0] };

static struct family read_family(const struct block *block, size_t index, enum quota_source *source)
{
    struct family family = silent;
    if (index == 0) {
        *source = QUOTA_RATELIMIT;
        return read_ratelimit_dictionary(block, &family) ? family : read_ratelimit_list(block);
    }
    const struct plain_family *names = &plain_families[index - 1];
    *source = names->source;
    family.limit = read_limit(block, &names->limit);
    family.remaining = read_remaining(block, &names->remaining);
    for (size_t i = 0; i < RESET_NAMES && names->resets[i].text != NULL && family.reset_ms == QUOTA_UNKNOWN; i++) {
        family.reset_ms = read_wait_field(block, &names->resets[i]).ms;
    }
    return family;
}

/* P11, P14, and which limit is kept (decision 9). */
static void read_families(const struct block *block, struct quota *out)
{
    bool claimed = false;
    for (size_t i = 0; i < FAMILIES; i++) {
        enum quota_source source;
        struct family family = read_family(block, i, &source);
        if (claimed) {
            bool borrows =
                out->remaining == 0 && out->reset_ms == QUOTA_UNKNOWN && out->retry_after_ms == QUOTA_UNKNOWN;
            if (!borrows) {
                return;
            }
            out->reset_ms = family.reset_ms;
        } else if (family.remaining != QUOTA_UNKNOWN || family.reset_ms != QUOTA_UNKNOWN) {
            claimed = true;
            out->source = source;
            out->limit = family.limit != QUOTA_UNKNOWN ? family.limit : out->limit;
            out->remaining = family.remaining;
            out->reset_ms = family.reset_ms;
        } else if (out->limit == QUOTA_UNKNOWN) {
            out->limit = family.limit;
        }
    }
}

/* P6: the server's own clock where it is told, so that a wrong local clock does no harm (R40). */
static walltime read_base(const struct block *block)
{
    static const struct name date = NAME("date");
    struct slice line;
    walltime base;
    for (size_t at = 0; next_line(block, &date, &at, &line);) {
        if (http_date_read(line.text, line.length, block->now, &base)) {
            return base;
        }
    }
    return block->now;
}

/* P15: an answer out of a cache says nothing about the quota of now. */
static bool is_aged(const struct block *block)
{
    static const struct name age = NAME("age");
    struct slice line;
    for (size_t at = 0; next_line(block, &age, &at, &line);) {
        int64_t least, most;
        if (read_number_line(line, as_milliseconds, &least, &most) && most > 0) {
            return true;
        }
    }
    return false;
}

struct quota quota_unknown(void)
{
    return (struct quota){QUOTA_UNKNOWN, QUOTA_UNKNOWN, QUOTA_UNKNOWN, QUOTA_UNKNOWN, QUOTA_NONE, HINT_NONE};
}

void quota_read(const struct header_field *fields, size_t count, walltime now, struct quota *out)
{
    struct block block = {.fields = fields, .count = count, .now = now, .base = now};
    block.base = read_base(&block);
    struct wait_hint hint = read_retry_hint(&block);
    *out = quota_unknown();
    out->retry_after_ms = hint.ms;
    out->hint_source = hint.source;
    out->source = hint.ms != QUOTA_UNKNOWN ? QUOTA_RETRY_AFTER_ONLY : QUOTA_NONE;
    if (!is_aged(&block)) {
        read_families(&block, out);
    }
}

const char *quota_source_name(enum quota_source source)
{
    static const char *const names[] = {[QUOTA_NONE] = "none",
                                        [QUOTA_RETRY_AFTER_ONLY] = "retry-after-only",
                                        [QUOTA_RATELIMIT] = "ratelimit",
                                        [QUOTA_X_RATELIMIT] = "x-ratelimit"};
    return names[source];
}

const char *hint_source_name(enum hint_source source)
{
    static const char *const names[] = {[HINT_NONE] = "none",
                                        [HINT_RETRY_AFTER_SECONDS] = "retry-after-seconds",
                                        [HINT_RETRY_AFTER_HTTP_DATE] = "retry-after-http-date",
                                        [HINT_RETRY_AFTER_EPOCH] = "retry-after-epoch",
                                        [HINT_RETRY_AFTER_MS] = "retry-after-ms"};
    return names[source];
}
