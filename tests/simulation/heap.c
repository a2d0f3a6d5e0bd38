#include "simulation/heap.h"

#include <stdlib.h>

static size_t blocks;

size_t heap_blocks(void)
{
    return blocks;
}

#ifdef SIMULATION_COUNTS_BLOCKS
/* The linker's names for the wrapped and the real functions, with --wrap:
 * NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);

void *__wrap_malloc(size_t size)
{
    blocks++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    blocks++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size)
{
    blocks += block == NULL ? 1 : 0;
    return __real_realloc(block, size);
}

void __wrap_free(void *block)
{
    blocks -= block != NULL ? 1 : 0;
    __real_free(block);
}
/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
#endif
