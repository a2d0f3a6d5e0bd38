#include "simulation/record.h"

/* What holds for the whole host: the gate, the circuit breaker, the announced quota and our own courtesy rate. */

enum {
    LONGEST_GATE_MS = 10 * 60 * 1000 + 2000,
    LONGEST_BREAK_MS = 5 * 60 * 1000 + 30 * 1000,
    SHORTEST_BREAK_MS = 30 * 1000,
    LEASE_SLACK_MS = 1000,
    BELIEVED_RESET_MS = 60 * 1000,
    /* Thousandths of a call: bursts of 5 (a person) and 2 (a list), refilled at 2 and 1 a second. */
    BUCKET_FULL = 7000,
    BUCKET_PER_MS = 3,
    GROUP_FLIGHT = 0 /* all groups count as one flight here: which one it is cannot be told from outside */
};

/* Departures */

static void check_gate(struct record *record, const struct call_on_wire *call)
{
    monotime now = call->sent_at;
    unsigned long long id = call->id;
    record_expect(record, now >= record->announced_until, "no call while the gate is closed (as announced)",
                  "call %llu leaves at %lld, %lld ms early", id, (long long)now,
                  (long long)(record->announced_until - now));
    record_expect(record, now >= record->told.gate.until, "no call while the gate is closed (as told)",
                  "call %llu leaves at %lld, the gate was told until %lld", id, (long long)now,
                  (long long)record->told.gate.until);
    if (record->first_pending) {
        record_expect(record, record->first == 0 || now >= record->first_until, "after a gate one call goes first",
                      "call %llu follows call %llu", id, (unsigned long long)record->first);
        record->first = call->id;
        record->first_until = now + call->timeout_ms + LEASE_SLACK_MS;
    }
}

static void check_breaker(struct record *record, struct call_on_wire *call)
{
    monotime now = call->sent_at;
    bool open = record->told.breaker == BREAKER_OPEN && record->told.breaker_wait.until > now;
    record_expect(record, !open, "no call while the breaker is open", "call %llu", (unsigned long long)call->id);
    call->probe = record->told.breaker != BREAKER_CLOSED;
    if (call->probe) {
        record_expect(record, record->probe == 0 || now >= record->probe_until, "one probe at a time",
                      "call %llu beside call %llu", (unsigned long long)call->id, (unsigned long long)record->probe);
        record->probe = call->id;
        record->probe_until = now + call->timeout_ms + LEASE_SLACK_MS;
        record->counts.probes++;
    }
}

static void check_pace(struct record *record, const struct call_on_wire *call)
{
    monotime now = call->sent_at;
    if (record->quota_known && now < record->quota_reset_at) {
        record_expect(record, record->quota_left > 0, "no more calls than the announced quota has left",
                      "call %llu; %lld were left at the last word", (unsigned long long)call->id,
                      (long long)record->quota_remaining);
        record->quota_left--;
    }
    int64_t level = record->bucket_level + (now - record->bucket_at) * BUCKET_PER_MS;
    record->bucket_level = level < BUCKET_FULL ? level : BUCKET_FULL;
    record->bucket_at = now;
    if (now >= record->quota_latest_reset_at) {
        record_expect(record, record->bucket_level >= 1000, "our own courtesy rate is kept", "call %llu",
                      (unsigned long long)call->id);
        record->bucket_level -= 1000;
    }
}

void host_start(struct record *record, const struct call_on_wire *call)
{
    struct call_on_wire *own = record_call(record, call->id);
    check_gate(record, call);
    check_breaker(record, own);
    check_pace(record, call);
}

void host_gone(struct record *record, const struct call_on_wire *call)
{
    if (record->first == call->id) {
        record->first_pending = false;
        record->first = 0;
    }
    if (record->probe == call->id) {
        record->probe = 0;
    }
}

/* Answers */

/* Nobody who waits for it has time left (T41). */
static bool is_out_of_time(struct record *record, const struct call_on_wire *call, const struct announcement *said)
{
    if (said->transfer != TRANSFER_TIMEOUT || !call->cut) {
        return false;
    }
    for (size_t i = 0; i < record->open_count; i++) {
        const struct ticket_record *ticket = record_ticket(record, record->open[i]);
        if (ticket->key == call->records[0] && ticket->deadline > call->sent_at + call->timeout_ms) {
            return false;
        }
    }
    return true;
}

static void hear_pause(struct record *record, const struct call_on_wire *call, const struct announcement *said)
{
    /* And of a call that was given up only a whole answer is heard. */
    bool unheard = is_out_of_time(record, call, said) || (call->aborted && said->transfer != TRANSFER_ANSWERED);
    int64_t pause_ms = unheard ? 0 : announcement_pause_ms(said);
    record->may_close = announcement_may_close(said);
    if (pause_ms > 0) {
        monotime until = *record->now + pause_ms;
        record->announced_until = until > record->announced_until ? until : record->announced_until;
        record->first_pending = true;
        record->first = 0;
    }
}

