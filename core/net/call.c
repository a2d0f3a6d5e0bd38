#include "core/net/call.h"

#include "core/base/memory.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(LIBCURL_VERSION_NUM >= 0x075800, "libcurl 7.88 or newer: curl_easy_nextheader, QUICK_EXIT, PUNYCODE");

/* A body buffer that has grown beyond this is given back instead of kept for the next answer. */
enum { BODY_KEPT_MAX = 256 * 1024 };

bool call_settings_init(struct call_settings *settings, const char *ca_file)
{
    /* The curl program reads SSL_CERT_FILE; libcurl itself does not where a certificate file was built in. */
    const char *file = ca_file != NULL ? ca_file : getenv("SSL_CERT_FILE");
    *settings = (struct call_settings){
        .headers = curl_slist_append(NULL, "Accept: application/json"),
        .ca_file = file != NULL && file[0] != '\0' ? memory_string(file) : NULL,
    };
    return settings->headers != NULL;
}

void call_settings_clear(struct call_settings *settings)
{
    curl_slist_free_all(settings->headers);
    free(settings->ca_file);
    *settings = (struct call_settings){0};
}

/* A number that libcurl keeps of the call. */
static long number(const struct call *call, CURLINFO what)
{
    long value = 0;
    curl_easy_getinfo(call->easy, what, &value);
    return value;
}

/* The two callbacks have the types that libcurl gives them: NOLINTBEGIN(readability-non-const-parameter) */

/* Sees the lines of every block: 1xx, the final response, trailers. It keeps none of them: libcurl's header API does,
 * block by block. It counts them, because libcurl 7.88 takes any number, and notes when the final section is whole. */
static size_t take_header_line(char *bytes, size_t size, size_t count, void *owner)
{
    struct call *call = owner;
    size_t length = size * count;
    call->header_lines++;
    call->header_bytes += length;
    if (call->header_lines > CALL_HEADER_LINES_MAX || call->header_bytes > CALL_HEADER_BYTES_MAX) {
        call->header_excess = true;
        return 0;
    }
    bool ends_block = length > 0 && (bytes[0] == '\r' || bytes[0] == '\n');
    if (ends_block && call->status == 0 && number(call, CURLINFO_RESPONSE_CODE) >= 200) {
        call->status = (int)number(call, CURLINFO_RESPONSE_CODE);
    }
    return length;
}

/* An error's body is kept one byte beyond its limit, so that whoever reads it sees that it is over. */
static size_t body_limit(const struct call *call)
{
    return call->status == 200 ? CALL_BODY_MAX : CALL_ERROR_BODY_MAX + 1;
}

/* Returning less than `length` ends the transfer. */
static size_t take_body(char *bytes, size_t size, size_t count, void *owner)
{
    struct call *call = owner;
    size_t length = size * count;
    size_t room = body_limit(call) - call->body.length;
    buffer_put(&call->body, bytes, length < room ? length : room);
    call->cut = length > room || call->body.failed;
    return call->cut ? 0 : length;
}

/* NOLINTEND(readability-non-const-parameter) */

static void set_once(CURL *easy, struct call *call, const struct call_settings *settings)
{
    curl_easy_setopt(easy, CURLOPT_PRIVATE, call);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, call->error);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L); /* nobody waits for a name lookup that hangs */
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_HTTP09_ALLOWED, 0L);
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "vindecode/" VINDECODE_VERSION);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, settings->headers);
    curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "gzip");
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_header_line);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, call);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, call);
    if (settings->ca_file != NULL) {
        curl_easy_setopt(easy, CURLOPT_CAINFO, settings->ca_file);
    }
}

struct call *call_new(const struct call_settings *settings)
{
    CURL *easy = curl_easy_init();
    if (easy == NULL) {
        return NULL;
    }
    struct call *call = memory_get(sizeof(*call));
    call->easy = easy;
    call->name_check = -1;
    call->fields = memory_resize(NULL, CALL_HEADER_LINES_MAX * sizeof *call->fields); /* touched as far as used */
    buffer_init(&call->body, CALL_BODY_MAX);
    set_once(easy, call, settings);
    return call;
}

void call_free(struct call *call)
{
    curl_easy_cleanup(call->easy);
    buffer_clear(&call->body);
    free(call->fields);
    free(call);
}

static void forget_answer(struct call *call)
{
    call->status = 0;
    call->cut = call->header_excess = false;
    call->error[0] = '\0';
    call->header_lines = call->header_bytes = 0;
    if (call->body.capacity > BODY_KEPT_MAX) {
        buffer_clear(&call->body);
        buffer_init(&call->body, CALL_BODY_MAX);
    }
    buffer_reset(&call->body);
}

void call_prepare(struct call *call, const char *url, const char *form, int64_t timeout_ms)
{
    forget_answer(call);
    /* 0 would mean "no limit" to libcurl, and a negative time-out is accepted silently by some versions. */
    long timeout = timeout_ms < 1 ? 1 : timeout_ms > INT_MAX ? INT_MAX : (long)timeout_ms;
    curl_easy_setopt(call->easy, CURLOPT_TIMEOUT_MS, timeout);
    curl_easy_setopt(call->easy, CURLOPT_CONNECTTIMEOUT_MS, timeout);
    curl_easy_setopt(call->easy, CURLOPT_URL, url);
    if (form != NULL) {
        curl_easy_setopt(call->easy, CURLOPT_POSTFIELDSIZE, -1L);
        curl_easy_setopt(call->easy, CURLOPT_COPYPOSTFIELDS, form);
    } else {
        curl_easy_setopt(call->easy, CURLOPT_HTTPGET, 1L);
    }
}

