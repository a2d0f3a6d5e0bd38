#include "core/policy/http_date.h"

#include "core/base/text.h"

#include <string.h>

static const char *const weekdays[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
enum { WEEKDAYS = 7, MONTHS = 12, ABBREVIATED = 3, MS_PER_DAY = 24 * 60 * 60 * 1000 };

/* The text that is left. Every step takes its part from the front, or returns false. */
struct rest {
    const char *at, *end;
};

struct date {
    int year, month, day; /* month and day from 1 */
    int hour, minute, second;
};

static bool take_text(struct rest *rest, const char *wanted)
{
    size_t length = strlen(wanted);
    if ((size_t)(rest->end - rest->at) < length || memcmp(rest->at, wanted, length) != 0) {
        return false;
    }
    rest->at += length;
    return true;
}

static bool take_digits(struct rest *rest, int count, int *out)
{
    int value = 0;
    for (int i = 0; i < count; i++) {
        if (rest->at == rest->end || !text_is_digit(*rest->at)) {
            return false;
        }
        value = value * 10 + (*rest->at++ - '0');
    }
    *out = value;
    return true;
}

static bool take_weekday(struct rest *rest, bool whole)
{
    for (int i = 0; i < WEEKDAYS; i++) {
        size_t length = whole ? strlen(weekdays[i]) : ABBREVIATED;
        if ((size_t)(rest->end - rest->at) >= length && memcmp(rest->at, weekdays[i], length) == 0) {
            rest->at += length;
            return true;
        }
    }
    return false;
}

static bool take_month(struct rest *rest, int *month)
{
    for (int i = 0; i < MONTHS; i++) {
        if (take_text(rest, months[i])) {
            *month = i + 1;
            return true;
        }
    }
    return false;
}

static bool take_time(struct rest *rest, struct date *date)
{
    return take_digits(rest, 2, &date->hour) && take_text(rest, ":") && take_digits(rest, 2, &date->minute) &&
           take_text(rest, ":") && take_digits(rest, 2, &date->second);
}

static int days_in_month(int year, int month)
{
    static const int days[MONTHS] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2 && leap ? 29 : days[month - 1];
}

static bool is_on_the_calendar(const struct date *date)
{
    return date->month >= 1 && date->month <= MONTHS && date->day >= 1 &&
           date->day <= days_in_month(date->year, date->month) && date->hour <= 23 && date->minute <= 59 &&
           date->second <= 60;
}

/* Days from 1 January 1970 in the Gregorian calendar. Years are counted from March, so that the leap day is a year's
 * last and the months before it have lengths that repeat every five: 153 days. */
static int64_t days_since_1970(const struct date *date)
{
    int64_t year = date->month <= 2 ? date->year - 1 : date->year;
    int64_t month = date->month <= 2 ? date->month + 9 : date->month - 3;
    int64_t era = (year + 400) / 400 - 1; /* year is -1 or more */
    int64_t year_of_era = year - era * 400;
    int64_t day_of_year = (153 * month + 2) / 5 + date->day - 1;
    int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * 146097 + day_of_era - 719468;
}

static walltime to_walltime(const struct date *date)
{
    int64_t seconds = (int64_t)date->hour * 3600 + (int64_t)date->minute * 60 + date->second;
    return days_since_1970(date) * MS_PER_DAY + seconds * 1000;
}

static int year_of(walltime now)
{
    int year = 1970;
    int64_t days = now / MS_PER_DAY;
    year += (int)(days / 366); /* never too far; a few steps do the rest */
    while (year < 9999 && days_since_1970(&(struct date){.year = year + 1, .month = 1, .day = 1}) * MS_PER_DAY <= now) {
        year++;
    }
    while (year > 0 && days_since_1970(&(struct date){.year = year, .month = 1, .day = 1}) * MS_PER_DAY > now) {
        year--;
    }
    return year;
}

/* More than 50 years ahead means the last century (RFC 9110 5.6.7). */
static int whole_year(int two_digits, walltime now)
{
    int this_year = year_of(now);
    int year = this_year - this_year % 100 + two_digits;
    return year > this_year + 50 ? year - 100 : year;
}

/* Sun, 06 Nov 1994 08:49:37 GMT */
static bool take_imf_fixdate(struct rest rest, struct date *date)
{
    return take_weekday(&rest, false) && take_text(&rest, ", ") && take_digits(&rest, 2, &date->day) &&
           take_text(&rest, " ") && take_month(&rest, &date->month) && take_text(&rest, " ") &&
           take_digits(&rest, 4, &date->year) && take_text(&rest, " ") && take_time(&rest, date) &&
           take_text(&rest, " GMT") && rest.at == rest.end;
}

/* Sunday, 06-Nov-94 08:49:37 GMT */
static bool take_rfc850(struct rest rest, walltime now, struct date *date)
{
    int two_digits;
    if (!take_weekday(&rest, true) || !take_text(&rest, ", ") || !take_digits(&rest, 2, &date->day) ||
        !take_text(&rest, "-") || !take_month(&rest, &date->month) || !take_text(&rest, "-") ||
        !take_digits(&rest, 2, &two_digits)) {
        return false;
    }
    date->year = whole_year(two_digits, now);
    return take_text(&rest, " ") && take_time(&rest, date) && take_text(&rest, " GMT") && rest.at == rest.end;
}

/* Sun Nov  6 08:49:37 1994, the day in two places, filled up with a space or a zero */
static bool take_asctime(struct rest rest, struct date *date)
{
    return take_weekday(&rest, false) && take_text(&rest, " ") && take_month(&rest, &date->month) &&
           take_text(&rest, " ") &&
           (take_text(&rest, " ") ? take_digits(&rest, 1, &date->day) : take_digits(&rest, 2, &date->day)) &&
           take_text(&rest, " ") && take_time(&rest, date) && take_text(&rest, " ") &&
           take_digits(&rest, 4, &date->year) && rest.at == rest.end;
}

/* ".25" -> 250, any number of digits, rounded up; nothing at all is 0. */
static bool take_fraction(struct rest *rest, int *ms)
{
    *ms = 0;
    if (!take_text(rest, ".")) {
        return true;
    }
    int places = 0;
    bool more = false;
    for (; rest->at < rest->end && text_is_digit(*rest->at); rest->at++, places++) {
        if (places < 3) {
            *ms = *ms * 10 + (*rest->at - '0');
        } else if (*rest->at != '0') {
            more = true;
        }
    }
    for (int i = places; i < 3; i++) {
        *ms *= 10;
    }
    *ms += more ? 1 : 0;
    return places > 0;
}

/* "Z" -> 0, "+02:00" -> 120 */
static bool take_offset(struct rest *rest, int *minutes)
{
    *minutes = 0;
    if (take_text(rest, "Z") || take_text(rest, "z")) {
        return true;
    }
    bool west = take_text(rest, "-");
    int hour, minute;
    if ((!west && !take_text(rest, "+")) || !take_digits(rest, 2, &hour) || !take_text(rest, ":") ||
        !take_digits(rest, 2, &minute) || hour > 23 || minute > 59) {
        return false;
    }
    *minutes = west ? -(hour * 60 + minute) : hour * 60 + minute;
    return true;
}

/* 1994-11-06T08:49:37Z, 1994-11-06T08:49:37.25+01:00 */
static bool take_rfc3339(struct rest rest, struct date *date, int *fraction_ms, int *offset_minutes)
{
    return take_digits(&rest, 4, &date->year) && take_text(&rest, "-") && take_digits(&rest, 2, &date->month) &&
           take_text(&rest, "-") && take_digits(&rest, 2, &date->day) &&
           (take_text(&rest, "T") || take_text(&rest, "t")) && take_time(&rest, date) &&
           take_fraction(&rest, fraction_ms) && take_offset(&rest, offset_minutes) && rest.at == rest.end;
}

bool http_date_read(const char *text, size_t length, walltime now, walltime *out)
{
    struct rest rest = {.at = text, .end = text + length};
    struct date date = {0};
    int fraction_ms = 0, offset_minutes = 0;
    if (!take_imf_fixdate(rest, &date) && !take_rfc850(rest, now, &date) && !take_asctime(rest, &date) &&
        !take_rfc3339(rest, &date, &fraction_ms, &offset_minutes)) {
        return false;
    }
    if (!is_on_the_calendar(&date)) {
        return false;
    }
    *out = to_walltime(&date) + fraction_ms - (int64_t)offset_minutes * 60 * 1000;
    return true;
}