/* The rule of planner.md, "Pacing by an announced quota". */
static void hear_quota(struct record *record, const struct call_on_wire *call, const struct announcement *said)
{
    monotime now = *record->now;
    bool in_force = record->quota_known && now < record->quota_reset_at;
    bool credible =
        said->remaining >= 0 && said->reset_ms > 0 && (said->remaining == 0 || said->reset_ms < BELIEVED_RESET_MS);
    if (call->aborted || !credible) {
        return;
    }
    int64_t believed = said->reset_ms < BELIEVED_RESET_MS ? said->reset_ms : BELIEVED_RESET_MS;
    monotime reset_at = now + believed;
    record->quota_latest_reset_at = reset_at > record->quota_latest_reset_at ? reset_at : record->quota_latest_reset_at;
    if (!in_force && record->quota_known && call->sent_at < record->quota_reset_at) {
        return; /* it speaks of the window that is over */
    }
    int64_t left = said->remaining - (int64_t)record->in_flight;
    left = left > 0 ? left : 0;
    if (!in_force || said->remaining < record->quota_remaining) {
        record->quota_known = true;
        record->quota_remaining = said->remaining;
        record->quota_reset_at = reset_at;
        record->quota_left = left;
    } else if (said->remaining == record->quota_remaining) {
        record->quota_reset_at = reset_at > record->quota_reset_at ? reset_at : record->quota_reset_at;
        record->quota_left = left;
    } else {
        int64_t of_window = record->quota_remaining - (int64_t)record->in_flight;
        record->quota_left = of_window > record->quota_left ? of_window : record->quota_left;
    }
}

static void forget_failures(struct record *record)
{
    record->last_count = 0;
}

static void hear_outcome(struct record *record, const struct call_on_wire *call, const struct announcement *said,
                         bool for_us)
{
    int counts = announcement_counts(said, for_us);
    bool stale = call->probe || call->sent_at < record->breaker_changed_at;
    if (call->aborted || stale || counts == COUNTS_NOT) {
        return;
    }
    if (call->perhaps_cut && said->transfer == TRANSFER_TIMEOUT) {
        return; /* it may have had less than its full time, which says nothing about the host */
    }
    for (size_t i = BREAKER_LAST - 1; i > 0; i--) {
        record->last[i] = record->last[i - 1];
    }
    record->last[0].flight = call->group ? GROUP_FLIGHT : record->keys[call->records[0]].flight;
    record->last[0].failure = counts == COUNTS_FAILURE;
    record->last_count += record->last_count < BREAKER_LAST ? 1 : 0;
}

void host_heard(struct record *record, const struct call_on_wire *call, const struct announcement *said, bool for_us)
{
    hear_pause(record, call, said);
    hear_quota(record, call, said);
    hear_outcome(record, call, said, for_us);
}

/* News of the engine */

void host_told(struct record *record, const struct host_state *state)
{
    monotime now = *record->now;
    const struct host_state *before = &record->told;
    trace_line(record->trace, now, "host: gate %lld (%s, %s), breaker %d until %lld, alert %d",
               (long long)state->gate.until, wait_origin_name(state->gate.origin), reason_name(state->gate_reason),
               (int)state->breaker, (long long)state->breaker_wait.until, (int)state->alert);
    record_expect(record, state->sequence > before->sequence, "news of the host come in order", "%llu after %llu",
                  (unsigned long long)state->sequence, (unsigned long long)before->sequence);
    record_expect(record, state->gate.until <= now + LONGEST_GATE_MS, "no gate above ten minutes", "%lld ms",
                  (long long)(state->gate.until - now));
    bool open_end = state->gate.origin == ORIGIN_NONE;
    record_expect(record, open_end || state->gate.until > now, "a gate that is told is closed", "until %lld",
                  (long long)state->gate.until);
    record_expect(record, open_end || before->gate.until <= now || state->gate.until >= before->gate.until,
                  "a gate's end never comes nearer", "%lld after %lld", (long long)state->gate.until,
                  (long long)before->gate.until);
    record_expect(record, record->may_close || state->gate.until <= before->gate.until,
                  "nobody closes the gate unasked", "until %lld", (long long)state->gate.until);
    if (state->gate.until > before->gate.until) {
        record->first_pending = true;
        record->first = 0;
    }
    if (state->breaker == BREAKER_OPEN) {
        int64_t left_ms = state->breaker_wait.until - now;
        bool opens = before->breaker != BREAKER_OPEN;
        record_expect(record, left_ms <= LONGEST_BREAK_MS && (!opens || left_ms >= SHORTEST_BREAK_MS),
                      "the breaker's time is within its bounds", "%lld ms", (long long)left_ms);
    }
    if (state->breaker != before->breaker) {
        bool half = before->breaker == BREAKER_OPEN && state->breaker == BREAKER_HALF_OPEN;
        record->breaker_changed_at = half ? record->breaker_changed_at : now;
        forget_failures(record);
    }
    record->told = *state;
}

void host_settled(struct record *record)
{
    monotime now = *record->now;
    const struct host_state *told = &record->told;
    record->may_close = false;
    record_expect(record, told->gate.origin == ORIGIN_NONE || told->gate.until > now,
                  "the end of a gate is told at once", "it was %lld", (long long)told->gate.until);
    record_expect(record, record->announced_until <= now || told->gate.until >= record->announced_until,
                  "the gate that is told is the gate that was announced", "told %lld, announced %lld",
                  (long long)told->gate.until, (long long)record->announced_until);
    record_expect(record, told->breaker != BREAKER_OPEN || told->breaker_wait.until > now,
                  "the breaker's end is told at once", "it was %lld", (long long)told->breaker_wait.until);
    if (record->last_count < BREAKER_LAST || told->breaker != BREAKER_CLOSED) {
        return;
    }
    bool row = true, two_flights = false;
    for (size_t i = 0; i < BREAKER_LAST; i++) {
        row = row && record->last[i].failure;
        two_flights = two_flights || record->last[i].flight != record->last[0].flight;
    }
    record_expect(record, !row || !two_flights, "five failures in a row open the breaker", "it is closed");
}
