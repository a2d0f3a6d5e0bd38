#include "unit/engine_world.h"

#include "core/base/random.h"

/* Random users against a random upstream: the invariants of planner.md 5.8, that every run can be replayed, and that
 * success returns when the faults end. The world checks the rest after each input. */

enum { SEEDS = 300, STEPS = 150, KEYS = 40 };

struct fate {
    size_t call;
    monotime returns_at;
    bool over;
};

struct script {
    struct world world;
    struct random random;
    struct fate fates[4096];
    size_t fate_count;
    uint64_t next_ticket;
    monotime asked_until; /* no call before that: the longest that a throttled answer asked for */
    uint64_t trace;       /* of everything that left the engine */
    bool healthy;
    size_t aborted;
};

static size_t below(struct script *script, size_t bound)
{
    return random_below(&script->random, bound);
}

static void mix(struct script *script, uint64_t value)
{
    script->trace = (script->trace ^ value) * UINT64_C(1099511628211);
}

/* --- the upstream --- */

static const char *const header_sets[] = {
    "",
    "Retry-After: 1",
    "Retry-After: 7",
    "Retry-After: 45",
    "Retry-After: 200",
    "Retry-After: junk",
    "RateLimit-Remaining: 0\nRateLimit-Reset: 12",
    "RateLimit-Remaining: 0",
    "RateLimit-Remaining: 3\nRateLimit-Reset: 9",
    "RateLimit: \"a\";r=1;t=5",
    "X-RateLimit-Remaining: 2\nX-RateLimit-Reset: 99999",
    "X-RateLimit-Remaining: 0\nX-RateLimit-Reset: 30\nRetry-After: 2",
    "Content-Type: application/json",
};

static int64_t asked_of(const char *headers)
{
    const char *field = strstr(headers, "Retry-After: ");
    return field != NULL ? atoll(field + strlen("Retry-After: ")) * 1000 : 0;
}

static void answer_badly(struct script *script, size_t call)
{
    static const int statuses[] = {429, 429, 429, 503, 503, 502, 504, 500, 403, 404, 400, 200, 302};
    static const char *const bodies[] = {"",
                                         "<html></html>",
                                         "{\"retryAfterMs\":1500}",
                                         "{\"Results\":[]}",
                                         "<?xml?>",
                                         "{\"Results\":[{\"VIN\":\"11111111111111111\"}]}"};
    int status = statuses[below(script, sizeof statuses / sizeof statuses[0])];
    const char *headers = header_sets[below(script, sizeof header_sets / sizeof header_sets[0])];
    const char *body = bodies[below(script, sizeof bodies / sizeof bodies[0])];
    if (status == 429 || status == 503) {
        int64_t asked = asked_of(headers);
        monotime until = script->world.now + (asked < 600000 ? asked : 600000);
        script->asked_until = until > script->asked_until ? until : script->asked_until;
    }
    world_answer(&script->world, call, status, headers, body);
}

static void end_call(struct script *script, struct fate *fate)
{
    struct world *world = &script->world;
    fate->over = true;
    if (!world->calls[fate->call].open && below(script, 2) == 0) {
        return; /* a network need not report what it was told to abort */
    }
    if (world->now >= world->calls[fate->call].at + world->calls[fate->call].timeout_ms) {
        world_fail(world, fate->call, TRANSFER_TIMEOUT);
        return;
    }
    size_t mood = script->healthy ? 9 : below(script, 10);
    if (mood < 2) {
        world_fail(world, fate->call, (enum transfer)(1 + below(script, TRANSFER_TOO_LARGE)));
    } else if (mood < 6) {
        answer_badly(script, fate->call);
    } else {
        bool odd = !script->healthy && below(script, 4) == 0;
        world_answer_well(world, fate->call,
                          odd ? header_sets[below(script, sizeof header_sets / sizeof header_sets[0])] : "");
    }
}

static void see_calls(struct script *script)
{
    struct world *world = &script->world;
    for (; script->fate_count < world->call_count; script->fate_count++) {
        const struct world_call *call = &world->calls[script->fate_count];
        int64_t latency = 20 + (int64_t)below(script, script->healthy ? 500 : 6000);
        int64_t returns = latency < call->timeout_ms ? latency : call->timeout_ms;
        script->fates[script->fate_count] = (struct fate){.call = script->fate_count, .returns_at = call->at + returns};
        if (call->at < script->asked_until) {
            printf("\ncall %zu at %lld, asked until %lld ", script->fate_count, (long long)call->at,
                   (long long)script->asked_until);
            world->violations++;
        }
        mix(script, call->id);
        mix(script, (uint64_t)call->at);
        mix(script, (uint64_t)call->timeout_ms);
    }
}

/* Time goes on to `until`, from event to event. */
static void live(struct script *script, monotime until)
{
    struct world *world = &script->world;
    for (;;) {
        see_calls(script);
        monotime next = engine_next_deadline(world->engine);
        struct fate *due = NULL;
        for (size_t i = 0; i < script->fate_count; i++) {
            if (!script->fates[i].over && script->fates[i].returns_at <= next) {
                next = script->fates[i].returns_at;
                due = &script->fates[i];
            }
        }
        if (next > until || world->violations > 20) {
            world->now = until;
            return;
        }
        world->now = next > world->now ? next : world->now;
        if (due != NULL) {
            end_call(script, due);
        } else {
            engine_tick(world->engine, world->now);
            world_drain(world);
        }
    }
}

