#include "tui/options.h"

#include "core/vpic/request.h"
#include "tui/frame.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The one table */

enum option_id {
    OPTION_JSON = 'j',
    OPTION_FILE = 'f',
    OPTION_YEAR = 'y',
    OPTION_UPSTREAM = 'u',
    OPTION_QUIET = 'q',
    OPTION_HELP = 'h',
    OPTION_VERSION = 'V',
    OPTION_FORCE = 0x100, /* from here on without a letter */
    OPTION_DEMO,
    OPTION_SERVE,
    OPTION_MAX_ATTEMPTS,
    OPTION_MAX_WAIT,
    OPTION_DEADLINE,
    OPTION_CONCURRENCY,
    OPTION_RATE,
    OPTION_NO_CACHE,
    OPTION_NO_BATCH,
    OPTION_ASCII
};

struct option_row {
    int id; /* also the letter, below 0x100 */
    const char *name;
    const char *argument; /* NULL: none; "[=X]": may be left out */
    const char *help;     /* "\n" begins another line */
};

static const struct option_row rows[] = {
    {OPTION_JSON, "json", NULL, "JSON lines: one object per VIN, in input order"},
    {OPTION_FILE, "file", "FILE",
     "VINs from FILE (\"-\": standard input), one a line,\nVIN or VIN,YEAR; # starts a comment"},
    {OPTION_YEAR, "year", "YEAR", "model year to send with each VIN"},
    {OPTION_FORCE, "force", NULL, "send although the local check would ask first"},
    {OPTION_UPSTREAM, "upstream", "URL", "default " VPIC_DEFAULT_BASE},
    {OPTION_DEMO, "demo", "[=SCENARIO]", "a simulated NHTSA on this machine instead;\n--demo=list names the scenarios"},
    {OPTION_SERVE, "serve", "[=PORT]", "only the simulated NHTSA; prints its address"},
    {OPTION_MAX_ATTEMPTS, "max-attempts", "N", "default 4, the first included"},
    {OPTION_MAX_WAIT, "max-wait", "SECONDS", "longest automatic wait, 1 to 60, default 60"},
    {OPTION_DEADLINE, "deadline", "SECONDS", "whole time for one VIN, waits included,\ndefault 90 (lists: 600)"},
    {OPTION_CONCURRENCY, "concurrency", "N", "calls at once, 1 to 5, default 3 (lists: 2)"},
    {OPTION_RATE, "rate", "N/SECONDS[:BURST]",
     "own courtesy budget while no quota is announced,\ndefault 2/1:5 (lists: 1/1:2)"},
    {OPTION_NO_CACHE, "no-cache", NULL, "neither read nor write the cache"},
    {OPTION_NO_BATCH, "no-batch", NULL, "one call per VIN, no group calls"},
    {OPTION_QUIET, "quiet", NULL, "nothing on standard error but errors"},
    {OPTION_ASCII, "ascii", NULL, "no character beyond ASCII on the screen"},
    {OPTION_HELP, "help", NULL, "this text"},
    {OPTION_VERSION, "version", NULL, "the version"},
};

enum { ROW_COUNT = sizeof rows / sizeof rows[0], HELP_INDENT = 31 };

void options_help(void)
{
    printf("Usage: vindecode [OPTION]... [VIN[,YEAR]]...\n"
           "Decodes vehicle identification numbers with NHTSA's vPIC service, and waits when\n"
           "it is asked to. Without a VIN, or with one, on a terminal: the screen.\n\n");
    for (size_t i = 0; i < ROW_COUNT; i++) {
        const struct option_row *row = &rows[i];
        const char *argument = row->argument ? row->argument : "";
        int used = row->id < 0x100 ? printf("  -%c, --%s", row->id, row->name) : printf("      --%s", row->name);
        used += printf("%s%s", argument[0] == '[' || argument[0] == '\0' ? "" : " ", argument);
        for (const char *line = row->help; line != NULL;) {
            const char *end = strchr(line, '\n');
            int length = (int)(end ? end - line : (ptrdiff_t)strlen(line));
            printf("%*s%.*s\n", used < HELP_INDENT ? HELP_INDENT - used : 1, "", length, line);
            line = end ? end + 1 : NULL;
            used = 0;
        }
    }
    printf("\nExit status: 0 all decoded, 1 internal error, 2 wrong usage, 3 a VIN is invalid,\n"
           "4 throttled, 5 unavailable or given up, 6 rejected, 128+N ended by signal N.\n");
}

/* Values */

/* A decimal number that is the whole text. */
static bool read_number(const char *text, double *out)
{
    char *end;
    if (text[0] == '\0' || strspn(text, "0123456789.") != strlen(text)) {
        return false;
    }
    *out = strtod(text, &end);
    return *end == '\0' && isfinite(*out);
}

static bool read_whole(const char *text, long least, long most, long *out)
{
    double number;
    if (!read_number(text, &number) || number < (double)least || number > (double)most || number != floor(number)) {
        return false;
    }
    *out = (long)number;
    return true;
}

static bool read_seconds(const char *text, double least, double most, int64_t *out_ms)
{
    double seconds;
    if (!read_number(text, &seconds) || seconds < least || seconds > most) {
        return false;
    }
    *out_ms = (int64_t)llround(seconds * 1000.0);
    return true;
}

