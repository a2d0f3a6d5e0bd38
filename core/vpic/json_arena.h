#ifndef CORE_VPIC_JSON_ARENA_H
#define CORE_VPIC_JSON_ARENA_H

#include <cJSON.h>
#include <stddef.h>

enum { JSON_ARENA_FIRST = 24 * 1024 };

/* Memory for one tree of cJSON at a time. A tree is hundreds of small blocks that are born together and die together;
 * taken from an arena they cost a fraction of what they cost one by one, which is what pays for the vehicle that is
 * made from the tree (tests/bench/bench_answer.c). */
struct json_arena {
    char *free; /* what is left of the newest block */
    size_t left;
    struct arena_block *newest;                   /* NULL: the one that follows */
    _Alignas(cJSON) char first[JSON_ARENA_FIRST]; /* holds the tree of nearly every row and record */
};

/* It never moves. The caller ends with json_arena_clear(). */
void json_arena_init(struct json_arena *arena);

/* From here until json_arena_leave() everything that cJSON allocates on this thread comes from `arena` and is not freed
 * one by one. The tree that was made in it before is gone: its memory, still in the processor's cache, serves again. */
void json_arena_enter(struct json_arena *arena);
void json_arena_leave(void);

/* Frees all of it at once. */
void json_arena_clear(struct json_arena *arena);

#endif
