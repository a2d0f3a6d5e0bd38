#include "tui/option_table.h"

#include "core/base/memory.h"
#include "core/base/text.h"
#include "tui/frame.h"

#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The configuration file: "name = value" for every long option, comments behind ";" or "#". */

enum { PATH_LENGTH_MAX = 4096 };

/* Texts that live as long as the options. */
struct kept_text {
    struct kept_text *next;
    char text[];
};

static const char *keep(struct options *options, const char *text)
{
    size_t size = strlen(text) + 1;
    struct kept_text *kept = memory_get(sizeof *kept + size);
    memcpy(kept->text, text, size);
    kept->next = options->kept;
    options->kept = kept;
    return kept->text;
}

void options_clear(struct options *options)
{
    while (options->kept != NULL) {
        struct kept_text *next = options->kept->next;
        free(options->kept);
        options->kept = next;
    }
}

struct file_reading {
    struct reading *reading;
    FILE *file;
    int line;        /* the one that was read last */
    int wrong_line;  /* the first that is wrong; 0: none */
    char wrong[256]; /* why */
};

static void refuse(struct file_reading *file, const char *why)
{
    if (file->wrong_line == 0) {
        file->wrong_line = file->line;
        snprintf(file->wrong, sizeof file->wrong, "%s", why);
    }
}

/* inih's source of lines: counts them, and finds those that do not fit its buffer, which it would take for two. */
static char *next_line(char *line, int size, void *context)
{
    struct file_reading *file = context;
    if (fgets(line, size, file->file) == NULL) {
        return NULL;
    }
    file->line++;
    if (strchr(line, '\n') == NULL && !feof(file->file)) {
        refuse(file, "the line is too long");
    }
    return line;
}

/* Whether a flag is set; false with a reason for what is neither yes nor no. */
static bool read_yes(struct file_reading *file, const char *value, bool *yes)
{
    static const char *const words[] = {"yes", "true", "on", "1", "no", "false", "off", "0"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (text_compare(value, words[i]) == 0) {
            *yes = i < 4;
            return true;
        }
    }
    refuse(file, "the value is neither yes nor no");
    return false;
}

/* inih's handler of a pair; 0 is an error. */
static int take_pair(void *context, const char *section, const char *name, const char *value)
{
    struct file_reading *file = context;
    const struct option_row *row = option_find(name);
    char shown[64], why[256];
    (void)section;
    if (row == NULL || row->place == PLACE_ARGUMENTS) {
        frame_clean(name, strlen(name), true, shown, sizeof shown);
        snprintf(why, sizeof why, row == NULL ? "no option is called \"%s\"" : "\"%s\" cannot stand in a file", shown);
        refuse(file, why);
        return 0;
    }
    const char *text = keep(file->reading->options, value);
    bool yes = true;
    if (row->argument == NULL || (option_is_optional(row) && text_compare(value, "yes") == 0)) {
        if (!read_yes(file, value, &yes)) {
            return 0;
        }
        text = NULL;
    }
    if (yes && !option_take(file->reading, row, text, why, sizeof why)) {
        refuse(file, why);
        return 0;
    }
    return 1;
}

/* The usual place (XDG Base Directory Specification: relative paths do not count); false when there is none. */
static bool usual_path(char *path, size_t size)
{
    const char *folder = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    int length = 0;
    if (folder != NULL && folder[0] == '/') {
        length = snprintf(path, size, "%s/vindecode/config", folder);
    } else if (home != NULL && home[0] == '/') {
        length = snprintf(path, size, "%s/.config/vindecode/config", home);
    }
    return length > 0 && (size_t)length < size;
}

bool option_file_read(struct reading *reading, char *why, size_t size)
{
    char usual[PATH_LENGTH_MAX], shown[256];
    const char *path = reading->options->config;
    if (path == NULL && !usual_path(usual, sizeof usual)) {
        return true;
    }
    struct file_reading file = {.reading = reading, .file = fopen(path ? path : usual, "r")};
    bool missing = file.file == NULL && path == NULL && (errno == ENOENT || errno == ENOTDIR);
    if (missing) {
        return true;
    }
    path = path ? path : usual;
    frame_clean(path, strlen(path), true, shown, sizeof shown);
    if (file.file == NULL) {
        snprintf(why, size, "cannot read the configuration %s: %s", shown, strerror(errno));
        return false;
    }
    reading->source = SOURCE_FILE;
    int line = ini_parse_stream(next_line, &file, take_pair, &file);
    int error = ferror(file.file) ? errno : 0;
    fclose(file.file);
    if (error != 0) {
        snprintf(why, size, "cannot read the configuration %s: %s", shown, strerror(error));
    } else if (file.wrong_line > 0 && (line <= 0 || file.wrong_line <= line)) {
        snprintf(why, size, "%s, line %d: %s", shown, file.wrong_line, file.wrong);
    } else if (line != 0) {
        snprintf(why, size, "%s, line %d: \"name = value\" is expected", shown, line < 0 ? 0 : line);
    }
    return error == 0 && file.wrong_line == 0 && line == 0;
}