/* N/SECONDS[:BURST] */
static bool read_rate(const char *text, struct profile_policy *profile)
{
    char part[64];
    size_t slash = strcspn(text, "/");
    if (text[slash] != '/' || strlen(text) >= sizeof part) {
        return false;
    }
    snprintf(part, sizeof part, "%s", text);
    char *per = part + slash + 1;
    part[slash] = '\0';
    char *burst = strchr(per, ':');
    if (burst != NULL) {
        *burst++ = '\0';
    }
    long count, at_once;
    int64_t per_ms;
    if (!read_whole(part, 1, 1000000, &count) || !read_seconds(per, 0.001, 86400.0, &per_ms) ||
        !read_whole(burst ? burst : part, 1, 1000000, &at_once)) {
        return false;
    }
    profile->bucket_count = count;
    profile->bucket_per_ms = per_ms;
    profile->bucket_burst = at_once;
    return true;
}

/* Both profiles get what the user said: it holds for whatever this call of the program does. */
static bool read_policy(int id, const char *text, struct policy *policy)
{
    if (id == OPTION_MAX_WAIT) {
        return read_seconds(text, 1, 60, &policy->max_wait_ms);
    }
    long number = 0;
    for (size_t i = 0; i < PROFILE_COUNT; i++) {
        struct profile_policy *profile = &policy->profile[i];
        bool good = id == OPTION_DEADLINE       ? read_seconds(text, 0.001, 86400, &profile->deadline_ms)
                    : id == OPTION_RATE         ? read_rate(text, profile)
                    : id == OPTION_MAX_ATTEMPTS ? read_whole(text, 1, 100, &number)
                                                : read_whole(text, 1, 5, &number);
        if (!good) {
            return false;
        }
        if (id == OPTION_MAX_ATTEMPTS) {
            profile->max_attempts = (int)number;
        } else if (id == OPTION_CONCURRENCY) {
            profile->concurrency = (size_t)number;
        }
    }
    return true;
}

static bool read_option(int id, char *text, int this_year, struct options *out)
{
    long number;
    switch (id) {
    case OPTION_JSON:
        out->output = OUTPUT_JSON;
        return true;
    case OPTION_FILE:
        out->file = text;
        return true;
    case OPTION_YEAR:
        if (!read_whole(text, 1980, this_year + 1, &number)) {
            return false;
        }
        out->year = (int)number;
        return true;
    case OPTION_UPSTREAM:
        out->upstream = text;
        return strstr(text, "://") != NULL;
    case OPTION_DEMO:
        out->demo_list = text != NULL && strcmp(text, "list") == 0;
        out->demo = text ? text : "calm";
        return true;
    case OPTION_SERVE:
        out->serve = true;
        if (text != NULL && !read_whole(text, 0, 65535, &number)) {
            return false;
        }
        out->serve_port = (uint16_t)(text ? number : 0);
        return true;
    case OPTION_FORCE:
        out->force = true;
        return true;
    case OPTION_NO_CACHE:
        out->no_cache = true;
        return true;
    case OPTION_NO_BATCH:
        out->no_batch = true;
        return true;
    case OPTION_QUIET:
        out->quiet = true;
        return true;
    case OPTION_ASCII:
        out->ascii = true;
        return true;
    case OPTION_HELP:
        out->help = true;
        return true;
    case OPTION_VERSION:
        out->version = true;
        return true;
    default:
        return read_policy(id, text, &out->policy);
    }
}

/* getopt_long's own tables from ours. */
static void make_tables(struct option *longs, char *letters)
{
    *letters++ = ':'; /* a missing argument is told apart from an unknown option */
    for (size_t i = 0; i < ROW_COUNT; i++) {
        const char *argument = rows[i].argument;
        int has = argument == NULL ? no_argument : argument[0] == '[' ? optional_argument : required_argument;
        longs[i] = (struct option){.name = rows[i].name, .has_arg = has, .val = rows[i].id};
        if (rows[i].id < 0x100) {
            *letters++ = (char)rows[i].id;
            if (has == required_argument) {
                *letters++ = ':';
            }
        }
    }
    longs[ROW_COUNT] = (struct option){0};
    *letters = '\0';
}

static const struct option_row *find_row(int id)
{
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (rows[i].id == id) {
            return &rows[i];
        }
    }
    return NULL;
}

bool options_read(int argc, char **argv, int this_year, struct options *out, char *why, size_t size)
{
    struct option longs[ROW_COUNT + 1];
    char letters[2 * ROW_COUNT + 2], shown[128];
    make_tables(longs, letters);
    const char *upstream = getenv("VINDECODE_UPSTREAM");
    *out =
        (struct options){.upstream = upstream && upstream[0] ? upstream : VPIC_DEFAULT_BASE, .policy = policy_default};
    opterr = 0;
    optind = 1;
    int id;
    while ((id = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
        if (id == '?' || id == ':') {
            const char *word = argv[optind - 1];
            frame_clean(word, strlen(word), false, shown, sizeof shown);
            snprintf(why, size, id == ':' ? "option \"%s\" needs a value" : "no such option: \"%s\"; --help lists them",
                     shown);
            return false;
        }
        if (!read_option(id, optarg, this_year, out)) {
            frame_clean(optarg, strlen(optarg), false, shown, sizeof shown);
            const struct option_row *row = find_row(id);
            snprintf(why, size, "--%s does not take \"%s\": %.*s", row->name, shown, (int)strcspn(row->help, "\n"),
                     row->help);
            return false;
        }
    }
    out->vins = argv + optind;
    out->vin_count = (size_t)(argc - optind);
    return true;
}
