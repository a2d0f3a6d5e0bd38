#include "unit/unit.h"

#include "core/base/buffer.h"
#include "core/vpic/answer.h"

#define ROWS(rows)                                                                                                     \
    "{\"Count\":1,\"Message\":\"ok\",\"SearchCriteria\":\"VIN(s): 1HGCM82633A004352\",\"Results\":[" rows "]}"

static struct answer read_text(const char *body)
{
    struct answer answer;
    answer_read(body, strlen(body), &answer);
    return answer;
}

/* The first vehicle of a body; the caller frees it. */
static struct vehicle *read_vehicle(const char *body)
{
    struct answer answer = read_text(body);
    CHECK_TEXT(answer_kind_name(answer.kind), "vehicles");
    struct vehicle *vehicle = answer.count > 0 ? answer_take(&answer, 0) : NULL;
    answer_clear(&answer);
    return vehicle;
}

static void check_kind(const char *body, const char *wanted)
{
    struct answer answer = read_text(body);
    if (strcmp(answer_kind_name(answer.kind), wanted) != 0) {
        printf("\n%s: ", body);
    }
    CHECK_TEXT(answer_kind_name(answer.kind), wanted);
    CHECK_INT(answer.count > 0 && answer.vehicles[0] != NULL, strcmp(wanted, "vehicles") == 0);
    answer_clear(&answer);
}

