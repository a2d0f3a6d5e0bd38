#include "tui/save.h"
#include "core/base/memory.h"
#include "screen/stage.h"
#include "unit/unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Saving, and the answers of a list that are kept for it. */

#define FIRST "1HGCM82633A004352"
#define SECOND "JHMCR6F52EE084680"

static struct stage stage;
static struct spool *spool;
static char folder[] = "/tmp/vindecode-save-XXXXXX";
static const struct save_setting setting = {.host = "NHTSA", .this_year = 2026};

static const char *in_folder(const char *name)
{
    static char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static char *content(const char *path)
{
    struct buffer text;
    char piece[4096];
    ssize_t count;
    int file = open(path, O_RDONLY);
    buffer_init(&text, 1 << 26);
    while (file >= 0 && (count = read(file, piece, sizeof piece)) > 0) {
        buffer_put(&text, piece, (size_t)count);
    }
    if (file >= 0) {
        close(file);
    }
    char *whole = buffer_take(&text);
    buffer_clear(&text);
    return whole;
}

static size_t files_in_folder(void)
{
    size_t count = 0;
    DIR *directory = opendir(folder);
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        count += entry->d_name[0] != '.';
    }
    closedir(directory);
    return count;
}

static void begin(void)
{
    (void)snprintf(folder, sizeof folder, "/tmp/vindecode-save-XXXXXX");
    CHECK(mkdtemp(folder) != NULL);
    spool = spool_new();
    stage_open(&stage, NULL);
}

static void end(void)
{
    DIR *directory = opendir(folder);
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        if (entry->d_name[0] != '.') {
            (void)unlink(in_folder(entry->d_name));
        }
    }
    closedir(directory);
    CHECK_INT(rmdir(folder), 0);
    spool_free(spool);
    stage_close(&stage);
}

static void keep(size_t index, const char *json)
{
    struct event event = {.kind = EVENT_DECODED,
                          .key = {.vin = FIRST},
                          .as.decoded = {.vehicle = stage_vehicle(json), .attempts = 2, .status = 200}};
    CHECK(spool_put(spool, index, &event));
    event_clear(&event);
}

/* One of each: decoded, failed, refused, and one that has no answer yet. */
static void arrange_list(void)
{
    static const char *const lines[] = {FIRST, SECOND, "no VIN", "3VV3B7AX9NM000001"};
    struct event_failed failed = {.code = CODE_UPSTREAM_UNAVAILABLE, .status = 500, .attempts = 1};
    struct event event = {.kind = EVENT_FAILED, .key = {.vin = SECOND}, .as.failed = failed};
    stage_list(&stage, "l", lines, 4);
    stage_pick(&stage, 0);
    stage_decoded(&stage, stage_answer, false);
    keep(0, stage_answer);
    stage_pick(&stage, 1);
    stage_failed(&stage, &failed);
    CHECK(spool_put(spool, 1, &event));
}

static bool save_all(const char *path, bool replace, char *said, size_t size)
{
    struct save save;
    bool well = false;
    if (!save_begin(&save, path, replace, &setting, said, size)) {
        return false;
    }
    while (!save_step(&save, stage.app, spool, stage.now, stage.wall, &well, said, size)) {
    }
    return well;
}

static size_t lines_of(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text++) {
        count += *text == '\n';
    }
    return count;
}

static void test_a_list_in_every_form(void)
{
    static const struct {
        const char *name, *holds;
        size_t lines; /* 0: not counted */
    } forms[] = {{"l.json", "\"status\":\"decoded\"", 3},
                 {"l.jsonl", "\"status\":\"unavailable\"", 3},
                 {"l.CSV", "2003,HONDA,Accord", 4},
                 {"l.txt", "2003 HONDA Accord", 0}};
    char said[512];
    begin();
    arrange_list();
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        CHECK(save_all(in_folder(forms[i].name), false, said, sizeof said));
        CHECK(strstr(said, "3 VINs; 1 have no answer yet") != NULL);
        char *text = content(in_folder(forms[i].name));
        if (strstr(text, forms[i].holds) == NULL) {
            printf("\n%s lacks %s:\n%s ", forms[i].name, forms[i].holds, text);
        }
        CHECK(strstr(text, forms[i].holds) != NULL);
        CHECK(strstr(text, forms[i].lines > 0 ? "2998.832712" : "2,998.8 cm3") != NULL); /* raw, but for people */
        CHECK(forms[i].lines == 0 || lines_of(text) == forms[i].lines);
        free(text);
    }
    CHECK_INT(files_in_folder(), 4); /* nothing is left beside */
    end();
}

static void test_the_card(void)
{
    char said[512];
    struct save save;
    begin();
    stage_type(&stage, FIRST);
    stage_key(&stage, KEY_ENTER, 0);
    stage_decoded(&stage, stage_answer, false);
    CHECK(save_begin(&save, in_folder("c.json"), false, &setting, said, sizeof said));
    save_card(&save, stage.app, stage.now, stage.wall, said, sizeof said);
    CHECK(strstr(said, "Saved as JSON in ") != NULL && strstr(said, ": 1 VIN") != NULL);
    char *text = content(in_folder("c.json"));
    CHECK(strstr(text, "\"vin\":\"" FIRST "\"") != NULL);
    CHECK_INT(lines_of(text), 1);
    free(text);
    end();
}

