#include "tui/demo/play.h"

#include "core/base/buffer.h"
#include "core/base/text.h"
#include "tui/demo/placeholder.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER_VALUE_MAX = 16384, FAMILY_HEADERS_MAX = 3 };

/* The headers of each family. */
static const struct scripted_header family_headers[FAMILY_COUNT][FAMILY_HEADERS_MAX] = {
    [FAMILY_RATELIMIT] = {{"RateLimit-Limit", "{limit}"},
                          {"RateLimit-Remaining", "{remaining}"},
                          {"RateLimit-Reset", "{reset_s}"}},
    [FAMILY_STRUCTURED] = {{"RateLimit-Policy", "\"default\";q={limit};w={window_s}"},
                           {"RateLimit", "\"default\";r={remaining};t={reset_s}"}},
    [FAMILY_X_RATELIMIT_EPOCH] = {{"X-RateLimit-Limit", "{limit}"},
                                  {"X-RateLimit-Remaining", "{remaining}"},
                                  {"X-RateLimit-Reset", "{reset_epoch}"}},
    [FAMILY_X_RATELIMIT_SECONDS] = {{"X-RateLimit-Limit", "{limit}"},
                                    {"X-RateLimit-Remaining", "{remaining}"},
                                    {"X-RateLimit-Reset", "{reset_s}"}},
    [FAMILY_X_RATE_LIMIT] = {{"X-Rate-Limit-Limit", "{limit}"},
                             {"X-Rate-Limit-Remaining", "{remaining}"},
                             {"X-Rate-Limit-Reset", "{reset_s}"}},
};

/* Goes to phase `index`. Its quota begins anew unless it is the one that was in force. */
static void enter_phase(struct play *play, size_t index)
{
    play->phase = index;
    play->phase_calls = 0;
    play->phase_answers = 0;
    play->phase_waited = MONOTIME_NEVER;
    const struct quota_rule *rule = scenario_phase(play->scenario, index)->quota;
    if (rule != play->window.rule) {
        window_clear(&play->window);
        window_init(&play->window, rule);
    }
}

void play_init(struct play *play, const struct scenario *scenario)
{
    *play = (struct play){.scenario = scenario, .random = random_from_seed(scenario_seed(scenario))};
    window_init(&play->window, NULL);
    enter_phase(play, 0);
}

void play_clear(struct play *play)
{
    window_clear(&play->window);
}

/* Goes on to the phase that is in force at `now`. One that follows an end by time begins at that end; every other
 * begins with the call that finds it. */
static void advance(struct play *play, monotime now)
{
    for (;;) {
        const struct phase *phase = scenario_phase(play->scenario, play->phase);
        if (!play->phase_begun) {
            play->phase_begun = true;
            play->phase_at = now;
        }
        bool by_time = phase->for_ms > 0 && now - play->phase_at >= phase->for_ms;
        bool by_calls = phase->for_calls > 0 && play->phase_calls >= phase->for_calls;
        bool by_wait = phase->until_waited && now >= play->phase_waited;
        if (!by_time && !by_calls && !by_wait) {
            return;
        }
        size_t next = (play->phase + 1) % scenario_phase_count(play->scenario);
        play->phase_begun = by_time && next > 0;
        play->phase_at += phase->for_ms;
        enter_phase(play, next);
    }
}

/* The answer whose turn it is. */
static const struct scripted_answer *choose(struct play *play, const struct phase *phase)
{
    int64_t total = 0;
    for (size_t i = 0; i < phase->answer_count; i++) {
        total += phase->answers[i].times;
    }
    /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): a phase has an answer, and each counts once at least */
    int64_t place = phase->random ? (int64_t)random_below(&play->random, (size_t)total) : play->phase_answers++ % total;
    size_t chosen = 0;
    while (place >= phase->answers[chosen].times) {
        place -= phase->answers[chosen].times;
        chosen++;
    }
    return &phase->answers[chosen];
}

static int64_t draw_delay(struct play *play, const struct scripted_answer *answer)
{
    size_t width = (size_t)(answer->delay_most_ms - answer->delay_least_ms) + 1;
    return answer->delay_least_ms + (width > 1 ? (int64_t)random_below(&play->random, width) : 0);
}

static bool is_early(const struct play *play, const struct arrival *arrival, monotime now)
{
    for (size_t i = 0; i < ANNOUNCEMENTS_MAX; i++) {
        const struct announcement *wait = &play->announcements[i];
        if (wait->client == arrival->client && now < wait->until &&
            now - wait->at > scenario_under_way_ms(play->scenario)) {
            return true;
        }
    }
    return false;
}

/* Whether the answer holds rows of the service, which has none for a route that it does not know. */
static bool is_service(const struct scripted_answer *answer)
{
    return answer->status == 200 && answer->body <= BODY_TRUNCATED;
}

