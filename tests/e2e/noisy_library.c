/* Preloaded: a library that writes to standard error while the screen is up, from the network thread, as audio and TLS
 * libraries do. With NOISY_NO_FILE in the environment there is no room for temporary files, either. RTLD_NEXT is not in
 * POSIX. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The prototype of curl's own. */
int curl_global_init(long flags);

int curl_global_init(long flags)
{
    int (*real)(long) = NULL;
    void *symbol = dlsym(RTLD_NEXT, "curl_global_init");
    memcpy(&real, &symbol, sizeof real); /* POSIX allows it, ISO C has no cast for it */
    fputs("noise from a library\n", stderr);
    return real(flags);
}

FILE *tmpfile(void)
{
    FILE *(*real)(void) = NULL;
    void *symbol = dlsym(RTLD_NEXT, "tmpfile");
    memcpy(&real, &symbol, sizeof real);
    errno = ENOSPC;
    return getenv("NOISY_NO_FILE") != NULL ? NULL : real();
}
