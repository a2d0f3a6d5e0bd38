#include "simulation/trace.h"

#include <stdarg.h>

/* The digest is FNV-1a. */
static const uint64_t digest_start = UINT64_C(14695981039346656037);
static const uint64_t digest_prime = UINT64_C(1099511628211);

struct trace trace_none(void)
{
    return (struct trace){0};
}

struct trace trace_to(FILE *out)
{
    return (struct trace){.out = out};
}

struct trace trace_digest(void)
{
    return (struct trace){.digests = true, .digest = digest_start};
}

bool trace_is_on(const struct trace *trace)
{
    return trace->out != NULL || trace->digests;
}

void trace_line(struct trace *trace, monotime now, const char *format, ...)
{
    if (!trace_is_on(trace)) {
        return;
    }
    char text[2048];
    int used = snprintf(text, sizeof text, "%10lld.%03lld  ", (long long)(now / 1000), (long long)(now % 1000));
    va_list arguments;
    va_start(arguments, format);
    int more = vsnprintf(text + used, sizeof text - (size_t)used, format, arguments);
    va_end(arguments);
    trace->lines++;
    if (trace->out != NULL) {
        fprintf(trace->out, "%s\n", text);
    }
    size_t length = (size_t)used + (more > 0 ? (size_t)more : 0);
    for (size_t i = 0; trace->digests && i < length && text[i] != '\0'; i++) {
        trace->digest = (trace->digest ^ (unsigned char)text[i]) * digest_prime;
    }
}
