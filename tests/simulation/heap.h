#ifndef TESTS_SIMULATION_HEAP_H
#define TESTS_SIMULATION_HEAP_H

#include <stddef.h>

/* Blocks of memory that the program's own code has in use. malloc() and its kin are counted where the linker can wrap
 * them (GNU and LLVM linkers); elsewhere this is always 0. */
size_t heap_blocks(void);

#endif
