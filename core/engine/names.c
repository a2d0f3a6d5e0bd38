#include "core/engine/engine.h"

const char *transfer_name(enum transfer transfer)
{
    switch (transfer) {
    case TRANSFER_ANSWERED:
        return "answered";
    case TRANSFER_TIMEOUT:
        return "timeout";
    case TRANSFER_REFUSED:
        return "refused";
    case TRANSFER_UNREACHABLE:
        return "unreachable";
    case TRANSFER_RESET:
        return "reset";
    case TRANSFER_PARTIAL:
        return "partial";
    case TRANSFER_DNS_FAILED:
        return "dns_failed";
    case TRANSFER_NO_SUCH_HOST:
        return "no_such_host";
    case TRANSFER_CERTIFICATE:
        return "certificate";
    case TRANSFER_UNSUPPORTED:
        return "unsupported";
    case TRANSFER_NOT_HTTP:
        return "not_http";
    case TRANSFER_BAD_HEADERS:
        return "bad_headers";
    case TRANSFER_TOO_LARGE:
        return "too_large";
    case TRANSFER_ABORTED:
        return "aborted";
    }
    return "unknown";
}

const char *wait_origin_name(enum wait_origin origin)
{
    switch (origin) {
    case ORIGIN_NONE:
        return "none";
    case ORIGIN_RETRY_AFTER:
        return "retry_after";
    case ORIGIN_RETRY_AFTER_DATE:
        return "retry_after_date";
    case ORIGIN_RATELIMIT_RESET:
        return "ratelimit_reset";
    case ORIGIN_X_RATELIMIT_RESET:
        return "x_ratelimit_reset";
    case ORIGIN_BODY:
        return "body";
    case ORIGIN_BACKOFF:
        return "backoff";
    case ORIGIN_COURTESY_RATE:
        return "courtesy_rate";
    case ORIGIN_BREAKER:
        return "breaker";
    case ORIGIN_COOL_DOWN:
        return "cool_down";
    }
    return "unknown";
}
