#include "simulation/record.h"

/* engine_meter() against what was seen from outside. */

static void same(struct record *record, const char *what, uint64_t meter, uint64_t own)
{
    record_expect(record, meter == own, "all counters add up", "%s: the meter says %llu, it were %llu", what,
                  (unsigned long long)meter, (unsigned long long)own);
}

void record_meter(struct record *record, const struct meter *meter)
{
    const struct counts *counts = &record->counts;
    same(record, "attempt", meter->attempt, counts->starts);
    same(record, "probe", meter->probe, counts->probes);
    same(record, "cache_hit", meter->cache_hit, counts->cache_hits);
    same(record, "negative_hit", meter->negative_hit, counts->negative_hits);
    same(record, "bad_body", meter->bad_body, counts->bad_bodies);
    for (size_t i = 0; i < 6; i++) {
        same(record, "statuses", meter->statuses[i], counts->statuses[i]);
    }
    same(record, "status_429", meter->status_429, counts->status_429);
    same(record, "status_403", meter->status_403, counts->status_403);
    same(record, "status_503", meter->status_503, counts->status_503);
    same(record, "flights_finished", meter->success + meter->give_up, meter->flights_finished);
    same(record, "in_flight", meter->in_flight, record->in_flight);
    same(record, "calls", counts->starts, counts->answers + counts->aborts + record->in_flight);
    record_expect(record, meter->retry < meter->attempt || meter->attempt == 0, "all counters add up",
                  "%llu retries of %llu attempts", (unsigned long long)meter->retry,
                  (unsigned long long)meter->attempt);
    if (record->open_count == 0) {
        same(record, "waiting", meter->waiting, 0);
        same(record, "queued", meter->queued, 0);
    }
    record_expect(record, meter->gate_wait_ms >= 0, "all counters add up", "gate_wait_ms %lld",
                  (long long)meter->gate_wait_ms);
}
