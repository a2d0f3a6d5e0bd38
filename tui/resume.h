#ifndef TUI_RESUME_H
#define TUI_RESUME_H

#include "tui/options.h"
#include "tui/record.h"

/* What an earlier output holds already (--resume): the inputs that it settled, decoded or found invalid, each as often
 * as it stands there. 16 bytes an input, nothing of the results. */
struct resume;

/* Reads `path`, which vindecode has written as `output`, JSON lines or CSV; a half-written last line counts as absent,
 * a file that is not there as empty. For CSV, its header must be `header` when it is to be appended to; NULL: any. NULL
 * with one clear line in `why` for a file that cannot be read or that vindecode has not written. */
struct resume *resume_read(const char *path, enum output output, const char *header, char *why, size_t size);
void resume_free(struct resume *resume);

/* Whether the input is settled; each of its places in the file answers for one in the list. */
bool resume_take(struct resume *resume, const char *input, size_t length);

#endif