static void kinds(void)
{
    static const char *const cases[][2] = {
        {"", "empty_body"},
        {" \r\n\t", "empty_body"},
        {"\xEF\xBB\xBF", "empty_body"},
        {"<!DOCTYPE html><html><body>Access Denied</body></html>", "html"},
        {"\xEF\xBB\xBF\n<HTML>", "html"},
        {"<?xml version=\"1.0\"?><!DOCTYPE html PUBLIC \"\"><html xmlns=\"\">", "html"},
        {"<!-- proxy --><head><title>503</title></head>", "html"},
        {"<h1>Server is too busy</h1>", "html"},
        {"<?xml version=\"1.0\" encoding=\"utf-8\"?><Response/>", "xml"},
        {"<Error><Message>no</Message></Error>", "xml"},
        {"Service Unavailable", "not_json"},
        {"{\"Results\":[{}]} trailing", "not_json"},
        {"{\"Results\":[{]}]}", "not_json"},
        {"{\"Results\":[{\"A\":nul}]}", "not_json"},
        {"{\"Results\":[{},{\"A\":nul}]}", "not_json"},
        {"{\"Results\":[{},]}", "not_json"},
        {"{\"Results\":[{}{}]}", "not_json"},
        {"{\"Results\":[{}}]}", "not_json"},
        {"{\"Results\":[\xEF\xBB\xBF{}]}", "not_json"},
        {"{\"Results\":[{}],}", "not_json"},
        {"{Count:1,\"Results\":[{}]}", "not_json"},
        {"{\"Count\":01x,\"Results\":[{}]}", "not_json"},
        {"{\"Results\":[{\"A\":\"x\\u12G4y\"}]}", "not_json"},
        {"{'Results':[{}]}", "not_json"},
        {"tru", "not_json"},
        {"{", "truncated"},
        {"[", "truncated"},
        {"{\"Results\":[{\"Make\":\"HON", "truncated"},
        {"{\"Results\":[{\"Make\":\"a\\\"", "truncated"},
        {"{\"Results\":[{\"Make\":\"]}\"", "truncated"},
        {"{\"Results\":[{}]", "truncated"},
        {"{\"Results\":[{},", "truncated"},
        {"{}", "no_results"},
        {"[]", "no_results"},
        {"null", "no_results"},
        {"\"text\"", "no_results"},
        {"{\"results\":[{}]}", "no_results"},
        {"{\"Results\":null}", "no_results"},
        {"{\"Results\":{}}", "no_results"},
        {"{\"Results\":[]}", "no_results"},
        {"{\"Results\":[null,1,\"x\",[]]}", "no_results"},
        {"{\"Results\":[{}]}", "vehicles"},
        {"\xEF\xBB\xBF {\"Results\":[{}]}\r\n", "vehicles"},
        {"{\"Results\":[{}],\"Results\":null}", "vehicles"},
        {"{\"Results\":null,\"Results\":[{}]}", "no_results"},
        {"{\"More\":{\"Results\":[]},\"Text\":\"\\\"Results\\\":[\",\"Results\" : [ {} , {} ] , \"Count\":2}",
         "vehicles"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_kind(cases[i][0], cases[i][1]);
    }
}

static void a_raw_nul_is_no_json(void)
{
    static const char body[] = "{\"Results\":[{\"Make\":\"HO\0NDA\"}]}";
    struct answer answer;
    answer_read(body, sizeof body - 1, &answer);
    CHECK_TEXT(answer_kind_name(answer.kind), "not_json");
    answer_clear(&answer);
}

static void check_field(const struct vehicle *vehicle, size_t index, const char *name, const char *value,
                        enum field_state state)
{
    if (index >= vehicle_field_count(vehicle)) {
        printf("\nno field %zu, %s ", index, name);
        CU_FAIL("field missing");
        return;
    }
    struct vehicle_field field = vehicle_field_at(vehicle, index);
    CHECK_TEXT(field.name, name);
    CHECK_TEXT(field.value, value);
    CHECK_INT(field.state, state);
    CHECK_TEXT(vehicle_value(vehicle, name), value);
}

static void three_states_in_the_order_of_the_answer(void)
{
    struct vehicle *vehicle = read_vehicle(ROWS("{\"Model\":\"Accord\",\"BusType\":\"Not Applicable\",\"Trim\":\"\","
                                                "\"Make\":\"HONDA\",\"Note\":\"  \",\"BedType\":\" Not Applicable \","
                                                "\"Series\":\"not applicable\",\"Axles\":null}"));
    CHECK_INT(vehicle_field_count(vehicle), 8);
    check_field(vehicle, 0, "Model", "Accord", FIELD_VALUE);
    check_field(vehicle, 1, "BusType", "Not Applicable", FIELD_NOT_APPLICABLE);
    check_field(vehicle, 2, "Trim", "", FIELD_NO_DATA);
    check_field(vehicle, 3, "Make", "HONDA", FIELD_VALUE);
    check_field(vehicle, 4, "Note", "  ", FIELD_NO_DATA);
    check_field(vehicle, 5, "BedType", " Not Applicable ", FIELD_NOT_APPLICABLE);
    check_field(vehicle, 6, "Series", "not applicable", FIELD_VALUE);
    check_field(vehicle, 7, "Axles", "", FIELD_NO_DATA);
    CHECK_INT(vehicle_count(vehicle, FIELD_VALUE), 3);
    CHECK_INT(vehicle_count(vehicle, FIELD_NO_DATA), 3);
    CHECK_INT(vehicle_count(vehicle, FIELD_NOT_APPLICABLE), 2);
    CHECK_TEXT(vehicle_value(vehicle, "make"), "");
    CHECK_TEXT(vehicle_value(vehicle, "Nothing"), "");
    vehicle_free(vehicle);
}

static void other_types_keep_their_text(void)
{
    struct vehicle *vehicle =
        read_vehicle("{\"x\":{\"y\":[1,{\"}\":\"]\"}]},\"Message\":\"\\\"\",\"Results\":[\n{\"Other\":-0.0},"
                     " {\"A\" : 2400.0 , \"B\":true,\"C\":{ \"n\": [1, \"]}\\\"\"] },\"D\":[],\"E\":1e999,"
                     "\"F\":12345678901234567890,\"G\":null,\"H\":\"text\",\"I\":false}\n]}");
    CHECK_INT(vehicle_field_count(vehicle), 1);
    check_field(vehicle, 0, "Other", "-0.0", FIELD_VALUE);
    vehicle_free(vehicle);
    struct answer answer =
        read_text(ROWS("{\"Other\":-0.0}, {\"A\" : 2400.0 , \"B\":true,\"C\":{ \"n\": [1, \"]}\\\"\"] }"
                       ",\"D\":[],\"E\":1e999,\"F\":12345678901234567890,\"G\":null,\"H\":\"text\\n\","
                       "\"I\":false}"));
    CHECK_INT(answer.count, 2);
    if (answer.count == 2) {
        check_field(answer.vehicles[1], 0, "A", "2400.0", FIELD_VALUE);
        check_field(answer.vehicles[1], 1, "B", "true", FIELD_VALUE);
        check_field(answer.vehicles[1], 2, "C", "{ \"n\": [1, \"]}\\\"\"] }", FIELD_VALUE);
        check_field(answer.vehicles[1], 3, "D", "[]", FIELD_VALUE);
        check_field(answer.vehicles[1], 4, "E", "1e999", FIELD_VALUE);
        check_field(answer.vehicles[1], 5, "F", "12345678901234567890", FIELD_VALUE);
        check_field(answer.vehicles[1], 6, "G", "", FIELD_NO_DATA);
        check_field(answer.vehicles[1], 7, "H", "text\n", FIELD_VALUE);
        check_field(answer.vehicles[1], 8, "I", "false", FIELD_VALUE);
    }
    answer_clear(&answer);
}

static void of_doubled_keys_the_first(void)
{
    struct vehicle *vehicle =
        read_vehicle(ROWS("{\"Make\":\"FIRST\",\"A\":\"1\",\"Make\":\"SECOND\",\"A\":\"\",\"\":\"x\","
                          "\"Make\":7,\"\":\"y\"}"));
    CHECK_INT(vehicle_field_count(vehicle), 3);
    check_field(vehicle, 0, "Make", "FIRST", FIELD_VALUE);
    check_field(vehicle, 1, "A", "1", FIELD_VALUE);
    check_field(vehicle, 2, "", "x", FIELD_VALUE);
    CHECK_INT(vehicle_count(vehicle, FIELD_VALUE), 3);
    vehicle_free(vehicle);
    vehicle = read_vehicle(ROWS("{\"A\":\"1\",\"A\":\"2\"}"));
    CHECK_INT(vehicle_field_count(vehicle), 1);
    check_field(vehicle, 0, "A", "1", FIELD_VALUE);
    vehicle_free(vehicle);
}

static void bytes_stay_as_they_came(void)
{
    struct vehicle *vehicle = read_vehicle(ROWS("{\"PlantCity\":\"OSNABR\xC3\x9C"
                                                "CK\",\"BodyClass\":\"Sedan\\/Saloon\",\"Note\":\"\xFF\xC0\x80\","
                                                "\"Trim\":\"\\u001b]52;c;\\u0007\",\"Wide\":\"\\ud83d\\ude97\"}"));
    check_field(vehicle, 0, "PlantCity",
                "OSNABR\xC3\x9C"
                "CK",
                FIELD_VALUE);
    check_field(vehicle, 1, "BodyClass", "Sedan/Saloon", FIELD_VALUE);
    check_field(vehicle, 2, "Note", "\xFF\xC0\x80", FIELD_VALUE);
    check_field(vehicle, 3, "Trim", "\x1b]52;c;\x07", FIELD_VALUE);
    check_field(vehicle, 4, "Wide", "\xF0\x9F\x9A\x97", FIELD_VALUE);
    vehicle_free(vehicle);
}

/* What cJSON would cut short or refuse shows as U+FFFD, and what follows it is kept. */
static void escapes_that_are_no_character(void)
{
#define LOST "\xEF\xBF\xBD"
    static const char *const cases[][2] = {
        {"a\\u0000b", "a" LOST "b"},
        {"\\u0000\\u0000", LOST LOST},
        {"\\ud83d", LOST},
        {"\\ud83dx", LOST "x"},
        {"\\ud83d\\u0041", LOST "A"},
        {"\\ude97\\ud83d\\ude97", LOST "\xF0\x9F\x9A\x97"},
        {"\\uD83D\\uD83D\\uDE97", LOST "\xF0\x9F\x9A\x97"},
        {"\\\\u0000", "\\u0000"},
        {"\\\\\\u0000", "\\" LOST},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char body[128];
        snprintf(body, sizeof body, "{\"Results\":[{\"Make\":\"%s\"}]}", cases[i][0]);
        struct vehicle *vehicle = read_vehicle(body);
        CHECK(vehicle != NULL);
        if (vehicle != NULL) {
            check_field(vehicle, 0, "Make", cases[i][1], FIELD_VALUE);
        }
        vehicle_free(vehicle);
    }
    struct vehicle *vehicle = read_vehicle(ROWS("{\"Make\\u0000x\":\"1\",\"Make\":\"2\",\"N\":[\"\\u0000\"]}"));
    check_field(vehicle, 0, "Make" LOST "x", "1", FIELD_VALUE);
    check_field(vehicle, 1, "Make", "2", FIELD_VALUE);
    check_field(vehicle, 2, "N", "[\"\\uFFFD\"]", FIELD_VALUE);
    vehicle_free(vehicle);
#undef LOST
}

static void ten_thousand_keys(void)
{
    enum { KEYS = 10000 };
    struct buffer body;
    buffer_init(&body, (size_t)1 << 20);
    buffer_puts(&body, "{\"Results\":[{");
    for (int i = KEYS; i > 0; i--) {
        buffer_printf(&body, "\"K%d\":\"%d\",", i, i);
    }
    buffer_puts(&body, "\"K1\":\"again\",\"Last\":\"1\"}]}");
    CHECK(!body.failed);
    struct vehicle *vehicle = read_vehicle(body.data);
    buffer_clear(&body);
    CHECK_INT(vehicle_field_count(vehicle), KEYS + 1);
    check_field(vehicle, 0, "K10000", "10000", FIELD_VALUE);
    check_field(vehicle, KEYS - 1, "K1", "1", FIELD_VALUE);
    check_field(vehicle, KEYS, "Last", "1", FIELD_VALUE);
    CHECK_TEXT(vehicle_value(vehicle, "K777"), "777");
    vehicle_free(vehicle);
}

static void a_megabyte_of_value(void)
{
    enum { LONG = 1000000 };
    struct buffer body;
    buffer_init(&body, LONG + 1024);
    buffer_puts(&body, "{\"Results\":[{\"Note\":\"");
    for (int i = 0; i < LONG; i++) {
        buffer_putc(&body, (char)('a' + i % 26));
    }
    buffer_puts(&body, "\",\"VIN\":\"x\"}]}");
    CHECK(!body.failed);
    struct vehicle *vehicle = read_vehicle(body.data);
    buffer_clear(&body);
    CHECK_INT(strlen(vehicle_value(vehicle, "Note")), LONG);
    CHECK_TEXT(vehicle_vin(vehicle), "X");
    vehicle_free(vehicle);
}

/* cJSON refuses what is nested deeper than 1,000; less comes through. */
static void deep_nesting(void)
{
    for (int depth = 100; depth <= 100000; depth *= 1000) {
        struct buffer body;
        buffer_init(&body, (size_t)1 << 20);
        buffer_puts(&body, "{\"Results\":[{\"A\":");
        for (int i = 0; i < depth; i++) {
            buffer_putc(&body, '[');
        }
        for (int i = 0; i < depth; i++) {
            buffer_putc(&body, ']');
        }
        buffer_puts(&body, "}]}");
        struct answer answer = read_text(body.data);
        CHECK_TEXT(answer_kind_name(answer.kind), depth < 1000 ? "vehicles" : "not_json");
        if (answer.count == 1) {
            CHECK_INT(strlen(vehicle_value(answer.vehicles[0], "A")), 2 * depth);
        }
        answer_clear(&answer);
        buffer_clear(&body);
    }
}

static void rows_of_a_group(void)
{
    struct answer answer =
        read_text("{\"Count\":150,\"SearchCriteria\":\"\",\"Results\":[{\"VIN\":\"5uxwx7c5*ba \"},null,"
                  "{\"Make\":\"TESLA\"},7,{}]}");
    CHECK_TEXT(answer_kind_name(answer.kind), "vehicles");
    CHECK_INT(answer.count, 5);
    CHECK_TEXT(vehicle_vin(answer.vehicles[0]), "5UXWX7C5*BA");
    CHECK(answer.vehicles[1] == NULL);
    CHECK_TEXT(vehicle_vin(answer.vehicles[2]), "");
    CHECK(answer.vehicles[3] == NULL);
    CHECK_INT(vehicle_field_count(answer.vehicles[4]), 0);
    CHECK(vehicle_is_sparse(answer.vehicles[4]));
    struct vehicle *taken = answer_take(&answer, 2);
    CHECK(answer.vehicles[2] == NULL);
    answer_clear(&answer);
    CHECK_TEXT(vehicle_value(taken, "Make"), "TESLA");
    vehicle_free(taken);
}

static void rows_without_end(void)
{
    struct buffer body;
    buffer_init(&body, (size_t)1 << 20);
    buffer_puts(&body, "{\"Results\":[{\"A\":1}");
    for (int i = 0; i < 2 * ANSWER_ROWS_MAX; i++) {
        buffer_puts(&body, ",{\"A\":2}");
    }
    buffer_puts(&body, "]}");
    struct answer answer = read_text(body.data);
    CHECK_INT(answer.count, ANSWER_ROWS_MAX);
    CHECK_TEXT(vehicle_value(answer.vehicles[ANSWER_ROWS_MAX - 1], "A"), "2");
    answer_clear(&answer);
    buffer_clear(&body);
}

static void the_vin_that_is_echoed(void)
{
    static const struct {
        const char *body, *vin;
    } cases[] = {
        {"{\"SearchCriteria\":\"VIN(s): AAA\",\"Results\":[{\"VIN\":\"bbb\"}]}", "BBB"},
        {"{\"SearchCriteria\":\"VIN(s): aaa\",\"Results\":[{\"VIN\":\"\"}]}", "AAA"},
        {"{\"SearchCriteria\":\"VIN:AAA \",\"Results\":[{}]}", "AAA"},
        {"{\"SearchCriteria\":\"VIN(s): AAA;BBB\",\"Results\":[{},{}]}", ""},
        {"{\"SearchCriteria\":null,\"Results\":[{}]}", ""},
        {"{\"SearchCriteria\":\"AAA\",\"Results\":[{}]}", ""},
        {"{\"Results\":[{\"Vin\":\"AAA\"}]}", ""},
        {"{\"Results\":[{\"VIN\":\" AAA\\t\",\"VIN\":\"BBB\"}]}", "AAA"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct vehicle *vehicle = read_vehicle(cases[i].body);
        CHECK_TEXT(vehicle_vin(vehicle), cases[i].vin);
        vehicle_free(vehicle);
    }
}

static void check_codes(const char *error_code, const char *wanted)
{
    char body[512], found[256] = "";
    snprintf(body, sizeof body, "{\"Results\":[{\"ErrorCode\":%s}]}", error_code);
    struct vehicle *vehicle = read_vehicle(body);
    CHECK(vehicle != NULL);
    for (size_t i = 0; vehicle != NULL && i < vehicle_code_count(vehicle); i++) {
        size_t used = strlen(found);
        snprintf(found + used, sizeof found - used, "%s%d", used > 0 ? " " : "", vehicle_code_at(vehicle, i));
        CHECK(vehicle_has_code(vehicle, vehicle_code_at(vehicle, i)));
    }
    CHECK_TEXT(found, wanted);
    vehicle_free(vehicle);
}

static void error_codes(void)
{
    check_codes("\"0\"", "0");
    check_codes("\"1,14\"", "1 14");
    check_codes("\"14, 400 ,1,14\"", "1 14 400");
    check_codes("0", "0");
    check_codes("14", "14");
    check_codes("\"\"", "");
    check_codes("null", "");
    check_codes("\"6 - Incomplete VIN; 7 - Manufacturer is not registered; Please contact it\"", "6 7");
    check_codes("\"11- Incorrect Model Year, decoded data may not be accurate!\"", "11");
    check_codes("\"11 - Position 10 does not match (I, O, Q, U, Z, 0). 14 of them; 400 - Invalid\"", "11 400");
    check_codes("\"VIN decoded clean\"", "");
    check_codes("\"-5,99999999999,5x,007\"", "7");
    check_codes("\",;, ;5\"", "5");
    check_codes("\"1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34\"",
                "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32");
}

static void a_copy_outlives_the_first(void)
{
    struct vehicle *vehicle =
        read_vehicle(ROWS("{\"VIN\":\"1HGCM82633A004352\",\"Make\":\"HONDA\",\"ErrorCode\":\"1,14\"}"));
    struct vehicle *copy = vehicle_copy(vehicle);
    CHECK_INT(vehicle_size(copy), vehicle_size(vehicle));
    vehicle_free(vehicle);
    CHECK_TEXT(vehicle_value(copy, "Make"), "HONDA");
    CHECK_TEXT(vehicle_vin(copy), "1HGCM82633A004352");
    CHECK(vehicle_has_code(copy, 14) && !vehicle_has_code(copy, 4));
    vehicle_free(copy);
}

static void sparse_vehicles(void)
{
#define ID                                                                                                             \
    "\"VIN\":\"A\",\"MakeID\":\"1\",\"ManufacturerId\":\"2\",\"ModelID\":\"3\",\"ErrorCode\":\"8\",\"ErrorText\":"     \
    "\"x\""
    static const struct {
        const char *row;
        bool sparse;
    } cases[] = {
        {"{" ID "}", true},
        {"{" ID ",\"Make\":\"DODGE\",\"A\":\"1\",\"B\":\"1\",\"C\":\"1\",\"D\":\"1\"}", true},
        {"{" ID ",\"Make\":\"DODGE\",\"A\":\"1\",\"B\":\"1\",\"C\":\"1\",\"D\":\"1\",\"E\":\"1\"}", false},
        {"{" ID ",\"Make\":\"\",\"Model\":\"28450\",\"B\":\"1\",\"C\":\"1\",\"D\":\"1\",\"E\":\"1\",\"F\":\"1\"}",
         false},
        {"{" ID ",\"Make\":\"\",\"Model\":\" \",\"B\":\"1\",\"C\":\"1\",\"D\":\"1\",\"E\":\"1\",\"F\":\"1\"}", true},
        {"{\"Make\":\"DODGE\",\"A\":\"Not Applicable\",\"B\":\"1\",\"C\":\"1\",\"D\":\"1\",\"E\":\"1\"}", true},
    };
#undef ID
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char body[512];
        snprintf(body, sizeof body, "{\"Results\":[%s]}", cases[i].row);
        struct vehicle *vehicle = read_vehicle(body);
        CHECK_INT(vehicle_is_sparse(vehicle), cases[i].sparse);
        vehicle_free(vehicle);
    }
}

static void the_message_is_kept_and_cut(void)
{
    struct answer answer = read_text("{\"Count\":0,\"Message\":\"No results\",\"Results\":[]}");
    CHECK_TEXT(answer.message, "No results");
    answer_clear(&answer);
    answer = read_text("{\"Message\":7}");
    CHECK_TEXT(answer.message, "");
    answer_clear(&answer);
    struct buffer body;
    buffer_init(&body, 4096);
    buffer_puts(&body, "{\"Message\":\"");
    for (int i = 0; i < ANSWER_MESSAGE_MAX / 2; i++) {
        buffer_puts(&body, "\xC3\x9C");
    }
    buffer_puts(&body, "\"}");
    answer = read_text(body.data);
    CHECK_INT(strlen(answer.message), ANSWER_MESSAGE_MAX - 2); /* between two characters, not in one */
    answer_clear(&answer);
    buffer_clear(&body);
}

static const struct unit_test tests[] = {
    {"kinds", kinds},
    {"a raw NUL is no JSON", a_raw_nul_is_no_json},
    {"three states in the order of the answer", three_states_in_the_order_of_the_answer},
    {"other types keep their text", other_types_keep_their_text},
    {"of doubled keys the first", of_doubled_keys_the_first},
    {"bytes stay as they came", bytes_stay_as_they_came},
    {"escapes that are no character", escapes_that_are_no_character},
    {"ten thousand keys", ten_thousand_keys},
    {"a megabyte of value", a_megabyte_of_value},
    {"deep nesting", deep_nesting},
    {"rows of a group", rows_of_a_group},
    {"rows without end", rows_without_end},
    {"the VIN that is echoed", the_vin_that_is_echoed},
    {"error codes", error_codes},
    {"a copy outlives the first", a_copy_outlives_the_first},
    {"sparse vehicles", sparse_vehicles},
    {"the message is kept and cut", the_message_is_kept_and_cut},
};

UNIT_MAIN("answer", tests)
