#include "unit/unit.h"

#include "core/base/buffer.h"
#include "core/vpic/answer.h"
#include "core/vpic/catalogue.h"

#include <cJSON.h>
#include <dirent.h>

/* Recorded answers and NHTSA's tables against what the program makes of them. SHARED_DIR may be missing. */

#define RESPONSES SHARED_DIR "/vpic/responses"

enum { EXIT_SKIPPED = 77 };

static struct buffer read_file(const char *path)
{
    struct buffer content;
    buffer_init(&content, (size_t)1 << 24);
    FILE *file = fopen(path, "rb");
    char piece[4096];
    for (size_t got; file != NULL && (got = fread(piece, 1, sizeof piece, file)) > 0;) {
        buffer_put(&content, piece, got);
    }
    if (file == NULL) {
        printf("\ncannot read %s ", path);
        CU_FAIL("unreadable file");
    } else {
        fclose(file);
    }
    return content;
}

/* Every member of the row is a field, in its place, with its bytes; returns the fields that say something. */
static size_t compare_row(const char *name, const cJSON *row, const struct vehicle *vehicle)
{
    size_t index = 0, filled = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, row)
    {
        const char *value = cJSON_IsString(item) ? item->valuestring : "";
        struct vehicle_field field = vehicle_field_at(vehicle, index++);
        if (strcmp(field.name, item->string) != 0 || strcmp(field.value, value) != 0) {
            printf("\n%s: %s=%s, not %s=%s ", name, field.name, field.value, item->string, value);
            CU_FAIL("field differs");
        }
        CHECK_TEXT(vehicle_value(vehicle, item->string), value);
        filled += value[0] != '\0' && strcmp(value, "Not Applicable") != 0;
    }
    CHECK_INT(vehicle_field_count(vehicle), index);
    CHECK_INT(vehicle_count(vehicle, FIELD_VALUE), filled);
    CHECK_TEXT(vehicle_vin(vehicle), vehicle_value(vehicle, "VIN"));
    CHECK(vehicle_code_count(vehicle) > 0);
    return filled;
}

static void every_recorded_answer_becomes_vehicles_without_loss(void)
{
    DIR *folder = opendir(RESPONSES);
    size_t files = 0, rows = 0, filled = 0;
    for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        if (strstr(entry->d_name, ".json") == NULL) {
            continue;
        }
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", RESPONSES, entry->d_name);
        struct buffer body = read_file(path);
        struct answer answer;
        answer_read(body.data, body.length, &answer);
        cJSON *root = cJSON_ParseWithLength(body.data, body.length);
        const cJSON *results = cJSON_GetObjectItemCaseSensitive(root, "Results");
        CHECK_TEXT(answer_kind_name(answer.kind), "vehicles");
        CHECK_INT(answer.count, cJSON_GetArraySize(results));
        size_t row = 0;
        for (const cJSON *item = results->child; item != NULL && row < answer.count; item = item->next) {
            filled += compare_row(entry->d_name, item, answer.vehicles[row++]);
        }
        files++;
        rows += row;
        cJSON_Delete(root);
        answer_clear(&answer);
        buffer_clear(&body);
    }
    if (folder != NULL) {
        closedir(folder);
    }
    printf("\n%zu files, %zu rows, %zu filled fields ", files, rows, filled);
    CHECK(files >= 50 && rows > files && filled > 1000);
}

/* The tab-separated columns of the next line at `*text`; false at the end. */
enum { COLUMNS = 6 };

static bool next_line(char **text, char *columns[COLUMNS])
{
    if (**text == '\0') {
        return false;
    }
    char *line = *text;
    *text = strchr(line, '\n') == NULL ? line + strlen(line) : strchr(line, '\n');
    if (**text == '\n') {
        *(*text)++ = '\0';
    }
    for (size_t i = 0; i < COLUMNS; i++) {
        columns[i] = line;
        line += strcspn(line, "\t");
        if (*line == '\t') {
            *line++ = '\0';
        }
    }
    return true;
}

static void every_field_is_in_the_catalogue(void)
{
    struct buffer file = read_file(SHARED_DIR "/vpic/fields.tsv");
    char *text = file.data, *columns[COLUMNS];
    size_t count = 0;
    for (next_line(&text, columns); next_line(&text, columns); count++) {
        const struct catalogue_field *field = catalogue_find(columns[0]);
        if (field == NULL) {
            printf("\n%s is missing ", columns[0]);
            CU_FAIL("field missing");
            continue;
        }
        CHECK_TEXT(field->label, columns[1]);
        CHECK_TEXT(field->group, columns[2]);
        CHECK_TEXT(field->unit, columns[3]);
    }
    CHECK_INT(catalogue_count(), count);
    buffer_clear(&file);
}

static void every_code_is_in_the_catalogue(void)
{
    struct buffer file = read_file(SHARED_DIR "/vpic/error-codes.tsv");
    char *text = file.data, *columns[COLUMNS];
    size_t count = 0;
    for (next_line(&text, columns); next_line(&text, columns); count++) {
        const struct catalogue_code *code = catalogue_code((int)strtol(columns[0], NULL, 10));
        CHECK(code != NULL);
        if (code != NULL) {
            CHECK(strstr(columns[1], code->sentence) == NULL); /* our own words */
        }
    }
    CHECK_INT(count, 15);
    buffer_clear(&file);
}

/* What is sparse among them: NHTSA knows the maker and no more, or nothing. */
static void what_is_sparse(void)
{
    static const struct {
        const char *name;
        bool sparse;
    } cases[] = {
        {"1B3PJJ26753834583", true},          {"KL4MRSUC0TL588504", true},
        {"constructed-unregistered-7", true}, {"constructed-invalid-chars-6-7-11-400", true},
        {"1FAUVP5U913895730", false},         {"1D94MUX578Z665335", false},
        {"1HGCM82633A004352", false},         {"LCAUGVUC274464961", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s.json", RESPONSES, cases[i].name);
        struct buffer body = read_file(path);
        struct answer answer;
        answer_read(body.data, body.length, &answer);
        CHECK_INT(answer.count, 1);
        if (answer.count == 1 && vehicle_is_sparse(answer.vehicles[0]) != cases[i].sparse) {
            printf("\n%s ", cases[i].name);
            CU_FAIL("sparse or not");
        }
        answer_clear(&answer);
        buffer_clear(&body);
    }
}

static const struct unit_test tests[] = {
    {"every recorded answer becomes vehicles without loss", every_recorded_answer_becomes_vehicles_without_loss},
    {"every field is in the catalogue", every_field_is_in_the_catalogue},
    {"every code is in the catalogue", every_code_is_in_the_catalogue},
    {"what is sparse", what_is_sparse},
};

int main(void)
{
    DIR *folder = opendir(RESPONSES);
    if (folder == NULL) {
        puts("skipped: no " RESPONSES);
        return EXIT_SKIPPED;
    }
    closedir(folder);
    return unit_run("vpic shared", tests, sizeof tests / sizeof *tests);
}
