#include "core/vpic/catalogue.h"

#include "core/base/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* assets/fields.tsv and assets/codes.tsv, as the build has embedded them: tab-separated, the first line names the
 * columns. */
extern const unsigned char asset_fields_tsv[], asset_codes_tsv[];
extern const size_t asset_fields_tsv_size, asset_codes_tsv_size;

enum { CODES_MAX = 32 };

/* Written once by load(), read by any thread from then on; it lives as long as the program. */
static pthread_once_t loaded = PTHREAD_ONCE_INIT;
static struct catalogue_field *fields;
static const struct catalogue_field **fields_by_name;
static size_t field_count;
static struct catalogue_code codes[CODES_MAX];
static size_t code_count;

static const char *const severity_names[] = {"ok", "info", "warning", "problem"};

const char *severity_name(enum severity severity)
{
    return severity_names[severity];
}

static enum severity severity_from(const char *name)
{
    enum severity severity = SEVERITY_OK;
    while (severity < SEVERITY_PROBLEM && strcmp(name, severity_names[severity]) != 0) {
        severity++;
    }
    return severity;
}

/* Ends the text at `*rest` at `stop`, returns it, and moves `*rest` behind; at the end of all text NULL. */
static char *take_until(char **rest, char stop)
{
    char *text = *rest, *end = strchr(text, stop);
    if (*text == '\0') {
        return NULL;
    }
    *rest = end == NULL ? text + strlen(text) : end + 1;
    if (end != NULL) {
        *end = '\0';
    }
    return text;
}

/* The next column of a line; "" where the line has no more. */
static char *take_column(char **line)
{
    char *column = take_until(line, '\t');
    return column == NULL ? *line : column;
}

static int by_name(const void *a, const void *b)
{
    const struct catalogue_field *first = *(const struct catalogue_field *const *)a;
    const struct catalogue_field *second = *(const struct catalogue_field *const *)b;
    return strcmp(first->name, second->name);
}

static void load_fields(void)
{
    char *text = memory_copy(asset_fields_tsv, asset_fields_tsv_size + 1);
    size_t lines = 0;
    for (const char *at = text; *at != '\0'; at++) {
        lines += *at == '\n';
    }
    fields = memory_get(lines * sizeof *fields);
    fields_by_name = memory_get(lines * sizeof *fields_by_name);
    take_until(&text, '\n');
    for (char *line; field_count < lines && (line = take_until(&text, '\n')) != NULL; field_count++) {
        struct catalogue_field *field = &fields[field_count];
        field->name = take_column(&line);
        field->label = take_column(&line);
        field->group = take_column(&line);
        field->unit = take_column(&line);
        field->headline = (int)strtol(take_column(&line), NULL, 10);
        fields_by_name[field_count] = field;
    }
    qsort(fields_by_name, field_count, sizeof *fields_by_name, by_name);
}

static void load_codes(void)
{
    char *text = memory_copy(asset_codes_tsv, asset_codes_tsv_size + 1);
    take_until(&text, '\n');
    for (char *line; code_count < CODES_MAX && (line = take_until(&text, '\n')) != NULL; code_count++) {
        struct catalogue_code *code = &codes[code_count];
        code->code = (int)strtol(take_column(&line), NULL, 10);
        code->severity = severity_from(take_column(&line));
        code->sentence = take_column(&line);
    }
}

static void load(void)
{
    load_fields();
    load_codes();
}

const struct catalogue_field *catalogue_find(const char *name)
{
    pthread_once(&loaded, load);
    const struct catalogue_field key = {.name = name}, *wanted = &key;
    const struct catalogue_field *const *found =
        bsearch(&wanted, fields_by_name, field_count, sizeof *fields_by_name, by_name);
    return found == NULL ? NULL : *found;
}

size_t catalogue_count(void)
{
    pthread_once(&loaded, load);
    return field_count;
}

const struct catalogue_field *catalogue_at(size_t index)
{
    pthread_once(&loaded, load);
    return &fields[index];
}

const struct catalogue_code *catalogue_code(int code)
{
    pthread_once(&loaded, load);
    for (size_t i = 0; i < code_count; i++) {
        if (codes[i].code == code) {
            return &codes[i];
        }
    }
    return NULL;
}
