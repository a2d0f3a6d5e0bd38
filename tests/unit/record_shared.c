#include "core/base/buffer.h"
#include "core/base/text.h"
#include "core/vpic/answer.h"
#include "tui/csv_reader.h"
#include "tui/record.h"
#include "tui/words.h"
#include "unit/unit.h"

#include <cjson/cJSON.h>
#include <dirent.h>

/* Every recorded answer is written without loss: the object of --json --all is the row that came, member by member and
 * in its order; a row of --csv holds every value under its column; a card of --text every label and value. The fields
 * that are filled are counted on both sides. Skipped where the recorded answers are not. */

#define RESPONSES SHARED_DIR "/vpic/responses"

static size_t files, rows, filled, filled_json, filled_sparse, filled_csv, filled_text;

static struct buffer read_file(const char *path)
{
    struct buffer content;
    char piece[4096];
    FILE *file = fopen(path, "rb");
    buffer_init(&content, (size_t)1 << 24);
    for (size_t got; file != NULL && (got = fread(piece, 1, sizeof piece, file)) > 0;) {
        buffer_put(&content, piece, got);
    }
    CHECK(file != NULL);
    if (file != NULL) {
        (void)fclose(file);
    }
    return content;
}

static bool says_something(const char *value)
{
    return value[0] != '\0' && strcmp(value, "Not Applicable") != 0;
}

/* What a member of a row stands for: null is no data. */
static const char *value_of(const cJSON *item)
{
    return cJSON_IsString(item) ? item->valuestring : "";
}

static void written(const struct vehicle *vehicle, bool all,
                    void (*write)(const struct record *, const struct record_context *, struct buffer *),
                    struct buffer *out)
{
    static const struct field_choice everything;
    struct event event = {.kind = EVENT_DECODED, .as.decoded = {.attempts = 1, .status = 200}};
    event.as.decoded.vehicle = (struct vehicle *)vehicle;
    (void)snprintf(event.key.vin, sizeof event.key.vin, "%s", vehicle_vin(vehicle));
    struct record record = {
        .input = vehicle_vin(vehicle), .input_length = strlen(vehicle_vin(vehicle)), .event = &event};
    vin_check(event.key.vin, strlen(event.key.vin), 2026, &record.scan.check);
    struct record_context context = {.host = "NHTSA", .fields = &everything, .show_empty = all, .utf8 = true};
    buffer_init(out, (size_t)1 << 24);
    write(&record, &context, out);
    CHECK(!out->failed);
}

/* With --all the object is the row; without, it is what the row has filled. */
static size_t compare_json(const cJSON *row, const struct vehicle *vehicle, bool all)
{
    struct buffer out;
    size_t count = 0;
    written(vehicle, all, json_write, &out);
    cJSON *object = cJSON_ParseWithLength(out.data, out.length);
    CHECK_TEXT(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, "status")), "decoded");
    const cJSON *result = cJSON_GetObjectItemCaseSensitive(object, "result");
    const cJSON *found = result != NULL ? result->child : NULL, *item;
    cJSON_ArrayForEach(item, row)
    {
        if (!all && !says_something(value_of(item))) {
            continue;
        }
        if (found == NULL || strcmp(found->string, item->string) != 0 || strcmp(value_of(found), value_of(item)) != 0) {
            printf("\n%s: %s=%s was written as %s=%s ", vehicle_vin(vehicle), item->string, value_of(item),
                   found != NULL ? found->string : "(nothing)", found != NULL ? value_of(found) : "");
            CU_FAIL("a member of the object differs");
            break;
        }
        count += says_something(value_of(found));
        found = found->next;
    }
    CHECK(found == NULL); /* nothing was made up */
    cJSON_Delete(object);
    buffer_clear(&out);
    return count;
}

static void read_csv(struct csv_reader *reader, const struct buffer *text)
{
    csv_reader_init(reader, ',');
    if (!csv_reader_put(reader, text->data, text->length)) {
        CU_FAIL("no row of CSV");
    }
}

static size_t compare_csv(const cJSON *row, const struct vehicle *vehicle)
{
    static struct csv_reader names, values;
    static const struct field_choice everything;
    const struct record_context context = {.fields = &everything, .show_empty = true};
    struct buffer header, line;
    size_t count = 0;
    buffer_init(&header, (size_t)1 << 20);
    csv_header_write(&context, &header);
    written(vehicle, true, csv_row_write, &line);
    read_csv(&names, &header);
    read_csv(&values, &line);
    CHECK_INT(values.count, names.count);
    for (size_t i = 0; i < names.count; i++) {
        const cJSON *item = cJSON_GetObjectItemCaseSensitive(row, csv_reader_field(&names, i));
        if (item != NULL) {
            const char *value = csv_reader_field(&values, i);
            size_t length = strlen(value_of(item));
            (void)text_trim(value_of(item), &length); /* our reader of lists leaves out blanks at the ends */
            CHECK_INT(strlen(value), length);
            CHECK(strncmp(value, value_of(item), length) == 0);
            count += says_something(value);
        }
    }
    csv_reader_clear(&names);
    csv_reader_clear(&values);
    buffer_clear(&header);
    buffer_clear(&line);
    return count;
}

