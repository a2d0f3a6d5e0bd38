#ifndef TUI_SAVE_H
#define TUI_SAVE_H

#include "tui/app.h"
#include "tui/output_file.h"
#include "tui/record.h"
#include "tui/spool.h"

/* The card or the list to a file: JSON lines, CSV or text, by the end of its name; written beside and renamed, by the
 * writers that runs without a screen use. A long list is saved in steps, so that keys are heard in between. */

enum save_format { SAVE_UNKNOWN, SAVE_JSON, SAVE_CSV, SAVE_TEXT };

/* By the suffix: .json and .jsonl, .csv, .txt and .text, in any case. */
enum save_format save_format_of(const char *path);

struct save {
    bool running;
    enum save_format format;
    struct output_file file;
    struct record_context context;
    struct field_choice fields; /* none chosen */
    struct buffer text;         /* on its way to the file */
    size_t next, saved, open;   /* of the list: the next entry; how many were written, how many have no end yet */
    int this_year;
};

/* What writers need beside the VINs. */
struct save_setting {
    const char *host; /* borrowed as long as the save runs */
    int64_t utc_offset_ms;
    int this_year;
};

/* Opens the file; `path` may begin with "~/". `replace`: a file that is there already. False with one clear line in
 * `why`; then nothing was written. */
bool save_begin(struct save *save, const char *path, bool replace, const struct save_setting *setting, char *why,
                size_t size);

/* The card, whole, and its end: one clear line in `said`. */
void save_card(struct save *save, const struct app *app, monotime now, walltime wall, char *said, size_t size);

/* Some entries of the list more. True when it is done, or has failed, with one clear line in `said`; `well` says which.
 */
bool save_step(struct save *save, const struct app *app, struct spool *spool, monotime now, walltime wall, bool *well,
               char *said, size_t size);

/* Leaves nothing behind of a save that is under way. */
void save_abandon(struct save *save);

#endif
