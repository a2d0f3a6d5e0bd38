#include "tui/words.h"

#include "core/base/text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* A text that grows inside a buffer of the caller's and never over its end. */
struct words {
    char *out;
    size_t size, length;
};

static struct words words_in(char *out, size_t size)
{
    if (size > 0) {
        out[0] = '\0';
    }
    return (struct words){.out = out, .size = size};
}

static void __attribute__((format(printf, 2, 3))) say(struct words *words, const char *format, ...)
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
    struct words words = words_in(out, size);
    if (seconds < 120) {
        say(&words, "%lld s", seconds);
    } else if (seconds < 3600) {
        say(&words, seconds % 60 == 0 ? "%lld min" : "%lld min %lld s", seconds / 60, seconds % 60);
    } else if (seconds < 48 * 3600) {
        long long minutes = (seconds + 59) / 60;
        say(&words, minutes % 60 == 0 ? "%lld h" : "%lld h %lld min", minutes / 60, minutes % 60);
    } else {
        say(&words, "%lld days", (seconds + 86399) / 86400);
    }
}

/* Seconds as a header names them: never in minutes, with the fraction that there is. */
static void say_seconds(struct words *words, int64_t ms)
{
    char fraction[8] = "";
    if (ms % 1000 != 0) {
        (void)snprintf(fraction, sizeof fraction, ".%03d", (int)(ms % 1000));
        while (fraction[strlen(fraction) - 1] == '0') {
            fraction[strlen(fraction) - 1] = '\0';
        }
    }
    say(words, "%lld%s s", (long long)(ms / 1000), fraction);
}

/* A time of day; with the date when it is more than half a day away. */
static void say_time(struct words *words, walltime at, walltime wall, int64_t utc_offset_ms)
{
    time_t seconds = (time_t)((at + utc_offset_ms) / 1000);
    struct tm parts;
    char text[32] = "";
    bool far = wall != 0 && at - wall > INT64_C(12) * 3600 * 1000;
    if (gmtime_r(&seconds, &parts) != NULL &&
        strftime(text, sizeof text, far ? "%Y-%m-%d %H:%M:%S" : "%H:%M:%S", &parts) > 0) {
        say(words, "%s", text);
    }
}

void words_origin(const struct wait *wait, const char *host, int64_t utc_offset_ms, char *out, size_t size)
{
    struct words words = words_in(out, size);
    switch (wait->origin) {
    case ORIGIN_NONE:
        break;
    case ORIGIN_RETRY_AFTER:
        say(&words, "Retry-After ");
        say_seconds(&words, wait->asked_ms);
        break;
    case ORIGIN_RETRY_AFTER_DATE:
        say(&words, "Retry-After until ");
        say_time(&words, wait->until_wall, 0, utc_offset_ms);
        break;
    case ORIGIN_RATELIMIT_RESET:
        say(&words, "RateLimit reset");
        break;
    case ORIGIN_X_RATELIMIT_RESET:
        say(&words, "X-RateLimit reset");
        break;
    case ORIGIN_BODY:
        say(&words, "answer body");
        break;
    case ORIGIN_BACKOFF:
        say(&words, "our own back-off");
        break;
    case ORIGIN_COURTESY_RATE:
        say(&words, "our own courtesy rate");
        break;
    case ORIGIN_BREAKER:
        say(&words, "circuit breaker");
        break;
    case ORIGIN_COOL_DOWN:
        say(&words, "%s gave no time; we wait ", host);
        say_seconds(&words, wait->asked_ms);
        break;
    }
}

