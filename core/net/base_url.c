#include "core/net/base_url.h"

#include "core/base/text.h"

#include <curl/curl.h>
#include <string.h>

static bool has_part(CURLU *parts, CURLUPart part)
{
    char *found = NULL;
    bool has = curl_url_get(parts, part, &found, 0) == CURLUE_OK;
    curl_free(found);
    return has;
}

bool base_url_is_good(const char *url)
{
    const char *colon = strstr(url, "://");
    if (colon == NULL) {
        return false;
    }
    size_t scheme = (size_t)(colon - url);
    bool web = text_is(url, scheme, "http") || text_is(url, scheme, "https");
    if (!web || colon[3] == '/') { /* libcurl forgives a third slash and takes what follows for the host */
        return false;
    }
    CURLU *parts = curl_url();
    bool good = parts != NULL && curl_url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK &&
                has_part(parts, CURLUPART_HOST) && !has_part(parts, CURLUPART_QUERY) &&
                !has_part(parts, CURLUPART_FRAGMENT);
    curl_url_cleanup(parts);
    return good;
}
