#include "tui/words.h"
#include "tui/words_put.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Why there is no answer, or not yet. */

/* What went wrong, without a full stop: by how the last call ended. */
static void say_cause(struct words *words, const struct event_failed *failed, const char *host)
{
    switch ((enum transfer)failed->transfer) {
    case TRANSFER_TIMEOUT:
        words_put(words, "%s did not answer", host);
        return;
    case TRANSFER_REFUSED:
        words_put(words, "%s refused the connection", host);
        return;
    case TRANSFER_UNREACHABLE:
        words_put(words, "%s could not be reached", host);
        return;
    case TRANSFER_RESET:
        words_put(words, "%s broke the connection off before an answer came", host);
        return;
    case TRANSFER_PARTIAL:
        words_put(words, "The answer of %s was cut short", host);
        return;
    case TRANSFER_DNS_FAILED:
        words_put(words, "The address of %s could not be looked up (DNS)", host);
        return;
    case TRANSFER_NO_SUCH_HOST:
        words_put(words, "There is no address for %s (DNS)", host);
        return;
    case TRANSFER_CERTIFICATE:
        words_put(words, "The certificate of %s cannot be trusted", host);
        return;
    case TRANSFER_UNSUPPORTED:
        words_put(words, "The address of %s names a protocol that is not supported", host);
        return;
    case TRANSFER_NOT_HTTP:
        words_put(words, "What %s sent is not HTTP", host);
        return;
    case TRANSFER_BAD_HEADERS:
        words_put(words, "%s sent headers that cannot be read", host);
        return;
    case TRANSFER_TOO_LARGE:
        words_put(words, "The answer of %s was larger than 8 MiB", host);
        return;
    case TRANSFER_ABORTED:
        words_put(words, "The call was given up");
        return;
    case TRANSFER_ANSWERED:
        break;
    }
    switch (failed->status) {
    case 0:
        words_put(words, "%s did not answer", host);
        break;
    case 200:
        words_put(words, "%s sent an answer that could not be read", host);
        break;
    case 408:
        words_put(words, "%s waited too long for our request (408)", host);
        break;
    case 429:
        words_put(words, "%s is throttling us (429)", host);
        break;
    case 500:
        words_put(words, "%s had an internal error (500)", host);
        break;
    case 502:
    case 504:
        words_put(words, "%s could not get an answer from its own servers (%d)", host, failed->status);
        break;
    case 503:
        words_put(words, "%s is under maintenance or overloaded (503)", host);
        break;
    default:
        words_put(words, "%s is unavailable right now (%d)", host, failed->status);
        break;
    }
}

/* An answer with status 200, or another that says nothing about this VIN. */
static void say_unreadable(struct words *words, const struct event_failed *failed, const char *host)
{
    if (failed->reason == REASON_WRONG_VIN) {
        words_put(words, "%s answered for another VIN; that answer is not shown.", host);
        return;
    }
    if (failed->reason == REASON_TOO_LARGE || failed->transfer != TRANSFER_ANSWERED) {
        say_cause(words, failed, host);
        words_put(words, ".");
        return;
    }
    if (failed->status >= 300 && failed->status < 400 && failed->status != 304) {
        words_put(words, "%s sent us elsewhere (%d); redirects are not followed.", host, failed->status);
        return;
    }
    if (failed->status != 200 && failed->status != 0) {
        words_put(words, "%s sent an answer with an unexpected status (%d).", host, failed->status);
        return;
    }
    switch (failed->answer) {
    case ANSWER_EMPTY:
        words_put(words, "%s sent an empty answer.", host);
        break;
    case ANSWER_HTML:
        words_put(words, "%s sent a web page (HTML), not JSON.", host);
        break;
    case ANSWER_XML:
        words_put(words, "%s sent XML, not JSON.", host);
        break;
    case ANSWER_TRUNCATED:
        words_put(words, "The answer of %s was cut short.", host);
        break;
    case ANSWER_NO_RESULTS:
        words_put(words, "%s gave no result", host);
        if (failed->message[0] != '\0') {
            words_put(words, "; it says: %s", failed->message);
        }
        if (strstr(failed->message, "Pre-1981") != NULL) {
            words_put(words, ". VINs have their present form since 1981; earlier years cannot be decoded");
        }
        words_put(words, ".");
        break;
    default:
        words_put(words, "%s sent an answer that could not be read.", host);
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
    words_put(words, " Next try possible at ");
    words_put_time(words, wall + left, wall, utc_offset_ms);
    words_put(words, " (in %s).", duration);
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
        words_put(words, "%s refused several requests in a row (%d), perhaps throttled or blocked.", host,
                  failed->status);
    } else if (failed->reason == REASON_HINT_NOT_CREDIBLE) {
        words_put(words, "%s throttled us again right after the waits it had asked for.", host);
    } else if (failed->told_ms > 0 && failed->again.origin != ORIGIN_COOL_DOWN) {
        words_put(words, "%s asked us to wait %s", host, asked);
        if (failed->attempts > 1 && failed->reason == REASON_ATTEMPTS) {
            words_put(words, ", the last of %d times", failed->attempts);
        } else if (is_over_cap(failed->reason)) {
            words_put(words, ", too long to try again by itself");
        }
        words_put(words, ".");
    } else if (failed->status != 0) {
        words_put(words, "%s refused (%d) and gave no time.", host, failed->status);
    } else {
        words_put(words, "%s asked us to wait.", host);
    }
}

