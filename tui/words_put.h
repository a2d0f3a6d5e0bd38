#ifndef TUI_WORDS_PUT_H
#define TUI_WORDS_PUT_H

#include "core/base/clock.h"

#include <stddef.h>

/* A text that grows inside a buffer of the caller's and never over its end: what tui/words*.c are written with. */
struct words {
    char *out;
    size_t size, length;
};

struct words words_begin(char *out, size_t size);
void words_put(struct words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Seconds as a header names them: never in minutes, with the fraction that there is. */
void words_put_seconds(struct words *words, int64_t ms);

/* A time of day; with the date when it is more than half a day away from `wall` (0: not asked). */
void words_put_time(struct words *words, walltime at, walltime wall, int64_t utc_offset_ms);

#endif
