#include "tui/app_model.h"

#include <stdlib.h>
#include <string.h>

struct result *results_find(struct results *results, const struct vin_key *key)
{
    for (size_t i = 0; i < results->count; i++) {
        if (vin_key_equal(&results->entries[i].key, key)) {
            return &results->entries[i];
        }
    }
    return NULL;
}

static void forget(struct result *result)
{
    if (result->answered) {
        vehicle_free(result->answer.vehicle);
    }
    memset(result, 0, sizeof *result);
}

static struct result *oldest(struct results *results)
{
    struct result *found = &results->entries[0];
    for (size_t i = 1; i < results->count; i++) {
        if (results->entries[i].asked < found->asked) {
            found = &results->entries[i];
        }
    }
    return found;
}

struct result *results_ask(struct results *results, const struct vin_key *key)
{
    struct result *result = results_find(results, key);
    if (result == NULL && results->count < RESULTS_MAX) {
        result = &results->entries[results->count++];
    } else if (result == NULL) {
        result = oldest(results);
        forget(result);
    }
    result->key = *key;
    result->asked = ++results->asked;
    return result;
}

const struct result *results_newest(const struct results *results, size_t index)
{
    const struct result *found = NULL;
    uint64_t below = UINT64_MAX;
    for (size_t step = 0; step <= index; step++) {
        found = NULL;
        for (size_t i = 0; i < results->count; i++) {
            const struct result *result = &results->entries[i];
            if (result->asked < below && (found == NULL || result->asked > found->asked)) {
                found = result;
            }
        }
        if (found == NULL) {
            return NULL;
        }
        below = found->asked;
    }
    return found;
}

static int newer_first(const void *a, const void *b)
{
    const struct result *const *left = a, *const *right = b;
    return (*left)->asked < (*right)->asked ? 1 : (*left)->asked > (*right)->asked ? -1 : 0;
}

size_t results_order(const struct results *results, const struct result *out[RESULTS_MAX])
{
    for (size_t i = 0; i < results->count; i++) {
        out[i] = &results->entries[i];
    }
    qsort(out, results->count, sizeof out[0], newer_first);
    return results->count;
}

void results_clear(struct results *results)
{
    for (size_t i = 0; i < results->count; i++) {
        forget(&results->entries[i]);
    }
    results->count = 0;
}
