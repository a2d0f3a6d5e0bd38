#include "core/policy/ratelimit_field.h"

#include "core/policy/structured_field.h"

#include <stddef.h>

static const struct header_name ratelimit = HEADER_NAME("ratelimit");
static const struct header_name ratelimit_policy = HEADER_NAME("ratelimit-policy");

/* A value that is there but wrong: it drops the whole field. */
enum { WRONG = -2 };

static const struct quota_family silent = {QUOTA_UNKNOWN, QUOTA_UNKNOWN, QUOTA_UNKNOWN};

static int64_t as_quantity(const struct structured_item *item)
{
    return item->kind == STRUCTURED_INTEGER && item->integer >= 0 ? item->integer : WRONG;
}

/* `t` and `reset` by P8; what that calls malformed is absent. */
static int64_t structured_wait(const struct header_block *block, int64_t seconds)
{
    struct header_number number = {.whole = seconds};
    struct wait_hint hint;
    return seconds != QUOTA_UNKNOWN && header_classify(block, &number, &hint) ? hint.ms : QUOTA_UNKNOWN;
}

static void skip_parameters(struct structured_reader *reader)
{
    struct structured_key key;
    struct structured_item value;
    while (structured_parameter_next(reader, &key, &value)) {
    }
}

/* The draft-07 form: limit=10, remaining=3, reset=5. False if the field is no Dictionary with one of these keys. */
static bool read_ratelimit_dictionary(const struct header_block *block, struct quota_family *out)
{
    struct quota_family found = silent;
    bool known = false;
    struct slice line;
    for (size_t at = 0; header_next_line(block, &ratelimit, &at, &line);) {
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

static bool is_name(const struct structured_item *item)
{
    return item->kind == STRUCTURED_STRING || item->kind == STRUCTURED_TOKEN;
}

/* Reads the parameters of a member. False drops the field. */
static bool read_member(struct structured_reader *reader, const struct header_block *block,
                        struct policy_member *member)
{
    struct structured_key key;
    struct structured_item value;
    int64_t t = QUOTA_UNKNOWN;
    member->r = QUOTA_UNKNOWN;
    while (structured_parameter_next(reader, &key, &value)) {
        if (structured_key_is(&key, "r")) {
            member->r = as_quantity(&value);
        } else if (structured_key_is(&key, "t")) {
            t = as_quantity(&value);
        }
    }
    if (t == WRONG) {
        return false;
    }
    member->t_ms = structured_wait(block, t);
    return !reader->failed && is_name(&member->name) && member->r != WRONG;
}

/* The q of the first policy of that name in RateLimit-Policy. */
static int64_t read_policy_limit(const struct header_block *block, const struct structured_item *name)
{
    int64_t limit = QUOTA_UNKNOWN;
    bool found = false;
    struct slice line;
    for (size_t at = 0; header_next_line(block, &ratelimit_policy, &at, &line);) {
        struct structured_reader reader = structured_read(line.text, line.length);
        struct structured_key key;
        struct structured_item policy, value;
        while (structured_list_next(&reader, &policy)) {
            bool wanted = !found && is_name(&policy) && structured_same_text(&policy, name);
            while (structured_parameter_next(&reader, &key, &value)) {
                if (wanted && structured_key_is(&key, "q")) {
                    limit = as_quantity(&value);
                }
            }
            found = found || wanted;
        }
        if (reader.failed) {
            return QUOTA_UNKNOWN;
        }
    }
    return limit == WRONG ? QUOTA_UNKNOWN : limit;
}

static struct quota_family read_ratelimit_list(const struct header_block *block)
{
    struct policy_member binding = {.r = QUOTA_UNKNOWN, .t_ms = QUOTA_UNKNOWN};
    bool any = false;
    struct slice line;
    for (size_t at = 0; header_next_line(block, &ratelimit, &at, &line);) {
        struct structured_reader reader = structured_read(line.text, line.length);
        struct policy_member member;
        while (structured_list_next(&reader, &member.name)) {
            if (!read_member(&reader, block, &member)) {
                return silent;
            }
            if (!any || binds_more(&member, &binding)) {
                binding = member;
                any = true;
            }
        }
        if (reader.failed) {
            return silent;
        }
    }
    return any ? (struct quota_family){read_policy_limit(block, &binding.name), binding.r, binding.t_ms} : silent;
}

struct quota_family ratelimit_field_read(const struct header_block *block)
{
    struct quota_family family;
    return read_ratelimit_dictionary(block, &family) ? family : read_ratelimit_list(block);
}
