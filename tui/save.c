#include "tui/save.h"

#include "core/base/memory.h"
#include "core/base/text.h"
#include "tui/frame.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STEP = 200, TEXT_MAX = 64 << 20 };

static bool ends_with(const char *path, const char *suffix)
{
    size_t length = strlen(path), wanted = strlen(suffix);
    return length > wanted && text_is(path + length - wanted, wanted, suffix);
}

enum save_format save_format_of(const char *path)
{
    if (ends_with(path, ".json") || ends_with(path, ".jsonl")) {
        return SAVE_JSON;
    }
    if (ends_with(path, ".csv")) {
        return SAVE_CSV;
    }
    return ends_with(path, ".txt") || ends_with(path, ".text") ? SAVE_TEXT : SAVE_UNKNOWN;
}

/* "~/vins.csv" as a shell would have it; the caller frees. */
static char *whole_path(const char *path)
{
    const char *home = getenv("HOME");
    if (strncmp(path, "~/", 2) != 0 || home == NULL || home[0] == '\0') {
        return memory_string(path);
    }
    size_t size = strlen(home) + strlen(path);
    char *whole = memory_get(size);
    (void)snprintf(whole, size, "%s%s", home, path + 1);
    return whole;
}

static void shown_name(const struct save *save, char *out, size_t size)
{
    (void)frame_clean(save->file.path, strlen(save->file.path), true, out, size);
}

static bool open_file(struct save *save, const char *path, bool replace, char *why, size_t size)
{
    char shown[160];
    (void)frame_clean(path, strlen(path), true, shown, sizeof shown);
    if (save->format == SAVE_UNKNOWN) {
        (void)snprintf(why, size, "Nothing saved: the name must end in .json, .csv or .txt, and %s does not", shown);
        return false;
    }
    struct stat status;
    bool there = stat(path, &status) == 0;
    if (there && !S_ISREG(status.st_mode)) {
        (void)snprintf(why, size, "Nothing saved: %s is no file", shown);
        return false;
    }
    if (there && !replace) {
        (void)snprintf(why, size, "%s is there already: Enter again replaces it", shown);
        return false;
    }
    char reason[320];
    if (!output_file_open(&save->file, path, false, reason, sizeof reason)) {
        (void)snprintf(why, size, "Nothing saved: %s", reason);
        output_file_clear(&save->file);
        return false;
    }
    return true;
}

bool save_begin(struct save *save, const char *path, bool replace, const struct save_setting *setting, char *why,
                size_t size)
{
    *save = (struct save){.format = save_format_of(path), .this_year = setting->this_year};
    char *whole = whole_path(path);
    save->running = open_file(save, whole, replace, why, size);
    free(whole);
    if (!save->running) {
        return false;
    }
    save->context = (struct record_context){.host = setting->host,
                                            .utc_offset_ms = setting->utc_offset_ms,
                                            .fields = &save->fields,
                                            .show_empty = save->format != SAVE_TEXT,
                                            .utf8 = true};
    buffer_init(&save->text, TEXT_MAX);
    if (save->format == SAVE_CSV) {
        csv_header_write(&save->context, &save->text);
    }
    return true;
}

static void put(struct save *save, const char *input, size_t length, const struct event *event)
{
    struct record record = {.input = input, .input_length = length, .event = event};
    scan_clean(input, length, save->this_year, &record.scan);
    switch (save->format) {
    case SAVE_JSON:
        json_write(&record, &save->context, &save->text);
        break;
    case SAVE_CSV:
        csv_row_write(&record, &save->context, &save->text);
        break;
    default:
        text_write(&record, &save->context, &save->text);
        break;
    }
    save->saved++;
}

/* Writes what has gathered; false with errno. */
static bool write_out(struct save *save)
{
    size_t at = 0;
    while (at < save->text.length) {
        ssize_t count = write(save->file.descriptor, save->text.data + at, save->text.length - at);
        if (count < 0 && errno != EINTR) {
            return false;
        }
        at += count > 0 ? (size_t)count : 0;
    }
    bool whole = !save->text.failed;
    buffer_reset(&save->text);
    errno = whole ? errno : ENOMEM;
    return whole;
}

static void clear(struct save *save)
{
    output_file_clear(&save->file);
    buffer_clear(&save->text);
    save->running = false;
}

/* A file that is not whole is taken away: what was there before stays. */
static void give_up(struct save *save)
{
    char why[320];
    const char *left;
    (void)output_file_close(&save->file, false, &left, why, sizeof why);
    if (left != NULL) {
        (void)unlink(left);
    }
    clear(save);
}

void save_abandon(struct save *save)
{
    if (save->running) {
        give_up(save);
    }
}

static void failed(struct save *save, int error, char *said, size_t size)
{
    char shown[160];
    shown_name(save, shown, sizeof shown);
    (void)snprintf(said, size, "Nothing saved: %s cannot be written: %s", shown, strerror(error));
    give_up(save);
}

static bool finish(struct save *save, char *said, size_t size)
{
    static const char *const formats[] = {[SAVE_JSON] = "JSON", [SAVE_CSV] = "CSV", [SAVE_TEXT] = "text"};
    char shown[160], reason[320], rest[80] = "";
    const char *left;
    shown_name(save, shown, sizeof shown);
    if (save->open > 0) {
        (void)snprintf(rest, sizeof rest, "; %zu have no answer yet", save->open);
    }
    (void)snprintf(said, size, "Saved as %s in %s: %zu VIN%s%s", formats[save->format], shown, save->saved,
                   save->saved == 1 ? "" : "s", rest);
    bool well = output_file_close(&save->file, true, &left, reason, sizeof reason);
    if (!well) {
        (void)snprintf(said, size, "Nothing saved: %s", reason);
        if (left != NULL) {
            (void)unlink(left);
        }
    }
    clear(save);
    return well;
}

void save_card(struct save *save, const struct app *app, monotime now, walltime wall, char *said, size_t size)
{
    const char *input;
    size_t length;
    struct event event;
    save->context.now = now;
    save->context.wall = wall;
    if (app_card(app, &input, &length, &event)) {
        put(save, input, length, &event);
    }
    if (write_out(save)) {
        (void)finish(save, said, size);
    } else {
        failed(save, errno, said, size);
    }
}

/* An entry as it ended; one that was never to be sent has no event. */
static void put_entry(struct save *save, const struct app *app, struct spool *spool, size_t index)
{
    bool ended;
    struct event event;
    const char *input = app_list_input(app, index, &ended);
    if (!ended) {
        save->open++;
        return;
    }
    bool kept = spool_get(spool, index, &event);
    put(save, input, strlen(input), kept ? &event : NULL);
    if (kept) {
        event_clear(&event);
    }
}

bool save_step(struct save *save, const struct app *app, struct spool *spool, monotime now, walltime wall, bool *well,
               char *said, size_t size)
{
    size_t count = app_list_count(app);
    save->context.now = now;
    save->context.wall = wall;
    for (size_t i = 0; i < STEP && save->next < count; i++) {
        put_entry(save, app, spool, save->next++);
    }
    *well = false;
    if (!write_out(save)) {
        failed(save, errno, said, size);
        return true;
    }
    if (save->next == count) {
        *well = finish(save, said, size);
        return true;
    }
    return false;
}
