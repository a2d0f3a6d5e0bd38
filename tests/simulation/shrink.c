#include "simulation/shrink.h"

#include "core/base/buffer.h"
#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { RUNS_MOST = 3000 };

/* Does the run still break the same invariant? If so that is how it goes from now on. */
static bool still_breaks(struct shrunk *shrunk, size_t *runs)
{
    struct trace trace = trace_none();
    (*runs)++;
    struct outcome_of_run outcome = run_once(&shrunk->run, &trace);
    if (outcome.broken == NULL || strcmp(outcome.broken, shrunk->outcome.broken) != 0) {
        return false;
    }
    shrunk->outcome = outcome;
    return true;
}

/* Leaves out `length` steps from `from` on, those that are in the run still. */
static size_t drop(struct shrunk *shrunk, uint64_t from, uint64_t length, bool *was)
{
    size_t changed = 0;
    memcpy(was, shrunk->dropped, shrunk->run.steps);
    for (uint64_t i = from; i < from + length && i < shrunk->run.steps; i++) {
        changed += shrunk->dropped[i] ? 0 : 1;
        shrunk->dropped[i] = true;
    }
    return changed;
}

struct shrunk shrink(const struct run *run, const struct outcome_of_run *broken)
{
    struct shrunk shrunk = {.run = *run, .outcome = *broken};
    bool *was = memory_get(run->steps + 1);
    size_t runs = 0;
    shrunk.dropped = memory_get(run->steps + 1);
    if (run->dropped != NULL) {
        memcpy(shrunk.dropped, run->dropped, run->steps);
    }
    shrunk.run.dropped = shrunk.dropped;
    if (broken->step < run->steps) {
        shrunk.run.steps = broken->step + 1;
    }
    bool progress = true;
    while (progress && runs < RUNS_MOST) {
        progress = false;
        for (uint64_t length = (shrunk.run.steps + 1) / 2; length > 0 && runs < RUNS_MOST; length /= 2) {
            for (uint64_t from = 0; from < shrunk.run.steps && runs < RUNS_MOST; from += length) {
                if (drop(&shrunk, from, length, was) == 0) {
                    continue;
                }
                if (still_breaks(&shrunk, &runs)) {
                    progress = true;
                } else {
                    memcpy(shrunk.dropped, was, shrunk.run.steps);
                }
            }
        }
    }
    for (uint64_t i = 0; i < shrunk.run.steps; i++) {
        shrunk.kept += shrunk.dropped[i] ? 0 : 1;
    }
    free(was);
    return shrunk;
}

void shrunk_clear(struct shrunk *shrunk)
{
    free(shrunk->dropped);
}

char *shrunk_drop_text(const struct shrunk *shrunk)
{
    struct buffer text;
    buffer_init(&text, 1 << 20);
    for (uint64_t i = 0; i < shrunk->run.steps; i++) {
        uint64_t last = i;
        while (last + 1 < shrunk->run.steps && shrunk->dropped[i] && shrunk->dropped[last + 1]) {
            last++;
        }
        if (shrunk->dropped[i]) {
            buffer_printf(&text, text.length > 0 ? ",%llu" : "%llu", (unsigned long long)i);
        }
        if (last > i) {
            buffer_printf(&text, "-%llu", (unsigned long long)last);
        }
        i = last;
    }
    char *out = text.length > 0 ? buffer_take(&text) : NULL;
    buffer_clear(&text);
    return out;
}

bool *drop_read(const char *text, uint64_t steps)
{
    bool *dropped = memory_get(steps + 1);
    while (*text != '\0') {
        char *end;
        unsigned long long first = strtoull(text, &end, 10), last = first;
        bool sound = end != text;
        if (*end == '-') {
            text = end + 1;
            last = strtoull(text, &end, 10);
            sound = sound && end != text;
        }
        if (!sound || (*end != ',' && *end != '\0') || last >= steps || first > last) {
            free(dropped);
            return NULL;
        }
        memset(dropped + first, true, (size_t)(last - first) + 1);
        text = end + (*end == ',' ? 1 : 0);
    }
    return dropped;
}
