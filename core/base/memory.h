#ifndef CORE_BASE_MEMORY_H
#define CORE_BASE_MEMORY_H

#include <stddef.h>

/* Allocation that does not come back without memory: it says so on standard error and ends the process with status 1
 * (cli.md: internal error). Memory from these is freed with free(). */
void *memory_get(size_t size);                 /* zeroed */
void *memory_resize(void *block, size_t size); /* like realloc */
void *memory_copy(const void *bytes, size_t size);
char *memory_string(const char *text);

#endif
