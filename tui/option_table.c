#include "tui/option_table.h"

#include "core/base/text.h"
#include "core/net/base_url.h"
#include "core/vpic/request.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    if (!read_number(text, &number) || number < (double)least || number > (double)most ||
        number != (double)(long)number) {
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
    *out_ms = (int64_t)(seconds * 1000.0 + 0.5);
    return true;
}

static void *member_of(struct reading *reading, const struct option_row *row)
{
    return (char *)reading->options + row->member;
}

/* Readers */

static bool read_flag(struct reading *reading, const struct option_row *row, const char *text)
{
    (void)text;
    *(bool *)member_of(reading, row) = true;
    return true;
}

static bool read_text(struct reading *reading, const struct option_row *row, const char *text)
{
    *(const char **)member_of(reading, row) = text;
    return text[0] != '\0';
}

static bool read_output(struct reading *reading, const struct option_row *row, const char *text)
{
    (void)text;
    reading->options->output = (enum output)row->value;
    return true;
}

static bool read_empty_fields(struct reading *reading, const struct option_row *row, const char *text)
{
    (void)text;
    reading->options->empty_fields = (enum empty_fields)row->value;
    return true;
}

static bool read_fields(struct reading *reading, const struct option_row *row, const char *text)
{
    (void)row;
    reading->options->fields_list = strcmp(text, "list") == 0;
    return reading->options->fields_list ||
           field_choice_read(text, &reading->options->fields, reading->why, sizeof reading->why);
}

static bool read_spread(struct reading *reading, const struct option_row *row, const char *text)
{
    (void)row;
    return read_seconds(text, 0, 86400, &reading->options->spread_ms);
}

static bool read_year(struct reading *reading, const struct option_row *row, const char *text)
{
    (void)row;
    long year;
    if (!read_whole(text, 1980, reading->this_year + 1, &year)) {
        return false;
    }
    reading->options->year = (int)year;
    return true;
}

/* A stronger source that names the upstream overrules a weaker one that asks for the demo. */
static bool read_upstream(struct reading *reading, const struct option_row *row, const char *text)
{
    (void)row;
    reading->options->upstream = text;
    reading->options->demo = NULL;
    return base_url_is_good(text);
}

static bool read_demo(struct reading *reading, const struct option_row *row, const char *text)
{
    (void)row;
    reading->options->demo_list = text != NULL && strcmp(text, "list") == 0;
    reading->options->demo = text ? text : "calm";
    return true;
}

static bool read_serve(struct reading *reading, const struct option_row *row, const char *text)
{
    (void)row;
    long port = 0;
    if (text != NULL && !read_whole(text, 0, 65535, &port)) {
        return false;
    }
    reading->options->serve = true;
    reading->options->serve_port = (uint16_t)port;
    return true;
}

static bool read_max_wait(struct reading *reading, const struct option_row *row, const char *text)
{
    (void)row;
    return read_seconds(text, 1, 60, &reading->options->policy.max_wait_ms);
}

/* Both profiles get what the user said: it holds for whatever this call of the program does. */

static bool read_max_attempts(struct reading *reading, const struct option_row *row, const char *text)
{
    (void)row;
    long number = 0;
    bool good = read_whole(text, 1, 100, &number);
    for (size_t i = 0; good && i < PROFILE_COUNT; i++) {
        reading->options->policy.profile[i].max_attempts = (int)number;
    }
    return good;
}

static bool read_concurrency(struct reading *reading, const struct option_row *row, const char *text)
{
    (void)row;
    long number = 0;
    bool good = read_whole(text, 1, 5, &number);
    for (size_t i = 0; good && i < PROFILE_COUNT; i++) {
        reading->options->policy.profile[i].concurrency = (size_t)number;
    }
    return good;
}

static bool read_deadline(struct reading *reading, const struct option_row *row, const char *text)
{
    (void)row;
    int64_t deadline_ms = 0;
    bool good = read_seconds(text, 0.001, 86400, &deadline_ms);
    for (size_t i = 0; good && i < PROFILE_COUNT; i++) {
        reading->options->policy.profile[i].deadline_ms = deadline_ms;
    }
    return good;
}

/* N/SECONDS[:BURST] */
static bool read_rate(struct reading *reading, const struct option_row *row, const char *text)
{
    (void)row;
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
    for (size_t i = 0; i < PROFILE_COUNT; i++) {
        struct profile_policy *profile = &reading->options->policy.profile[i];
        profile->bucket_count = count;
        profile->bucket_per_ms = per_ms;
        profile->bucket_burst = at_once;
    }
    return true;
}

/* Where `text` stands among `words`, which are separated by blanks; -1 when it is none of them. */
static int place_among(const char *words, const char *text)
{
    size_t wanted = strlen(text);
    for (int place = 0; *words != '\0'; place++) {
        size_t length = strcspn(words, " ");
        if (length == wanted && strncmp(words, text, length) == 0) {
            return place;
        }
        words += length + strspn(words + length, " ");
    }
    return -1;
}

