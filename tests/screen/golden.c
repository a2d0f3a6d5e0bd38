#include "screen/golden.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The whole of a file, or NULL. */
static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    struct buffer text;
    char chunk[4096];
    size_t count;
    buffer_init(&text, 1 << 24);
    while ((count = fread(chunk, 1, sizeof chunk, file)) > 0) {
        buffer_put(&text, chunk, count);
    }
    (void)fclose(file);
    char *whole = buffer_take(&text);
    buffer_clear(&text);
    return whole;
}

bool golden_write(const char *path, const struct buffer *text)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        perror(path);
        return false;
    }
    bool written = fwrite(text->data, 1, text->length, file) == text->length;
    return fclose(file) == 0 && written;
}

/* Prints the first line that differs. "======== " begins a part; its name is printed, too. */
static bool same(const char *name, const char *found, const char *wanted)
{
    char part[64] = "";
    for (size_t line = 1;; line++) {
        size_t a = strcspn(found, "\n"), b = strcspn(wanted, "\n");
        if (a != b || memcmp(found, wanted, a) != 0) {
            (void)printf("%s, %s: line %zu of the file\n    found  %.*s\n    wanted %.*s\n", name, part, line, (int)a,
                         found, (int)b, wanted);
            return false;
        }
        if (a > 9 && memcmp(found, "======== ", 9) == 0) {
            (void)snprintf(part, sizeof part, "%.*s", (int)(a - 9), found + 9);
        }
        found += a;
        wanted += b;
        if (*found == '\0' || *wanted == '\0') {
            if (*found != *wanted) {
                (void)printf("%s: one text ends before the other\n", name);
            }
            return *found == *wanted;
        }
        found++;
        wanted++;
    }
}

bool golden_compare(const char *path, const char *name, const struct buffer *text)
{
    char *wanted = read_file(path);
    if (wanted == NULL) {
        (void)printf("%s: there is no golden file %s\n", name, path);
        return false;
    }
    bool alike = same(name, text->data, wanted);
    free(wanted);
    return alike;
}
