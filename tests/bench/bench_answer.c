/* What an answer costs beyond its JSON: parsing and freeing one full answer against cJSON_Parse and cJSON_Delete on the
 * same bytes, in the same run, in processor time. Prints both and their ratio; ends with 1 when the ratio is over the
 * budget. An argument names a file to read instead of the answer that is made here. */
#include "core/base/buffer.h"
#include "core/vpic/answer.h"
#include "core/vpic/catalogue.h"

#include <cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BUDGET 1.3

enum { ROUNDS = 60, CALLS = 100, BODY_MAX = 1 << 24 };

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Every field that vPIC has, in the order of its names as vPIC sends them, and values of the usual lengths. */
static void make_body(struct buffer *body)
{
    size_t count = catalogue_count();
    const char **names = malloc(count * sizeof *names);
    for (size_t i = 0; names != NULL && i < count; i++) {
        names[i] = catalogue_at(i)->name;
    }
    if (names == NULL) {
        abort();
    }
    qsort(names, count, sizeof *names, by_text);
    buffer_puts(body,
                "{\"Count\":1,\"Message\":\"Results returned successfully. NOTE: Any missing values are not known.\","
                "\"SearchCriteria\":\"VIN(s): 1HGCM82633A004352\",\"Results\":[{");
    for (size_t i = 0; i < count; i++) {
        static const char *const values[] = {"", "", "", "HONDA", "Not Applicable", "", "Direct Injection (DI)"};
        const char *value = strcmp(names[i], "VIN") == 0         ? "1HGCM82633A004352"
                            : strcmp(names[i], "ErrorCode") == 0 ? "1,14"
                                                                 : values[i % (sizeof values / sizeof *values)];
        buffer_printf(body, "%s\"%s\":\"%s\"", i > 0 ? "," : "", names[i], value);
    }
    buffer_puts(body, "}]}");
    free(names);
}

static void read_file(const char *path, struct buffer *body)
{
    FILE *file = fopen(path, "rb");
    char piece[4096];
    for (size_t got; file != NULL && (got = fread(piece, 1, sizeof piece, file)) > 0;) {
        buffer_put(body, piece, got);
    }
    if (file == NULL || fclose(file) != 0 || body->failed) {
        fprintf(stderr, "bench_answer: cannot read %s\n", path);
        exit(2);
    }
}

static void parse_with_cjson(const char *body, size_t length)
{
    (void)length;
    cJSON_Delete(cJSON_Parse(body));
}

static void parse_as_answer(const char *body, size_t length)
{
    struct answer answer;
    answer_read(body, length, &answer);
    answer_clear(&answer);
}

/* Nanoseconds of processor time that one call takes. */
static double time_of(void (*parse)(const char *, size_t), const struct buffer *body)
{
    struct timespec start, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    for (int i = 0; i < CALLS; i++) {
        parse(body->data, body->length);
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    return ((double)(end.tv_sec - start.tv_sec) * 1e9 + (double)(end.tv_nsec - start.tv_nsec)) / CALLS;
}

int main(int argc, char **argv)
{
    struct buffer body;
    buffer_init(&body, BODY_MAX);
    if (argc > 1) {
        read_file(argv[1], &body);
    } else {
        make_body(&body);
    }
    /* The rounds take turns and the quickest of each counts: what else the machine does only ever adds. */
    double cjson = 1e18, answer = 1e18;
    for (int round = 0; round < ROUNDS; round++) {
        double one = time_of(parse_with_cjson, &body), other = time_of(parse_as_answer, &body);
        cjson = one < cjson ? one : cjson;
        answer = other < answer ? other : answer;
    }
    double ratio = answer / cjson;
    printf("%zu bytes: cJSON %.0f ns, answer %.0f ns, ratio %.3f (budget %.1f)\n", body.length, cjson, answer, ratio,
           BUDGET);
    buffer_clear(&body);
    return ratio <= BUDGET ? 0 : 1;
}