void play_arrive(struct play *play, const struct arrival *arrival, monotime now, walltime wall, struct turn *out)
{
    advance(play, now);
    const struct phase *phase = scenario_phase(play->scenario, play->phase);
    *out = (struct turn){.quota = phase->quota, .phase = play->phase, .phase_ends = MONOTIME_NEVER};
    if (phase->for_ms > 0) {
        out->phase_ends = play->phase_at + phase->for_ms;
    }
    play->phase_calls++;
    bool passes = window_take(&play->window, now, wall, &out->standing);
    out->answer = passes ? choose(play, phase) : &phase->quota->exceeded;
    out->delay_ms = draw_delay(play, out->answer);
    out->status = is_service(out->answer) ? arrival->service_status : out->answer->status;
    if (out->answer->ending == ENDING_DROP) {
        out->status = 0;
    }
    out->verdict = out->status > 0 && out->status < 400 ? VERDICT_ALLOWED : VERDICT_REJECTED;
    if (is_early(play, arrival, now)) {
        out->verdict = VERDICT_EARLY;
    }
}

/* Remembers a wait in the place of the one that runs out first. */
static void announce(struct play *play, const struct arrival *arrival, monotime now, monotime until)
{
    struct announcement *place = &play->announcements[0];
    for (size_t i = 1; i < ANNOUNCEMENTS_MAX; i++) {
        if (play->announcements[i].until < place->until) {
            place = &play->announcements[i];
        }
    }
    *place = (struct announcement){arrival->client, now, until};
}

/* Until when a Retry-After of this value asks to wait; `named` is the moment that its placeholder named. MONOTIME_NEVER
 * when it says nothing that is understood. */
static monotime read_retry_after(const char *value, monotime named, const struct moment *moment)
{
    size_t digits = strspn(value, "0123456789");
    if (digits == 0 || value[digits] != '\0') {
        return named;
    }
    int64_t number = digits > 10 ? DURATION_MAX_MS / 1000 : (int64_t)strtoll(value, NULL, 10);
    bool epoch = number >= 1000000000 && number < 10000000000;
    return monotime_add(moment->now, epoch ? number * 1000 - moment->wall : number * 1000);
}

/* Whether a Retry-After on this status is about when to come back. */
static bool is_throttle(int status)
{
    return status == 403 || status == 429 || (status >= 502 && status <= 504);
}

static monotime later(monotime a, monotime b)
{
    if (a == MONOTIME_NEVER || b == MONOTIME_NEVER) {
        return a == MONOTIME_NEVER ? b : a;
    }
    return a > b ? a : b;
}

/* Puts the headers that announce the quota. Returns until when they ask to wait. */
static monotime put_quota(const struct turn *turn, const struct moment *moment, header_sink *put, void *context)
{
    monotime until = MONOTIME_NEVER;
    struct buffer value;
    buffer_init(&value, HEADER_VALUE_MAX);
    for (size_t i = 0; i < FAMILY_HEADERS_MAX; i++) {
        const struct scripted_header *header = &family_headers[turn->quota->family][i];
        if (header->name != NULL) {
            buffer_reset(&value);
            monotime named = placeholder_fill(header->value, moment, &value);
            put(context, header->name, value.data);
            if (turn->standing.remaining == 0) {
                bool seconds = strstr(header->value, "{reset_s}") != NULL;
                until = later(until, seconds ? moment->now + seconds_up(moment->resets - moment->now) * 1000 : named);
            }
        }
    }
    buffer_clear(&value);
    return until;
}

/* Puts the headers that the scenario gives to the answer. Returns until when a Retry-After among them asks to wait. */
static monotime put_scripted(const struct turn *turn, const struct moment *moment, header_sink *put, void *context)
{
    monotime until = MONOTIME_NEVER;
    struct buffer value;
    buffer_init(&value, HEADER_VALUE_MAX);
    for (size_t i = 0; i < turn->answer->header_count; i++) {
        const struct scripted_header *header = &turn->answer->headers[i];
        buffer_reset(&value);
        monotime named = placeholder_fill(header->value, moment, &value);
        put(context, header->name, value.data);
        if (text_compare(header->name, "Retry-After") == 0) {
            until = later(until, read_retry_after(value.data, named, moment));
        }
    }
    buffer_clear(&value);
    return until;
}

void play_depart(struct play *play, const struct arrival *arrival, const struct turn *turn, monotime now, walltime wall,
                 header_sink *put, void *context)
{
    if (turn->status == 0) {
        return;
    }
    struct moment moment = {now,
                            wall,
                            turn->phase_ends,
                            turn->standing.resets,
                            turn->standing.limit,
                            turn->standing.remaining,
                            turn->quota == NULL ? 0 : turn->quota->window_ms};
    monotime asked = put_scripted(turn, &moment, put, context);
    if (asked == MONOTIME_NEVER && turn->answer->body == BODY_RETRY_AFTER_MS) {
        asked = monotime_add(now, turn->answer->retry_after_ms);
    }
    monotime until = is_throttle(turn->status) ? asked : MONOTIME_NEVER;
    if (turn->quota != NULL) {
        until = later(until, put_quota(turn, &moment, put, context));
    }
    if (until != MONOTIME_NEVER && until > now) {
        announce(play, arrival, now, until);
        if (turn->phase == play->phase) {
            play->phase_waited = later(play->phase_waited, until);
        }
    }
}