static bool read_stats(struct reading *reading, const struct option_row *row, const char *text)
{
    static const enum stats stats[] = {STATS_TEXT, STATS_JSON};
    int place = text == NULL ? 0 : place_among(row->words, text);
    if (place >= 0) {
        reading->options->stats = stats[place];
    }
    return place >= 0;
}

static bool read_color(struct reading *reading, const struct option_row *row, const char *text)
{
    static const enum color colors[] = {COLOR_NEVER, COLOR_16, COLOR_256, COLOR_TRUE, COLOR_AUTO};
    int place = place_among(row->words, text);
    if (place >= 0) {
        reading->options->color = colors[place];
    }
    return place >= 0;
}

static bool read_scan_end(struct reading *reading, const struct option_row *row, const char *text)
{
    int place = place_among(row->words, text);
    reading->options->scan_end_tab = place == 1;
    return place >= 0;
}

static bool read_help(struct reading *reading, const struct option_row *row, const char *text)
{
    static const enum help helps[] = {HELP_ALL, HELP_MAN, HELP_KEYS, HELP_BASH, HELP_ZSH, HELP_FISH};
    int place = text == NULL ? 0 : place_among(row->words, text);
    if (place >= 0) {
        reading->options->help = text == NULL ? HELP_COMMON : helps[place];
    }
    return place >= 0;
}

/* The table */

#define FLAG(name) .read = read_flag, .member = offsetof(struct options, name)
#define TEXT(name) .read = read_text, .member = offsetof(struct options, name)
#define COMMON .common = true

