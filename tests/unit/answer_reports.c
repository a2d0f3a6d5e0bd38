#include "unit/unit.h"

#include "core/vpic/answer.h"
#include "core/vpic/catalogue.h"

/* Reports about other programs that read vPIC's answers, by their numbers: what the answer is must not get lost here.
 * B01, B12, B15, B16 and B18 stand in notes.c, B39 in vpic_request.c. */

static struct answer read_text(const char *body)
{
    struct answer answer;
    answer_read(body, strlen(body), &answer);
    return answer;
}

static struct vehicle *read_row(const char *members)
{
    char body[2048];
    snprintf(body, sizeof body, "{\"Count\":1,\"Message\":\"ok\",\"SearchCriteria\":\"\",\"Results\":[{%s}]}", members);
    struct answer answer = read_text(body);
    CHECK_INT(answer.count, 1);
    struct vehicle *vehicle = answer.count == 1 ? answer_take(&answer, 0) : NULL;
    answer_clear(&answer);
    return vehicle;
}

static void check_kind(const char *body, const char *wanted)
{
    struct answer answer = read_text(body);
    CHECK_TEXT(answer_kind_name(answer.kind), wanted);
    CHECK_INT(answer.count, 0);
    answer_clear(&answer);
}

/* B04: a code other than "0" must not hide the data. */
static void b04_data_beside_a_code(void)
{
    struct vehicle *vehicle = read_row("\"VIN\":\"1FTFW1ET5DFC10312\",\"Make\":\"FORD\",\"ErrorCode\":\"1\"");
    CHECK_TEXT(vehicle_value(vehicle, "Make"), "FORD");
    CHECK(vehicle_has_code(vehicle, 1) && !vehicle_has_code(vehicle, 0));
    vehicle_free(vehicle);
}

