#include "core/vpic/json_arena.h"

#include "core/base/memory.h"

#include <cJSON.h>
#include <stdlib.h>

/* The tree of a row of today takes about half of the first block. */
enum { BLOCK_FIRST = 32 * 1024 };

struct arena_block {
    struct arena_block *older;
    size_t size;
    _Alignas(cJSON) char bytes[];
};

/* The arena that cJSON allocates from on this thread; NULL: it allocates as ever. */
static _Thread_local struct json_arena *current;

static void free_blocks(struct arena_block *block)
{
    while (block != NULL) {
        struct arena_block *older = block->older;
        free(block);
        block = older;
    }
}

/* Makes a new block, twice as large as the last one, with room for `size` bytes. */
static void grow(struct json_arena *arena, size_t size)
{
    size_t room = arena->newest == NULL ? BLOCK_FIRST : 2 * arena->newest->size;
    room = room < size ? size : room;
    struct arena_block *block = memory_resize(NULL, sizeof *block + room);
    *block = (struct arena_block){.older = arena->newest, .size = room};
    *arena = (struct json_arena){.newest = block, .free = block->bytes, .left = room};
}

static void *get(size_t size)
{
    struct json_arena *arena = current;
    if (arena == NULL) {
        return malloc(size);
    }
    const size_t align = _Alignof(cJSON);
    size = (size + align - 1) / align * align;
    if (arena->left < size) {
        grow(arena, size);
    }
    void *bytes = arena->free;
    arena->free += size;
    arena->left -= size;
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

void json_arena_enter(struct json_arena *arena)
{
    struct arena_block *newest = arena->newest;
    if (newest != NULL) {
        free_blocks(newest->older);
        newest->older = NULL;
        *arena = (struct json_arena){.newest = newest, .free = newest->bytes, .left = newest->size};
    }
    current = arena;
}

void json_arena_leave(void)
{
    current = NULL;
}

void json_arena_clear(struct json_arena *arena)
{
    free_blocks(arena->newest);
    *arena = (struct json_arena){0};
}
