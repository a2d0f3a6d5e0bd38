#ifndef TUI_OPTIONS_H
#define TUI_OPTIONS_H

#include "core/policy/policy.h"
#include "tui/field_choice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the program was asked to do (cli.md). Each value comes from the command line, else from the environment, else
 * from the configuration file, else from here. One table, option_table.c, makes the parser, the help, the option part
 * of the man page and the completions. */

enum output { OUTPUT_DEFAULT, OUTPUT_TEXT, OUTPUT_JSON, OUTPUT_CSV };

/* Fields without a value: NHTSA has none, or calls them not applicable. */
enum empty_fields { EMPTY_FIELDS_DEFAULT, EMPTY_FIELDS_HIDDEN, EMPTY_FIELDS_SHOWN };

enum color { COLOR_AUTO, COLOR_NEVER, COLOR_16, COLOR_256, COLOR_TRUE };

enum stats { STATS_NONE, STATS_TEXT, STATS_JSON };

/* --help and what else is made from the table. */
enum help { HELP_NONE, HELP_COMMON, HELP_ALL, HELP_MAN, HELP_KEYS, HELP_BASH, HELP_ZSH, HELP_FISH };

struct options {
    /* results */
    enum output output;
    const char *output_file;        /* -o; NULL: standard output */
    struct field_choice fields;     /* --fields */
    bool fields_list;               /* --fields=list: only name them */
    enum empty_fields empty_fields; /* --sparse, --all */
    bool strict;

    /* VINs */
    const char *file;   /* -f; NULL: none, "-": standard input */
    const char *resume; /* NULL: none */
    bool no_wait;
    int64_t spread_ms; /* start after a random delay of at most that */
    int year;          /* 0: none */
    bool force;

    /* upstream */
    const char *upstream;
    const char *demo; /* the scenario; NULL: no demo */
    bool demo_list;   /* --demo=list */
    bool serve;
    uint16_t serve_port;
    struct policy policy; /* the product's constants with what the options change */
    bool no_cache, no_batch;

    /* reports */
    const char *log, *metrics; /* files; NULL: none */
    bool log_full_vin, quiet;
    enum stats stats;

    /* the screen */
    bool ascii, plain, mouse, bell;
    enum color color;  /* --color, then NO_COLOR */
    const char *theme; /* NULL: the default one */
    bool scan_end_tab; /* scan_end = tab, in the configuration file alone */

    /* this call */
    const char *config; /* --config; NULL: the usual place */
    enum help help;
    bool version;
    char **vins; /* borrowed from argv */
    size_t vin_count;
    struct kept_text *kept; /* what the configuration file said; options_clear() frees it */
};

/* Reads the environment, the configuration file and the arguments; strings are borrowed from argv and the environment,
 * or live until options_clear(). False with one clear line in `why` (at most `size` bytes) on wrong usage: then the
 * exit status is 2. `this_year` bounds --year. With --help or --version the configuration file is not read. */
bool options_read(int argc, char **argv, int this_year, struct options *out, char *why, size_t size);
void options_clear(struct options *options);

/* Prints what `help` asks for to standard output: the common options in at most 80 columns, all of them, the option
 * part of the man page, or a completion for a shell. */
void options_help(enum help help);

#endif
