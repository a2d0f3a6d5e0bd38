#include "tui/demo/service.h"

#include "core/base/memory.h"
#include "core/base/text.h"
#include "tui/demo/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    enum route route;
} routes[] = {
    {"DecodeVinValues", ROUTE_FLAT},   {"DecodeVinValuesExtended", ROUTE_FLAT}, {"DecodeVin", ROUTE_ROWS},
    {"DecodeVinExtended", ROUTE_ROWS}, {"DecodeVINValuesBatch", ROUTE_BATCH},
};

enum { ROUTE_COUNT = sizeof routes / sizeof routes[0] };

static void copy_plain(char *to, size_t size, const char *from, size_t length)
{
    size_t i = 0;
    for (; i < length && i + 1 < size; i++) {
        to[i] = from[i] >= ' ' && from[i] <= '~' ? from[i] : '?';
    }
    to[i] = '\0';
}

void service_read_path(const char *path, bool post, struct service_call *out)
{
    static const char prefix[] = "/api/vehicles/";
    *out = (struct service_call){.route = ROUTE_UNKNOWN};
    size_t skip = sizeof prefix - 1;
    if (strlen(path) < skip || !text_is(path, skip, prefix)) {
        return;
    }
    const char *name = path + skip;
    size_t length = strcspn(name, "/");
    const char *vin = name[length] == '/' ? name + length + 1 : "";
    copy_plain(out->name, sizeof out->name, name, length);
    enum route route = ROUTE_UNKNOWN;
    for (size_t i = 0; i < ROUTE_COUNT; i++) {
        route = text_is(name, length, routes[i].name) ? routes[i].route : route;
    }
    if (route == ROUTE_BATCH && post && vin[0] == '\0') {
        out->route = route;
    } else if ((route == ROUTE_FLAT || route == ROUTE_ROWS) && !post && vin[0] != '\0' && strchr(vin, '/') == NULL) {
        out->route = route;
        out->ask_count = 1;
        copy_plain(out->asks[0].vin, sizeof out->asks[0].vin, vin, strlen(vin));
    }
}

void service_read_format(const char *format, struct service_call *out)
{
    out->json = format != NULL && text_compare(format, "json") == 0;
}

static int read_year(const char *text, size_t length)
{
    text = text_trim(text, &length);
    int year = 0;
    for (size_t i = 0; i < length; i++) {
        if (!text_is_digit(text[i]) || i >= 4) {
            return 0;
        }
        year = year * 10 + (text[i] - '0');
    }
    return year;
}

void service_read_year(const char *year, struct service_call *out)
{
    if (year != NULL) {
        out->asks[0].year = read_year(year, strlen(year));
    }
}

/* "VIN[,year];VIN[,year];...": blanks around the separators and empty pieces do no harm. */
void service_read_data(const char *data, struct service_call *out)
{
    while (data != NULL && *data != '\0') {
        size_t length = strcspn(data, ";");
        size_t vin_length = strcspn(data, ",;");
        const char *vin = text_trim(data, &vin_length);
        if (vin_length > 0 && out->ask_count == ASKS_MAX) {
            out->too_many = true;
        } else if (vin_length > 0) {
            struct ask *ask = &out->asks[out->ask_count++];
            copy_plain(ask->vin, sizeof ask->vin, vin, vin_length);
            const char *comma = memchr(data, ',', length);
            ask->year = comma == NULL ? 0 : read_year(comma + 1, length - (size_t)(comma + 1 - data));
        }
        data += length + (data[length] == ';' ? 1 : 0);
    }
}

int service_status(const struct service_call *call)
{
    if (call->route == ROUTE_UNKNOWN) {
        return 404;
    }
    return call->too_many ? 400 : 200;
}

static void put_page(int status, struct buffer *out)
{
    const char *title = status == 403 ? "Access Denied" : "Scheduled maintenance";
    const char *text = status == 403 ? "You don't have permission to access this service on this server."
                                     : "This service is undergoing maintenance and will be back shortly.";
    buffer_printf(out,
                  "<!DOCTYPE html>\n<html><head><title>%s</title></head>\n"
                  "<body><h1>%s</h1><p>%s</p></body></html>\n",
                  title, title, text);
}

static void put_oversize(size_t bytes, struct buffer *out)
{
    static const char head[] = "{\"Count\":1,\"Message\":\"", tail[] = "\",\"SearchCriteria\":\"\",\"Results\":[]}";
    size_t frame = sizeof head + sizeof tail - 2;
    char filler[4096];
    memset(filler, 'x', sizeof filler);
    buffer_puts(out, head);
    for (size_t left = bytes > frame ? bytes - frame : 0; left > 0;) {
        size_t piece = left < sizeof filler ? left : sizeof filler;
        buffer_put(out, filler, piece);
        left -= piece;
    }
    buffer_puts(out, tail);
}

/* The rows that the kind of body makes of those that were asked for: the number of the ask, or one past the last for a
 * vehicle that nobody asked for. */
static size_t arrange(const struct service_call *call, enum body_kind body, size_t rows[ASKS_MAX + 1])
{
    size_t count = 0, asked = call->ask_count, middle = asked / 2;
    for (size_t i = 0; i < asked; i++) {
        size_t ask = body == BODY_REVERSED ? asked - 1 - i : i;
        if (i == middle && body == BODY_MISSING_ROW) {
            continue;
        }
        rows[count++] = i == middle && body == BODY_OTHER_VEHICLE ? asked : ask;
        if (i == 0 && body == BODY_DOUBLED_ROW) {
            rows[count++] = ask;
        }
    }
    if (body == BODY_EXTRA_ROW) {
        rows[count++] = asked;
    }
    return body == BODY_NO_RESULTS ? 0 : count;
}

static void put_rows(const struct service_call *call, enum body_kind body, bool json, int this_year, struct buffer *out)
{
    size_t rows[ASKS_MAX + 1];
    size_t count = arrange(call, body, rows);
    if (json) {
        rows_put_json(call, rows, count, this_year, out);
    } else {
        rows_put_xml(call, rows, count, this_year, out);
    }
    if (body == BODY_TRUNCATED) {
        out->length = out->length * 3 / 5;
    }
}

const char *service_body(const struct service_call *call, const struct scripted_answer *answer, int status,
                         int this_year, struct buffer *out)
{
    static const char json[] = "application/json; charset=utf-8", xml[] = "application/xml; charset=utf-8";
    if (answer->body <= BODY_TRUNCATED && status == 404) {
        rows_put_unknown_route(call, out);
        return json;
    }
    if (answer->body <= BODY_TRUNCATED && call->too_many) {
        buffer_puts(out, "{\"message\":\"The request is invalid.\"}");
        return json;
    }
    switch (answer->body) {
    case BODY_HTML:
        put_page(status, out);
        return "text/html; charset=utf-8";
    case BODY_EMPTY:
        return json;
    case BODY_RETRY_AFTER_MS:
        buffer_printf(out, "{\"retryAfterMs\":%lld}", (long long)answer->retry_after_ms);
        return json;
    case BODY_OVERSIZE:
        put_oversize(answer->bytes, out);
        return json;
    case BODY_TEXT:
        buffer_puts(out, answer->text);
        return "text/plain; charset=utf-8";
    case BODY_XML:
        put_rows(call, answer->body, false, this_year, out);
        return xml;
    default:
        put_rows(call, answer->body, call->json, this_year, out);
        return call->json ? json : xml;
    }
}
