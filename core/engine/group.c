#include "core/engine/engine_state.h"

#include <string.h>

/* Group calls: many VINs, one answer, and no VIN that spoils its neighbours. */

/* A row that names another VIN, or none, is nobody's (T46): a decode is never shown for a VIN that it does not name. */
static bool is_row_of(const struct answer *answer, size_t row, const struct vin_key *key)
{
    return answer->vehicles[row] != NULL && strcmp(vehicle_vin(answer->vehicles[row]), key->vin) == 0;
}

size_t answer_row_of(const struct answer *answer, const struct vin_key *key)
{
    size_t row = 0;
    while (row < answer->count && !is_row_of(answer, row, key)) {
        row++;
    }
    return row;
}

/* The same VIN may have been asked about with two model years, which a row does not name. */
static bool is_ambiguous(struct lookup *const *lookups, size_t count, size_t index)
{
    for (size_t i = 0; i < count; i++) {
        if (i != index && lookups[i] != NULL && strcmp(lookups[i]->key.vin, lookups[index]->key.vin) == 0) {
            return true;
        }
    }
    return false;
}

/* Every row stands where it should, and there is no other. */
static bool is_in_order(struct lookup *const *lookups, size_t count, const struct answer *answer)
{
    size_t row = 0;
    while (row < count && row < answer->count && is_row_of(answer, row, &lookups[row]->key)) {
        row++;
    }
    return row == count && row == answer->count;
}

static void deliver_row(struct engine *engine, struct lookup **lookup, struct verdict *verdict, size_t row)
{
    lookup_deliver(engine, *lookup, answer_take(&verdict->answer, row), verdict->status);
    *lookup = NULL;
}

/* Rows that stand where they should. Where others do not, one of an ambiguous VIN may have come from its twin's place.
 */
static size_t deliver_in_place(struct engine *engine, struct lookup **lookups, size_t count, struct verdict *verdict)
{
    bool in_order = is_in_order(lookups, count, &verdict->answer);
    bool sure[VPIC_GROUP_MAX];
    for (size_t i = 0; i < count; i++) {
        sure[i] = in_order || !is_ambiguous(lookups, count, i);
    }
    size_t delivered = 0;
    for (size_t i = 0; i < count && i < verdict->answer.count; i++) {
        if (sure[i] && is_row_of(&verdict->answer, i, &lookups[i]->key)) {
            deliver_row(engine, &lookups[i], verdict, i);
            delivered++;
        }
    }
    return delivered;
}

/* Rows that have moved because others are missing or doubled. */
static size_t deliver_moved(struct engine *engine, struct lookup **lookups, size_t count, struct verdict *verdict)
{
    size_t delivered = 0;
    for (size_t i = 0; i < count; i++) {
        if (lookups[i] == NULL || is_ambiguous(lookups, count, i)) {
            continue;
        }
        size_t row = answer_row_of(&verdict->answer, &lookups[i]->key);
        if (row < verdict->answer.count) {
            deliver_row(engine, &lookups[i], verdict, row);
            delivered++;
        }
    }
    return delivered;
}

void group_deliver(struct engine *engine, struct flight *flight, struct verdict *verdict)
{
    struct lookup *lookups[VPIC_GROUP_MAX];
    size_t count = 0;
    for (struct lookup *lookup = flight->lookups; lookup != NULL; lookup = lookup->next) {
        lookups[count++] = lookup;
    }
    size_t delivered = deliver_in_place(engine, lookups, count, verdict);
    delivered += deliver_moved(engine, lookups, count, verdict);
    engine->meter.stray_rows += verdict->answer.count - delivered;
    for (size_t i = 0; i < count; i++) {
        if (lookups[i] != NULL && lookups[i]->waiters != NULL) {
            flight_split_off(engine, lookups[i]);
        }
    }
}

bool group_splits(const struct flight *flight, const struct plan *plan)
{
    if (flight->count < 2) {
        return false;
    }
    switch (plan->code) {
    case CODE_EXHAUSTED:
    case CODE_BAD_RESPONSE:
    case CODE_BAD_REQUEST:
        return plan->reason != REASON_REJECTED_REPEATEDLY && plan->reason != REASON_NO_WAIT;
    case CODE_UPSTREAM_THROTTLE:
        return plan->reason == REASON_ATTEMPTS;
    case CODE_UPSTREAM_UNAVAILABLE:
        return plan->reason == REASON_UNLISTED_STATUS;
    case CODE_NONE:
    case CODE_DEADLINE:
    case CODE_CIRCUIT_OPEN:
    case CODE_CANCELLED:
    case CODE_COUNT:
        break;
    }
    return false;
}

void group_split(struct engine *engine, struct flight *flight)
{
    struct lookup *next;
    for (struct lookup *lookup = flight->lookups; lookup != NULL; lookup = next) {
        next = lookup->next;
        if (lookup->waiters != NULL) {
            flight_split_off(engine, lookup);
        }
    }
    flight_close(engine, flight);
}
