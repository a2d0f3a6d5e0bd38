#include "tui/view_parts.h"
#include "tui/words.h"

#include "core/base/text.h"

#include <stdio.h>
#include <string.h>

/* The status line: one state word, what goes with it, and the action; below it a sentence and the bar. */

static enum role word_role(enum state_word word)
{
    switch (word) {
    case STATE_READY:
    case STATE_DECODED:
        return ROLE_STATE_GO;
    case STATE_DECODING:
    case STATE_WAITING:
        return ROLE_STATE_BUSY;
    case STATE_TYPE:
    case STATE_CHECK:
        return ROLE_STATE_ASK;
    default:
        return ROLE_STATE_STOP;
    }
}

/* What stands behind the word: facts are always there, origin and attempt as far as there is room. */
#define DECODE_AGAIN "[ Decode again F5 ]"

struct status {
    char facts[96], origin[128], attempt[48], action[48];
};

static void say_attempt(int attempt, int attempts, char *out, size_t size)
{
    if (attempt > 0 && attempts > 0) {
        (void)snprintf(out, size, "attempt %d of %d", attempt, attempts);
    }
}

static void say_decoding(const struct app *app, monotime now, struct status *status)
{
    const struct event_calling *calling = &app->open.calling;
    if (app->open.stage != STAGE_CALLING) {
        return;
    }
    int64_t elapsed = now > calling->started_at ? (now - calling->started_at) / 1000 : 0;
    (void)snprintf(status->facts, sizeof status->facts, "%lld s of %lld s", (long long)elapsed,
                   (long long)((calling->timeout_ms + 999) / 1000));
    say_attempt(calling->attempt, calling->attempts, status->attempt, sizeof status->attempt);
}

/* Facts that stay true: an age that runs would wake an idle screen. The first that there is room for. */
static void say_decoded(const struct app *app, monotime now, walltime wall, int room, struct status *status)
{
    const struct result *result = app_result(app);
    const struct event_decoded *answer = &result->answer;
    char age[32], at[32];
    words_duration((result->shown_at - answer->answered_at) / 60000 * 60000, age, sizeof age);
    words_time(wall - (now - answer->answered_at), wall, app->utc_offset_ms, at, sizeof at);
    int length = answer->from_cache ? snprintf(status->facts, sizeof status->facts,
                                               "from the cache, %s old when shown, of %s", age, at)
                                    : snprintf(status->facts, sizeof status->facts, "from %s at %s", app->upstream, at);
    if (length > room && !answer->from_cache) {
        length = snprintf(status->facts, sizeof status->facts, "at %s", at);
    }
    if (length > room) {
        (void)snprintf(status->facts, sizeof status->facts, "from %s", answer->from_cache ? "cache" : app->upstream);
    }
}

static void say_status(const struct app *app, const struct verdict *verdict, monotime now, walltime wall, int columns,
                       struct status *status)
{
    char countdown[24] = "";
    bool counts = app_wait_shown(&verdict->off, now);
    memset(status, 0, sizeof *status);
    if (counts) {
        words_countdown(verdict->off.until - now, countdown, sizeof countdown);
        words_origin(&verdict->off, app->upstream, app->utc_offset_ms, status->origin, sizeof status->origin);
    }
    switch (verdict->word) {
    case STATE_DECODING:
        say_decoding(app, now, status);
        break;
    case STATE_WAITING:
        say_attempt(app->open.waiting.attempt, app->open.waiting.attempts, status->attempt, sizeof status->attempt);
        (void)snprintf(status->facts, sizeof status->facts, "%s", counts ? countdown : "any moment now");
        break;
    case STATE_DECODED:
        say_decoded(app, now, wall, columns - (int)strlen(DECODE_AGAIN) - (int)strlen("Decoded ") - 1, status);
        break;
    case STATE_THROTTLED:
    case STATE_PAUSED:
    case STATE_RESTING:
        (void)snprintf(status->facts, sizeof status->facts, "%s", countdown);
        break;
    default:
        break;
    }
    if (verdict->word == STATE_DECODED) {
        (void)snprintf(status->action, sizeof status->action, DECODE_AGAIN);
    } else if (verdict->action_on) {
        (void)snprintf(status->action, sizeof status->action, "[ Decode ]");
    } else {
        (void)snprintf(status->action, sizeof status->action, "( Decode off%s%s )", counts ? " " : "", countdown);
    }
}

