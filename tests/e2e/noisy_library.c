/* Preloaded: a library that writes to standard error while the screen is up, from the network thread, as audio and TLS
 * libraries do. RTLD_NEXT is not in POSIX. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
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