/* What went wrong, without a full stop: by how the last call ended. */
static void say_cause(struct words *words, const struct event_failed *failed, const char *host)
{
    switch ((enum transfer)failed->transfer) {
    case TRANSFER_TIMEOUT:
        say(words, "%s did not answer", host);
        return;
    case TRANSFER_REFUSED:
        say(words, "%s refused the connection", host);
        return;
    case TRANSFER_UNREACHABLE:
        say(words, "%s could not be reached", host);
        return;
    case TRANSFER_RESET:
        say(words, "%s broke the connection off before an answer came", host);
        return;
    case TRANSFER_PARTIAL:
        say(words, "The answer of %s was cut short", host);
        return;
    case TRANSFER_DNS_FAILED:
        say(words, "The address of %s could not be looked up (DNS)", host);
        return;
    case TRANSFER_NO_SUCH_HOST:
        say(words, "There is no address for %s (DNS)", host);
        return;
    case TRANSFER_CERTIFICATE:
        say(words, "The certificate of %s cannot be trusted", host);
        return;
    case TRANSFER_UNSUPPORTED:
        say(words, "The address of %s names a protocol that is not supported", host);
        return;
    case TRANSFER_NOT_HTTP:
        say(words, "What %s sent is not HTTP", host);
        return;
    case TRANSFER_BAD_HEADERS:
        say(words, "%s sent headers that cannot be read", host);
        return;
    case TRANSFER_TOO_LARGE:
        say(words, "The answer of %s was larger than 8 MiB", host);
        return;
    case TRANSFER_ABORTED:
        say(words, "The call was given up");
        return;
    case TRANSFER_ANSWERED:
        break;
    }
    switch (failed->status) {
    case 0:
        say(words, "%s did not answer", host);
        break;
    case 200:
        say(words, "%s sent an answer that could not be read", host);
        break;
    case 408:
        say(words, "%s waited too long for our request (408)", host);
        break;
    case 429:
        say(words, "%s is throttling us (429)", host);
        break;
    case 500:
        say(words, "%s had an internal error (500)", host);
        break;
    case 502:
    case 504:
        say(words, "%s could not get an answer from its own servers (%d)", host, failed->status);
        break;
    case 503:
        say(words, "%s is under maintenance or overloaded (503)", host);
        break;
    default:
        say(words, "%s is unavailable right now (%d)", host, failed->status);
        break;
    }
}

/* An answer with status 200, or another that says nothing about this VIN. */
static void say_unreadable(struct words *words, const struct event_failed *failed, const char *host)
{
    if (failed->reason == REASON_WRONG_VIN) {
        say(words, "%s answered for another VIN; that answer is not shown.", host);
        return;
    }
    if (failed->reason == REASON_TOO_LARGE || failed->transfer != TRANSFER_ANSWERED) {
        say_cause(words, failed, host);
        say(words, ".");
        return;
    }
    if (failed->status >= 300 && failed->status < 400) {
        say(words, "%s sent us elsewhere (%d); redirects are not followed.", host, failed->status);
        return;
    }
    if (failed->status != 200 && failed->status != 0) {
        say(words, "%s sent an answer with an unexpected status (%d).", host, failed->status);
        return;
    }
    switch (failed->answer) {
    case ANSWER_EMPTY:
        say(words, "%s sent an empty answer.", host);
        break;
    case ANSWER_HTML:
        say(words, "%s sent a web page (HTML), not JSON.", host);
        break;
    case ANSWER_XML:
        say(words, "%s sent XML, not JSON.", host);
        break;
    case ANSWER_TRUNCATED:
        say(words, "The answer of %s was cut short.", host);
        break;
    case ANSWER_NO_RESULTS:
        say(words, "%s gave no result", host);
        if (failed->message[0] != '\0') {
            say(words, "; it says: %s", failed->message);
        }
        if (strstr(failed->message, "Pre-1981") != NULL) {
            say(words, ". VINs have their present form since 1981; earlier years cannot be decoded");
        }
        say(words, ".");
        break;
    default:
        say(words, "%s sent an answer that could not be read.", host);
        break;
    }
}

/* "Next try possible at 14:32:10 (in 2 min 5 s)." while that lies ahead. */
static void say_again(struct words *words, const struct event_failed *failed, monotime now, walltime wall,
                      int64_t utc_offset_ms)
{
    char duration[32];
    int64_t left = failed->again.until - now;
    if (failed->again.until == MONOTIME_NEVER || left <= 0) {
        return;
    }
    words_duration(left, duration, sizeof duration);
    say(words, " Next try possible at ");
    say_time(words, wall + left, wall, utc_offset_ms);
    say(words, " (in %s).", duration);
}

/* The wait was longer than one that is waited out without being asked. */
static bool is_over_cap(enum reason reason)
{
    return reason == REASON_OVER_CAP_RETRY_AFTER || reason == REASON_OVER_CAP_BODY || reason == REASON_OVER_CAP_RESET ||
           reason == REASON_OVER_CAP;
}

