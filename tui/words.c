#include "tui/words.h"
#include "tui/words_put.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct words words_begin(char *out, size_t size)
{
    if (size > 0) {
        out[0] = '\0';
    }
    return (struct words){.out = out, .size = size};
}

void words_put(struct words *words, const char *format, ...)
{
    if (words->length + 1 >= words->size) {
        return;
    }
    va_list list;
    va_start(list, format);
    int length = vsnprintf(words->out + words->length, words->size - words->length, format, list);
    va_end(list);
    size_t room = words->size - words->length - 1;
    words->length += length > 0 && (size_t)length < room ? (size_t)length : length > 0 ? room : 0;
}

static int64_t seconds_up(int64_t ms)
{
    return ms <= 0 ? 0 : (ms - 1) / 1000 + 1;
}

void words_countdown(int64_t left_ms, char *out, size_t size)
{
    long long seconds = seconds_up(left_ms);
    if (seconds < 3600) {
        (void)snprintf(out, size, "%lld:%02lld", seconds / 60, seconds % 60);
    } else {
        (void)snprintf(out, size, "%lld:%02lld:%02lld", seconds / 3600, seconds / 60 % 60, seconds % 60);
    }
}

void words_duration(int64_t ms, char *out, size_t size)
{
    long long seconds = seconds_up(ms);
    struct words words = words_begin(out, size);
    if (seconds < 120) {
        words_put(&words, "%lld s", seconds);
    } else if (seconds < 3600) {
        words_put(&words, seconds % 60 == 0 ? "%lld min" : "%lld min %lld s", seconds / 60, seconds % 60);
    } else if (seconds < 48 * 3600) {
        long long minutes = (seconds + 59) / 60;
        words_put(&words, minutes % 60 == 0 ? "%lld h" : "%lld h %lld min", minutes / 60, minutes % 60);
    } else {
        words_put(&words, "%lld days", (seconds + 86399) / 86400);
    }
}

void words_put_seconds(struct words *words, int64_t ms)
{
    char fraction[8] = "";
    if (ms % 1000 != 0) {
        (void)snprintf(fraction, sizeof fraction, ".%03d", (int)(ms % 1000));
        while (fraction[strlen(fraction) - 1] == '0') {
            fraction[strlen(fraction) - 1] = '\0';
        }
    }
    words_put(words, "%lld%s s", (long long)(ms / 1000), fraction);
}

void words_put_time(struct words *words, walltime at, walltime wall, int64_t utc_offset_ms)
{
    time_t seconds = (time_t)((at + utc_offset_ms) / 1000);
    struct tm parts;
    char text[32] = "";
    int64_t distance = at > wall ? at - wall : wall - at;
    bool far = wall != 0 && distance > INT64_C(12) * 3600 * 1000;
    if (gmtime_r(&seconds, &parts) != NULL &&
        strftime(text, sizeof text, far ? "%Y-%m-%d %H:%M:%S" : "%H:%M:%S", &parts) > 0) {
        words_put(words, "%s", text);
    }
}

void words_time(walltime at, walltime wall, int64_t utc_offset_ms, char *out, size_t size)
{
    struct words words = words_begin(out, size);
    words_put_time(&words, at, wall, utc_offset_ms);
}

void words_origin(const struct wait *wait, const char *host, int64_t utc_offset_ms, char *out, size_t size)
{
    struct words words = words_begin(out, size);
    switch (wait->origin) {
    case ORIGIN_NONE:
        break;
    case ORIGIN_RETRY_AFTER:
        words_put(&words, "Retry-After ");
        words_put_seconds(&words, wait->asked_ms);
        break;
    case ORIGIN_RETRY_AFTER_DATE:
        words_put(&words, "Retry-After until ");
        words_put_time(&words, wait->until_wall, 0, utc_offset_ms);
        break;
    case ORIGIN_RATELIMIT_RESET:
        words_put(&words, "RateLimit reset");
        break;
    case ORIGIN_X_RATELIMIT_RESET:
        words_put(&words, "X-RateLimit reset");
        break;
    case ORIGIN_BODY:
        words_put(&words, "answer body");
        break;
    case ORIGIN_BACKOFF:
        words_put(&words, "our own back-off");
        break;
    case ORIGIN_COURTESY_RATE:
        words_put(&words, "our own courtesy rate");
        break;
    case ORIGIN_BREAKER:
        words_put(&words, "circuit breaker");
        break;
    case ORIGIN_COOL_DOWN:
        words_put(&words, "%s gave no time; we wait ", host);
        words_put_seconds(&words, wait->asked_ms);
        break;
    }
}

bool words_number(const char *text, size_t length, char *out, size_t size)
{
    char number[WORDS_NUMBER_MAX];
    if (length == 0 || length >= sizeof number || memchr(text, '.', length) == NULL) {
        return false;
    }
    memcpy(number, text, length);
    number[length] = '\0';
    if (strspn(number, "0123456789.") != length || number[0] == '.' || strchr(number, '.') != strrchr(number, '.')) {
        return false;
    }
    double amount = strtod(number, NULL);
    if (amount >= 1e15) {
        return false;
    }
    int used = snprintf(number, sizeof number, amount < 100 ? "%.2f" : "%.1f", amount);
    while (used > 0 && number[used - 1] == '0') {
        number[--used] = '\0';
    }
    if (used > 0 && number[used - 1] == '.') {
        number[--used] = '\0';
    }
    struct words words = words_begin(out, size);
    size_t whole = strcspn(number, ".");
    for (size_t i = 0; number[i] != '\0'; i++) {
        bool comma = i > 0 && i < whole && (whole - i) % 3 == 0;
        words_put(&words, "%s%c", comma ? "," : "", number[i]);
    }
    return true;
}
