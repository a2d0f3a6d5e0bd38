#include "core/vpic/json_arena.h"

#include "core/base/memory.h"

#include <cJSON.h>
#include <stdlib.h>

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

static void use_first(struct json_arena *arena)
{
    arena->newest = NULL;
    arena->free = arena->first;
    arena->left = sizeof arena->first;
}

static void use_block(struct json_arena *arena, struct arena_block *block)
{
    arena->newest = block;
    arena->free = block->bytes;
    arena->left = block->size;
}

/* Goes on in a new block, twice as large as the last one, with room for `size` bytes. */
static void grow(struct json_arena *arena, size_t size)
{
    size_t room = 2 * (arena->newest == NULL ? sizeof arena->first : arena->newest->size);
    room = room < size ? size : room;
    struct arena_block *block = memory_resize(NULL, sizeof *block + room);
    *block = (struct arena_block){.older = arena->newest, .size = room};
    use_block(arena, block);
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

void json_arena_init(struct json_arena *arena)
{
    use_first(arena);
}

void json_arena_enter(struct json_arena *arena)
{
    struct arena_block *newest = arena->newest;
    if (newest == NULL) {
        use_first(arena);
    } else {
        free_blocks(newest->older);
        newest->older = NULL;
        use_block(arena, newest);
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
    use_first(arena);
}