/* --- the user --- */

static void act(struct script *script)
{
    struct world *world = &script->world;
    size_t what = below(script, 10);
    if (what < 7) {
        struct submission submission = {.ticket = script->next_ticket++,
                                        .profile = below(script, 2) == 0 ? PROFILE_INTERACTIVE : PROFILE_LIST,
                                        .past_caches = below(script, 5) == 0};
        snprintf(submission.key.vin, sizeof submission.key.vin, "%s", world_vin((unsigned)below(script, KEYS)));
        submission.key.year = below(script, 8) == 0 ? 2003 : 0;
        if (submission.profile == PROFILE_INTERACTIVE && below(script, 4) == 0) {
            submission.deadline = world->now + 1000 + (int64_t)below(script, 60000);
        }
        world_submit_as(world, &submission);
        world->tickets[submission.ticket].deadline = submission.profile == PROFILE_LIST ? 0
                                                     : submission.deadline != 0         ? submission.deadline
                                                                                        : world->now + 90000;
    } else if (script->next_ticket > 1) {
        uint64_t ticket = 1 + below(script, (size_t)script->next_ticket - 1);
        if (!world->tickets[ticket].over) {
            world_cancel(world, ticket);
        }
    }
    int64_t pause = (int64_t)below(script, 4) == 0 ? (int64_t)below(script, 20000) : (int64_t)below(script, 300);
    live(script, world->now + pause);
}

/* --- what must hold in the end --- */

static void check_ends(struct script *script)
{
    struct world *world = &script->world;
    for (uint64_t ticket = 1; ticket < script->next_ticket; ticket++) {
        if (!world->tickets[ticket].over) {
            printf("\nticket %llu never ended ", (unsigned long long)ticket);
            world->violations++;
        }
    }
    for (size_t i = 0; i < world->event_count; i++) {
        const struct event *event = &world->events[i];
        mix(script, (uint64_t)event->kind);
        mix(script, (uint64_t)event->at);
        if (event->kind != EVENT_FAILED && event->kind != EVENT_DECODED) {
            continue;
        }
        const struct world_ticket *ticket = &world->tickets[event->ticket];
        int attempts = event->kind == EVENT_FAILED ? event->as.failed.attempts : event->as.decoded.attempts;
        CHECK(attempts <= 4 + 2);
        if (ticket->deadline != 0 && event->at > ticket->deadline) {
            printf("\nticket %llu ended %lld ms late ", (unsigned long long)event->ticket,
                   (long long)(event->at - ticket->deadline));
            world->violations++;
        }
    }
    for (size_t i = 0; i < world->call_count; i++) {
        script->aborted += world->calls[i].aborted;
        CHECK_INT(world->calls[i].open, false);
    }
    struct meter meter = engine_meter(world->engine, world->now);
    CHECK_INT(meter.flights_finished, meter.success + meter.give_up);
    CHECK_INT(meter.attempt, world->call_count);
    uint64_t answered = 0;
    for (size_t i = 0; i < 6; i++) {
        answered += meter.statuses[i];
    }
    CHECK_INT(answered + script->aborted, meter.attempt);
    CHECK_INT(meter.in_flight + meter.waiting + meter.queued, 0);
}

static uint64_t play(uint64_t seed)
{
    static struct script script;
    struct engine_options options = seed % 3 == 0 ? engine_options_default() : world_options();
    options.no_wait = seed % 11 == 0;
    options.group_calls = seed % 4 != 0;
    options.record = seed % 5 == 0;
    if (seed % 7 == 0) {
        options.policy.profile[PROFILE_LIST].concurrency = 5;
    }
    script = (struct script){.random = random_from_seed(seed), .next_ticket = 1, .trace = seed};
    world_init(&script.world, &options, seed);
    for (int step = 0; step < STEPS && script.world.violations == 0; step++) {
        act(&script);
    }
    script.healthy = true;
    live(&script, script.world.now + 2 * 3600000);
    unsigned fresh = 100000;
    for (int tries = 0; tries < 3; tries++) {
        world_submit(&script.world, script.next_ticket++, world_vin(fresh));
        live(&script, script.world.now + 100000);
    }
    CHECK_DECODED(&script.world, script.next_ticket - 1);
    check_ends(&script);
    if (script.world.violations > 0) {
        printf("\nseed %llu ", (unsigned long long)seed);
    }
    world_clear(&script.world);
    return script.trace;
}

static void invariants(void)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        play(seed);
    }
}

static void the_same_seed_the_same_trace(void)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint64_t trace = play(seed);
        CHECK(trace == play(seed));
        CHECK(trace != play(seed + 1));
    }
}

static const struct unit_test tests[] = {
    {"invariants", invariants},
    {"the same seed, the same trace", the_same_seed_the_same_trace},
};

UNIT_MAIN("engine_random", tests)
