#include "core/base/memory.h"
#include "core/vin/vin.h"
#include "tui/demo/service.h"
#include "tui/demo/vehicles.h"

#include "unit/unit.h"

#include <cjson/cJSON.h>

enum { YEAR = 2026 };

static struct row *decoded(const char *vin, int year)
{
    static struct row row;
    row_decode(vin, year, YEAR, &row);
    return &row;
}

static void the_fields_are_nhtsas_in_its_order(void)
{
    CHECK_INT(row_field_count(), 154);
    for (size_t i = 1; i < row_field_count(); i++) {
        CHECK(strcmp(row_field_name(i - 1), row_field_name(i)) < 0);
    }
    CHECK_TEXT(row_field_name(0), "ABS");
    CHECK_TEXT(row_field_name(153), "Windows");
}

static void samples_are_of_many_kinds(void)
{
    static const struct {
        const char *field, *value;
    } wanted[] = {
        {"VehicleType", "PASSENGER CAR"},
        {"VehicleType", "MULTIPURPOSE PASSENGER VEHICLE (MPV)"},
        {"VehicleType", "TRUCK "},
        {"VehicleType", "BUS"},
        {"VehicleType", "TRAILER"},
        {"VehicleType", "MOTORCYCLE"},
        {"VehicleType", "INCOMPLETE VEHICLE"},
        {"ErrorCode", "0"},
        {"ErrorCode", "1"},
        {"ErrorCode", "2,14"},
        {"ErrorCode", "3,14"},
        {"ErrorCode", "4,14"},
        {"ErrorCode", "5,14"},
        {"ErrorCode", "6"},
        {"ErrorCode", "8"},
        {"ErrorCode", "5,10,14"},
        {"ErrorCode", "1,4,14,400"},
        {"PlantCity", "OSNABRÜCK"},
        {"BatteryKWh", "20"},
    };
    CHECK(sample_count() >= 25);
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        size_t field = row_field_find(wanted[i].field), found = 0;
        for (size_t j = 0; j < sample_count(); j++) {
            found += strcmp(sample_value(sample_at(j), field), wanted[i].value) == 0 ? 1 : 0;
        }
        if (found == 0) {
            printf("\nno sample has %s %s ", wanted[i].field, wanted[i].value);
        }
        CHECK(found > 0);
    }
}

static void a_sample_has_the_facts_of_its_vin(void)
{
    for (size_t i = 0; i < sample_count(); i++) {
        const char *vin = sample_vin(sample_at(i));
        struct row *row = decoded(vin, 0);
        CHECK_TEXT(row_value(row, "VIN"), vin);
        CHECK_TEXT(row_value(row, "ErrorCode"), sample_value(sample_at(i), row_field_find("ErrorCode")));
        CHECK(row_value(row, "Make")[0] != '\0' && row_value(row, "ModelYear")[0] != '\0');
        if (strcmp(row_value(row, "ErrorCode"), "0") == 0 && strstr(row_value(row, "ErrorText"), "Exception") == NULL) {
            CHECK_INT(vin_check_digit(vin), vin[8]);
        }
    }
    struct row *row = decoded("1HGCM82633A004352", 2003);
    CHECK_TEXT(row_value(row, "Model"), "Accord");
    CHECK_TEXT(row_value(row, "DisplacementCC"), "2998.832712");
    CHECK_TEXT(row_value(row, "ErrorText"), "0 - VIN decoded clean. Check Digit (9th position) is correct");
    CHECK_TEXT(row_value(row, "VehicleDescriptor"), "1HGCM826*3A");
    CHECK_TEXT(row_value(row, "BusType"), "Not Applicable");
    CHECK_TEXT(row_value(row, "ABS"), "");
}

/* With the recorded answers at hand, every value of every sample is compared with NHTSA's own. */
static void samples_say_what_nhtsa_said(void)
{
    size_t compared = 0;
    for (size_t i = 0; i < sample_count(); i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s.json", RESPONSES, sample_vin(sample_at(i)));
        FILE *file = fopen(path, "rb");
        if (file == NULL) {
            continue;
        }
        static char text[65536];
        size_t length = fread(text, 1, sizeof text - 1, file);
        fclose(file);
        cJSON *answer = cJSON_ParseWithLength(text, length);
        const cJSON *field, *said = cJSON_GetArrayItem(cJSON_GetObjectItem(answer, "Results"), 0);
        struct row *row = decoded(sample_vin(sample_at(i)), 0);
        cJSON_ArrayForEach(field, said)
        {
            CHECK_TEXT(row_value(row, field->string), field->valuestring);
            compared++;
        }
        cJSON_Delete(answer);
    }
    printf(compared == 0 ? "(no recorded answers at hand) " : "(%zu values) ", compared);
}