/* Whether a line of the card holds the label and, behind it, the value without the blanks at its ends. */
static bool has_line(const char *text, const char *label, const char *value)
{
    size_t length = strlen(value);
    while (length > 0 && value[length - 1] == ' ') {
        length--;
    }
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *at = line + strspn(line, " ");
        if (strncmp(at, label, strlen(label)) == 0) {
            at += strlen(label);
            at += strspn(at, " ");
            const char *end = at + strcspn(at, "\n");
            char number[WORDS_NUMBER_MAX]; /* decimals are rounded for people */
            bool rounded = words_number(value, length, number, sizeof number);
            const char *wanted = rounded ? number : value;
            size_t size = rounded ? strlen(number) : length;
            if ((size_t)(end - at) >= size && memcmp(at, wanted, size) == 0) {
                return true;
            }
        }
    }
    return false;
}

/* NHTSA's remarks stand above as notes; all else is a line. */
static size_t compare_text(const cJSON *row, const struct vehicle *vehicle)
{
    struct buffer out;
    size_t count = 0;
    const cJSON *item;
    written(vehicle, false, text_write, &out);
    cJSON_ArrayForEach(item, row)
    {
        const struct catalogue_field *known = catalogue_find(item->string);
        bool remark = known != NULL && strcmp(known->group, "Decoding") == 0;
        const char *label = known != NULL ? known->label : item->string;
        if (!says_something(value_of(item))) {
            continue;
        }
        if (!remark && !has_line(out.data, label, value_of(item))) {
            printf("\n%s: no line %s %s in\n%s", vehicle_vin(vehicle), label, value_of(item), out.data);
            CU_FAIL("a line is missing");
            break;
        }
        count++;
    }
    buffer_clear(&out);
    return count;
}

static void compare_file(const char *path)
{
    struct buffer body = read_file(path);
    struct answer answer;
    size_t index = 0;
    const cJSON *row;
    answer_read(body.data, body.length, &answer);
    cJSON *root = cJSON_ParseWithLength(body.data, body.length);
    const cJSON *results = cJSON_GetObjectItemCaseSensitive(root, "Results");
    CHECK_INT(answer.count, cJSON_GetArraySize(results));
    cJSON_ArrayForEach(row, results)
    {
        const struct vehicle *vehicle = answer.vehicles[index++];
        const cJSON *item;
        cJSON_ArrayForEach(item, row)
        {
            filled += says_something(value_of(item));
        }
        filled_json += compare_json(row, vehicle, true);
        filled_sparse += compare_json(row, vehicle, false);
        filled_csv += compare_csv(row, vehicle);
        filled_text += compare_text(row, vehicle);
        rows++;
    }
    files++;
    cJSON_Delete(root);
    answer_clear(&answer);
    buffer_clear(&body);
}

static void test_every_recorded_answer(void)
{
    DIR *directory = opendir(RESPONSES);
    for (const struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        char path[1024];
        (void)snprintf(path, sizeof path, RESPONSES "/%s", entry->d_name);
        if (strstr(entry->d_name, ".json") != NULL) {
            compare_file(path);
        }
    }
    if (directory != NULL) {
        closedir(directory);
    }
    printf("(%zu files, %zu vehicles, %zu filled fields) ", files, rows, filled);
    CHECK(files >= 50 && rows > files && filled > 1000);
    CHECK_INT(filled_json, filled);
    CHECK_INT(filled_sparse, filled);
    CHECK_INT(filled_csv, filled);
    CHECK_INT(filled_text, filled);
}

static const struct unit_test tests[] = {{"every recorded answer is written whole", test_every_recorded_answer}};

int main(void)
{
    enum { SKIPPED = 77 };
    DIR *directory = opendir(RESPONSES);
    if (directory == NULL) {
        printf("skipped: there are no recorded answers in " SHARED_DIR "\n");
        return SKIPPED;
    }
    closedir(directory);
    return unit_run("recorded answers as JSON, CSV and text", tests, sizeof tests / sizeof tests[0]);
}
