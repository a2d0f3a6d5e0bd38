#include "tui/list.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

static void clear_entry(struct list_entry *entry)
{
    free(entry->input);
    free(entry->headline);
}

void list_clear(struct list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        clear_entry(&list->entries[i]);
    }
    free(list->entries);
    free(list->name);
    memset(list, 0, sizeof *list);
}

static void move(struct list *list, struct list_entry *entry, enum list_state state)
{
    list->counts[entry->state]--;
    list->counts[state]++;
    entry->state = (uint8_t)state;
}

bool list_add(struct list *list, const char *text, size_t length, int this_year, int model_year)
{
    struct scan scan;
    if (list->count == LIST_MAX) {
        list->left_out++;
        return false;
    }
    if (list->count == list->capacity) {
        list->capacity = list->capacity == 0 ? 64 : list->capacity * 2;
        list->entries = memory_resize(list->entries, list->capacity * sizeof *list->entries);
    }
    struct list_entry *entry = &list->entries[list->count++];
    *entry = (struct list_entry){.state = LIST_REFUSED};
    scan_clean(text, length, this_year, &scan);
    if (vin_verdict(&scan.check) == VIN_SENDABLE && !scan.year_bad) {
        entry->key = scan_key(&scan, model_year);
        entry->state = LIST_TODO;
    }
    size_t kept = length < LIST_INPUT_MAX ? length : LIST_INPUT_MAX;
    if (strlen(entry->key.vin) != kept || memcmp(entry->key.vin, text, kept) != 0) {
        entry->input = memory_get(kept + 1);
        for (size_t i = 0; i < kept; i++) {
            entry->input[i] = text[i] != '\0' ? text[i] : ' ';
        }
    }
    list->counts[entry->state]++;
    return true;
}

const char *list_input(const struct list_entry *entry)
{
    return entry->input != NULL ? entry->input : entry->key.vin;
}

size_t list_todo(struct list *list)
{
    while (list->next < list->count && list->entries[list->next].state != LIST_TODO) {
        list->next++;
    }
    return list->next < list->count ? list->next : SIZE_MAX;
}

void list_sent(struct list *list, size_t index, uint64_t ticket)
{
    move(list, &list->entries[index], LIST_OUT);
    list->out[list->out_count++] = (struct list_ticket){.ticket = ticket, .index = index};
}

struct list_ticket *list_find(struct list *list, uint64_t ticket)
{
    for (size_t i = 0; i < list->out_count; i++) {
        if (list->out[i].ticket == ticket) {
            return &list->out[i];
        }
    }
    return NULL;
}

void list_ended(struct list *list, struct list_ticket *ticket, enum code code, enum severity severity,
                const char *headline)
{
    struct list_entry *entry = &list->entries[ticket->index];
    move(list, entry, headline != NULL ? LIST_DECODED : LIST_FAILED);
    entry->code = (uint8_t)code;
    entry->severity = (uint8_t)severity;
    free(entry->headline);
    entry->headline = headline != NULL ? memory_string(headline) : NULL;
    *ticket = list->out[--list->out_count];
}

static void redo(struct list *list, size_t index)
{
    move(list, &list->entries[index], LIST_TODO);
    list->next = index < list->next ? index : list->next;
}

bool list_wants_second_turn(const struct event_failed *failed, int64_t gate_max_ms)
{
    if (failed->told_ms > gate_max_ms) {
        return false;
    }
    switch (failed->reason) {
    case REASON_OVER_CAP_RETRY_AFTER:
    case REASON_OVER_CAP_BODY:
    case REASON_OVER_CAP_RESET:
    case REASON_OVER_CAP:
    case REASON_RESET_NOT_CREDIBLE:
    case REASON_REMAINING_ZERO_WITHOUT_RESET:
    case REASON_THROTTLED_WITHOUT_HINT:
        return true;
    case REASON_GATE_CLOSED:
        return failed->attempts > 0;
    default:
        return false;
    }
}

void list_second_turn(struct list *list, struct list_ticket *ticket)
{
    list->entries[ticket->index].second_turn = true;
    redo(list, ticket->index);
    *ticket = list->out[--list->out_count];
}

bool list_is_turned_away(const struct event_failed *failed)
{
    return failed->reason == REASON_REJECTED_REPEATEDLY || failed->reason == REASON_CONFIG_ERROR;
}

void list_stop(struct list *list)
{
    for (size_t i = 0; i < list->out_count; i++) {
        redo(list, list->out[i].index);
    }
    list->out_count = 0;
    list->stopped = true;
}

void list_retry(struct list *list)
{
    for (size_t i = list->count; i > 0; i--) {
        if (list->entries[i - 1].state == LIST_FAILED) {
            list->entries[i - 1].second_turn = false;
            redo(list, i - 1);
        }
    }
}

size_t list_done(const struct list *list)
{
    return list->counts[LIST_REFUSED] + list->counts[LIST_DECODED] + list->counts[LIST_FAILED];
}

bool list_has_begun(const struct list *list)
{
    return list->out_count > 0 || list->counts[LIST_DECODED] + list->counts[LIST_FAILED] > 0;
}

size_t list_calling(const struct list *list)
{
    size_t count = 0;
    for (size_t i = 0; i < list->out_count; i++) {
        count += list->out[i].stage == STAGE_CALLING;
    }
    return count;
}

bool list_wait(const struct list *list, struct wait *out)
{
    bool found = false;
    if (list_calling(list) > 0) {
        return false;
    }
    for (size_t i = 0; i < list->out_count; i++) {
        const struct list_ticket *ticket = &list->out[i];
        if (ticket->stage == STAGE_WAITING && (!found || ticket->wait.until < out->until)) {
            *out = ticket->wait;
            found = true;
        }
    }
    return found;
}
