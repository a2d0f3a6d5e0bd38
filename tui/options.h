#ifndef TUI_OPTIONS_H
#define TUI_OPTIONS_H

#include "core/policy/policy.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The command line (cli.md). One table in options.c makes the parser and the help. */

enum output { OUTPUT_SCREEN_OR_TEXT, OUTPUT_JSON };

struct options {
    enum output output;
    const char *file;     /* -f; NULL: none, "-": standard input */
    const char *upstream; /* -u, then VINDECODE_UPSTREAM, then NHTSA's */
    const char *demo;     /* the scenario; NULL: no demo */
    bool demo_list;       /* --demo=list */
    bool serve;
    uint16_t serve_port;
    int year; /* 0: none */
    bool force, no_cache, no_batch, quiet, ascii;
    bool help, version;
    struct policy policy; /* the product's constants with what the options change */
    char **vins;          /* borrowed from argv */
    size_t vin_count;
};

/* Reads the arguments; strings are borrowed from argv and the environment. False with one clear line in `why` (at most
 * `size` bytes) on wrong usage: then the exit status is 2. `this_year` bounds --year. */
bool options_read(int argc, char **argv, int this_year, struct options *out, char *why, size_t size);

/* Prints --help to standard output; it fits 80 columns. */
void options_help(void);

#endif