/* The final response was whole up to the end of its header section. */
static enum transfer with_header(const struct call *call, CURLcode result)
{
    /* Of any answer but a 200 the header section says what counts. Its body is at most a hint, and a hint that was cut
     * off, or that never ended, must not hide a 429 and its Retry-After. */
    if (result == CURLE_OK || call->status != 200) {
        return TRANSFER_ANSWERED;
    }
    if (call->cut) {
        return TRANSFER_TOO_LARGE;
    }
    switch (result) {
    case CURLE_OPERATION_TIMEDOUT:
        return TRANSFER_TIMEOUT;
    case CURLE_BAD_CONTENT_ENCODING: /* the body came, and cannot be read: like any other text that is not JSON */
        return TRANSFER_ANSWERED;
    default:
        return TRANSFER_PARTIAL;
    }
}

/* TLS did not come about, for another reason than the certificate. A connection that was cut in the middle of it may do
 * better next time; a peer that answered, with something that is no TLS we speak, will not. libcurl has one code for
 * both and no errno for a plain end, only OpenSSL's words. */
static enum transfer handshake_failure(const struct call *call)
{
    bool was_cut = number(call, CURLINFO_OS_ERRNO) != 0 || strstr(call->error, "SSL_ERROR_SYSCALL") != NULL;
    return was_cut ? TRANSFER_RESET : TRANSFER_UNSUPPORTED;
}

/* The connection ended before a final response. */
static enum transfer lost(const struct call *call)
{
    bool proxy_refused = number(call, CURLINFO_HTTP_CONNECTCODE) >= 300;
    bool nothing_sent = number(call, CURLINFO_REQUEST_SIZE) == 0;
    return proxy_refused || nothing_sent ? TRANSFER_UNREACHABLE : TRANSFER_RESET;
}

/* No final response, or not the whole header section of one. */
static enum transfer without_header(const struct call *call, CURLcode result)
{
    bool sent = number(call, CURLINFO_REQUEST_SIZE) > 0;
    switch (result) {
    case CURLE_OPERATION_TIMEDOUT:
        return TRANSFER_TIMEOUT;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
        return TRANSFER_DNS_FAILED;
    case CURLE_COULDNT_CONNECT:
        return number(call, CURLINFO_OS_ERRNO) == ECONNREFUSED ? TRANSFER_REFUSED : TRANSFER_UNREACHABLE;
    case CURLE_SSL_CONNECT_ERROR:
        return handshake_failure(call);
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CRL_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
        return TRANSFER_CERTIFICATE;
    case CURLE_URL_MALFORMAT:
        return TRANSFER_UNSUPPORTED;
    case CURLE_UNSUPPORTED_PROTOCOL: /* libcurl's word for a scheme, and for an answer without a status line */
        return sent ? TRANSFER_NOT_HTTP : TRANSFER_UNSUPPORTED;
    case CURLE_WEIRD_SERVER_REPLY:
        return number(call, CURLINFO_RESPONSE_CODE) != 0 ? TRANSFER_BAD_HEADERS : TRANSFER_NOT_HTTP;
    case CURLE_BAD_CONTENT_ENCODING: /* more encodings, one inside the other, than libcurl undoes */
        return sent ? TRANSFER_BAD_HEADERS : lost(call);
    case CURLE_WRITE_ERROR:
        return call->header_excess ? TRANSFER_BAD_HEADERS : lost(call);
    case CURLE_OUT_OF_MEMORY: /* how libcurl 7.88 says that a header line is longer than it takes (100 KiB) */
        return sent ? TRANSFER_BAD_HEADERS : lost(call);
    default:
        return lost(call);
    }
}

/* libcurl 7.88 leaves the line's end in an empty value. */
static size_t value_length(const char *value)
{
    size_t length = strlen(value);
    while (length > 0 && (value[length - 1] == '\r' || value[length - 1] == '\n')) {
        length--;
    }
    return length;
}

/* Fields of the final response only: not of 1xx blocks, of a proxy's answer or of trailers (P0). */
static size_t collect_fields(struct call *call)
{
    size_t count = 0;
    struct curl_header *header = NULL;
    while (count < CALL_HEADER_LINES_MAX &&
           (header = curl_easy_nextheader(call->easy, CURLH_HEADER, -1, header)) != NULL) {
        call->fields[count++] = (struct header_field){
            .name = header->name,
            .name_length = strlen(header->name),
            .value = header->value,
            .value_length = value_length(header->value),
        };
    }
    return count;
}

void call_response(struct call *call, CURLcode result, walltime received_wall, struct response *out)
{
    *out = (struct response){.received_wall = received_wall, .body = call->body.data};
    if (call->status != 0) {
        out->transfer = with_header(call, result);
        out->status = call->status;
        out->headers = call->fields;
        out->header_count = collect_fields(call);
        out->body_length = call->body.length;
        return;
    }
    out->transfer = without_header(call, result);
    /* An informational answer and then an orderly end is an answer of its own kind (T06), and carries nothing. */
    long code = number(call, CURLINFO_RESPONSE_CODE);
    bool informational = code >= 100 && code < 200;
    if (informational && (result == CURLE_OK || result == CURLE_GOT_NOTHING)) {
        out->transfer = TRANSFER_ANSWERED;
        out->status = (int)code;
    }
}

char *call_host(const struct call *call)
{
    char *url = NULL;
    char *host = NULL;
    curl_easy_getinfo(call->easy, CURLINFO_EFFECTIVE_URL, &url);
    CURLU *parts = curl_url();
    if (parts != NULL && url != NULL && curl_url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK) {
        char *found = NULL;
        if (curl_url_get(parts, CURLUPART_HOST, &found, CURLU_PUNYCODE) == CURLUE_OK) {
            host = memory_string(found);
        }
        curl_free(found);
    }
    curl_url_cleanup(parts);
    return host;
}
