#include "tui/resume.h"

#include "core/base/memory.h"
#include "tui/csv_reader.h"
#include "tui/frame.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

/* A set of hashes with how often each was seen. Of 64 bits, so that two of a million inputs share one with a chance of
 * one in forty million. */
struct seen {
    uint64_t hash;  /* 0: free */
    uint64_t count; /* not yet taken */
};

struct resume {
    struct seen *table;
    size_t capacity, used;
};

/* FNV-1a */
static uint64_t hash_of(const char *bytes, size_t length)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
    }
    return hash != 0 ? hash : 1;
}

static struct seen *place_of(struct resume *resume, uint64_t hash)
{
    size_t at = (size_t)hash & (resume->capacity - 1);
    while (resume->table[at].hash != 0 && resume->table[at].hash != hash) {
        at = (at + 1) & (resume->capacity - 1);
    }
    return &resume->table[at];
}

static void grow(struct resume *resume)
{
    struct resume larger = {.capacity = resume->capacity * 2, .used = resume->used};
    larger.table = memory_get(larger.capacity * sizeof *larger.table);
    for (size_t i = 0; i < resume->capacity; i++) {
        if (resume->table[i].hash != 0) {
            *place_of(&larger, resume->table[i].hash) = resume->table[i];
        }
    }
    free(resume->table);
    *resume = larger;
}

static void add(struct resume *resume, const char *input)
{
    if (resume->used * 2 >= resume->capacity) {
        grow(resume);
    }
    uint64_t hash = hash_of(input, strlen(input));
    struct seen *seen = place_of(resume, hash);
    resume->used += seen->hash == 0;
    seen->hash = hash;
    seen->count++;
}

bool resume_take(struct resume *resume, const char *input, size_t length)
{
    struct seen *seen = place_of(resume, hash_of(input, length));
    if (seen->hash == 0 || seen->count == 0) {
        return false;
    }
    seen->count--;
    return true;
}

static bool is_settled(const char *status)
{
    return strcmp(status, record_status_name(RECORD_DECODED)) == 0 ||
           strcmp(status, record_status_name(RECORD_INVALID)) == 0;
}

/* One line of JSON; false when it is none of ours. */
static bool read_json(struct resume *resume, const char *line, size_t length)
{
    cJSON *object = cJSON_ParseWithLength(line, length);
    const char *input = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, "input"));
    const char *status = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, "status"));
    bool good = input != NULL && status != NULL;
    if (good && is_settled(status)) {
        add(resume, input);
    }
    cJSON_Delete(object);
    return good;
}

struct columns {
    struct csv_reader row;
    size_t input, status;
    bool known;
};

static size_t find_column(const struct csv_reader *row, const char *name)
{
    size_t index = 0;
    while (index < row->count && strcmp(csv_reader_field(row, index), name) != 0) {
        index++;
    }
    return index;
}

/* One line of CSV, the first of which names the columns; a line is a row, vindecode writes no others. */
static bool read_csv(struct resume *resume, struct columns *columns, const char *line, size_t length)
{
    if (!csv_reader_put(&columns->row, line, length)) {
        return false;
    }
    if (!columns->known) {
        columns->input = find_column(&columns->row, "input");
        columns->status = find_column(&columns->row, "status");
        columns->known = true;
        return columns->input < columns->row.count && columns->status < columns->row.count;
    }
    if (is_settled(csv_reader_field(&columns->row, columns->status))) {
        add(resume, csv_reader_field(&columns->row, columns->input));
    }
    return columns->row.count > columns->status;
}

/* Reads the whole lines of `file`; the number of the first that is wrong, 0 when none is. */
static size_t read_lines(struct resume *resume, FILE *file, enum output output, const char *header)
{
    struct columns columns = {0};
    char *line = NULL;
    size_t size = 0, number = 0;
    bool good = true;
    csv_reader_init(&columns.row, ',');
    for (ssize_t length; good && (length = getline(&line, &size, file)) > 0 && line[length - 1] == '\n';) {
        number++;
        bool fits = output != OUTPUT_CSV || number > 1 || header == NULL || strcmp(line, header) == 0;
        good = fits && (output == OUTPUT_CSV ? read_csv(resume, &columns, line, (size_t)length)
                                             : read_json(resume, line, (size_t)length));
    }
    csv_reader_clear(&columns.row);
    free(line);
    return good ? 0 : number;
}

struct resume *resume_read(const char *path, enum output output, const char *header, char *why, size_t size)
{
    struct resume *resume = memory_get(sizeof *resume);
    resume->capacity = 1024;
    resume->table = memory_get(resume->capacity * sizeof *resume->table);
    FILE *file = fopen(path, "r");
    if (file == NULL && errno == ENOENT) {
        return resume;
    }
    char shown[256];
    frame_clean(path, strlen(path), true, shown, sizeof shown);
    size_t wrong = file ? read_lines(resume, file, output, header) : 0;
    int error = file == NULL || ferror(file) ? errno : 0;
    if (file != NULL) {
        fclose(file);
    }
    if (error == 0 && wrong == 0) {
        return resume;
    }
    if (error != 0) {
        snprintf(why, size, "cannot read %s: %s", shown, strerror(error));
    } else if (header != NULL && wrong == 1) {
        snprintf(why, size, "cannot go on with %s: it does not begin with the header of this output", shown);
    } else {
        snprintf(why, size, "cannot go on with %s: line %zu is no %s of vindecode", shown, wrong,
                 output == OUTPUT_CSV ? "CSV" : "JSON line");
    }
    resume_free(resume);
    return NULL;
}

void resume_free(struct resume *resume)
{
    if (resume != NULL) {
        free(resume->table);
        free(resume);
    }
}
