/* An error body of any bytes, its media type in the first line: a hint is a positive number or none. */
#include "core/base/clock.h"
#include "core/vpic/answer.h"
#include "fuzz/promise.h"

#include <string.h>

static void check(int64_t hint)
{
    promise(hint == -1 || (hint > 0 && hint <= DURATION_MAX_MS), "a positive wait or none");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char json[] = "application/json";
    const char *text = (const char *)data;
    const char *newline = memchr(text, '\n', size);
    size_t type_length = newline != NULL ? (size_t)(newline - text) : 0;
    const char *body = newline != NULL ? newline + 1 : text;
    size_t length = size - (size_t)(body - text);
    check(body_hint_read(text, type_length, body, length));
    int64_t hint = body_hint_read(json, sizeof json - 1, body, length);
    check(hint);
    promise(hint == body_hint_read(json, sizeof json - 1, body, length), "the same every time");
    promise(body_hint_read(NULL, 0, body, length) == -1, "no hint without a media type");
    promise(body_hint_read("text/html", 9, body, length) == -1, "no hint in a page");
    return 0;
}
