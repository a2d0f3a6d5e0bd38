#include "tui/plain_say.h"

#include "tui/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A countdown is said again when it is at a whole ten seconds, but not right after it was said. */
enum { COUNT_EVERY_MS = 10000, COUNT_PAUSE_MS = 5000 };

/* A line of our own words and, cleaned here, of others'. */
static void put_line(struct buffer *out, bool utf8, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void put_line(struct buffer *out, bool utf8, const char *format, ...)
{
    char line[1024];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(line, sizeof line, format, list);
    va_end(list);
    record_put_clean(line, utf8, out);
    buffer_putc(out, '\n');
}

void plain_greet(const struct app *app, bool utf8, struct buffer *out)
{
    if (app->demo != NULL) {
        put_line(out, utf8, "vindecode " VINDECODE_VERSION ", DEMO \xe2\x80\x93 simulated NHTSA, scenario %s.",
                 app->demo);
    } else {
        put_line(out, utf8, "vindecode " VINDECODE_VERSION ", asks %s.", app->upstream);
    }
    put_line(out, utf8, "Type a VIN and press Enter. Ctrl-C cancels, Ctrl-D leaves.");
}

void plain_say_cancelled(const char *vin, struct buffer *out)
{
    put_line(out, false, "Cancelled %s.", vin);
}

/* "0:27, Retry-After 30 s", or nothing. */
static void say_wait(const struct app *app, const struct wait *wait, monotime now, char *out, size_t size)
{
    char countdown[24], origin[128];
    out[0] = '\0';
    if (app_wait_shown(wait, now)) {
        words_countdown(wait->until - now, countdown, sizeof countdown);
        words_origin(wait, app->upstream, app->utc_offset_ms, origin, sizeof origin);
        (void)snprintf(out, size, " %s, %s", countdown, origin);
    }
}

static void say_failure(const struct app *app, const struct record_context *context, char *out, size_t size)
{
    const struct result *result = app_result(app);
    out[0] = '\0';
    if (result != NULL && result->failed) {
        words_failure(&result->failure, app->upstream, context->now, context->wall, app->utc_offset_ms, out, size);
    }
}

static void say_decoded(const struct app *app, const struct record_context *context, struct buffer *out)
{
    const struct result *result = app_result(app);
    struct event event = {.kind = EVENT_DECODED, .key = result->key, .as.decoded = result->answer};
    struct record record = {
        .input = app->field.text, .input_length = app->field.length, .scan = app->scan, .event = &event};
    char failure[RECORD_MESSAGE_MAX];
    put_line(out, context->utf8, "Decoded %s, from %s%s.", result->key.vin,
             result->answer.from_cache ? "the cache" : app->upstream,
             app->demo != NULL ? ", DEMO \xe2\x80\x93 simulated NHTSA" : "");
    say_failure(app, context, failure, sizeof failure);
    if (failure[0] != '\0') {
        put_line(out, context->utf8, "Asked again: %s", failure);
    }
    text_write(&record, context, out);
}

static void say_type(const struct app *app, const struct record_context *context, struct buffer *out)
{
    char problem[256];
    if (app->scan.check.length == 0 && !app->scan.year_bad) {
        return; /* nothing was typed */
    }
    if (app->scan.candidate_count > 0) {
        put_line(out, context->utf8, "Type one VIN; this text may hold several:");
        for (size_t i = 0; i < app->scan.candidate_count; i++) {
            put_line(out, context->utf8, "  %s", app->scan.candidates[i]);
        }
    } else if (app->scan.year_bad && vin_verdict(&app->scan.check) != VIN_BLOCKED) {
        put_line(out, context->utf8, "Type a model year from 1980 to %d behind the comma.", app->this_year + 1);
    } else {
        words_problem(&app->scan.check, problem, sizeof problem);
        put_line(out, context->utf8, "Type another VIN: %s.", problem);
    }
}

static void say_open(const struct app *app, const struct record_context *context, struct buffer *out)
{
    const struct open_ticket *open = &app->open;
    if (open->stage == STAGE_CALLING) {
        put_line(out, context->utf8, "Decoding %s, attempt %d of %d, at most %lld s.", open->key.vin,
                 open->calling.attempt, open->calling.attempts, (long long)((open->calling.timeout_ms + 999) / 1000));
    } else if (open->stage == STAGE_WAITING) {
        char wait[192], why[256];
        say_wait(app, &open->waiting.wait, context->now, wait, sizeof wait);
        words_waiting(&open->waiting, app->upstream, why, sizeof why);
        put_line(out, context->utf8, "Waiting%s. Attempt %d of %d comes next. %s.", wait, open->waiting.attempt,
                 open->waiting.attempts, why);
    }
}

/* What keeps the VIN in the field from being sent. */
static void say_held(const struct app *app, const struct verdict *verdict, const struct record_context *context,
                     struct buffer *out)
{
    char wait[192], failure[RECORD_MESSAGE_MAX];
    const char *word = state_word_name(verdict->word);
    say_wait(app, &verdict->off, context->now, wait, sizeof wait);
    if (verdict->word == STATE_THROTTLED) {
        put_line(out, context->utf8, "%s%s. %s is not sent; nothing is, for any VIN.", word, wait, app->key.vin);
    } else if (verdict->word == STATE_PAUSED) {
        put_line(out, context->utf8, "%s%s. %s is not sent: %s failed repeatedly.", word, wait, app->key.vin,
                 app->upstream);
    } else {
        say_failure(app, context, failure, sizeof failure);
        put_line(out, context->utf8, "%s%s. %s: %s", word, wait, app->key.vin, failure);
    }
}

static void say_state(const struct app *app, const struct verdict *verdict, const struct record_context *context,
                      struct buffer *out)
{
    char text[RECORD_MESSAGE_MAX];
    switch (verdict->word) {
    case STATE_DECODING:
    case STATE_WAITING:
        say_open(app, context, out);
        break;
    case STATE_TYPE:
        say_type(app, context, out);
        break;
    case STATE_THROTTLED:
    case STATE_PAUSED:
    case STATE_RESTING:
        say_held(app, verdict, context, out);
        break;
    case STATE_DECODED:
        say_decoded(app, context, out);
        break;
    case STATE_FAILED:
        say_failure(app, context, text, sizeof text);
        put_line(out, context->utf8, "Failed %s: %s", app->key.vin, text);
        break;
    case STATE_CHECK:
        words_problem(&app->scan.check, text, sizeof text);
        put_line(out, context->utf8, "Check %s: %s. Enter alone sends it, or type another.", app->key.vin, text);
        break;
    case STATE_READY:
        put_line(out, context->utf8, "Ready %s. Enter alone sends it, or type another.", app->key.vin);
        break;
    }
}

/* The attempt that is said with the state. */
static int attempt_of(const struct app *app)
{
    return app->open.ticket == 0              ? 0
           : app->open.stage == STAGE_CALLING ? app->open.calling.attempt
           : app->open.stage == STAGE_WAITING ? -app->open.waiting.attempt
                                              : 0;
}

static void schedule(struct plain_said *said, const struct wait *off, monotime now)
{
    said->until = app_wait_shown(off, now) ? off->until : 0;
    int64_t left_ms = said->until != 0 ? said->until - now : 0;
    int64_t count_ms = left_ms > COUNT_PAUSE_MS ? (left_ms - COUNT_PAUSE_MS) / COUNT_EVERY_MS * COUNT_EVERY_MS : 0;
    said->next_count = said->until - count_ms;
}

void plain_say(const struct app *app, struct plain_said *said, const struct record_context *context, struct buffer *out)
{
    struct verdict verdict = can_decode(app, context->now);
    int attempt = attempt_of(app);
    bool same = said->any && said->word == verdict.word && said->ticket == app->open.ticket &&
                said->attempt == attempt && vin_key_equal(&said->key, &app->key);
    bool same_wait = !app_wait_shown(&verdict.off, context->now) || verdict.off.until == said->until;
    if (said->until != 0 && said->until <= context->now && !app_wait_shown(&verdict.off, context->now)) {
        put_line(out, context->utf8, "The wait is over.");
        said->until = 0;
    }
    if (!said->any && app->scan.removed[0] != '\0') {
        put_line(out, context->utf8, "Removed: %s.", app->scan.removed);
    }
    if (!same || !same_wait) {
        say_state(app, &verdict, context, out);
        *said = (struct plain_said){
            .any = true, .word = verdict.word, .ticket = app->open.ticket, .attempt = attempt, .key = app->key};
        schedule(said, &verdict.off, context->now);
    } else if (said->until != 0 && said->next_count <= context->now) {
        char left[24];
        words_countdown(said->until - context->now, left, sizeof left);
        put_line(out, context->utf8, "%s %s.", state_word_name(verdict.word), left);
        schedule(said, &verdict.off, context->now);
    }
}

monotime plain_next(const struct plain_said *said, monotime now)
{
    return said->until == 0 ? MONOTIME_NEVER : said->next_count > now ? said->next_count : now;
}
