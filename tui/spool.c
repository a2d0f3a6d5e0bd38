#include "tui/spool.h"

#include "core/base/memory.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A record is the event as it lies in memory, for this same process to read, and behind it an answer of NHTSA's form
 * with the one vehicle, for the same reader as everywhere. */
struct header {
    struct event event;
    size_t length; /* of the answer; 0: none */
};

struct spool {
    FILE *file;   /* NULL: nothing was kept yet */
    long *places; /* by index; -1: nothing */
    size_t count;
    long end;
};

struct spool *spool_new(void)
{
    return memory_get(sizeof(struct spool));
}

void spool_forget(struct spool *spool)
{
    if (spool->file != NULL) {
        (void)fclose(spool->file);
    }
    free(spool->places);
    *spool = (struct spool){0};
}

void spool_free(struct spool *spool)
{
    spool_forget(spool);
    free(spool);
}

static char *answer_of(const struct vehicle *vehicle)
{
    cJSON *answer = cJSON_CreateObject(), *row = cJSON_CreateObject();
    cJSON_AddItemToArray(cJSON_AddArrayToObject(answer, "Results"), row);
    for (size_t i = 0; i < vehicle_field_count(vehicle); i++) {
        struct vehicle_field field = vehicle_field_at(vehicle, i);
        cJSON_AddStringToObject(row, field.name, field.value);
    }
    char *text = cJSON_PrintUnformatted(answer);
    cJSON_Delete(answer);
    return text;
}

static void make_place(struct spool *spool, size_t index)
{
    if (index < spool->count) {
        return;
    }
    size_t count = index < 64 ? 128 : 2 * index;
    spool->places = memory_resize(spool->places, count * sizeof *spool->places);
    for (size_t i = spool->count; i < count; i++) {
        spool->places[i] = -1;
    }
    spool->count = count;
}

bool spool_put(struct spool *spool, size_t index, const struct event *event)
{
    if (spool->file == NULL) {
        spool->file = tmpfile();
        if (spool->file == NULL) {
            return false;
        }
    }
    char *answer = event->kind == EVENT_DECODED ? answer_of(event->as.decoded.vehicle) : NULL;
    struct header header = {.event = *event, .length = answer != NULL ? strlen(answer) : 0};
    bool written = fseek(spool->file, spool->end, SEEK_SET) == 0 &&
                   fwrite(&header, sizeof header, 1, spool->file) == 1 &&
                   fwrite(answer != NULL ? answer : "", 1, header.length, spool->file) == header.length &&
                   fflush(spool->file) == 0;
    int error = errno;
    make_place(spool, index);
    if (written) {
        spool->places[index] = spool->end;
        spool->end += (long)(sizeof header + header.length);
    }
    free(answer);
    errno = error;
    return written;
}

static struct vehicle *read_vehicle(FILE *file, size_t length)
{
    char *text = memory_get(length + 1);
    struct answer answer;
    struct vehicle *vehicle = NULL;
    if (fread(text, 1, length, file) == length) {
        answer_read(text, length, &answer);
        vehicle = answer.count > 0 ? answer_take(&answer, 0) : NULL;
        answer_clear(&answer);
    }
    free(text);
    return vehicle;
}

bool spool_get(struct spool *spool, size_t index, struct event *out)
{
    struct header header;
    if (spool->file == NULL || index >= spool->count || spool->places[index] < 0 ||
        fseek(spool->file, spool->places[index], SEEK_SET) != 0 || fread(&header, sizeof header, 1, spool->file) != 1) {
        return false;
    }
    *out = header.event;
    if (out->kind == EVENT_DECODED) {
        out->as.decoded.vehicle = read_vehicle(spool->file, header.length);
        return out->as.decoded.vehicle != NULL;
    }
    return true;
}
