#ifndef CORE_NET_CALL_H
#define CORE_NET_CALL_H

#include "core/base/buffer.h"
#include "core/base/clock.h"
#include "core/engine/engine.h"

#include <curl/curl.h>

/*
 * One HTTP call on one libcurl easy handle: how it is set up, what is kept of its answer, and what its end is called.
 * A call is used by one thread at a time. After an answer it can be used again, and nothing of one answer is left for
 * the next (R01). After any other end it is to be freed: libcurl 7.88 keeps the system's error of a connect in the
 * handle.
 */

enum {
    CALL_BODY_MAX = 8 * 1024 * 1024, /* of a 200; one byte more is TRANSFER_TOO_LARGE (T47) */
    CALL_ERROR_BODY_MAX = 64 * 1024, /* of any other status; the call ends when one byte more has come (J18) */
    CALL_HEADER_LINES_MAX = 512,     /* in all blocks of one call, 1xx and trailers included */
    CALL_HEADER_BYTES_MAX = 512 * 1024
};

struct call {
    CURL *easy;
    uint64_t id;         /* the engine's number for the call under way */
    monotime give_up_at; /* when its time-out is over */
    int name_check;      /* see name_check.h; -1: none */
    struct call *next;

    /* What has come so far. */
    int status;         /* of the final response, once its header section is whole; 0 before */
    bool cut;           /* the body was longer than we keep; the call was ended for it */
    bool header_excess; /* more header lines or bytes than we take; the call was ended for it */
    size_t header_lines, header_bytes;
    char error[CURL_ERROR_SIZE]; /* libcurl's words for a failure */
    struct buffer body;
    struct header_field *fields; /* of the final response; CALL_HEADER_LINES_MAX at most */
};

/* What is the same for all calls. Made once, before the calls, and freed after them. */
struct call_settings {
    struct curl_slist *headers;
    char *ca_file; /* NULL: the system's */
};

/* `ca_file` may be NULL: then SSL_CERT_FILE decides, or else the system's certificates are used. False without memory.
 */
bool call_settings_init(struct call_settings *settings, const char *ca_file);
void call_settings_clear(struct call_settings *settings);

/* A call with everything set that is the same for all; the settings must outlive it. NULL when libcurl gives no handle.
 */
struct call *call_new(const struct call_settings *settings);
void call_free(struct call *call);

/* Makes the call ready to be performed: `url`, a GET or a POST of `form` (both copied), at most `timeout_ms` in all,
 * which counts the name lookup and everything after it. What the last answer left is forgotten. */
void call_prepare(struct call *call, const char *url, const char *form, int64_t timeout_ms);

/* What the ended call means. `result` is libcurl's word for the end. The response borrows from the call until it is
 * prepared again or freed. TRANSFER_NO_SUCH_HOST is never among the answers: libcurl does not tell it from a lookup
 * that failed, see name_check.h. */
void call_response(struct call *call, CURLcode result, walltime received_wall, struct response *out);

/* The host that a call whose name lookup failed had asked for, to be freed; NULL when it cannot be told. */
char *call_host(const struct call *call);

#endif
