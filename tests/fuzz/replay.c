/* Where there is no libFuzzer: gives a fuzz target every file of the folders that are named, so that what was found
 * once is tried on every compiler. */
#include "fuzz/promise.h"

#include <dirent.h>
#include <string.h>

enum { INPUT_MAX = 1 << 20, PATH_LENGTH_MAX = 4096 };

static bool replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *input = malloc(INPUT_MAX);
    if (file == NULL || input == NULL) {
        perror(path);
        exit(1);
    }
    size_t size = fread(input, 1, INPUT_MAX, file);
    bool read = !ferror(file);
    fclose(file);
    /* An exact copy, so that a sanitizer sees a read behind the end. */
    uint8_t *exact = malloc(size > 0 ? size : 1);
    if (exact == NULL) {
        exit(1);
    }
    memcpy(exact, input, size);
    free(input);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    return read;
}

int main(int argc, char **argv)
{
    size_t replayed = 0;
    for (int i = 1; i < argc; i++) {
        DIR *folder = opendir(argv[i]);
        if (folder == NULL) {
            perror(argv[i]);
            return 1;
        }
        const struct dirent *entry;
        while ((entry = readdir(folder)) != NULL) {
            char path[PATH_LENGTH_MAX];
            if (entry->d_name[0] == '.') {
                continue;
            }
            if (snprintf(path, sizeof path, "%s/%s", argv[i], entry->d_name) >= (int)sizeof path ||
                !replay_file(path)) {
                fprintf(stderr, "cannot read %s\n", path);
                return 1;
            }
            replayed++;
        }
        closedir(folder);
    }
    printf("%zu inputs replayed\n", replayed);
    return replayed > 0 ? 0 : 1;
}