static void any_other_vin_gets_what_its_characters_say(void)
{
    static const struct {
        const char *vin;
        int year;
        const char *codes, *make, *model_year, *descriptor, *more;
    } rows[] = {
        /* alike a sample but for what says nothing about the vehicle */
        {"1HGCM82633A004353", 0, "1", "HONDA", "2003", "1HGCM826*3A", ""},
        {"1hgcm82693a000422", 0, "1", "HONDA", "2003", "1HGCM826*3A", ""},
        {"1HGCM826*3A", 0, "6", "HONDA", "2003", "1HGCM826*3A", ""},
        {"1HGCM82633A004352", 2013, "0,12", "HONDA", "2003", "1HGCM826*3A", ""},
        {"1HGCM82633A004352", 1975, "0", "HONDA", "2003", "1HGCM826*3A", ""},
        {"5UXWX7C5*BA", 2011, "6", "BMW", "2011", "5UXWX7C5*BA", ""},
        /* only the maker is known */
        {"5YJ3E1EA1KF131548", 0, "1,8", "TESLA", "2019", "5YJ3E1EA*KF", ""},
        {"1HG", 0, "6,8,11", "HONDA", "", "1HG********", ""},
        {"1HG", 1999, "6,8,11", "HONDA", "1999", "1HG********", ""},
        {"WBANE53517CK924R8", 0, "1,8,400", "BMW", "2007", "WBANE535*7C", "Invalid character(s): 16:R."},
        {"3AKJHHDR1KSKF8929", 0, "8", "FREIGHTLINER", "2019", "3AKJHHDR*KS",
         "The Model Year decoded for this VIN may be incorrect. If you know the Model year, please enter it and decode "
         "again to get more accurate information."},
        {"3AKJHHDR1KSKF8929", 1989, "8", "FREIGHTLINER", "1989", "3AKJHHDR*KS", ""},
        {"3AKJHHDR1KSKF8929", 1990, "8,12", "FREIGHTLINER", "2019", "3AKJHHDR*KS", ""},
        /* nobody is known, or nothing is legal */
        {"LZ0AA1AA7K1000001", 0, "7", "", "", "LZ0AA1AA*K1", ""},
        {"1AOJHHDR", 0, "6,7,11,400", "", "", "1AOJHHDR***", "Invalid character(s): 3:O."},
        {"ABCDEFGH9KL000001Z", 0, "1,7,400", "", "", "ABCDEFGH*KL", "Invalid character(s): 18:Z."},
        {"LZ0AA1AA701000001", 0, "1,7,11,400", "", "", "LZ0AA1AA*01", "Invalid character(s): 10:0."},
        {"", 0, "6,7,11", "", "", "***********", ""},
        {"\xc3\x84\n", 0, "6,7,11,400", "", "", "??*********", "Invalid character(s): 1:?, 2:?."},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct row *row = decoded(rows[i].vin, rows[i].year);
        CHECK_TEXT(row_value(row, "ErrorCode"), rows[i].codes);
        CHECK_TEXT(row_value(row, "Make"), rows[i].make);
        CHECK_TEXT(row_value(row, "ModelYear"), rows[i].model_year);
        CHECK_TEXT(row_value(row, "VehicleDescriptor"), rows[i].descriptor);
        CHECK_TEXT(row_value(row, "AdditionalErrorText"), rows[i].more);
        CHECK_TEXT(row_value(row, "SuggestedVIN"), "");
    }
}

static void texts_are_cut_at_five_hundred_characters(void)
{
    struct row *row = decoded("5Y4AH015X49722009", 2011); /* 5,10,14 and 12 */
    const char *text = row_value(row, "ErrorText");
    CHECK_TEXT(row_value(row, "ErrorCode"), "5,10,12,14");
    size_t characters = 0;
    for (const char *byte = text; *byte != '\0'; byte++) {
        characters += ((unsigned char)*byte & 0xc0) != 0x80 ? 1 : 0;
    }
    CHECK_INT(characters, 500);
    CHECK(strstr(text, "Warning – This") != NULL);
}

