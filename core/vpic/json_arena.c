#include "core/vpic/json_arena.h"

#include "core/base/memory.h"

#include <cJSON.h>
#include <stdlib.h>

enum { BLOCK_MIN = 1 << 12, BLOCK_FIRST_MAX = 1 << 16 };

struct arena_block {
    struct arena_block *older;
    size_t used, size;
    _Alignas(max_align_t) char bytes[];
};

/* The arena that cJSON allocates from on this thread; NULL: it allocates as ever. */
static _Thread_local struct json_arena *current;

static void *get(size_t size)
{
    if (current == NULL) {
        return malloc(size);
    }
    const size_t align = _Alignof(max_align_t);
    size = (size + align - 1) / align * align;
    struct arena_block *block = current->newest;
    if (block == NULL || block->size - block->used < size) {
        size_t room = current->next_size > size ? current->next_size : size;
        block = memory_resize(NULL, sizeof *block + room);
        *block = (struct arena_block){.older = current->newest, .size = room};
        current->newest = block;
        current->next_size = 2 * room;
    }
    void *bytes = block->bytes + block->used;
    block->used += size;
    return bytes;
}

static void put_back(void *bytes)
{
    if (current == NULL) {
        free(bytes);
    }
}

/* cJSON keeps its allocator for the whole program. It is set before main(), because cJSON reads it in every thread and
 * no later moment is known to be free of them: hence the attribute, which gcc and clang have. */
__attribute__((constructor)) static void set_allocator(void)
{
    cJSON_Hooks hooks = {.malloc_fn = get, .free_fn = put_back};
    cJSON_InitHooks(&hooks);
}

void json_arena_enter(struct json_arena *arena, size_t expected)
{
    size_t first = expected < BLOCK_FIRST_MAX ? expected : BLOCK_FIRST_MAX;
    *arena = (struct json_arena){.next_size = first > BLOCK_MIN ? first : BLOCK_MIN};
    current = arena;
}

void json_arena_leave(void)
{
    current = NULL;
}

void json_arena_clear(struct json_arena *arena)
{
    while (arena->newest != NULL) {
        struct arena_block *older = arena->newest->older;
        free(arena->newest);
        arena->newest = older;
    }
}
