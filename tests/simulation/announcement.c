#include "simulation/announcement.h"

/* Figures of planner.md 5.2, written down a second time on purpose: a wrong constant in the product is a fault too. */
enum { SHORTEST_MS = 250, CAP_MS = 60 * 1000, BELIEVED_MS = 10 * 60 * 1000, UNNAMED_MS = 30 * 1000, ATTEMPTS_MOST = 4 };

struct announcement announcement_none(void)
{
    return (struct announcement){
        .transfer = TRANSFER_RESET, .retry_after_ms = -1, .reset_ms = -1, .remaining = -1, .body_hint_ms = -1};
}

static int64_t at_least(int64_t value, int64_t least)
{
    return value > least ? value : least;
}

static int64_t at_most(int64_t value, int64_t most)
{
    return value < most ? value : most;
}

bool announcement_is_throttle(const struct announcement *said)
{
    if (said->transfer != TRANSFER_ANSWERED) {
        return false;
    }
    bool sign = said->remaining == 0 || said->retry_after_ms >= 0;
    return said->status == 429 || said->status == 503 || (said->status == 403 && sign);
}

static bool is_bad_gateway(const struct announcement *said)
{
    return said->transfer == TRANSFER_ANSWERED && (said->status == 502 || said->status == 504);
}

/* D1 and D2: the one time that a throttled answer names, or -1. `of_reset`: it is the reset's. */
static int64_t throttle_hint(const struct announcement *said, bool *of_reset)
{
    int64_t hint = said->retry_after_ms;
    if (hint < 0 && said->body_hint_ms > 0) {
        hint = said->body_hint_ms;
    }
    *of_reset = hint < 0 || (said->remaining == 0 && said->reset_ms > hint);
    return *of_reset ? said->reset_ms : hint;
}

static int64_t throttle_pause_ms(const struct announcement *said)
{
    bool of_reset;
    int64_t hint = throttle_hint(said, &of_reset);
    if (hint < 0) {
        return said->status == 503 && said->remaining != 0 ? 0 : UNNAMED_MS;
    }
    if (of_reset && said->remaining > 0) {
        hint = at_most(hint, CAP_MS); /* T18: a far reset while calls remain */
    }
    return at_most(at_least(hint, SHORTEST_MS), BELIEVED_MS);
}

int64_t announcement_pause_ms(const struct announcement *said)
{
    if (announcement_is_throttle(said)) {
        return throttle_pause_ms(said);
    }
    int64_t pause = 0, named = at_least(said->reset_ms, said->retry_after_ms);
    if (is_bad_gateway(said)) {
        int64_t body = said->body_hint_ms > 0 ? said->body_hint_ms : -1;
        int64_t asked = at_least(said->retry_after_ms, body);
        pause = asked >= 0 ? at_most(at_least(asked, SHORTEST_MS), BELIEVED_MS) : 0;
        named = at_least(named, body);
    }
    if (said->status != 0 && said->remaining == 0) {
        int64_t used_up = named >= 0 ? at_most(at_least(named, SHORTEST_MS), CAP_MS) : UNNAMED_MS;
        pause = at_least(pause, used_up);
    }
    return pause;
}

bool announcement_may_close(const struct announcement *said)
{
    bool rejects = said->status == 403 || said->status == 404 || said->status == 405; /* T56 */
    return announcement_pause_ms(said) > 0 || said->status == 429 || rejects;
}

static enum consequence of_throttle(const struct announcement *said, int attempts)
{
    bool of_reset;
    int64_t hint = throttle_hint(said, &of_reset);
    bool backs_off = hint < 0 && said->status == 503 && said->remaining != 0;
    bool waits = (hint >= 0 && hint < CAP_MS) || backs_off;
    return waits && attempts < ATTEMPTS_MOST ? CONSEQUENCE_FREE : CONSEQUENCE_END;
}

static enum consequence of_status(const struct announcement *said, int attempts, int bad_answers)
{
    if (announcement_is_throttle(said)) {
        return of_throttle(said, attempts);
    }
    if (is_bad_gateway(said)) {
        bool over_cap = at_least(said->retry_after_ms, said->body_hint_ms) >= CAP_MS;
        return over_cap || attempts >= ATTEMPTS_MOST ? CONSEQUENCE_END : CONSEQUENCE_FREE;
    }
    if (said->status == 200 && !said->readable) {
        return bad_answers > 0 || attempts >= ATTEMPTS_MOST ? CONSEQUENCE_END : CONSEQUENCE_FREE;
    }
    return CONSEQUENCE_END;
}

enum consequence announcement_consequence(const struct announcement *said, int attempts, int bad_answers)
{
    switch (said->transfer) {
    case TRANSFER_ANSWERED:
        return of_status(said, attempts, bad_answers);
    case TRANSFER_TIMEOUT:
    case TRANSFER_REFUSED:
    case TRANSFER_UNREACHABLE:
    case TRANSFER_RESET:
    case TRANSFER_PARTIAL:
    case TRANSFER_DNS_FAILED:
        return attempts >= ATTEMPTS_MOST ? CONSEQUENCE_END : CONSEQUENCE_FREE;
    case TRANSFER_NOT_HTTP:
    case TRANSFER_BAD_HEADERS:
        return bad_answers > 0 || attempts >= ATTEMPTS_MOST ? CONSEQUENCE_END : CONSEQUENCE_FREE;
    case TRANSFER_NO_SUCH_HOST:
    case TRANSFER_CERTIFICATE:
    case TRANSFER_UNSUPPORTED:
    case TRANSFER_TOO_LARGE:
    case TRANSFER_ABORTED:
        break;
    }
    return CONSEQUENCE_END;
}

int announcement_counts(const struct announcement *said, bool for_us)
{
    switch (said->transfer) {
    case TRANSFER_ANSWERED:
        if (said->status == 200) {
            return said->readable && for_us ? COUNTS_SUCCESS : COUNTS_NOT;
        }
        return said->status >= 500 && said->status <= 599 ? COUNTS_FAILURE : COUNTS_NOT;
    case TRANSFER_TIMEOUT:
    case TRANSFER_REFUSED:
    case TRANSFER_UNREACHABLE:
    case TRANSFER_RESET:
    case TRANSFER_PARTIAL:
    case TRANSFER_DNS_FAILED:
        return COUNTS_FAILURE;
    case TRANSFER_NO_SUCH_HOST:
    case TRANSFER_CERTIFICATE:
    case TRANSFER_UNSUPPORTED:
    case TRANSFER_NOT_HTTP:
    case TRANSFER_BAD_HEADERS:
    case TRANSFER_TOO_LARGE:
    case TRANSFER_ABORTED:
        break;
    }
    return COUNTS_NOT;
}
