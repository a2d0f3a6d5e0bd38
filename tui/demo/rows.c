#include "tui/demo/rows.h"

#include "core/base/memory.h"
#include "core/base/text.h"
#include "tui/demo/vehicles.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
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

static void check_memory(const void *item)
{
    if (item == NULL) {
        fputs("vindecode: out of memory\n", stderr);
        exit(1);
    }
}

static void add_text(cJSON *object, const char *name, const char *value)
{
    cJSON *text = cJSON_CreateStringReference(value);
    check_memory(text);
    cJSON_AddItemToObjectCS(object, name, text);
}

/* A row of the flat form: all fields as texts. */
static cJSON *flat(const struct row *row)
{
    cJSON *object = cJSON_CreateObject();
    check_memory(object);
    for (size_t i = 0; i < row_field_count(); i++) {
        add_text(object, row_field_name(i), row->values[i]);
    }
    return object;
}

/* The form of DecodeVin: an object for each field, and null where there is no value. */
static void add_fields(cJSON *results, const struct row *row)
{
    for (size_t i = 0; i < row_field_count(); i++) {
        cJSON *object = cJSON_CreateObject();
        check_memory(object);
        if (row->values[i][0] != '\0') {
            add_text(object, "Value", row->values[i]);
        } else {
            cJSON_AddNullToObject(object, "Value");
        }
        add_text(object, "Variable", row_field_name(i));
        cJSON_AddItemToArray(results, object);
    }
}

void rows_put_json(const struct service_call *call, const size_t *rows, size_t count, int this_year, struct buffer *out)
{
    bool refused = asks_before_1980(call);
    count = refused ? 0 : count;
    struct row *decoded = memory_get((count + 1) * sizeof *decoded);
    cJSON *envelope = cJSON_CreateObject(), *results = cJSON_CreateArray();
    check_memory(envelope);
    check_memory(results);
    for (size_t i = 0; i < count; i++) {
        decode(call, rows[i], this_year, &decoded[i]);
        if (call->route == ROUTE_ROWS) {
            add_fields(results, &decoded[i]);
        } else {
            cJSON_AddItemToArray(results, flat(&decoded[i]));
        }
    }
    char criteria[ASK_TEXT_MAX + 16];
    write_criteria(call, criteria);
    check_memory(cJSON_AddNumberToObject(envelope, "Count", cJSON_GetArraySize(results)));
    add_text(envelope, "Message", refused ? pre_1981 : message);
    add_text(envelope, "SearchCriteria", criteria);
    cJSON_AddItemToObjectCS(envelope, "Results", results);
    char *text = cJSON_PrintUnformatted(envelope);
    check_memory(text);
    buffer_puts(out, text);
    cJSON_free(text);
    cJSON_Delete(envelope);
    free(decoded);
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
    struct row *row = memory_get(sizeof *row);
    for (size_t i = 0; i < count; i++) {
        decode(call, rows[i], this_year, row);
        buffer_puts(out, "<DecodedVINValues>");
        for (size_t field = 0; field < row_field_count(); field++) {
            put_element(row_field_name(field), row->values[field], out);
        }
        buffer_puts(out, "</DecodedVINValues>");
    }
    free(row);
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
    cJSON *object = cJSON_CreateObject();
    check_memory(object);
    add_text(object, "message", text);
    add_text(object, "messageDetail", detail);
    char *printed = cJSON_PrintUnformatted(object);
    check_memory(printed);
    buffer_puts(out, printed);
    cJSON_free(printed);
    cJSON_Delete(object);
}