static void say_gate(const struct app *app, monotime now, walltime wall, char *out, size_t size)
{
    char until[32] = "";
    const struct wait *gate = &app->host.gate;
    if (app_wait_shown(gate, now)) {
        words_time(wall + (gate->until - now), wall, app->utc_offset_ms, until, sizeof until);
    }
    const char *why = gate->origin == ORIGIN_COOL_DOWN             ? "refused and gave no time to wait"
                      : app->host.gate_reason == REASON_QUOTA_GATE ? "says that its quota is used up"
                                                                   : "asked us to wait";
    (void)snprintf(out, size, "%s %s; nothing is sent for any VIN%s%s", app->upstream, why,
                   until[0] != '\0' ? " until " : "", until);
}

static void say_type(const struct app *app, char *out, size_t size)
{
    if (app->scan.candidate_count > 0) {
        char problem[256];
        words_problem(&app->scan.check, problem, sizeof problem);
        (void)snprintf(out, size, "%s. Tab, then s: the VINs in it", problem);
    } else if (app->scan.year_bad && vin_verdict(&app->scan.check) != VIN_BLOCKED) {
        (void)snprintf(out, size, "What follows the comma is no model year (1980 to %d)", app->this_year + 1);
    } else if (app->scan.check.length == 0) {
        (void)snprintf(out, size, "Scan, paste or type a VIN");
    } else {
        words_problem(&app->scan.check, out, size);
    }
}

static void say_failure(const struct app *app, monotime now, walltime wall, char *out, size_t size)
{
    const struct result *result = app_result(app);
    if (result != NULL && result->failed) {
        words_failure(&result->failure, app->upstream, now, wall, app->utc_offset_ms, out, size);
    }
}

static void say_check(const struct app *app, char *out, size_t size)
{
    char problem[256];
    words_problem(&app->scan.check, problem, sizeof problem);
    const char *doubt = app->scan.chassis_number ? ", perhaps a chassis number" : "";
    if (app->notice == NOTICE_ASKED) {
        (void)snprintf(out, size, "Enter again sends it. %s%s", problem, doubt);
    } else {
        (void)snprintf(out, size, "%s%s; Enter asks first", problem, doubt);
    }
}

static void say_answer(const struct app *app, monotime now, walltime wall, char *out, size_t size)
{
    const struct event_decoded *answer = &app_result(app)->answer;
    char at[32];
    words_time(wall - (now - answer->answered_at), wall, app->utc_offset_ms, at, sizeof at);
    (void)snprintf(out, size,
                   answer->from_cache ? "The answer of %s, sent at %s, is on the card"
                                      : "The answer of %s is on the card",
                   app->upstream, at);
}

/* The sentence that goes with the state. */
static void say_state(const struct app *app, enum state_word word, monotime now, walltime wall, char *out, size_t size)
{
    switch (word) {
    case STATE_DECODING:
        (void)snprintf(out, size, "%s is being asked; Esc cancels", app->upstream);
        break;
    case STATE_WAITING:
        words_waiting(&app->open.waiting, app->upstream, out, size);
        break;
    case STATE_TYPE:
        say_type(app, out, size);
        break;
    case STATE_THROTTLED:
        say_gate(app, now, wall, out, size);
        break;
    case STATE_PAUSED:
        (void)snprintf(out, size, "%s failed repeatedly; the next call will be a test", app->upstream);
        break;
    case STATE_RESTING:
    case STATE_FAILED:
        say_failure(app, now, wall, out, size);
        break;
    case STATE_DECODED:
        say_answer(app, now, wall, out, size);
        say_failure(app, now, wall, out, size);
        if (app->notice == NOTICE_REFUSED) {
            (void)snprintf(out, size, "This VIN is decoded; F5 asks again");
        }
        break;
    case STATE_CHECK:
        say_check(app, out, size);
        break;
    case STATE_READY:
        (void)snprintf(out, size, "Enter asks %s", app->upstream);
        break;
    }
}