const struct option_row option_rows[] = {
    {'j', "json", NULL, NULL, "JSON lines: one object per VIN, in input order.", SECTION_RESULTS, COMMON,
     .read = read_output, .value = OUTPUT_JSON},
    {'c', "csv", NULL, NULL, "CSV (RFC 4180) with a header row.", SECTION_RESULTS, COMMON, .read = read_output,
     .value = OUTPUT_CSV},
    {'t', "text", NULL, NULL, "A card per VIN, for people.", SECTION_RESULTS, COMMON, .read = read_output,
     .value = OUTPUT_TEXT},
    {'o', "output", "FILE", "FILE",
     "Results to FILE, written beside it as FILE.part and renamed when complete. With --resume they are appended.",
     SECTION_RESULTS, COMMON, TEXT(output_file)},
    {0, "fields", "LIST", NULL,
     "Only these fields: names as NHTSA spells them or groups, separated by commas; --fields=list names them all.",
     SECTION_RESULTS, COMMON, .read = read_fields},
    {0, "sparse", NULL, NULL, "Leave out fields without a value: the default, except in CSV.", SECTION_RESULTS,
     .read = read_empty_fields, .value = EMPTY_FIELDS_HIDDEN},
    {0, "all", NULL, NULL, "Show fields without a value too: the default in CSV.", SECTION_RESULTS,
     .read = read_empty_fields, .value = EMPTY_FIELDS_SHOWN},
    {0, "strict", NULL, NULL, "Exit status 7 when a decoded VIN carries a warning or a problem.", SECTION_RESULTS,
     COMMON, FLAG(strict)},

    {'f', "file", "FILE", "FILE",
     "VINs from FILE, \"-\" is standard input: one a line, VIN or VIN,YEAR; # starts a comment. A CSV file whose "
     "header "
     "has a column \"vin\" works too.",
     SECTION_VINS, COMMON, TEXT(file)},
    {0, "resume", "FILE", "FILE",
     "Go on with a list: VINs that FILE, an earlier output, holds as decoded or invalid are left out.", SECTION_VINS,
     COMMON, TEXT(resume)},
    {0, "no-wait", NULL, NULL, "Give up instead of waiting when the upstream asks for a pause: exit status 4.",
     SECTION_VINS, COMMON, FLAG(no_wait)},
    {0, "spread", "SECONDS", NULL, "Start after a random delay of at most that long (cron).", SECTION_VINS,
     .read = read_spread},
    {'y', "year", "YEAR", NULL, "Model year to send with each VIN that names none.", SECTION_VINS, COMMON,
     .read = read_year},
    {0, "force", NULL, NULL,
     "Send although the local check would ask first: letters I, O, Q, a VIN that is too short, or a wrong check digit "
     "behind a North American maker code.",
     SECTION_VINS, COMMON, FLAG(force)},

    {'u', "upstream", "URL", NULL, "Default " VPIC_DEFAULT_BASE ".", SECTION_UPSTREAM, COMMON, .read = read_upstream},
    {0, "demo", "[=SCENARIO]", NULL, "A simulated NHTSA on this machine instead; --demo=list names the scenarios.",
     SECTION_UPSTREAM, COMMON, .read = read_demo},
    {0, "serve", "[=PORT]", NULL,
     "Only the simulated NHTSA: prints its address first, then a line per call (allowed, rejected, early) and a "
     "summary "
     "at the end.",
     SECTION_UPSTREAM, .read = read_serve},
    {0, "max-attempts", "N", NULL, "Calls for one VIN at most, the first included; default 4.", SECTION_UPSTREAM,
     .read = read_max_attempts},
    {0, "max-wait", "SECONDS", NULL, "Longest automatic wait, 1 to 60, default 60.", SECTION_UPSTREAM,
     .read = read_max_wait},
    {0, "deadline", "SECONDS", NULL, "Whole time for one VIN, waits included; default 90 (lists: 600).",
     SECTION_UPSTREAM, .read = read_deadline},
    {0, "concurrency", "N", "1 2 3 4 5", "Calls at once, 1 to 5, default 3 (lists: 2).", SECTION_UPSTREAM,
     .read = read_concurrency},
    {0, "rate", "N/SECONDS[:BURST]", NULL,
     "Own courtesy budget while the upstream announces no quota; default 2/1:5 (lists: 1/1:2).", SECTION_UPSTREAM,
     COMMON, .read = read_rate},
    {0, "no-cache", NULL, NULL, "Neither read nor write the cache.", SECTION_UPSTREAM, FLAG(no_cache)},
    {0, "no-batch", NULL, NULL, "One call per VIN instead of NHTSA's call for up to 50 VINs.", SECTION_UPSTREAM, COMMON,
     FLAG(no_batch)},

    {0, "log", "FILE", "FILE", "Append to FILE what was done and why, as JSON lines; serial numbers are masked.",
     SECTION_REPORTS, TEXT(log)},
    {0, "log-full-vin", NULL, NULL, "Whole VINs in the log.", SECTION_REPORTS, FLAG(log_full_vin)},
    {0, "metrics", "FILE", "FILE", "Counters in Prometheus text format, written every 10 s and at exit.",
     SECTION_REPORTS, TEXT(metrics)},
    {0, "stats", "[=json]", "text json", "A summary on standard error at exit, for people or as one JSON object.",
     SECTION_REPORTS, COMMON, .read = read_stats},
    {'q', "quiet", NULL, NULL, "No progress on standard error.", SECTION_REPORTS, COMMON, FLAG(quiet)},

    {0, "ascii", NULL, NULL, "No character beyond ASCII on the screen and in text.", SECTION_SCREEN, FLAG(ascii)},
    {0, "color", "WHEN", "never 16 256 true auto", "Colours: never, 16, 256, true or auto, the default.",
     SECTION_SCREEN, .read = read_color},
    {0, "theme", "NAME", NULL, "Colours of the screen; the default takes the terminal's own.", SECTION_SCREEN,
     TEXT(theme)},
    {0, "mouse", NULL, NULL, "Click buttons and panes; F9 changes it.", SECTION_SCREEN, FLAG(mouse)},
    {0, "bell", NULL, NULL, "Ring when an answer comes or a wait ends.", SECTION_SCREEN, FLAG(bell)},
    {0, "plain", NULL, NULL, "No screen control at all, for screen readers: VINs as typed lines, events as lines.",
     SECTION_SCREEN, COMMON, FLAG(plain)},
    {0, "scan_end", "WHEN", "enter tab", "What ends a scanned VIN: enter, or tab as well.", SECTION_SCREEN,
     .read = read_scan_end, .place = PLACE_FILE},

    {0, "config", "FILE", "FILE", "Configuration file instead of the usual one.", SECTION_GENERAL, TEXT(config),
     .place = PLACE_ARGUMENTS},
    {'h', "help", "[=all]", "all man keys bash zsh fish",
     "The common options, or all of them; man, keys, bash, zsh and fish print parts of the manual and completions.",
     SECTION_GENERAL, COMMON, .read = read_help, .place = PLACE_ARGUMENTS},
    {'V', "version", NULL, NULL, "The version.", SECTION_GENERAL, COMMON, FLAG(version), .place = PLACE_ARGUMENTS},
};

const size_t option_row_count = sizeof option_rows / sizeof option_rows[0];

const char *option_section_title(enum option_section section)
{
    static const char *const titles[] = {"Results", "VINs", "Upstream", "Reports", "Screen", "General"};
    return titles[section];
}

const struct option_row *option_find(const char *name)
{
    for (size_t i = 0; i < option_row_count; i++) {
        const char *a = option_rows[i].name, *b = name;
        while (*a != '\0' && (*a == *b || (*a == '-' && *b == '_') || (*a == '_' && *b == '-'))) {
            a++;
            b++;
        }
        if (*a == '\0' && *b == '\0') {
            return &option_rows[i];
        }
    }
    return NULL;
}

bool option_is_optional(const struct option_row *row)
{
    return row->argument != NULL && row->argument[0] == '[';
}
