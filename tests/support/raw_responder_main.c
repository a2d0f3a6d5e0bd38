/*
 * raw_responder [--piece BYTES] [--delay MS] FILE|FOLDER...
 * raw_responder --deaf
 *
 * Sends files of raw bytes on loopback, for end-to-end tests. Prints its URL as the first line, then answers the n-th
 * request with the n-th file (the files of a folder by name); the last one stands for all that follow. A file's name
 * says what happens after its bytes: NAME.reset resets the connection, NAME.keep waits for the next request on it,
 * NAME.hang falls silent, anything else closes. --deaf: nobody accepts, a connect hangs.
 *
 * Ends when standard input does, or by a signal. At the end of standard input it prints "connections N requests N" and
 * every request line.
 */

#include "tests/support/raw_responder.h"

#include "core/base/buffer.h"
#include "core/base/memory.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FILES_MAX = 256, FILE_MAX = 64 * 1024 * 1024 };

struct replies {
    struct raw_reply all[FILES_MAX];
    size_t count;
    size_t piece;
    int delay_ms;
};

static void fail(const char *what, const char *name)
{
    fprintf(stderr, "raw_responder: %s: %s\n", what, name);
    exit(2);
}

static enum raw_ending ending_of(const char *name)
{
    const char *dot = strrchr(name, '.');
    const char *suffix = dot == NULL ? "" : dot + 1;
    return strcmp(suffix, "reset") == 0  ? RAW_RESET
           : strcmp(suffix, "keep") == 0 ? RAW_KEEP
           : strcmp(suffix, "hang") == 0 ? RAW_HANG
                                         : RAW_CLOSE;
}

static void add_file(struct replies *replies, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL || replies->count == FILES_MAX) {
        fail("cannot read", path);
    }
    struct buffer bytes;
    buffer_init(&bytes, FILE_MAX);
    char part[4096];
    size_t got;
    while ((got = fread(part, 1, sizeof(part), file)) > 0) {
        buffer_put(&bytes, part, got);
    }
    if (ferror(file) || bytes.failed) {
        fail("cannot read all of", path);
    }
    fclose(file);
    struct raw_reply *reply = &replies->all[replies->count++];
    *reply = (struct raw_reply){.piece = replies->piece, .delay_ms = replies->delay_ms, .ending = ending_of(path)};
    reply->length = bytes.length;
    reply->bytes = buffer_take(&bytes);
    buffer_clear(&bytes);
}

static void add_folder(struct replies *replies, const char *path)
{
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, alphasort);
    if (count < 0) {
        fail("cannot read", path);
    }
    for (int i = 0; i < count; i++) {
        if (entries[i]->d_name[0] != '.') {
            char *name = memory_get(strlen(path) + strlen(entries[i]->d_name) + 2);
            sprintf(name, "%s/%s", path, entries[i]->d_name);
            add_file(replies, name);
            free(name);
        }
        free(entries[i]);
    }
    free(entries);
}

static void add_path(struct replies *replies, const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0) {
        fail("cannot read", path);
    }
    if (S_ISDIR(about.st_mode)) {
        add_folder(replies, path);
    } else {
        add_file(replies, path);
    }
}

static int number_after(char **arguments, int *i)
{
    const char *option = arguments[*i];
    if (arguments[++*i] == NULL) {
        fail("a number is missing after", option);
    }
    return (int)strtol(arguments[*i], NULL, 10);
}

/* Starts what the command line asks for. */
static struct raw_responder *start(char **arguments, struct replies *replies)
{
    for (int i = 1; arguments[i] != NULL; i++) {
        if (strcmp(arguments[i], "--deaf") == 0) {
            return raw_responder_start_deaf();
        }
        if (strcmp(arguments[i], "--piece") == 0) {
            replies->piece = (size_t)number_after(arguments, &i);
        } else if (strcmp(arguments[i], "--delay") == 0) {
            replies->delay_ms = number_after(arguments, &i);
        } else {
            add_path(replies, arguments[i]);
        }
    }
    if (replies->count == 0) {
        fail("no file to send", "see the head of tests/support/raw_responder_main.c");
    }
    return raw_responder_start(replies->all, replies->count);
}

static void print_requests(struct raw_responder *responder)
{
    size_t count = raw_responder_requests(responder);
    printf("connections %zu requests %zu\n", raw_responder_connections(responder), count);
    for (size_t i = 0; i < count; i++) {
        char *request = raw_responder_request(responder, i);
        printf("%.*s\n", (int)strcspn(request, "\r\n"), request);
        free(request);
    }
}

int main(int count, char **arguments)
{
    (void)count;
    static struct replies replies;
    struct raw_responder *responder = start(arguments, &replies);
    if (responder == NULL) {
        fail("no socket", "on loopback");
    }
    printf("%s\n", raw_responder_url(responder));
    fflush(stdout);
    while (getchar() != EOF) {
    }
    print_requests(responder);
    raw_responder_stop(responder);
    return 0;
}
