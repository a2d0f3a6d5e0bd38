#ifndef TUI_WHOLE_LINES_H
#define TUI_WHOLE_LINES_H

#include "core/base/buffer.h"

#include <stdbool.h>
#include <stddef.h>

/* Results to a descriptor, so that whatever ends the program, what was written ends with a whole line, and so that a
 * reader who does not read cannot keep the program from hearing a signal: it writes only what poll says there is room
 * for. The descriptor's flags are never changed, others share them. */
struct whole_lines {
    int descriptor;
    bool is_file;     /* a regular file: a half line can be cut off again */
    bool is_terminal; /* which may say that it has room, and take a part */
    bool takes_all;   /* a file, or a device that is no terminal: it takes everything at once */
    struct buffer pending;
    size_t written; /* of pending */
    int error;      /* errno of a write that failed; then nothing more is written */
};

void whole_lines_init(struct whole_lines *lines, int descriptor);
void whole_lines_clear(struct whole_lines *lines);

/* Bytes that wait; poll for POLLOUT while there are some. */
size_t whole_lines_pending(const struct whole_lines *lines);

/* Writes once; poll said that there is room. */
void whole_lines_write(struct whole_lines *lines);

/* Finishes the line that is half written and forgets the lines that were not begun. Waits at most `limit_ms`. */
void whole_lines_finish(struct whole_lines *lines, int limit_ms);

#endif
