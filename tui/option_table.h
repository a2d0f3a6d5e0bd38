#ifndef TUI_OPTION_TABLE_H
#define TUI_OPTION_TABLE_H

#include "tui/options.h"

/* The one table of options: what the parser, the configuration file, the help, the man page and the completions are
 * made from. For tui/option*.c alone. */

enum option_section {
    SECTION_RESULTS,
    SECTION_VINS,
    SECTION_UPSTREAM,
    SECTION_REPORTS,
    SECTION_SCREEN,
    SECTION_GENERAL,
    SECTION_COUNT
};

const char *option_section_title(enum option_section section);

/* Where options come from, weakest first. */
enum option_source { SOURCE_FILE, SOURCE_ENVIRONMENT, SOURCE_ARGUMENTS };

struct option_row;

/* A value on its way into the options. */
struct reading {
    struct options *options;
    int this_year;
    enum option_source source;
    char why[256]; /* a reason of its own when a value is refused; "": the first line of the help will do */
};

/* Takes `text`, NULL for an option without a value; false when it is none that the option takes. */
typedef bool option_reader(struct reading *reading, const struct option_row *row, const char *text);

/* Where the option may stand. */
enum option_place { PLACE_ANYWHERE, PLACE_ARGUMENTS, PLACE_FILE };

struct option_row {
    char letter; /* 0: none */
    const char *name;
    const char *argument; /* NULL: none; "[=X]": may be left out */
    const char *words;    /* the values that a completion offers, separated by blanks; NULL: none, "FILE": files */
    const char *help;     /* sentences; wrapped where it is shown */
    enum option_section section;
    bool common; /* shown by a plain --help */
    option_reader *read;
    size_t member; /* of struct options, for the readers of flags and texts */
    int value;     /* what it is set to, for the readers of enumerations */
    enum option_place place;
};

extern const struct option_row option_rows[];
extern const size_t option_row_count;

/* The row called `name` ("max-wait" or "max_wait"), or NULL. */
const struct option_row *option_find(const char *name);

/* Whether the value may be left out. */
bool option_is_optional(const struct option_row *row);

/* Reads the configuration file into `reading`: what the file says is kept in reading->options. True when there is none
 * in the usual place. */
bool option_file_read(struct reading *reading, char *why, size_t size);

/* Hands `text` to the row's reader; false with one line in `why`. */
bool option_take(struct reading *reading, const struct option_row *row, const char *text, char *why, size_t size);

#endif
