#include "tui/option_table.h"

#include "core/vpic/request.h"
#include "tui/frame.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The command line and the environment; the configuration file stands in option_file.c. */

/* Rows without a letter have these numbers for getopt_long, from their place in the table. */
enum { NUMBER_FIRST = 0x100, ROWS_MAX = 64 };

/* getopt_long's own tables from ours. */
struct tables {
    struct option longs[ROWS_MAX + 1];
    char letters[3 * ROWS_MAX + 2];
};

static void make_tables(struct tables *tables)
{
    char *letters = tables->letters;
    size_t count = 0;
    *letters++ = ':'; /* a missing argument is told apart from an unknown option */
    for (size_t i = 0; i < option_row_count && count < ROWS_MAX; i++) {
        const struct option_row *row = &option_rows[i];
        if (row->place == PLACE_FILE) {
            continue;
        }
        int has = row->argument == NULL ? no_argument : option_is_optional(row) ? optional_argument : required_argument;
        tables->longs[count++] = (struct option){.name = row->name, .has_arg = has, .val = NUMBER_FIRST + (int)i};
        if (row->letter != 0) {
            *letters++ = row->letter;
            if (has == required_argument) {
                *letters++ = ':';
            }
        }
    }
    tables->longs[count] = (struct option){0};
    *letters = '\0';
}

static const struct option_row *row_of(int number)
{
    if (number >= NUMBER_FIRST) {
        return &option_rows[number - NUMBER_FIRST];
    }
    for (size_t i = 0; i < option_row_count; i++) {
        if (option_rows[i].letter == number) {
            return &option_rows[i];
        }
    }
    return NULL;
}

bool option_take(struct reading *reading, const struct option_row *row, const char *text, char *why, size_t size)
{
    char shown[128];
    reading->why[0] = '\0';
    if (row->read(reading, row, text)) {
        return true;
    }
    if (reading->why[0] != '\0') {
        snprintf(why, size, "%s", reading->why);
        return false;
    }
    frame_clean(text, strlen(text), true, shown, sizeof shown);
    snprintf(why, size, "--%s does not take \"%s\": %s", row->name, shown, row->help);
    size_t length = strlen(why);
    if (length > 0 && why[length - 1] == '.') {
        why[length - 1] = '\0';
    }
    return false;
}

/* How many long options begin like the word. */
static size_t count_beginnings(const char *word)
{
    size_t length = strcspn(word, "="), count = 0;
    for (size_t i = 0; i < option_row_count; i++) {
        count += option_rows[i].place != PLACE_FILE && strncmp(option_rows[i].name, word, length) == 0;
    }
    return count;
}

static bool refuse_word(int kind, const char *word, char *why, size_t size)
{
    char shown[128];
    frame_clean(word, strlen(word), true, shown, sizeof shown);
    if (kind == ':') {
        snprintf(why, size, "option \"%s\" needs a value", shown);
    } else if (optopt >= NUMBER_FIRST) {
        snprintf(why, size, "option \"--%s\" takes no value", row_of(optopt)->name);
    } else if (strncmp(word, "--", 2) == 0 && count_beginnings(word + 2) > 1) {
        snprintf(why, size, "\"%s\" may be several options; --help=all lists them", shown);
    } else {
        snprintf(why, size, "no such option: \"%s\"; --help=all lists them", shown);
    }
    return false;
}

/* Begins from the first argument, whatever an earlier reading left behind. */
static void restart_getopt(void)
{
    opterr = 0;
#if defined __APPLE__ || defined __FreeBSD__ || defined __NetBSD__ || defined __OpenBSD__
    optreset = 1;
    optind = 1;
#else
    optind = 0;
#endif
}

static bool read_arguments(struct reading *reading, int argc, char **argv, char *why, size_t size)
{
    struct tables tables;
    make_tables(&tables);
    reading->source = SOURCE_ARGUMENTS;
    bool has_file = false;
    restart_getopt();
    int number;
    while ((number = getopt_long(argc, argv, tables.letters, tables.longs, NULL)) != -1) {
        if (number == '?' || number == ':') {
            return refuse_word(number, argv[optind - 1], why, size);
        }
        const struct option_row *row = row_of(number);
        if (row->letter == 'f' && has_file) {
            snprintf(why, size, "--file is given twice; \"cat A B | vindecode -f -\" reads both");
            return false;
        }
        has_file = has_file || row->letter == 'f';
        if (!option_take(reading, row, optarg, why, size)) {
            return false;
        }
    }
    reading->options->vins = argv + optind;
    reading->options->vin_count = (size_t)(argc - optind);
    return true;
}

static bool read_environment(struct reading *reading, char *why, size_t size)
{
    const char *upstream = getenv("VINDECODE_UPSTREAM"), *no_color = getenv("NO_COLOR");
    reading->source = SOURCE_ENVIRONMENT;
    if (no_color != NULL && no_color[0] != '\0') {
        reading->options->color = COLOR_NEVER;
    }
    if (upstream == NULL || upstream[0] == '\0') {
        return true;
    }
    if (option_take(reading, option_find("upstream"), upstream, why, size)) {
        return true;
    }
    char shown[128];
    frame_clean(upstream, strlen(upstream), true, shown, sizeof shown);
    snprintf(why, size, "VINDECODE_UPSTREAM is no address: \"%s\"", shown);
    return false;
}

static struct options defaults(void)
{
    return (struct options){.upstream = VPIC_DEFAULT_BASE, .policy = policy_default};
}

bool options_read(int argc, char **argv, int this_year, struct options *out, char *why, size_t size)
{
    struct reading reading = {.options = out, .this_year = this_year};
    /* The arguments are read first for what they say about the other sources, and last because they are the strongest.
     */
    *out = defaults();
    if (!read_arguments(&reading, argc, argv, why, size)) {
        return false;
    }
    if (out->help != HELP_NONE || out->version) {
        return true;
    }
    const char *config = out->config;
    *out = defaults();
    out->config = config;
    return option_file_read(&reading, why, size) && read_environment(&reading, why, size) &&
           read_arguments(&reading, argc, argv, why, size);
}