static void say_deadline(struct words *words, const struct event_failed *failed, const char *host)
{
    char duration[32];
    if (failed->told_ms > 0) {
        words_duration(failed->told_ms, duration, sizeof duration);
        words_put(words, "%s asked us to wait %s, longer than the time left for this VIN. It was not checked.", host,
                  duration);
    } else if (failed->attempts == 0) {
        words_put(words, "Nothing was sent: the time for this VIN would be over before a call may leave.");
    } else {
        words_duration(failed->elapsed_ms, duration, sizeof duration);
        words_put(words, "No answer within %s. The VIN was not checked.", duration);
    }
}

static void say_rejected(struct words *words, const struct event_failed *failed, const char *host)
{
    if (failed->reason == REASON_LOCAL_VALIDATION) {
        words_put(words, "Not sent: the text cannot be a VIN.");
    } else if (failed->status == 403) {
        words_put(words, "%s refused the request (403), perhaps throttled or blocked.", host);
    } else if (failed->status == 404) {
        words_put(words, "%s does not know this address (404); is the upstream right?", host);
    } else if (failed->status != 0) {
        words_put(words, "%s rejected the request (%d).", host, failed->status);
    } else {
        words_put(words, "%s rejected the request.", host);
    }
}

/* The failures of calls that could have gone well: cause, tries, and when it is tried again. */
static void say_given_up(struct words *words, const struct event_failed *failed, const char *host, monotime now)
{
    char duration[32];
    say_cause(words, failed, host);
    if (failed->attempts > 1) {
        words_put(words, failed->transfer == TRANSFER_ANSWERED ? ", %d times" : " in %d tries", failed->attempts);
    }
    words_put(words, ".");
    if (failed->resting && failed->again.until > now) {
        words_duration(failed->again.until - now, duration, sizeof duration);
        words_put(words, " Not tried again for %s.", duration);
    } else if (failed->told_ms > 0) {
        words_duration(failed->told_ms, duration, sizeof duration);
        words_put(words, " It asked us to wait %s.", duration);
    } else if (failed->code == CODE_UPSTREAM_UNAVAILABLE && failed->transfer == TRANSFER_ANSWERED) {
        words_put(words, " Try again in a minute.");
    }
}

static void say_breaker(struct words *words, const struct event_failed *failed, const char *host, monotime now)
{
    char duration[32];
    int64_t left = failed->again.until - now;
    if (left > 0 && failed->again.until != MONOTIME_NEVER) {
        words_duration(left, duration, sizeof duration);
        words_put(words, "%s failed repeatedly. Next test call in %s.", host, duration);
    } else {
        words_put(words, "%s failed repeatedly. A test call is possible now.", host);
    }
}

void words_failure(const struct event_failed *failed, const char *host, monotime now, walltime wall,
                   int64_t utc_offset_ms, char *out, size_t size)
{
    struct words words = words_begin(out, size);
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

void words_turned_away(const struct event_failed *failed, const char *host, char *out, size_t size)
{
    if (failed->reason == REASON_REJECTED_REPEATEDLY) {
        (void)snprintf(out, size, "%s refused several requests in a row (%d), perhaps throttled or blocked.", host,
                       failed->status);
    } else {
        words_failure(failed, host, 0, 0, 0, out, size);
    }
    size_t length = strlen(out);
    (void)snprintf(out + length, size - length, " The list stops here.");
}

void words_waiting(const struct event_waiting *waiting, const char *host, char *out, size_t size)
{
    struct words words = words_begin(out, size);
    struct event_failed cause = {.transfer = TRANSFER_ANSWERED, .status = waiting->status};
    switch (waiting->reason) {
    case REASON_NONE:
    case REASON_OK:
    case REASON_OK_SPARSE:
        if (waiting->wait.origin == ORIGIN_COURTESY_RATE) {
            words_put(&words, "We keep to our own pace; the call leaves by itself");
        } else {
            words_put(&words, "The call leaves by itself when the wait is over");
        }
        return;
    case REASON_QUOTA_GATE:
    case REASON_GATE_CLOSED:
        words_put(&words, "%s asked us to wait; the call leaves by itself", host);
        return;
    case REASON_TIMEOUT:
        words_put(&words, "%s did not answer in time; the next try leaves by itself", host);
        return;
    case REASON_TRANSPORT:
        words_put(&words, "The connection to %s failed; the next try leaves by itself", host);
        return;
    case REASON_BAD_BODY:
    case REASON_BAD_HEADERS:
        words_put(&words, "%s sent an answer that could not be read; it is asked once more", host);
        return;
    default:
        break;
    }
    if (waiting->status == 429) {
        words_put(&words, "%s asked us to wait (429); the next try leaves by itself", host);
        return;
    }
    say_cause(&words, &cause, host);
    words_put(&words, "; the next try leaves by itself");
}

const char *words_code(enum code code)
{
    static const char *const words[CODE_COUNT] = {
        [CODE_NONE] = "decoded",
        [CODE_UPSTREAM_THROTTLE] = "throttled",
        [CODE_UPSTREAM_UNAVAILABLE] = "unavailable",
        [CODE_EXHAUSTED] = "given up",
        [CODE_DEADLINE] = "out of time",
        [CODE_CIRCUIT_OPEN] = "paused",
        [CODE_BAD_RESPONSE] = "bad answer",
        [CODE_BAD_REQUEST] = "rejected",
        [CODE_CANCELLED] = "cancelled",
    };
    return words[code];
}
