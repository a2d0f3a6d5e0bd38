#include "core/policy/pacing.h"

/* The longest reset that is believed (D5, T18): MAX_WAIT of planner.md 5.2. */
enum { LONGEST_WINDOW_MS = 60 * 1000 };

void pacing_init(struct pacing *pacing)
{
    *pacing = (struct pacing){0};
}

bool pacing_in_force(const struct pacing *pacing, monotime now)
{
    return pacing->announced && now < pacing->reset_at;
}

static bool is_credible(const struct quota *quota)
{
    if (quota->remaining == QUOTA_UNKNOWN || quota->reset_ms <= 0) {
        return false;
    }
    return quota->remaining == 0 || quota->reset_ms < LONGEST_WINDOW_MS;
}

/* A call that was lost after the ruling answer had left may be missing in that answer's number; one that was lost
 * before cannot be. */
static void rule(struct pacing *pacing, int64_t remaining, monotime reset_at, monotime sent_at)
{
    pacing->announced = true;
    pacing->remaining = remaining;
    pacing->reset_at = reset_at;
    pacing->lost = sent_at >= pacing->lost_at ? 0 : pacing->lost;
}

void pacing_learn(struct pacing *pacing, const struct quota *quota, size_t under_way, monotime sent_at, monotime now)
{
    bool in_force = pacing_in_force(pacing, now);
    if (!is_credible(quota)) {
        /* One less under way, one more lost: the allowance stays. */
        pacing->lost += in_force ? 1 : 0;
        pacing->lost_at = now;
        return;
    }
    if (!in_force) {
        if (pacing->announced && sent_at < pacing->reset_at) {
            /* It left in the window that has just ended and speaks of that one. */
            return;
        }
        pacing->lost = 0;
    }
    monotime reset_at = monotime_add(now, quota->reset_ms < LONGEST_WINDOW_MS ? quota->reset_ms : LONGEST_WINDOW_MS);
    if (!in_force || quota->remaining < pacing->remaining) {
        rule(pacing, quota->remaining, reset_at, sent_at);
    } else if (quota->remaining == pacing->remaining) {
        rule(pacing, quota->remaining, reset_at > pacing->reset_at ? reset_at : pacing->reset_at, sent_at);
    }
    int64_t calls = under_way < INT32_MAX ? (int64_t)under_way : INT32_MAX;
    int64_t left = pacing->remaining - pacing->lost - calls;
    pacing->allowance = left > 0 ? left : 0;
}

int64_t pacing_wait_ms(const struct pacing *pacing, monotime now)
{
    return pacing_in_force(pacing, now) && pacing->allowance <= 0 ? pacing->reset_at - now : 0;
}

void pacing_take(struct pacing *pacing, monotime now)
{
    if (pacing_in_force(pacing, now) && pacing->allowance > 0) {
        pacing->allowance--;
    }
}