static void say_throttled(struct words *words, const struct event_failed *failed, const char *host)
{
    char asked[32];
    words_duration(failed->told_ms, asked, sizeof asked);
    if (failed->reason == REASON_REJECTED_REPEATEDLY) {
        say(words, "%s refused several requests in a row (%d), perhaps throttled or blocked.", host, failed->status);
    } else if (failed->reason == REASON_HINT_NOT_CREDIBLE) {
        say(words, "%s throttled us again right after the waits it had asked for.", host);
    } else if (failed->told_ms > 0 && failed->again.origin != ORIGIN_COOL_DOWN) {
        say(words, "%s asked us to wait %s", host, asked);
        if (failed->attempts > 1 && failed->reason == REASON_ATTEMPTS) {
            say(words, ", the last of %d times", failed->attempts);
        } else if (is_over_cap(failed->reason)) {
            say(words, ", too long to try again by itself");
        }
        say(words, ".");
    } else if (failed->status != 0) {
        say(words, "%s refused (%d) and gave no time.", host, failed->status);
    } else {
        say(words, "%s asked us to wait.", host);
    }
}

static void say_deadline(struct words *words, const struct event_failed *failed, const char *host)
{
    char duration[32];
    if (failed->told_ms > 0) {
        words_duration(failed->told_ms, duration, sizeof duration);
        say(words, "%s asked us to wait %s, longer than the time left for this VIN. It was not checked.", host,
            duration);
    } else {
        words_duration(failed->elapsed_ms, duration, sizeof duration);
        say(words, "No answer within %s. The VIN was not checked.", duration);
    }
}

static void say_rejected(struct words *words, const struct event_failed *failed, const char *host)
{
    if (failed->reason == REASON_LOCAL_VALIDATION) {
        say(words, "Not sent: the text cannot be a VIN.");
    } else if (failed->status == 403) {
        say(words, "%s refused the request (403), perhaps throttled or blocked.", host);
    } else if (failed->status == 404) {
        say(words, "%s does not know this address (404); is the upstream right?", host);
    } else if (failed->status != 0) {
        say(words, "%s rejected the request (%d).", host, failed->status);
    } else {
        say(words, "%s rejected the request.", host);
    }
}

/* The failures of calls that could have gone well: cause, tries, and when it is tried again. */
static void say_given_up(struct words *words, const struct event_failed *failed, const char *host, monotime now)
{
    char duration[32];
    say_cause(words, failed, host);
    if (failed->attempts > 1) {
        say(words, failed->transfer == TRANSFER_ANSWERED ? ", %d times" : " in %d tries", failed->attempts);
    }
    say(words, ".");
    if (failed->resting && failed->again.until > now) {
        words_duration(failed->again.until - now, duration, sizeof duration);
        say(words, " Not tried again for %s.", duration);
    } else if (failed->told_ms > 0) {
        words_duration(failed->told_ms, duration, sizeof duration);
        say(words, " It asked us to wait %s.", duration);
    } else if (failed->code == CODE_UPSTREAM_UNAVAILABLE && failed->transfer == TRANSFER_ANSWERED) {
        say(words, " Try again in a minute.");
    }
}

static void say_breaker(struct words *words, const struct event_failed *failed, const char *host, monotime now)
{
    char duration[32];
    int64_t left = failed->again.until - now;
    if (left > 0 && failed->again.until != MONOTIME_NEVER) {
        words_duration(left, duration, sizeof duration);
        say(words, "%s failed repeatedly. Next test call in %s.", host, duration);
    } else {
        say(words, "%s failed repeatedly. A test call is possible now.", host);
    }
}

void words_failure(const struct event_failed *failed, const char *host, monotime now, walltime wall,
                   int64_t utc_offset_ms, char *out, size_t size)
{
    struct words words = words_in(out, size);
    switch (failed->code) {
    case CODE_UPSTREAM_THROTTLE:
        say_throttled(&words, failed, host);
        say_again(&words, failed, now, wall, utc_offset_ms);
        break;
    case CODE_DEADLINE:
        say_deadline(&words, failed, host);
        say_again(&words, failed, now, wall, utc_offset_ms);
        break;
    case CODE_CIRCUIT_OPEN:
        say_breaker(&words, failed, host, now);
        break;
    case CODE_BAD_RESPONSE:
        say_unreadable(&words, failed, host);
        break;
    case CODE_BAD_REQUEST:
        say_rejected(&words, failed, host);
        break;
    case CODE_UPSTREAM_UNAVAILABLE:
    case CODE_EXHAUSTED:
        say_given_up(&words, failed, host, now);
        break;
    case CODE_NONE:
    case CODE_CANCELLED:
    case CODE_COUNT:
        break;
    }
}

