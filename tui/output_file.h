#ifndef TUI_OUTPUT_FILE_H
#define TUI_OUTPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Where results go (-o): a file beside the wanted one, which takes its name when the list is complete; or, with
 * --resume, the file itself, appended to. */
struct output_file {
    char *path, *part; /* owned; NULL: standard output; part NULL: appended */
    int descriptor;
    bool begun; /* what is appended to holds something already */
};

/* Opens it. `path` NULL: standard output. A half-written last line of a file that is appended to is cut off. False with
 * one clear line in `why`. */
bool output_file_open(struct output_file *output, const char *path, bool append, char *why, size_t size);

/* Whether it is the same file as `path` ("-": standard input). */
bool output_file_is(const struct output_file *output, const char *path);

/* Closes it. A complete one takes its name; one that is not stays beside, and *left is its name (borrowed until
 * output_file_clear()), NULL when nothing is left. False with one line in `why` when it cannot be closed or renamed. */
bool output_file_close(struct output_file *output, bool complete, const char **left, char *why, size_t size);
void output_file_clear(struct output_file *output);

/* Writes a whole small file: beside, then renamed. False with errno. */
bool output_file_replace(const char *path, const char *bytes, size_t length);

#endif
