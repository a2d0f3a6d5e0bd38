#include "cases.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * conformance [--rows] FILE.jsonl...
 * Asks the product's own functions every case of the files, prints id, answer and expected answer of each that differs,
 * and ends with "N passed, N failed". A line that cannot be read, a file that cannot be opened and a kind of case that
 * is not known count as failed. --rows also counts the rows of the decision table that the plan cases name.
 */

static const struct {
    const char *name;
    case_function *answer;
} functions[] = {
    {"read_quota", case_read_quota},
    {"read_quota_headers", case_read_quota_headers},
    {"parse_retry_after", case_parse_retry_after},
    {"read_body_hint", case_read_body_hint},
    {"plan", case_plan},
    {"plan_decode_retry", case_plan_decode_retry},
    {"retryable_status", case_retryable_status},
    {"plan_wait", case_plan_wait},
    {"backoff", case_backoff},
    {"suggest_timeout", case_suggest_timeout},
    {"token_bucket", case_token_bucket},
    {"circuit_breaker", case_circuit_breaker},
    {"host_gate", case_host_gate},
    {"vin_check", case_vin_check},
};

enum { ROWS = 100 };

struct tally {
    size_t passed, failed;
    size_t rows[ROWS]; /* [24]: answers that the planner gave from row T24 */
};

/* cJSON strings end at a NUL, so a NUL becomes another control character, which is just as malformed. */
static void replace_nul(char *line)
{
    for (char *at = line; *at != '\0'; at++) {
        if (at[0] == '\\' && at[1] != '\0') {
            if (strncmp(at, "\\u0000", 6) == 0) {
                at[5] = '1';
            }
            at++;
        }
    }
}

static void fail(struct tally *tally, const char *file, size_t number, const char *why)
{
    printf("%s:%zu: %s\n", file, number, why);
    tally->failed++;
}

static void differ(const cJSON *test, const cJSON *answer)
{
    char *found = answer != NULL ? cJSON_PrintUnformatted(answer) : NULL;
    char *expected = cJSON_PrintUnformatted(cJSON_GetObjectItemCaseSensitive(test, "out"));
    const char *id = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(test, "id"));
    printf("%s: answer %s\n  expected %s\n", id != NULL ? id : "(no id)",
           found != NULL ? found : "(the case cannot be understood)", expected != NULL ? expected : "(nothing)");
    cJSON_free(found);
    cJSON_free(expected);
}

static void ask(const cJSON *test, struct tally *tally)
{
    const char *fn = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(test, "fn"));
    const cJSON *in = cJSON_GetObjectItemCaseSensitive(test, "in");
    const cJSON *out = cJSON_GetObjectItemCaseSensitive(test, "out");
    const char *row = NULL;
    cJSON *answer = NULL;
    for (size_t i = 0; fn != NULL && in != NULL && i < sizeof functions / sizeof functions[0]; i++) {
        if (strcmp(functions[i].name, fn) == 0) {
            answer = functions[i].answer(in, &row);
        }
    }
    int row_number = row != NULL && row[0] == 'T' ? atoi(row + 1) : 0;
    if (row_number > 0 && row_number < ROWS) {
        tally->rows[row_number]++;
    }
    if (answer != NULL && out != NULL && cJSON_Compare(answer, out, true)) {
        tally->passed++;
    } else {
        tally->failed++;
        differ(test, answer);
    }
    cJSON_Delete(answer);
}

static void ask_line(char *line, const char *file, size_t number, struct tally *tally)
{
    replace_nul(line);
    if (line[strspn(line, " \t\r\n")] == '\0') {
        return;
    }
    cJSON *test = cJSON_ParseWithOpts(line, NULL, true);
    if (!cJSON_IsObject(test)) {
        fail(tally, file, number, "this line is no JSON object");
    } else {
        ask(test, tally);
    }
    cJSON_Delete(test);
}

static void ask_file(const char *file, struct tally *tally)
{
    FILE *stream = fopen(file, "r");
    if (stream == NULL) {
        fail(tally, file, 0, strerror(errno));
        return;
    }
    char *line = NULL;
    size_t size = 0, number = 0;
    while (getline(&line, &size, stream) >= 0) {
        ask_line(line, file, ++number, tally);
    }
    if (ferror(stream)) {
        fail(tally, file, number, strerror(errno));
    } else if (number == 0) {
        fail(tally, file, 0, "there is no case in this file");
    }
    free(line);
    fclose(stream);
}

int main(int argc, char **argv)
{
    struct tally tally = {0};
    bool rows = argc > 1 && strcmp(argv[1], "--rows") == 0;
    int first = rows ? 2 : 1;
    if (first >= argc) {
        fprintf(stderr, "usage: conformance [--rows] FILE.jsonl...\n");
        return 2;
    }
    for (int i = first; i < argc; i++) {
        ask_file(argv[i], &tally);
    }
    for (size_t i = 0; rows && i < ROWS; i++) {
        if (tally.rows[i] > 0) {
            printf("T%02zu %zu\n", i, tally.rows[i]);
        }
    }
    printf("%zu passed, %zu failed\n", tally.passed, tally.failed);
    return tally.failed == 0 ? 0 : 1;
}
