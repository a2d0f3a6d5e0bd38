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

static void count_under_way(struct pacing *pacing, size_t under_way)
{
    int64_t calls = under_way < INT32_MAX ? (int64_t)under_way : INT32_MAX;
    pacing->allowance = pacing->remaining > calls ? pacing->remaining - calls : 0;
}

void pacing_learn(struct pacing *pacing, const struct quota *quota, size_t under_way, monotime sent_at, monotime now)
{
    bool in_force = pacing_in_force(pacing, now);
    if (!is_credible(quota)) {
        /* The call may have been counted upstream; that it is no longer under way frees nothing. */
        if (in_force && pacing->remaining > 0) {
            pacing->remaining--;
        }
        return;
    }
    if (!in_force && pacing->announced && sent_at < pacing->reset_at) {
        /* It left in the window that has just ended and speaks of that one. */
        return;
    }
    int64_t believed = quota->reset_ms < LONGEST_WINDOW_MS ? quota->reset_ms : LONGEST_WINDOW_MS;
    monotime reset_at = monotime_add(now, believed);
    if (!in_force || quota->remaining < pacing->remaining) {
        pacing->announced = true;
        pacing->remaining = quota->remaining;
        pacing->reset_at = reset_at;
    } else if (quota->remaining == pacing->remaining && reset_at > pacing->reset_at) {
        pacing->reset_at = reset_at;
    }
    count_under_way(pacing, under_way);
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