void view_message(const struct app *app, monotime now, walltime wall, char *out, size_t size)
{
    enum state_word word = can_decode(app, now).word;
    char sentence[ANSWER_MESSAGE_MAX + 256] = "";
    say_state(app, word, now, wall, sentence, sizeof sentence);
    const char *before = app_wait_over(app, now) ? "The wait is over. " : "";
    if (app->notice == NOTICE_SAID) {
        (void)snprintf(out, size, "%s", app->said);
        return;
    }
    if (app->notice == NOTICE_UNSAVED || app->notice == NOTICE_FORGET) {
        size_t answers = app->list.counts[LIST_DECODED] + app->list.counts[LIST_FAILED];
        (void)snprintf(out, size, "%zu answer%s of the list not saved: w in the list saves, the same key again %s",
                       answers, answers == 1 ? "" : "s", app->notice == NOTICE_FORGET ? "forgets them" : "leaves");
        return;
    }
    if (app->notice == NOTICE_REFUSED && word != STATE_DECODED) {
        before = word == STATE_DECODING || word == STATE_WAITING ? "Under way already. " : "Not sent. ";
    } else if (app->notice == NOTICE_CANCELLED) {
        before = app->list.stopped && app->list.name != NULL ? "Cancelled, and the list stopped. " : "Cancelled. ";
    } else if (app->notice == NOTICE_CUT) {
        before = "The field is full, the rest was left out. ";
    }
    (void)snprintf(out, size, "%s%s", before, sentence);
}

void view_bar(const struct app *app, int row, int column, int end, monotime now, struct frame *frame)
{
    struct standing standing = app_standing(app, now);
    int64_t left = (standing.verdict.off.until - now - 1) / 1000 + 1;
    int64_t whole = (standing.verdict.off.until - standing.since - 1) / 1000 + 1;
    int width = end > column ? end - column : 0;
    if (whole < left || whole <= 0) {
        whole = left;
    }
    int filled = (int)((left * width + whole - 1) / whole);
    frame_fill(frame, row, column, column + filled, frame->utf8 ? 0x2501 : '=', ROLE_TEXT);
}

int view_action_width(const struct app *app, monotime now)
{
    struct verdict verdict = can_decode(app, now);
    struct status status;
    say_status(app, &verdict, now, 0, app->columns, &status);
    return (int)strlen(status.action);
}

static int draw_part(struct frame *frame, int row, int column, int end, const char *text)
{
    return text[0] == '\0' ? 0 : 2 + frame_puts(frame, row, column + 2, end - column - 2, ROLE_TEXT, text);
}

static int part_width(const struct frame *frame, const char *text)
{
    return text[0] == '\0' ? 0 : 2 + frame_width(text, strlen(text), frame->utf8);
}

/* When the columns are too few the attempt goes first, then the origin. */
static void draw_status(const struct verdict *verdict, const struct status *status, int row, struct frame *frame)
{
    const char *word = state_word_name(verdict->word);
    int action = (int)strlen(status->action), end = frame->columns - action - 1;
    int need = (int)strlen(word) + (status->facts[0] != '\0' ? 1 + (int)strlen(status->facts) : 0);
    bool origin = need + part_width(frame, status->origin) <= end;
    bool attempt = origin && need + part_width(frame, status->origin) + part_width(frame, status->attempt) <= end;
    int at = frame_puts(frame, row, 0, end, word_role(verdict->word), word);
    if (status->facts[0] != '\0') {
        at += 1 + frame_puts(frame, row, at + 1, end - at - 1, ROLE_TEXT, status->facts);
    }
    at += origin ? draw_part(frame, row, at, end, status->origin) : 0;
    if (attempt) {
        (void)draw_part(frame, row, at, end, status->attempt);
    }
    bool on = verdict->action_on || verdict->word == STATE_DECODED;
    (void)frame_puts(frame, row, frame->columns - action, action, on ? ROLE_ACTION_ON : ROLE_TEXT, status->action);
}

void view_status(const struct app *app, const struct layout *layout, monotime now, walltime wall, struct frame *frame)
{
    enum { BAR_COLUMNS = 60 };
    struct verdict verdict = can_decode(app, now);
    struct status status;
    char message[VIEW_MESSAGE_MAX];
    say_status(app, &verdict, now, wall, frame->columns, &status);
    draw_status(&verdict, &status, layout->status_row, frame);
    view_message(app, now, wall, message, sizeof message);
    (void)view_wrapped(frame, layout->message_row, layout->message_rows, 0,
                       app->notice != NOTICE_NONE || app_wait_over(app, now) ? ROLE_EMPHASIS : ROLE_TEXT, message);
    if (layout->bar_row >= 0 && layout->bar_row != layout->title_row) {
        view_bar(app, layout->bar_row, 0, frame->columns < BAR_COLUMNS ? frame->columns : BAR_COLUMNS, now, frame);
    }
}
