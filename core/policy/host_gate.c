#include "core/policy/host_gate.h"

void host_gate_init(struct host_gate *gate)
{
    *gate = (struct host_gate){0};
}

/* Every hold and every cool-down begins here. The end never comes nearer; whoever went first before is forgotten. */
static void begin(struct host_gate *gate, int64_t wait_ms, monotime now)
{
    monotime end = monotime_add(now, wait_ms);
    gate->not_before = end > gate->not_before ? end : gate->not_before;
    gate->began_at = now;
    gate->first_pending = true;
    gate->first = 0;
}

void host_gate_hold(struct host_gate *gate, const struct policy *policy, int64_t wait_ms, monotime now)
{
    int64_t believed = wait_ms < policy->gate_max_ms ? wait_ms : policy->gate_max_ms;
    begin(gate, believed > 0 ? believed : 0, now);
}

int64_t host_gate_cool_down(struct host_gate *gate, const struct policy *policy, monotime now)
{
    int64_t cool_down = policy_cool_down_ms(policy, gate->streak);
    gate->streak = gate->streak < INT32_MAX ? gate->streak + 1 : gate->streak;
    begin(gate, cool_down, now);
    return cool_down;
}

int64_t host_gate_left_ms(const struct host_gate *gate, monotime now)
{
    return gate->not_before > now ? gate->not_before - now : 0;
}

int64_t host_gate_wait_ms(const struct host_gate *gate, monotime now)
{
    if (gate->not_before > now) {
        return gate->not_before - now;
    }
    bool alone = gate->first_pending && gate->first != 0 && now < gate->first_until;
    return alone ? gate->first_until - now : 0;
}

bool host_gate_ask(struct host_gate *gate, const struct policy *policy, uint64_t request, int64_t timeout_ms,
                   monotime now)
{
    if (host_gate_wait_ms(gate, now) > 0) {
        return false;
    }
    /* Nobody has gone first yet, or the lease of the one that did is over: it is for this one to find out. */
    if (gate->first_pending) {
        gate->first = request;
        gate->first_until = monotime_add(monotime_add(now, timeout_ms), policy->lease_slack_ms);
    }
    return true;
}

void host_gate_done(struct host_gate *gate, uint64_t request, monotime sent_at, bool success, monotime now)
{
    (void)now;
    if (gate->first == request) {
        gate->first_pending = false;
    }
    if (success && host_gate_is_new_round(gate, sent_at)) {
        gate->streak = 0;
        gate->short_hints = 0;
    }
}

bool host_gate_is_new_round(const struct host_gate *gate, monotime sent_at)
{
    return sent_at >= gate->began_at;
}

void host_gate_recall(const struct host_gate *gate, monotime sent_at, struct plan_input *input)
{
    int counted = host_gate_is_new_round(gate, sent_at) ? 0 : 1;
    input->streak = gate->streak > counted ? gate->streak - counted : 0;
    input->short_hints = gate->short_hints > counted ? gate->short_hints - counted : 0;
}

void host_gate_follow(struct host_gate *gate, const struct policy *policy, const struct plan *plan, int64_t spread_ms,
                      monotime sent_at, monotime now)
{
    bool new_round = host_gate_is_new_round(gate, sent_at);
    monotime earlier_end = gate->not_before;
    if (new_round) {
        gate->short_hints = plan->short_hints;
    }
    if (plan->cool_down && new_round) {
        host_gate_cool_down(gate, policy, now);
    } else if (plan->gate_ms > 0) {
        host_gate_hold(gate, policy, plan->gate_ms, now);
    }
    if (gate->not_before > earlier_end && spread_ms > 0) {
        gate->not_before = monotime_add(gate->not_before, spread_ms);
    }
}