/* The body of a call, read as JSON; the caller deletes it. */
static cJSON *body(struct service_call *call, enum body_kind kind, const char **type)
{
    struct scripted_answer answer = {
        .status = 200, .body = kind, .text = "text", .retry_after_ms = 1500, .bytes = 100000};
    struct buffer out;
    buffer_init(&out, 1 << 22);
    *type = service_body(call, &answer, service_status(call), YEAR, &out);
    cJSON *json = cJSON_ParseWithLength(out.data, out.length);
    buffer_clear(&out);
    return json;
}

static void get(const char *path, const char *format, const char *year, struct service_call *call)
{
    service_read_path(path, false, call);
    service_read_format(format, call);
    service_read_year(year, call);
}

static void post(const char *data, const char *format, struct service_call *call)
{
    service_read_path("/api/vehicles/DecodeVINValuesBatch/", true, call);
    service_read_format(format, call);
    service_read_data(data, call);
}

static const char *text_of(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsString(item) ? item->valuestring : "(none)";
}

static const char *vin_of(const cJSON *answer, int index)
{
    return text_of(cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(answer, "Results"), index), "VIN");
}

static int results(const cJSON *answer)
{
    return cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(answer, "Results"));
}

static void the_envelope_is_nhtsas(void)
{
    struct service_call call;
    const char *type;
    get("/api/vehicles/DecodeVinValues/1hgcm82633a004352", "json", "2003", &call);
    cJSON *answer = body(&call, BODY_VEHICLE, &type);
    CHECK_TEXT(type, "application/json; charset=utf-8");
    CHECK_INT(cJSON_GetObjectItemCaseSensitive(answer, "Count")->valueint, 1);
    CHECK(strncmp(text_of(answer, "Message"), "Results returned successfully. NOTE: ", 37) == 0);
    CHECK_TEXT(text_of(answer, "SearchCriteria"), "VIN(s): 1hgcm82633a004352");
    CHECK_TEXT(vin_of(answer, 0), "1HGCM82633A004352");
    CHECK_INT(cJSON_GetArraySize(cJSON_GetArrayItem(cJSON_GetObjectItem(answer, "Results"), 0)), 154);
    cJSON_Delete(answer);
    get("/api/vehicles/decodevin/1HGCM82633A004352", "json", NULL, &call);
    answer = body(&call, BODY_VEHICLE, &type);
    CHECK_TEXT(text_of(answer, "SearchCriteria"), "VIN:1HGCM82633A004352");
    CHECK_INT(results(answer), 154);
    const cJSON *abs = cJSON_GetArrayItem(cJSON_GetObjectItem(answer, "Results"), 0);
    CHECK_TEXT(text_of(abs, "Variable"), "ABS");
    CHECK(cJSON_IsNull(cJSON_GetObjectItem(abs, "Value")));
    cJSON_Delete(answer);
    get("/api/vehicles/DecodeVinValues/1HGCM82633A004352", "json", "1975", &call);
    answer = body(&call, BODY_VEHICLE, &type);
    CHECK_TEXT(text_of(answer, "Message"), "ERROR: Invalid Year Submitted – Pre-1981 Year Decode Attempt");
    CHECK_INT(results(answer), 0);
    cJSON_Delete(answer);
}

