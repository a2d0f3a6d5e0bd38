#ifndef TUI_DEMO_READER_H
#define TUI_DEMO_READER_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reads members of JSON objects and remembers the first thing that is wrong, as one line with its place:
 * "file.json: phases[1].answers[0].body: ...". A reader that failed goes on and says nothing more; whoever uses it
 * checks `failed` at the end.
 */
struct reader {
    const char *file;
    char place[160]; /* "phases[1].answers[0]", "" at the top */
    char *why;       /* `size` bytes for the line */
    size_t size;
    bool failed;
};

/* Something is wrong with `member` of the object where the reader is; "": with the object itself. */
void reader_fail(struct reader *reader, const char *member, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fails with the line and the column of `end`, where `length` bytes of text stop being JSON. */
void reader_fail_json(struct reader *reader, const char *text, size_t length, const char *end);

/* Goes down to `member`, or to its element `index` when that is not -1. Returns what reader_leave() needs. */
size_t reader_enter(struct reader *reader, const char *member, int index);
void reader_leave(struct reader *reader, size_t mark);

/* Fails when `object` is none, or has a member twice, or one that is not in `known`, a list with blanks around each
 * name: members that nobody knows are mistakes of spelling. */
void reader_members(struct reader *reader, const cJSON *object, const char *known);

/* The member called `name`; `fallback` when there is none or it is not what it must be. */
const char *reader_text(struct reader *reader, const cJSON *object, const char *name, const char *fallback);
bool reader_flag(struct reader *reader, const cJSON *object, const char *name);
int64_t reader_whole(struct reader *reader, const cJSON *object, const char *name, int64_t least, int64_t most,
                     int64_t fallback);
int reader_choice(struct reader *reader, const cJSON *object, const char *name, const char *const *choices, int count,
                  int fallback);

/* `item`, which is called `name`, as a whole number. */
int64_t reader_to_whole(struct reader *reader, const cJSON *item, const char *name, int64_t least, int64_t most);

#endif
