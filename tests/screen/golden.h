#ifndef TESTS_SCREEN_GOLDEN_H
#define TESTS_SCREEN_GOLDEN_H

#include "core/base/buffer.h"

/* Files that say what a text should be. */

/* Compares the text with the file; prints the first line that differs, with `name`. */
bool golden_compare(const char *path, const char *name, const struct buffer *text);

/* Writes the file anew; false with a message when that fails. */
bool golden_write(const char *path, const struct buffer *text);

#endif