static void routes_are_known_in_any_case(void)
{
    static const struct {
        const char *path;
        bool post;
        enum route route;
    } rows[] = {
        {"/api/vehicles/DecodeVinValues/X", false, ROUTE_FLAT},
        {"/API/VEHICLES/DECODEVINVALUES/X", false, ROUTE_FLAT},
        {"/api/vehicles/decodevinvaluesextended/X", false, ROUTE_FLAT},
        {"/api/vehicles/DecodeVinExtended/X", false, ROUTE_ROWS},
        {"/api/vehicles/decodevinvaluesbatch", true, ROUTE_BATCH},
        {"/api/vehicles/DecodeVINValuesBatch/", true, ROUTE_BATCH},
        {"/api/vehicles/DecodeVINValuesBatch/", false, ROUTE_UNKNOWN},
        {"/api/vehicles/DecodeVinValues/X", true, ROUTE_UNKNOWN},
        {"/api/vehicles/DecodeVinValues/", false, ROUTE_UNKNOWN},
        {"/api/vehicles/DecodeVinValues/X/Y", false, ROUTE_UNKNOWN},
        {"/api/vehicles/DecodeVinValue/X", false, ROUTE_UNKNOWN},
        {"/api/vehicles/", false, ROUTE_UNKNOWN},
        {"/vehicles/DecodeVinValues/X", false, ROUTE_UNKNOWN},
        {"", false, ROUTE_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct service_call call;
        service_read_path(rows[i].path, rows[i].post, &call);
        CHECK_INT(call.route, rows[i].route);
        CHECK_INT(service_status(&call), rows[i].route == ROUTE_UNKNOWN ? 404 : 200);
    }
    struct service_call call;
    const char *type;
    get("/api/vehicles/Nonsense\n\"/X", "json", NULL, &call);
    cJSON *answer = body(&call, BODY_VEHICLE, &type);
    CHECK(strncmp(text_of(answer, "message"), "No HTTP resource was found that matches the request URI", 55) == 0);
    CHECK(strstr(text_of(answer, "messageDetail"), "'Nonsense?\"'") != NULL);
    cJSON_Delete(answer);
}

static void a_batch_holds_fifty(void)
{
    struct service_call call;
    const char *type;
    post(" 1HGCM82633A004352 , 2003 ;; 5UXWX7C5*BA;JHMCR6F52EE084680,x;", "json", &call);
    CHECK_INT(call.ask_count, 3);
    CHECK_INT(call.asks[0].year, 2003);
    CHECK_INT(call.asks[1].year, 0);
    CHECK_INT(call.asks[2].year, 0);
    cJSON *answer = body(&call, BODY_VEHICLE, &type);
    CHECK_INT(results(answer), 3);
    CHECK_TEXT(text_of(answer, "SearchCriteria"), "");
    CHECK_TEXT(vin_of(answer, 0), "1HGCM82633A004352");
    CHECK_TEXT(vin_of(answer, 2), "JHMCR6F52EE084680");
    cJSON_Delete(answer);
    char data[51 * 19] = "";
    for (int i = 0; i < 50; i++) {
        snprintf(data + i * 18, sizeof data - (size_t)i * 18, "1HGCM82633A%06d;", i);
    }
    post(data, "json", &call);
    answer = body(&call, BODY_VEHICLE, &type);
    CHECK_INT(results(answer), 50);
    CHECK_TEXT(vin_of(answer, 49), "1HGCM82633A000049");
    cJSON_Delete(answer);
    strcat(data, "1HGCM82633A000050");
    post(data, "json", &call);
    CHECK_INT(service_status(&call), 400);
    answer = body(&call, BODY_VEHICLE, &type);
    CHECK_TEXT(text_of(answer, "message"), "The request is invalid.");
    cJSON_Delete(answer);
    post(NULL, "json", &call);
    answer = body(&call, BODY_VEHICLE, &type);
    CHECK_INT(results(answer), 0);
    cJSON_Delete(answer);
}

static void without_json_it_is_xml(void)
{
    struct service_call call;
    struct scripted_answer answer = {.status = 200, .body = BODY_VEHICLE};
    static const char *const formats[] = {NULL, "xml", "csv", ""};
    for (size_t i = 0; i < 4; i++) {
        post("2HTEW3VJ9J6000386;2P9PFCL74A3015365", formats[i], &call);
        struct buffer out;
        buffer_init(&out, 1 << 20);
        CHECK_TEXT(service_body(&call, &answer, 200, YEAR, &out), "application/xml; charset=utf-8");
        CHECK(strncmp(out.data, "<Response xmlns", 15) == 0);
        CHECK(strstr(out.data, "<Count>2</Count>") != NULL);
        CHECK(strstr(out.data, "<VIN>2HTEW3VJ9J6000386</VIN>") != NULL);
        CHECK(strstr(out.data, "<Make>MAGNUM TRAILER &amp; EQUIPMENT INC.</Make>") != NULL);
        CHECK(strstr(out.data, "<ABS />") != NULL);
        buffer_clear(&out);
    }
}

/* The VINs of a batch of three as each kind of body gives them back. */
static void rows_can_be_spoiled(void)
{
    static const struct {
        enum body_kind kind;
        int count;
        const char *vins[4];
    } rows[] = {
        {BODY_VEHICLE, 3, {"1B3PJJ26753834583", "1C4KMJ5UX4E218177", "1C9FA3822R1257465"}},
        {BODY_OTHER_VEHICLE, 3, {"1B3PJJ26753834583", "1HGCM82633A004352", "1C9FA3822R1257465"}},
        {BODY_MISSING_ROW, 2, {"1B3PJJ26753834583", "1C9FA3822R1257465"}},
        {BODY_DOUBLED_ROW, 4, {"1B3PJJ26753834583", "1B3PJJ26753834583", "1C4KMJ5UX4E218177", "1C9FA3822R1257465"}},
        {BODY_EXTRA_ROW, 4, {"1B3PJJ26753834583", "1C4KMJ5UX4E218177", "1C9FA3822R1257465", "1HGCM82633A004352"}},
        {BODY_REVERSED, 3, {"1C9FA3822R1257465", "1C4KMJ5UX4E218177", "1B3PJJ26753834583"}},
        {BODY_NO_RESULTS, 0, {NULL}},
    };
    struct service_call call;
    const char *type;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        post("1B3PJJ26753834583;1C4KMJ5UX4E218177;1C9FA3822R1257465", "json", &call);
        cJSON *answer = body(&call, rows[i].kind, &type);
        CHECK_INT(results(answer), rows[i].count);
        for (int j = 0; j < rows[i].count; j++) {
            CHECK_TEXT(vin_of(answer, j), rows[i].vins[j]);
        }
        cJSON_Delete(answer);
    }
    get("/api/vehicles/DecodeVinValues/1HGCM82633A004352", "json", NULL, &call);
    cJSON *answer = body(&call, BODY_OTHER_VEHICLE, &type);
    CHECK(strcmp(vin_of(answer, 0), "1HGCM82633A004352") != 0 && results(answer) == 1);
    cJSON_Delete(answer);
    answer = body(&call, BODY_MISSING_ROW, &type);
    CHECK_INT(results(answer), 0);
    cJSON_Delete(answer);
}