/* B06, B07: codes are a set; "0" among others is still clean. */
static void b06_b07_codes_are_a_set(void)
{
    static const struct {
        const char *codes;
        bool clean, check_digit, partial, off_road;
    } cases[] = {
        {"14", false, false, true, false},
        {"1,14", false, true, true, false},
        {"0,14", true, false, true, false},
        {"0,10", true, false, false, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char members[128];
        snprintf(members, sizeof members, "\"Make\":\"FORD\",\"ErrorCode\":\"%s\"", cases[i].codes);
        struct vehicle *vehicle = read_row(members);
        CHECK_INT(vehicle_has_code(vehicle, 0), cases[i].clean);
        CHECK_INT(vehicle_has_code(vehicle, 1), cases[i].check_digit);
        CHECK_INT(vehicle_has_code(vehicle, 14), cases[i].partial);
        CHECK_INT(vehicle_has_code(vehicle, 10), cases[i].off_road);
        CHECK_TEXT(vehicle_value(vehicle, "Make"), "FORD");
        vehicle_free(vehicle);
    }
}

/* B10: whatever the check digit says, the answer's own codes are what is read. */
static void b10_a_matching_digit_proves_nothing(void)
{
    struct vehicle *vehicle = read_row("\"VIN\":\"NMTDM26R30R030595\",\"ErrorCode\":\"11\",\"ModelYear\":\"\"");
    CHECK(!vehicle_has_code(vehicle, 0) && vehicle_has_code(vehicle, 11));
    CHECK_TEXT(vehicle_value(vehicle, "ModelYear"), "");
    vehicle_free(vehicle);
}

/* B21: XML although JSON was asked for. */
static void b21_xml(void)
{
    check_kind("<Response xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\"><Count>1</Count><Results><DecodedVINValues/>"
               "</Results></Response>",
               "xml");
}

/* B27: a 200 with empty Results is no answer. */
static void b27_empty_results(void)
{
    struct answer answer =
        read_text("{\"Count\":0,\"Message\":\"No data found\",\"SearchCriteria\":\"\",\"Results\":[]}");
    CHECK_TEXT(answer_kind_name(answer.kind), "no_results");
    CHECK_TEXT(answer.message, "No data found");
    CHECK_INT(answer.count, 0);
    answer_clear(&answer);
}

/* B28: what NHTSA says about a year before 1981 comes through, dash and all. */
static void b28_message_inside_a_200(void)
{
    static const char message[] = "ERROR: Invalid Year Submitted \xE2\x80\x93 Pre-1981 Year Decode Attempt";
    char body[256];
    snprintf(body, sizeof body, "{\"Count\":0,\"Message\":\"%s\",\"Results\":[]}", message);
    struct answer answer = read_text(body);
    CHECK_TEXT(answer_kind_name(answer.kind), "no_results");
    CHECK_TEXT(answer.message, message);
    answer_clear(&answer);
}

/* B30: the row says which VIN it is for, so that an answer for another one can be rejected. */
static void b30_answer_for_another_vin(void)
{
    struct answer answer = read_text("{\"SearchCriteria\":\"VIN(s): 1HGCM82633A004352\",\"Results\":[{\"VIN\":"
                                     "\"1ftfw1et5dfc10312\",\"Make\":\"FORD\"}]}");
    CHECK_TEXT(vehicle_vin(answer.vehicles[0]), "1FTFW1ET5DFC10312");
    answer_clear(&answer);
}

/* B31: values are text, also where a number is expected. */
static void b31_markup_in_the_year(void)
{
    struct vehicle *vehicle = read_row("\"VIN\":\"WBAUD910X0P379389\",\"ModelYear\":\"2016<br>\"");
    CHECK_TEXT(vehicle_value(vehicle, "ModelYear"), "2016<br>");
    CHECK_INT(vehicle_field_at(vehicle, 1).state, FIELD_VALUE);
    vehicle_free(vehicle);
}

/* B33: a trailing blank is kept for who copies the data; the state looks at what is between the blanks. */
static void b33_trailing_blank(void)
{
    struct vehicle *vehicle = read_row("\"VehicleType\":\"TRUCK \",\"BusType\":\"Not Applicable \",\"Trim\":\" \"");
    CHECK_TEXT(vehicle_value(vehicle, "VehicleType"), "TRUCK ");
    CHECK_INT(vehicle_field_at(vehicle, 0).state, FIELD_VALUE);
    CHECK_INT(vehicle_field_at(vehicle, 1).state, FIELD_NOT_APPLICABLE);
    CHECK_INT(vehicle_field_at(vehicle, 2).state, FIELD_NO_DATA);
    vehicle_free(vehicle);
}

/* B34: letters beyond ASCII come through whatever the locale is; this program runs in the C locale. */
static void b34_utf8_in_the_c_locale(void)
{
    struct vehicle *vehicle = read_row("\"PlantCity\":\"OSNABR\\u00dcCK\",\"VIN\":\"wdbtk65gx5t043961\"");
    CHECK_TEXT(vehicle_value(vehicle, "PlantCity"), "OSNABR\xC3\x9C"
                                                    "CK");
    CHECK_TEXT(vehicle_vin(vehicle), "WDBTK65GX5T043961");
    vehicle_free(vehicle);
}

/* B36: cut anywhere, an answer is recognised as cut. */
static void b36_cut_anywhere(void)
{
    static const char body[] =
        "{\"Count\":1,\"Message\":\"a \\\"b\\\\\",\"SearchCriteria\":null,\"Results\":[{\"Make\":"
        "\"}]\",\"Doors\":4,\"ABS\":true,\"x\":{\"y\":[1,[]]}}]}";
    for (size_t length = 1; length < sizeof body - 1; length++) {
        struct answer answer;
        answer_read(body, length, &answer);
        if (answer.kind != ANSWER_TRUNCATED) {
            printf("\nafter %zu bytes: %.*s ", length, (int)length, body);
        }
        CHECK_TEXT(answer_kind_name(answer.kind), "truncated");
        CHECK_INT(answer.count, 0);
        answer_clear(&answer);
    }
    struct answer answer = read_text(body);
    CHECK_TEXT(answer_kind_name(answer.kind), "vehicles");
    answer_clear(&answer);
}

/* B37, B25: a page for people instead of JSON. */
static void b37_html(void)
{
    check_kind(
        "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\"><HTML><HEAD><TITLE>Service Unavailable</TITLE></HEAD>",
        "html");
    check_kind("\r\n\r\n<html lang=\"en\"><body>Scheduled maintenance</body></html>", "html");
}

/* B60: a label that fits no key shows no value. Each headline field is a key that an answer can hold. */
static void b60_labels_reach_their_values(void)
{
    struct vehicle *vehicle = read_row("\"Doors\":\"4\"");
    size_t headlines = 0;
    for (size_t i = 0; i < catalogue_count(); i++) {
        const struct catalogue_field *field = catalogue_at(i);
        headlines += field->headline > 0;
        CHECK_TEXT(vehicle_value(vehicle, field->name), strcmp(field->label, "Doors") == 0 ? "4" : "");
    }
    CHECK(headlines > 0);
    vehicle_free(vehicle);
}

/* B78: a trailer is mostly "Not Applicable": counted, apart from what NHTSA has no data for. */
static void b78_trailer(void)
{
    struct vehicle *vehicle =
        read_row("\"Make\":\"X\",\"BusType\":\"Not Applicable\",\"BusLength\":\"Not Applicable\",\"Trim\":\"\"");
    CHECK_INT(vehicle_count(vehicle, FIELD_NOT_APPLICABLE), 2);
    CHECK_INT(vehicle_count(vehicle, FIELD_NO_DATA), 1);
    CHECK_INT(vehicle_count(vehicle, FIELD_VALUE), 1);
    vehicle_free(vehicle);
}

static const struct unit_test tests[] = {
    {"B04 data beside a code", b04_data_beside_a_code},
    {"B06 B07 codes are a set", b06_b07_codes_are_a_set},
    {"B10 a matching digit proves nothing", b10_a_matching_digit_proves_nothing},
    {"B21 XML", b21_xml},
    {"B27 empty Results", b27_empty_results},
    {"B28 message inside a 200", b28_message_inside_a_200},
    {"B30 answer for another VIN", b30_answer_for_another_vin},
    {"B31 markup in the year", b31_markup_in_the_year},
    {"B33 trailing blank", b33_trailing_blank},
    {"B34 UTF-8 in the C locale", b34_utf8_in_the_c_locale},
    {"B36 cut anywhere", b36_cut_anywhere},
    {"B37 B25 HTML", b37_html},
    {"B60 labels reach their values", b60_labels_reach_their_values},
    {"B78 trailer", b78_trailer},
};

UNIT_MAIN("answer reports", tests)
