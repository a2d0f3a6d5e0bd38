#include "tui/output_file.h"

#include "core/base/memory.h"
#include "tui/frame.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 4096 };

static char *beside(const char *path)
{
    size_t size = strlen(path) + sizeof ".part";
    char *part = memory_get(size);
    snprintf(part, size, "%s.part", path);
    return part;
}

static bool complain(const char *what, const char *path, int error, char *why, size_t size)
{
    char shown[256];
    frame_clean(path, strlen(path), true, shown, sizeof shown);
    snprintf(why, size, "cannot %s %s: %s", what, shown, strerror(error));
    return false;
}

/* The size of the file without a half-written last line; -1 with errno. */
static off_t whole_size(int descriptor)
{
    char bytes[PIECE];
    off_t end = lseek(descriptor, 0, SEEK_END);
    while (end > 0) {
        size_t piece = end < PIECE ? (size_t)end : PIECE;
        ssize_t count = pread(descriptor, bytes, piece, end - (off_t)piece);
        if (count != (ssize_t)piece) {
            errno = count < 0 ? errno : EIO;
            return -1;
        }
        for (size_t i = piece; i > 0; i--) {
            if (bytes[i - 1] == '\n') {
                return end - (off_t)(piece - i);
            }
        }
        end -= (off_t)piece;
    }
    return end;
}

static bool open_to_append(struct output_file *output, char *why, size_t size)
{
    output->descriptor = open(output->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (output->descriptor < 0) {
        return complain("write", output->path, errno, why, size);
    }
    off_t whole = whole_size(output->descriptor);
    if (whole < 0 || ftruncate(output->descriptor, whole) != 0) {
        return complain("append to", output->path, errno, why, size);
    }
    output->begun = whole > 0;
    return true;
}

/* A device or a pipe has no "beside": it is written as it stands. */
static bool has_no_beside(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

static bool open_beside(struct output_file *output, char *why, size_t size)
{
    if (has_no_beside(output->path)) {
        output->descriptor = open(output->path, O_WRONLY | O_CLOEXEC);
        return output->descriptor >= 0 || complain("write", output->path, errno, why, size);
    }
    output->part = beside(output->path);
    output->descriptor = open(output->part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (output->descriptor >= 0) {
        return true;
    }
    if (errno != EEXIST) {
        return complain("write", output->part, errno, why, size);
    }
    char shown[256];
    frame_clean(output->part, strlen(output->part), true, shown, sizeof shown);
    snprintf(why, size, "%s is left from an earlier run: go on with --resume %s -o %s, or remove it", shown, shown,
             shown);
    return false;
}

bool output_file_open(struct output_file *output, const char *path, bool append, char *why, size_t size)
{
    *output = (struct output_file){.descriptor = STDOUT_FILENO};
    if (path == NULL) {
        return true;
    }
    output->path = memory_string(path);
    output->descriptor = -1;
    return append ? open_to_append(output, why, size) : open_beside(output, why, size);
}

bool output_file_is(const struct output_file *output, const char *path)
{
    struct stat one, other;
    bool known = strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &one) == 0 : stat(path, &one) == 0;
    if (!known || !S_ISREG(one.st_mode)) {
        return false;
    }
    known = output->path == NULL ? fstat(STDOUT_FILENO, &other) == 0 : stat(output->path, &other) == 0;
    return known && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

bool output_file_close(struct output_file *output, bool complete, const char **left, char *why, size_t size)
{
    *left = NULL;
    if (output->path == NULL || output->descriptor < 0) {
        return true;
    }
    /* What a rename makes the file's content must be on the disk before: else a power cut leaves an empty file. */
    int error = output->part != NULL && fsync(output->descriptor) != 0 ? errno : 0;
    if (close(output->descriptor) != 0 && error == 0) {
        error = errno;
    }
    output->descriptor = -1;
    if (error != 0) {
        *left = output->part;
        return complain("write", output->path, error, why, size);
    }
    if (output->part == NULL) {
        return true;
    }
    if (!complete) {
        *left = output->part;
        return true;
    }
    if (rename(output->part, output->path) != 0) {
        *left = output->part;
        return complain("write", output->path, errno, why, size);
    }
    return true;
}

void output_file_clear(struct output_file *output)
{
    if (output->path != NULL && output->descriptor >= 0) {
        close(output->descriptor);
    }
    free(output->path);
    free(output->part);
    *output = (struct output_file){.descriptor = -1};
}

bool output_file_replace(const char *path, const char *bytes, size_t length)
{
    bool in_place = has_no_beside(path);
    char *part = in_place ? memory_string(path) : beside(path);
    int descriptor = open(part, O_WRONLY | (in_place ? 0 : O_CREAT | O_TRUNC) | O_CLOEXEC, 0666);
    bool good = descriptor >= 0;
    while (good && length > 0) {
        ssize_t count = write(descriptor, bytes, length);
        good = count >= 0 || errno == EINTR;
        bytes += count > 0 ? count : 0;
        length -= count > 0 ? (size_t)count : 0;
    }
    int error = errno;
    if (descriptor >= 0 && close(descriptor) != 0 && good) {
        good = false;
        error = errno;
    }
    if (good && !in_place && rename(part, path) != 0) {
        good = false;
        error = errno;
    }
    if (!good && !in_place && descriptor >= 0) {
        unlink(part);
    }
    free(part);
    errno = error;
    return good;
}