static void other_bodies_are_what_they_say(void)
{
    struct service_call call;
    get("/api/vehicles/DecodeVinValues/1HGCM82633A004352", "json", NULL, &call);
    static const struct {
        enum body_kind kind;
        int status;
        const char *type, *begins;
    } rows[] = {
        {BODY_XML, 200, "application/xml; charset=utf-8", "<Response xmlns"},
        {BODY_TRUNCATED, 200, "application/json; charset=utf-8", "{\"Count\":1,\"Message\""},
        {BODY_HTML, 503, "text/html; charset=utf-8", "<!DOCTYPE html>\n<html><head><title>Scheduled maintenance"},
        {BODY_HTML, 403, "text/html; charset=utf-8", "<!DOCTYPE html>\n<html><head><title>Access Denied"},
        {BODY_EMPTY, 200, "application/json; charset=utf-8", ""},
        {BODY_RETRY_AFTER_MS, 429, "application/json; charset=utf-8", "{\"retryAfterMs\":1500}"},
        {BODY_OVERSIZE, 200, "application/json; charset=utf-8", "{\"Count\":1,\"Message\":\"xxxx"},
        {BODY_TEXT, 502, "text/plain; charset=utf-8", "text"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scripted_answer answer = {
            .status = rows[i].status, .body = rows[i].kind, .text = "text", .retry_after_ms = 1500, .bytes = 100000};
        struct buffer out;
        buffer_init(&out, 1 << 22);
        CHECK_TEXT(service_body(&call, &answer, rows[i].status, YEAR, &out), rows[i].type);
        CHECK(strncmp(out.data, rows[i].begins, strlen(rows[i].begins)) == 0);
        cJSON *json = cJSON_ParseWithLength(out.data, out.length);
        CHECK((json != NULL) == (rows[i].kind == BODY_OVERSIZE || rows[i].kind == BODY_RETRY_AFTER_MS));
        CHECK(rows[i].kind != BODY_OVERSIZE || out.length == 100000);
        CHECK(rows[i].kind != BODY_EMPTY || out.length == 0);
        cJSON_Delete(json);
        buffer_clear(&out);
    }
}

static const struct unit_test tests[] = {
    {"the fields are NHTSA's in its order", the_fields_are_nhtsas_in_its_order},
    {"samples are of many kinds", samples_are_of_many_kinds},
    {"a sample has the facts of its VIN", a_sample_has_the_facts_of_its_vin},
    {"samples say what NHTSA said", samples_say_what_nhtsa_said},
    {"any other VIN gets what its characters say", any_other_vin_gets_what_its_characters_say},
    {"texts are cut at five hundred characters", texts_are_cut_at_five_hundred_characters},
    {"the envelope is NHTSA's", the_envelope_is_nhtsas},
    {"routes are known in any case", routes_are_known_in_any_case},
    {"a batch holds fifty", a_batch_holds_fifty},
    {"without json it is XML", without_json_it_is_xml},
    {"rows can be spoiled", rows_can_be_spoiled},
    {"other bodies are what they say", other_bodies_are_what_they_say},
};

UNIT_MAIN("demo rows", tests)
