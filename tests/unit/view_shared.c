#include "core/base/buffer.h"
#include "core/base/memory.h"
#include "screen/stage.h"
#include "tui/view_page.h"
#include "unit/unit.h"

#include <dirent.h>

/* Every recorded answer becomes a card without loss: each field that has a value stands on it under its label. Skipped
 * where the recorded answers are not. */

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

/* Labels on the page that stand for fields with a value. */
static size_t shown_fields(const struct page *page, const struct vehicle *vehicle)
{
    size_t count = 0;
    for (size_t i = 0; i < vehicle_field_count(vehicle); i++) {
        struct vehicle_field field = vehicle_field_at(vehicle, i);
        const struct catalogue_field *known = catalogue_find(field.name);
        const char *label = known != NULL ? known->label : field.name;
        bool headline = known != NULL && known->headline >= 1 && known->headline <= 4;
        bool found = headline;
        for (size_t k = 0; k < page->text_count && !found; k++) {
            found = page->texts[k].length == strlen(label) && memcmp(page->texts[k].text, label, strlen(label)) == 0;
        }
        if (field.state == FIELD_VALUE && !found) {
            printf("\n%s is not on the card ", field.name);
        }
        count += field.state == FIELD_VALUE && found;
    }
    return count;
}

static void check_vehicle(struct vehicle *vehicle)
{
    struct stage stage;
    struct page page;
    const char *vin = vehicle_value(vehicle, "VIN");
    stage_open(&stage, NULL);
    app_set_text(stage.app, vin, false, stage.now);
    size_t filled = vehicle_count(vehicle, FIELD_VALUE);
    if (!stage.app->has_key) {
        vehicle_free(vehicle); /* what NHTSA was once asked can be what we do not send */
        stage_close(&stage);
        return;
    }
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
    printf("(%zu vehicles) ", answers);
    CHECK(answers > 0);
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
