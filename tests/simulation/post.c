#include "simulation/post.h"

#include "core/base/memory.h"

#include <stdlib.h>

void letter_clear(struct letter *letter)
{
    if (letter->kind == LETTER_EVENT) {
        event_clear(&letter->event);
    }
    free(letter->submissions);
    free(letter->meter);
}

void post_clear(struct post *post)
{
    for (size_t i = 0; i < post->count; i++) {
        letter_clear(&post->letters[post->first + i]);
    }
    free(post->letters);
}

struct letter *post_put(struct post *post, enum letter_kind kind, monotime now, struct random *random)
{
    if (post->count == 0) {
        post->first = 0;
    }
    if (post->first + post->count == post->capacity) {
        post->capacity = post->capacity > 0 ? 2 * post->capacity : 32;
        post->letters = memory_resize(post->letters, post->capacity * sizeof *post->letters);
    }
    monotime due = now + (post->slowest_ms > 0 ? draw_between(random, 0, post->slowest_ms) : 0);
    post->latest_due = due > post->latest_due ? due : post->latest_due;
    struct letter *letter = &post->letters[post->first + post->count++];
    *letter = (struct letter){.kind = kind, .due = post->latest_due};
    return letter;
}

struct letter *post_last(struct post *post, enum letter_kind kind)
{
    struct letter *last = post->count > 0 ? &post->letters[post->first + post->count - 1] : NULL;
    return last != NULL && last->kind == kind ? last : NULL;
}

struct letter post_take(struct post *post)
{
    post->count--;
    return post->letters[post->first++];
}

monotime post_due(const struct post *post)
{
    return post->count > 0 ? post->letters[post->first].due : MONOTIME_NEVER;
}