/* The character at `position`, counted from 1, as bytes. */
static size_t character_at(const char *text, size_t position, const char **at)
{
    size_t length = strlen(text), used = 0;
    uint32_t character;
    *at = text;
    for (size_t i = 0; i < position && (size_t)(*at - text) + used < length; i++) {
        *at += used;
        used = text_character(*at, length - (size_t)(*at - text), &character);
    }
    return used;
}

/* "O stands at position 5", "I, Q at positions 4 and 7": all problems of one kind. */
static void say_positions(struct words *words, const struct vin_check *check, enum vin_problem_kind kind)
{
    const char *named[VIN_PROBLEMS_MAX];
    size_t count = 0, said = 0;
    for (size_t i = 0; i < check->problem_count; i++) {
        if (check->problems[i].kind != kind) {
            continue;
        }
        size_t used = character_at(check->text, check->problems[i].position, &named[count]);
        bool again = false;
        for (size_t k = 0; k < count; k++) {
            again = again || strncmp(named[k], named[count], used) == 0;
        }
        if (!again && said < 4) {
            say(words, "%s%.*s", said++ > 0 ? ", " : "", (int)used, named[count]);
        }
        count++;
    }
    said = 0;
    for (size_t i = 0; i < check->problem_count && said < 6; i++) {
        if (check->problems[i].kind == kind) {
            const char *first = count == 1 ? " stands at position " : " at positions ";
            say(words, "%s%zu", said == 0 ? first : said + 1 == count ? " and " : ", ", check->problems[i].position);
            said++;
        }
    }
    if (said < count) {
        say(words, " and more");
    }
}

static bool has_kind(const struct vin_check *check, enum vin_problem_kind kind)
{
    for (size_t i = 0; i < check->problem_count; i++) {
        if (check->problems[i].kind == kind) {
            return true;
        }
    }
    return false;
}

void words_problem(const struct vin_check *check, char *out, size_t size)
{
    struct words words = words_in(out, size);
    if (has_kind(check, VIN_EMPTY)) {
        say(&words, "Nothing is typed yet");
    } else if (has_kind(check, VIN_BAD_CHARACTER)) {
        say_positions(&words, check, VIN_BAD_CHARACTER);
        say(&words, ": never sent, a VIN has A-Z and 0-9");
    } else if (has_kind(check, VIN_TOO_LONG)) {
        say(&words, "%zu characters, a VIN has 17", check->length);
    } else if (has_kind(check, VIN_FORBIDDEN_LETTER)) {
        say_positions(&words, check, VIN_FORBIDDEN_LETTER);
        say(&words, ", a VIN never holds I, O or Q");
        if (has_kind(check, VIN_TOO_SHORT)) {
            say(&words, "; %zu of 17 characters", check->length);
        }
    } else if (has_kind(check, VIN_TOO_SHORT)) {
        say(&words, "%zu of 17 characters", check->length);
    } else if (has_kind(check, VIN_WILDCARD)) {
        say_positions(&words, check, VIN_WILDCARD);
        say(&words, " for a character that is not known");
    } else if (check->has_check_digit && !check->check_ok) {
        say(&words, "Position 9 holds check digit %c, expected %c", check->check_actual, check->check_expected);
    }
}

void words_waiting(const struct event_waiting *waiting, const char *host, char *out, size_t size)
{
    struct words words = words_in(out, size);
    struct event_failed cause = {.transfer = TRANSFER_ANSWERED, .status = waiting->status};
    switch (waiting->reason) {
    case REASON_NONE:
    case REASON_OK:
    case REASON_OK_SPARSE:
        if (waiting->wait.origin == ORIGIN_COURTESY_RATE) {
            say(&words, "We keep to our own pace; the call leaves by itself");
        } else {
            say(&words, "The call leaves by itself when the wait is over");
        }
        return;
    case REASON_QUOTA_GATE:
    case REASON_GATE_CLOSED:
        say(&words, "%s asked us to wait; the call leaves by itself", host);
        return;
    case REASON_TIMEOUT:
        say(&words, "%s did not answer in time; the next try leaves by itself", host);
        return;
    case REASON_TRANSPORT:
        say(&words, "The connection to %s failed; the next try leaves by itself", host);
        return;
    case REASON_BAD_BODY:
    case REASON_BAD_HEADERS:
        say(&words, "%s sent an answer that could not be read; it is asked once more", host);
        return;
    default:
        break;
    }
    if (waiting->status == 429) {
        say(&words, "%s asked us to wait (429); the next try leaves by itself", host);
        return;
    }
    say_cause(&words, &cause, host);
    say(&words, "; the next try leaves by itself");
}
