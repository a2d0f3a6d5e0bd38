#include "tui/demo/rows.h"

#include "core/base/text.h"
#include "tui/demo/vehicles.h"

#include <cjson/cJSON.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char message[] =
    "Results returned successfully. NOTE: Any missing decoded values should be interpreted as NHTSA does not have data "
    "on "
    "the specific variable. Missing value should NOT be interpreted as an indication that a feature or technology is "
    "unavailable for a vehicle.";

static const char pre_1981[] = "ERROR: Invalid Year Submitted – Pre-1981 Year Decode Attempt";

/* The row that answers ask number `ask`. Nobody asked for the one past the last: it is a sample with another VIN. */
static void decode(const struct service_call *call, size_t ask, int this_year, struct row *out)
{
    if (ask < call->ask_count) {
        row_decode(call->asks[ask].vin, call->asks[ask].year, this_year, out);
        return;
    }
    size_t other = 0;
    for (size_t i = 0; i < call->ask_count; i++) {
        if (text_compare(call->asks[i].vin, sample_vin(sample_at(other))) == 0) {
            other = (other + 1) % sample_count();
        }
    }
    row_decode(sample_vin(sample_at(other)), 0, this_year, out);
}

static bool asks_before_1980(const struct service_call *call)
{
    return call->route != ROUTE_BATCH && call->asks[0].year > 0 && call->asks[0].year < 1980;
}

static void write_criteria(const struct service_call *call, char out[ASK_TEXT_MAX + 16])
{
    out[0] = '\0';
    if (call->route != ROUTE_BATCH) {
        snprintf(out, ASK_TEXT_MAX + 16, "%s%s", call->route == ROUTE_ROWS ? "VIN:" : "VIN(s): ", call->asks[0].vin);
    }
}

/* A string of JSON; cJSON knows what must be escaped in it. */
static void put_json_text(const char *text, struct buffer *out)
{
    char printed[6 * ROW_TEXT_MAX]; /* no byte becomes more than six */
    cJSON item = {.type = cJSON_String, .valuestring = (char *)text};
    if (cJSON_PrintPreallocated(&item, printed, sizeof printed, false)) {
        buffer_puts(out, printed);
    } else {
        out->failed = true;
    }
}

/* A member that is not an object's first. */
static void put_member(const char *name, const char *text, struct buffer *out)
{
    buffer_printf(out, ",\"%s\":", name);
    put_json_text(text, out);
}

/* A row of the flat form in which no field has a value, as text, and where in it the value of each field would stand.
 * Most fields of every row have none, so that a row is this text with a few values written into it. */
static struct {
    struct buffer text;
    size_t values[ROW_FIELDS_MAX];
} empty_row;

static void make_empty_row(void)
{
    buffer_init(&empty_row.text, ROW_FIELDS_MAX * 100);
    for (size_t i = 0; i < row_field_count(); i++) {
        buffer_printf(&empty_row.text, "%c\"%s\":", i == 0 ? '{' : ',', row_field_name(i));
        empty_row.values[i] = empty_row.text.length;
        buffer_puts(&empty_row.text, "\"\"");
    }
    buffer_putc(&empty_row.text, '}');
}

/* A row of the flat form: all fields as texts. */
static void put_flat(const struct row *row, struct buffer *out)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_empty_row);
    size_t written = 0, count = row_field_count();
    for (size_t i = 0; i < count; i++) {
        if (row->values[i][0] != '\0') {
            buffer_put(out, empty_row.text.data + written, empty_row.values[i] - written);
            put_json_text(row->values[i], out);
            written = empty_row.values[i] + 2;
        }
    }
    buffer_put(out, empty_row.text.data + written, empty_row.text.length - written);
}

/* The form of DecodeVin: an object for each field, and null where there is no value. */
static void put_fields(const struct row *row, struct buffer *out)
{
    for (size_t i = 0; i < row_field_count(); i++) {
        buffer_puts(out, i == 0 ? "{\"Value\":" : ",{\"Value\":");
        if (row->values[i][0] != '\0') {
            put_json_text(row->values[i], out);
        } else {
            buffer_puts(out, "null");
        }
        put_member("Variable", row_field_name(i), out);
        buffer_putc(out, '}');
    }
}

void rows_put_json(const struct service_call *call, const size_t *rows, size_t count, int this_year, struct buffer *out)
{
    bool refused = asks_before_1980(call), by_field = call->route == ROUTE_ROWS;
    char criteria[ASK_TEXT_MAX + 16];
    write_criteria(call, criteria);
    count = refused ? 0 : count;
    buffer_printf(out, "{\"Count\":%zu", by_field ? count * row_field_count() : count);
    put_member("Message", refused ? pre_1981 : message, out);
    put_member("SearchCriteria", criteria, out);
    buffer_puts(out, ",\"Results\":[");
    struct row row;
    for (size_t i = 0; i < count; i++) {
        decode(call, rows[i], this_year, &row);
        buffer_puts(out, i == 0 ? "" : ",");
        if (by_field) {
            put_fields(&row, out);
        } else {
            put_flat(&row, out);
        }
    }
    buffer_puts(out, "]}");
}

static void put_xml_text(const char *text, struct buffer *out)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '&':
            buffer_puts(out, "&amp;");
            break;
        case '<':
            buffer_puts(out, "&lt;");
            break;
        case '>':
            buffer_puts(out, "&gt;");
            break;
        default:
            buffer_putc(out, *text);
        }
    }
}

static void put_element(const char *name, const char *text, struct buffer *out)
{
    if (text[0] == '\0') {
        buffer_printf(out, "<%s />", name);
        return;
    }
    buffer_printf(out, "<%s>", name);
    put_xml_text(text, out);
    buffer_printf(out, "</%s>", name);
}

/* XML has the flat form only. */
void rows_put_xml(const struct service_call *call, const size_t *rows, size_t count, int this_year, struct buffer *out)
{
    char criteria[ASK_TEXT_MAX + 16];
    write_criteria(call, criteria);
    bool refused = asks_before_1980(call);
    count = refused ? 0 : count;
    buffer_puts(out, "<Response xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\" "
                     "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">");
    buffer_printf(out, "<Count>%zu</Count>", count);
    put_element("Message", refused ? pre_1981 : message, out);
    buffer_puts(out, "<Results>");
    struct row row;
    for (size_t i = 0; i < count; i++) {
        decode(call, rows[i], this_year, &row);
        buffer_puts(out, "<DecodedVINValues>");
        for (size_t field = 0; field < row_field_count(); field++) {
            put_element(row_field_name(field), row.values[field], out);
        }
        buffer_puts(out, "</DecodedVINValues>");
    }
    buffer_puts(out, "</Results>");
    put_element("SearchCriteria", criteria, out);
    buffer_puts(out, "</Response>");
}

void rows_put_unknown_route(const struct service_call *call, struct buffer *out)
{
    char text[256], detail[256];
    snprintf(text, sizeof text,
             "No HTTP resource was found that matches the request URI 'https://backend.invalid/api/vehicles/%s'.",
             call->name);
    snprintf(detail, sizeof detail, "No action was found on the controller 'Vehicles' that matches the name '%s'.",
             call->name);
    buffer_puts(out, "{\"message\":");
    put_json_text(text, out);
    put_member("messageDetail", detail, out);
    buffer_putc(out, '}');
}
