#ifndef CORE_NET_BASE_URL_H
#define CORE_NET_BASE_URL_H

#include <stdbool.h>

/* Whether calls can go below this address: http or https, a host, and nothing behind the path. Asks nobody. */
bool base_url_is_good(const char *url);

#endif
