#include "core/policy/quota_headers.h"

#include "core/base/text.h"
#include "core/policy/header_value.h"
#include "core/policy/http_date.h"
#include "core/policy/ratelimit_field.h"

#include <string.h>

/*
 * The parse rules of planner.md, P0 to P15:
 *
 *   P0         the caller's: only the header section of the final answer
 *   P1 to P9   header_value.c: names, lines, numbers, dates, epochs, duplicates
 *   P13        ratelimit_field.c: RateLimit as a structured field
 *   the rest   here: the base of P6, P10, P12 with the limits of P9, P11 with P14, P15
 */

/* P6: the server's own clock where it is told, so that a wrong local clock does no harm (R40). */
static walltime read_base(const struct header_block *block)
{
    static const struct header_name date = HEADER_NAME("date");
    struct slice line;
    walltime base;
    for (size_t at = 0; header_next_line(block, &date, &at, &line);) {
        if (http_date_read(line.text, line.length, block->now, &base)) {
            return base;
        }
    }
    return block->now;
}

/* P10: the millisecond headers come first; a malformed one falls through to the next. */
static struct wait_hint read_retry_hint(const struct header_block *block)
{
    static const struct header_name in_ms[] = {HEADER_NAME("retry-after-ms"), HEADER_NAME("x-ms-retry-after-ms")};
    static const struct header_name retry_after = HEADER_NAME("retry-after");
    for (size_t i = 0; i < sizeof in_ms / sizeof in_ms[0]; i++) {
        int64_t ms = header_read_numbers(block, &in_ms[i], header_as_milliseconds).most;
        if (ms != QUOTA_UNKNOWN) {
            return (struct wait_hint){ms, HINT_RETRY_AFTER_MS};
        }
    }
    return header_read_wait(block, &retry_after);
}

/* P12: decimals are cut off, the smallest counts; what has a sign is unknown, not zero and not infinite. */
static int64_t read_remaining(const struct header_block *block, const struct header_name *name)
{
    return header_read_numbers(block, name, header_as_count).least;
}

/* Is this what may follow a limit: parameters, each a name with or without a value? */
static bool are_parameters(struct slice text)
{
    while (text.length > 0) {
        const char *next = memchr(text.text + 1, ';', text.length - 1);
        size_t length = next != NULL ? (size_t)(next - text.text) : text.length;
        struct slice parameter = header_trim((struct slice){text.text + 1, length - 1});
        if (parameter.length == 0 || !text_is_letter(parameter.text[0])) {
            return false;
        }
        text.text += length;
        text.length -= length;
    }
    return true;
}

/* P9, decision 6: a line of limits. Where members carry parameters (drafts to -06: the limit in force, then the
 * policies) the first counts, else the smallest. A bad member drops the line. */
static int64_t read_limit_line(struct slice line)
{
    struct slice rest = line, member;
    int64_t first = QUOTA_UNKNOWN, smallest = QUOTA_UNKNOWN;
    bool has_parameters = false;
    while (header_next_member(&rest, &member)) {
        const char *semicolon = memchr(member.text, ';', member.length);
        size_t length = semicolon != NULL ? (size_t)(semicolon - member.text) : member.length;
        struct header_number number;
        if (!header_read_number(header_trim((struct slice){member.text, length}), &number) ||
            !are_parameters((struct slice){member.text + length, member.length - length})) {
            return QUOTA_UNKNOWN;
        }
        has_parameters = has_parameters || semicolon != NULL;
        first = first == QUOTA_UNKNOWN ? number.whole : first;
        smallest = header_smallest_known(smallest, number.whole);
    }
    return has_parameters ? first : smallest;
}

static int64_t read_limit(const struct header_block *block, const struct header_name *name)
{
    int64_t smallest = QUOTA_UNKNOWN;
    struct slice line;
    for (size_t at = 0; header_next_line(block, name, &at, &line);) {
        smallest = header_smallest_known(smallest, read_limit_line(line));
    }
    return smallest;
}

/* P11: the families in their order. Of the reset names the first that parses counts. */
enum { RESET_NAMES = 4 };

static const struct plain_family {
    enum quota_source source;
    struct header_name limit, remaining, resets[RESET_NAMES];
} plain_families[] = {
    {QUOTA_RATELIMIT,
     HEADER_NAME("ratelimit-limit"),
     HEADER_NAME("ratelimit-remaining"),
     {HEADER_NAME("ratelimit-reset")}},
    {QUOTA_X_RATELIMIT,
     HEADER_NAME("x-ratelimit-limit"),
     HEADER_NAME("x-ratelimit-remaining"),
     {HEADER_NAME("x-ratelimit-reset-after"), HEADER_NAME("x-ratelimit-retry-after"), HEADER_NAME("x-ratelimit-reset"),
      HEADER_NAME("x-ratelimit-next")}},
    {QUOTA_X_RATELIMIT,
     HEADER_NAME("x-rate-limit-limit"),
     HEADER_NAME("x-rate-limit-remaining"),
     {HEADER_NAME("x-rate-limit-reset-after"), HEADER_NAME("x-rate-limit-retry-after"),
      HEADER_NAME("x-rate-limit-reset"), HEADER_NAME("x-rate-limit-next")}},
};

/* The structured field is the first family, the plain ones follow. */
enum { FAMILIES = 1 + sizeof plain_families / sizeof plain_families[0] };

static struct quota_family read_family(const struct header_block *block, size_t index, enum quota_source *source)
{
    if (index == 0) {
        *source = QUOTA_RATELIMIT;
        return ratelimit_field_read(block);
    }
    const struct plain_family *names = &plain_families[index - 1];
    struct quota_family family = {.limit = read_limit(block, &names->limit),
                                  .remaining = read_remaining(block, &names->remaining),
                                  .reset_ms = QUOTA_UNKNOWN};
    for (size_t i = 0; i < RESET_NAMES && names->resets[i].text != NULL && family.reset_ms == QUOTA_UNKNOWN; i++) {
        family.reset_ms = header_read_wait(block, &names->resets[i]).ms;
    }
    *source = names->source;
    return family;
}

/* P14: nothing remains and nobody says until when, so a lower family may. */
static bool lacks_reset(const struct quota *quota)
{
    return quota->remaining == 0 && quota->reset_ms == QUOTA_UNKNOWN && quota->retry_after_ms == QUOTA_UNKNOWN;
}

/* P11: the first family that says something about remaining or reset claims the quota. A lone limit claims nothing, but
 * is kept if the family that claims has none (decision 9). */
static void read_families(const struct header_block *block, struct quota *out)
{
    bool claimed = false;
    for (size_t i = 0; i < FAMILIES && (!claimed || lacks_reset(out)); i++) {
        enum quota_source source;
        struct quota_family family = read_family(block, i, &source);
        if (claimed) {
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

/* P15: an answer out of somebody's cache says nothing about the quota of now. */
static bool is_aged(const struct header_block *block)
{
    static const struct header_name age = HEADER_NAME("age");
    return header_read_numbers(block, &age, header_as_milliseconds).most > 0;
}

struct quota quota_unknown(void)
{
    return (struct quota){QUOTA_UNKNOWN, QUOTA_UNKNOWN, QUOTA_UNKNOWN, QUOTA_UNKNOWN, QUOTA_NONE, HINT_NONE};
}

void quota_read(const struct header_field *fields, size_t count, walltime now, struct quota *out)
{
    struct header_block block = {.fields = fields, .count = count, .now = now};
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
