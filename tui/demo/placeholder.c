#include "tui/demo/placeholder.h"

#include "core/base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NAME_MAX_LENGTH = 24 };

enum subject { SUBJECT_DATE, SUBJECT_EPOCH, SUBJECT_SECONDS, SUBJECT_MS, SUBJECT_COUNT };

enum base { BASE_NOW, BASE_RESET, BASE_PHASE_END, BASE_LIMIT, BASE_REMAINING, BASE_WINDOW };

/* What stands between braces. */
static const struct {
    const char *name;
    enum subject subject;
    enum base base;
    bool offset; /* "+5s" or "-5s" may follow */
} placeholders[] = {
    {"date", SUBJECT_DATE, BASE_NOW, true},
    {"epoch", SUBJECT_EPOCH, BASE_NOW, true},
    {"limit", SUBJECT_COUNT, BASE_LIMIT, false},
    {"remaining", SUBJECT_COUNT, BASE_REMAINING, false},
    {"window_s", SUBJECT_COUNT, BASE_WINDOW, false},
    {"reset_s", SUBJECT_SECONDS, BASE_RESET, false},
    {"reset_ms", SUBJECT_MS, BASE_RESET, false},
    {"reset_epoch", SUBJECT_EPOCH, BASE_RESET, false},
    {"reset_date", SUBJECT_DATE, BASE_RESET, false},
    {"phase_left_s", SUBJECT_SECONDS, BASE_PHASE_END, false},
    {"phase_left_ms", SUBJECT_MS, BASE_PHASE_END, false},
    {"phase_end_epoch", SUBJECT_EPOCH, BASE_PHASE_END, false},
    {"phase_end_date", SUBJECT_DATE, BASE_PHASE_END, false},
};

enum { PLACEHOLDER_COUNT = sizeof placeholders / sizeof placeholders[0] };

int64_t seconds_up(int64_t ms)
{
    return ms <= 0 ? 0 : (ms + 999) / 1000;
}

/* Reads "+5s" or "-90s", or nothing, of which `length` bytes must be all. */
static bool read_offset(const char *text, size_t length, int64_t *offset_ms)
{
    *offset_ms = 0;
    if (length == 0) {
        return true;
    }
    if (length < 3 || length > 12 || (text[0] != '+' && text[0] != '-') || text[length - 1] != 's') {
        return false;
    }
    int64_t seconds = 0;
    for (size_t i = 1; i < length - 1; i++) {
        if (!text_is_digit(text[i])) {
            return false;
        }
        seconds = seconds * 10 + (text[i] - '0');
    }
    *offset_ms = (text[0] == '-' ? -seconds : seconds) * 1000;
    return true;
}

/* Which placeholder the `length` bytes between two braces are; PLACEHOLDER_COUNT when none. */
static size_t find(const char *text, size_t length, int64_t *offset_ms)
{
    for (size_t i = 0; i < PLACEHOLDER_COUNT; i++) {
        size_t name = strlen(placeholders[i].name);
        if (length >= name && memcmp(text, placeholders[i].name, name) == 0 &&
            (length == name || placeholders[i].offset) && read_offset(text + name, length - name, offset_ms)) {
            return i;
        }
    }
    return PLACEHOLDER_COUNT;
}

bool placeholder_check(const char *value, char *unknown, size_t size)
{
    for (const char *open = strchr(value, '{'); open != NULL; open = strchr(open + 1, '{')) {
        const char *close = strchr(open, '}');
        size_t length = close == NULL ? strlen(open + 1) : (size_t)(close - open - 1);
        int64_t offset_ms;
        if (close == NULL || find(open + 1, length, &offset_ms) == PLACEHOLDER_COUNT) {
            snprintf(unknown, size, "%.*s", length > NAME_MAX_LENGTH ? NAME_MAX_LENGTH : (int)length, open + 1);
            return false;
        }
    }
    return true;
}

/* HTTP's own form of a date (RFC 9110 5.6.7), whatever the locale. */
static void put_date(int64_t seconds, struct buffer *out)
{
    static const char *const days[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    time_t time = (time_t)seconds;
    struct tm utc = {0};
    gmtime_r(&time, &utc);
    buffer_printf(out, "%s, %02d %s %04d %02d:%02d:%02d GMT", days[utc.tm_wday], utc.tm_mday, months[utc.tm_mon],
                  utc.tm_year + 1900, utc.tm_hour, utc.tm_min, utc.tm_sec);
}

/* How far `at` is from now; a moment that never comes is now. */
static int64_t until(monotime at, monotime now)
{
    return at == MONOTIME_NEVER ? 0 : at - now;
}

/* Appends placeholder `index`. Returns the moment that it names. */
static monotime put(size_t index, int64_t offset_ms, const struct moment *moment, struct buffer *out)
{
    int64_t left = offset_ms;
    switch (placeholders[index].base) {
    case BASE_NOW:
        break;
    case BASE_RESET:
        left = until(moment->resets, moment->now);
        break;
    case BASE_PHASE_END:
        left = until(moment->phase_ends, moment->now);
        break;
    case BASE_LIMIT:
        buffer_printf(out, "%" PRId64, moment->limit);
        return MONOTIME_NEVER;
    case BASE_REMAINING:
        buffer_printf(out, "%" PRId64, moment->remaining);
        return MONOTIME_NEVER;
    case BASE_WINDOW:
        buffer_printf(out, "%" PRId64, seconds_up(moment->window_ms));
        return MONOTIME_NEVER;
    }
    int64_t seconds = seconds_up(moment->wall + left);
    switch (placeholders[index].subject) {
    case SUBJECT_DATE:
        put_date(seconds, out);
        return moment->now + (seconds * 1000 - moment->wall);
    case SUBJECT_EPOCH:
        buffer_printf(out, "%" PRId64, seconds);
        return moment->now + (seconds * 1000 - moment->wall);
    case SUBJECT_SECONDS:
        buffer_printf(out, "%" PRId64, seconds_up(left));
        break;
    case SUBJECT_MS:
        buffer_printf(out, "%" PRId64, left < 0 ? 0 : left);
        break;
    case SUBJECT_COUNT:
        break;
    }
    return MONOTIME_NEVER;
}

monotime placeholder_fill(const char *value, const struct moment *moment, struct buffer *out)
{
    monotime named = MONOTIME_NEVER;
    while (*value != '\0') {
        size_t plain = strcspn(value, "{");
        buffer_put(out, value, plain);
        value += plain;
        if (*value == '{') {
            size_t length = strcspn(value + 1, "}");
            int64_t offset_ms;
            size_t index = find(value + 1, length, &offset_ms);
            if (index == PLACEHOLDER_COUNT) {
                return named; /* placeholder_check() lets none of these through */
            }
            monotime at = put(index, offset_ms, moment, out);
            named = at == MONOTIME_NEVER ? named : at;
            value += length + 2;
        }
    }
    return named;
}
