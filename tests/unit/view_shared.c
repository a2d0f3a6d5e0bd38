#include "core/base/buffer.h"
#include "core/base/memory.h"
#include "core/base/text.h"
#include "screen/stage.h"
#include "tui/view_page.h"
#include "unit/unit.h"

#include <dirent.h>

/* Every recorded answer becomes a card without loss: each field that has a value stands on it beside its label, or in
 * the headline. Skipped where the recorded answers are not. */

static char *content(const char *path)
{
    struct buffer text;
    char piece[4096];
    size_t count;
    FILE *file = fopen(path, "rb");
    buffer_init(&text, 1 << 26);
    while (file != NULL && (count = fread(piece, 1, sizeof piece, file)) > 0) {
        buffer_put(&text, piece, count);
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    char *whole = buffer_take(&text);
    buffer_clear(&text);
    return whole;
}

/* Whether a text of the page says the value: as it came but for the blanks at its ends, with its unit behind it; a
 * number with decimals is rounded. */
static bool says(const struct page_text *text, const char *value)
{
    size_t length = strlen(value);
    value = text_trim(value, &length);
    if (text->length >= length && memcmp(text->text, value, length) == 0) {
        return true;
    }
    char number[64];
    size_t used = 0;
    for (size_t i = 0; i < text->length && used < sizeof number - 1; i++) {
        if (text->text[i] != ',') {
            number[used++] = text->text[i];
        }
    }
    number[used] = '\0';
    double shown = strtod(number, NULL), wanted = strtod(value, NULL);
    return strchr(value, '.') != NULL && shown - wanted < 0.051 && wanted - shown < 0.051;
}

/* Whether a text of the page is the label and the next one says the value. */
static bool has_entry(const struct page *page, const char *label, const char *value)
{
    for (size_t i = 0; i + 1 < page->text_count; i++) {
        const struct page_text *text = &page->texts[i];
        if (text->length == strlen(label) && memcmp(text->text, label, text->length) == 0 &&
            says(&page->texts[i + 1], value)) {
            return true;
        }
    }
    return false;
}

static bool in_headline(const struct page *page, const char *value)
{
    char trimmed[256];
    size_t length = strlen(value);
    value = text_trim(value, &length);
    (void)snprintf(trimmed, sizeof trimmed, "%.*s", (int)length, value);
    return view_holds(page->texts[0].text, page->texts[0].length, trimmed);
}

/* How many fields with a value the page shows. */
static size_t shown_fields(const struct page *page, const struct vehicle *vehicle)
{
    size_t count = 0;
    for (size_t i = 0; i < vehicle_field_count(vehicle); i++) {
        struct vehicle_field field = vehicle_field_at(vehicle, i);
        const struct catalogue_field *known = catalogue_find(field.name);
        const char *label = known != NULL ? known->label : field.name;
        bool headline = known != NULL && known->headline >= 1 && known->headline <= 4;
        bool found = headline ? in_headline(page, field.value) : has_entry(page, label, field.value);
        if (field.state == FIELD_VALUE && !found) {
            printf("\n%s: %s=%s is not on the card ", vehicle_vin(vehicle), field.name, field.value);
        }
        count += field.state == FIELD_VALUE && found;
    }
    return count;
}

static size_t filled_fields;

static void check_vehicle(struct vehicle *vehicle)
{
    struct stage stage;
    struct page page;
    const char *vin = vehicle_value(vehicle, "VIN");
    stage_open(&stage, NULL);
    app_set_text(stage.app, vin, false, stage.now);
    size_t filled = vehicle_count(vehicle, FIELD_VALUE);
    if (!stage.app->has_key) { /* what NHTSA was once asked can be what we do not send */
        stage.app->has_key = true;
        (void)snprintf(stage.app->key.vin, sizeof stage.app->key.vin, "%s", vin);
    }
    filled_fields += filled;
    struct result *result = results_ask(&stage.app->results, &stage.app->key);
    result->answered = true;
    result->answer.vehicle = vehicle;
    for (int columns = 39; columns <= 119; columns += 40) {
        page_init(&page, columns, true);
        view_card(stage.app, stage.now, stage.wall, &page);
        CHECK_INT(shown_fields(&page, vehicle), filled);
        page_clear(&page);
    }
    stage_close(&stage);
}

static size_t answers;

static void check_file(const char *path)
{
    char *body = content(path);
    struct answer answer;
    answer_read(body, strlen(body), &answer);
    for (size_t i = 0; i < answer.count; i++) {
        struct vehicle *vehicle = answer_take(&answer, i);
        if (vehicle != NULL) {
            answers++;
            check_vehicle(vehicle);
        }
    }
    answer_clear(&answer);
    free(body);
}

static void test_every_recorded_answer(void)
{
    DIR *directory = opendir(SHARED_DIR "/vpic/responses");
    CHECK(directory != NULL);
    for (struct dirent *entry = directory != NULL ? readdir(directory) : NULL; entry != NULL;
         entry = readdir(directory)) {
        char path[1024];
        (void)snprintf(path, sizeof path, "%s/vpic/responses/%s", SHARED_DIR, entry->d_name);
        if (strstr(entry->d_name, ".json") != NULL) {
            check_file(path);
        }
    }
    if (directory != NULL) {
        closedir(directory);
    }
    printf("(%zu vehicles, %zu filled fields) ", answers, filled_fields);
    CHECK(answers > 50 && filled_fields > 1000);
}

static const struct unit_test tests[] = {{"every recorded answer is a card", test_every_recorded_answer}};

int main(void)
{
    enum { SKIPPED = 77 };
    DIR *directory = opendir(SHARED_DIR "/vpic/responses");
    if (directory == NULL) {
        printf("skipped: there are no recorded answers in " SHARED_DIR "\n");
        return SKIPPED;
    }
    closedir(directory);
    return unit_run("recorded answers on the card", tests, sizeof tests / sizeof tests[0]);
}
