/* NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): glibc asks for this name */
#define _GNU_SOURCE /* RTLD_NEXT: the getaddrinfo() that this one stands before */

#include "tests/support/slow_getaddrinfo.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <netdb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef int lookup(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **out);

static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_int prompt_left, sleep_ms, answer, count;

static void read_environment(void)
{
    const char *milliseconds = getenv("SLOW_GETADDRINFO_MS");
    const char *error = getenv("SLOW_GETADDRINFO_ERROR");
    if (milliseconds != NULL) {
        sleep_ms = (int)strtol(milliseconds, NULL, 10);
    }
    if (error != NULL) {
        answer = strcmp(error, "again") == 0    ? SLOW_GETADDRINFO_AGAIN
                 : strcmp(error, "noname") == 0 ? SLOW_GETADDRINFO_NONAME
                                                : SLOW_GETADDRINFO_ASK;
    }
}

void slow_getaddrinfo_set(int prompt, int milliseconds, enum slow_getaddrinfo_error error)
{
    pthread_once(&once, read_environment);
    prompt_left = prompt;
    sleep_ms = milliseconds;
    answer = (int)error;
}

int slow_getaddrinfo_count(void)
{
    return count;
}

static bool is_numeric(const char *node)
{
    unsigned char address[16];
    return node == NULL || inet_pton(AF_INET, node, address) == 1 || inet_pton(AF_INET6, node, address) == 1;
}

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **out)
{
    pthread_once(&once, read_environment);
    if (!is_numeric(node)) {
        count++;
        int wait_ms = prompt_left-- > 0 ? 0 : sleep_ms;
        struct timespec rest = {wait_ms / 1000, (long)(wait_ms % 1000) * 1000000};
        while (nanosleep(&rest, &rest) != 0) {
        }
        if (answer != SLOW_GETADDRINFO_ASK) {
            return answer == SLOW_GETADDRINFO_AGAIN ? EAI_AGAIN : EAI_NONAME;
        }
    }
    /* ISO C knows no way from an object pointer to a function; POSIX promises that the bytes are the same. */
    void *symbol = dlsym(RTLD_NEXT, "getaddrinfo");
    lookup *next;
    memcpy(&next, &symbol, sizeof(next));
    return next(node, service, hints, out);
}