/* What is there is asked about; what cannot be written is said, and what was there before stays. */
static void test_where_nothing_may_be_written(void)
{
    char said[512];
    begin();
    arrange_list();
    CHECK(save_all(in_folder("l.csv"), false, said, sizeof said));
    char *before = content(in_folder("l.csv"));
    CHECK(!save_all(in_folder("l.csv"), false, said, sizeof said));
    CHECK(strstr(said, "is there already: Enter again replaces it") != NULL);
    CHECK(save_all(in_folder("l.csv"), true, said, sizeof said));
    CHECK(!save_all(in_folder("l.pdf"), false, said, sizeof said));
    CHECK(strstr(said, "must end in .json, .csv or .txt") != NULL);
    CHECK(!save_all(in_folder("nowhere/l.csv"), false, said, sizeof said));
    CHECK(strstr(said, strerror(ENOENT)) != NULL);
    CHECK_INT(mkdir(in_folder("d.csv"), 0755), 0);
    CHECK(!save_all(in_folder("d.csv"), true, said, sizeof said));
    CHECK(strstr(said, "is no file") != NULL);
    CHECK_INT(rmdir(in_folder("d.csv")), 0);
    CHECK(!save_all("\033]2;x\007.pdf", false, said, sizeof said));
    CHECK(strchr(said, '\033') == NULL && strchr(said, '\007') == NULL);
    char *after = content(in_folder("l.csv"));
    CHECK_TEXT(after, before);
    CHECK_INT(files_in_folder(), 1);
    free(before);
    free(after);
    end();
}

/* A full disk: the file of before stays, nothing is left beside, and the reason is told. */
static void test_a_full_disk(void)
{
    char said[512];
    begin();
    arrange_list();
    struct save save;
    CHECK(save_all(in_folder("l.csv"), false, said, sizeof said));
    char *before = content(in_folder("l.csv"));
    CHECK(save_begin(&save, in_folder("l.csv"), true, &setting, said, sizeof said));
    int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    if (full >= 0) {
        CHECK(dup2(full, save.file.descriptor) >= 0);
        close(full);
        bool well = true;
        CHECK(save_step(&save, stage.app, spool, stage.now, stage.wall, &well, said, sizeof said));
        CHECK(!well);
        CHECK(strstr(said, "Nothing saved") != NULL && strstr(said, strerror(ENOSPC)) != NULL);
    } else {
        save_abandon(&save);
    }
    char *after = content(in_folder("l.csv"));
    CHECK_TEXT(after, before);
    CHECK_INT(files_in_folder(), 1);
    free(before);
    free(after);
    end();
}

static void test_a_save_that_is_abandoned(void)
{
    char said[512];
    struct save save;
    begin();
    arrange_list();
    CHECK(save_begin(&save, in_folder("l.csv"), false, &setting, said, sizeof said));
    CHECK_INT(files_in_folder(), 1);
    save_abandon(&save);
    CHECK_INT(files_in_folder(), 0);
    save_abandon(&save);
    end();
}

/* What comes back is what was kept, every field of it, and in their order. */
static void test_what_is_kept_comes_back(void)
{
    struct event event;
    begin();
    CHECK(!spool_get(spool, 0, &event));
    keep(3, stage_answer);
    CHECK(!spool_get(spool, 0, &event));
    CHECK(!spool_get(spool, 1000, &event));
    struct vehicle *vehicle = stage_vehicle(stage_answer);
    CHECK(spool_get(spool, 3, &event));
    CHECK_INT(event.as.decoded.attempts, 2);
    CHECK_INT(vehicle_field_count(event.as.decoded.vehicle), vehicle_field_count(vehicle));
    for (size_t i = 0; i < vehicle_field_count(vehicle); i++) {
        struct vehicle_field a = vehicle_field_at(vehicle, i), b = vehicle_field_at(event.as.decoded.vehicle, i);
        CHECK_TEXT(b.name, a.name);
        CHECK_TEXT(b.value, a.value);
        CHECK_INT(b.state, a.state);
    }
    event_clear(&event);
    vehicle_free(vehicle);
    /* Asked again, the newer answer takes the place. */
    keep(3, "{\"Results\":[{\"VIN\":\"" FIRST "\",\"Make\":\"\\u001b[2J \\\"\\\\ \xc3\xbc\",\"ErrorCode\":\"0\"}]}");
    CHECK(spool_get(spool, 3, &event));
    CHECK_TEXT(vehicle_value(event.as.decoded.vehicle, "Make"), "\033[2J \"\\ \xc3\xbc");
    event_clear(&event);
    spool_forget(spool);
    CHECK(!spool_get(spool, 3, &event));
    end();
}

static const struct unit_test tests[] = {
    {"a list in every form", test_a_list_in_every_form},
    {"the card", test_the_card},
    {"where nothing may be written", test_where_nothing_may_be_written},
    {"a full disk", test_a_full_disk},
    {"a save that is abandoned", test_a_save_that_is_abandoned},
    {"what is kept comes back", test_what_is_kept_comes_back},
};

UNIT_MAIN("save", tests)
