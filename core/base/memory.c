#include "core/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *must(void *block)
{
    if (block == NULL) {
        fputs("vindecode: out of memory\n", stderr);
        exit(1);
    }
    return block;
}

/* Nothing is asked for as one byte, so that NULL always means "no memory". */
static size_t at_least_one(size_t size)
{
    return size == 0 ? 1 : size;
}

void *memory_get(size_t size)
{
    return must(calloc(1, at_least_one(size)));
}

void *memory_resize(void *block, size_t size)
{
    return must(realloc(block, at_least_one(size)));
}

void *memory_copy(const void *bytes, size_t size)
{
    void *copy = memory_resize(NULL, size);
    if (size > 0) {
        memcpy(copy, bytes, size);
    }
    return copy;
}

char *memory_string(const char *text)
{
    return memory_copy(text, strlen(text) + 1);
}
