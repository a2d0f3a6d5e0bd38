#include "unit/unit.h"

#include "core/base/buffer.h"
#include "core/vpic/answer.h"
#include "core/vpic/notes.h"

/* A vehicle whose row is these members; the caller frees it. */
static struct vehicle *vehicle_of(const char *members)
{
    struct buffer body;
    buffer_init(&body, 1 << 16);
    buffer_printf(&body, "{\"Results\":[{%s}]}", members);
    struct answer answer;
    answer_read(body.data, body.length, &answer);
    CHECK_INT(answer.count, 1);
    struct vehicle *vehicle = answer.count == 1 ? answer_take(&answer, 0) : NULL;
    answer_clear(&answer);
    buffer_clear(&body);
    return vehicle;
}

static bool holds(const char *text, const char *part)
{
    bool found = strstr(text, part) != NULL;
    if (!found) {
        printf("\n\"%s\" does not hold \"%s\" ", text, part);
    }
    return found;
}

/* The positions that are marked, "8 11". */
static const char *marked(const struct vehicle *vehicle)
{
    static char text[64];
    bool marks[VIN_LENGTH];
    notes_positions(vehicle, marks);
    text[0] = '\0';
    for (size_t i = 0; i < VIN_LENGTH; i++) {
        if (marks[i]) {
            size_t used = strlen(text);
            snprintf(text + used, sizeof text - used, "%s%zu", used > 0 ? " " : "", i + 1);
        }
    }
    return text;
}

static void severities_of_a_set(void)
{
    static const struct {
        const char *members;
        size_t count;
        enum severity worst;
    } cases[] = {
        {"\"ErrorCode\":\"0\"", 1, SEVERITY_OK},
        {"\"ErrorCode\":\"0,14\"", 2, SEVERITY_INFO},
        {"\"ErrorCode\":\"1,14\"", 2, SEVERITY_WARNING},
        {"\"ErrorCode\":\"14\"", 1, SEVERITY_INFO},
        {"\"ErrorCode\":\"8\"", 1, SEVERITY_INFO},
        {"\"ErrorCode\":\"1,7,400\"", 3, SEVERITY_PROBLEM},
        {"\"ErrorCode\":\"6\",\"VIN\":\"5UXWX7C5*BA\"", 1, SEVERITY_INFO},
        {"\"ErrorCode\":\"6\",\"VIN\":\"5UXWX7C5\"", 1, SEVERITY_WARNING},
        {"\"ErrorCode\":\"99\"", 1, SEVERITY_WARNING},
        {"\"ErrorCode\":\"\"", 0, SEVERITY_OK},
        {"\"Make\":\"FORD\"", 0, SEVERITY_OK},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct vehicle *vehicle = vehicle_of(cases[i].members);
        struct note notes[NOTES_MAX];
        CHECK_INT(notes_read(vehicle, notes), cases[i].count);
        CHECK_INT(notes_severity(vehicle), cases[i].worst);
        vehicle_free(vehicle);
    }
}

static void more_codes_than_notes(void)
{
    struct vehicle *vehicle = vehicle_of(
        "\"ErrorCode\":\"50,51,52,53,54,55,56,57,58,59,60,61,62,63,64,65,66,67,68,69,70,71,72,73,74,75,76\"");
    struct note notes[NOTES_MAX];
    CHECK_INT(notes_read(vehicle, notes), NOTES_MAX);
    CHECK_INT(notes[NOTES_MAX - 1].code, 73);
    vehicle_free(vehicle);
}

/* A semicolon in NHTSA's text ends no piece; the next code of the set does. */
static void an_unknown_code_shows_the_text_of_nhtsa(void)
{
    struct vehicle *vehicle =
        vehicle_of("\"ErrorCode\":\"7,77,400\",\"ErrorText\":\"7 - Not registered; Please ask; "
                   "77 - New rule, 12 - of it; see page 400 - or ask; 400 - Invalid Characters\"");
    struct note notes[NOTES_MAX];
    CHECK_INT(notes_read(vehicle, notes), 3);
    CHECK_INT(notes[1].code, 77);
    CHECK_TEXT(notes[1].text, "77 - New rule, 12 - of it; see page 400 - or ask");
    CHECK(strstr(notes[0].text, "New rule") == NULL && notes[0].severity == SEVERITY_PROBLEM);
    vehicle_free(vehicle);
    vehicle = vehicle_of("\"ErrorCode\":\"77\",\"ErrorText\":\"other words\"");
    CHECK_INT(notes_read(vehicle, notes), 1);
    CHECK(holds(notes[0].text, "77"));
    vehicle_free(vehicle);
    vehicle = vehicle_of("\"ErrorCode\":\"6 - Incomplete VIN; 77- Old form; with more\"");
    CHECK_INT(notes_read(vehicle, notes), 2);
    CHECK_TEXT(notes[1].text, "77- Old form; with more");
    vehicle_free(vehicle);
}

static void a_remark_without_a_code(void)
{
    struct vehicle *vehicle = vehicle_of("\"ErrorCode\":\"\",\"ErrorText\":\"Something else\"");
    struct note notes[NOTES_MAX];
    CHECK_INT(notes_read(vehicle, notes), 1);
    CHECK_INT(notes[0].code, NOTE_WITHOUT_CODE);
    CHECK_TEXT(notes[0].text, "Something else");
    CHECK_INT(notes_severity(vehicle), SEVERITY_WARNING);
    vehicle_free(vehicle);
}

static void a_long_text_is_cut_between_characters(void)
{
    struct buffer members;
    buffer_init(&members, 4096);
    buffer_puts(&members, "\"ErrorCode\":\"99\",\"ErrorText\":\"99 - ");
    for (int i = 0; i < NOTE_TEXT_MAX; i++) {
        buffer_puts(&members, "\xE2\x80\x93");
    }
    buffer_puts(&members, "\"");
    struct vehicle *vehicle = vehicle_of(members.data);
    struct note notes[NOTES_MAX];
    CHECK_INT(notes_read(vehicle, notes), 1);
    CHECK_INT(strlen(notes[0].text), 5 + (NOTE_TEXT_MAX - 1 - 5) / 3 * 3);
    vehicle_free(vehicle);
    buffer_clear(&members);
}

static void the_cut_at_500_characters(void)
{
    for (int length = 499; length <= 501; length++) {
        for (int field = 0; field < 2; field++) {
            struct buffer members;
            buffer_init(&members, 4096);
            buffer_printf(&members, "\"%s\":\"\xE2\x80\x93", field == 0 ? "ErrorText" : "AdditionalErrorText");
            for (int i = 1; i < length; i++) {
                buffer_putc(&members, 'x');
            }
            buffer_putc(&members, '"');
            struct vehicle *vehicle = vehicle_of(members.data);
            CHECK_INT(notes_cut(vehicle), length >= 500);
            vehicle_free(vehicle);
            buffer_clear(&members);
        }
    }
}

static void positions_that_an_answer_names(void)
{
    static const char *const cases[][2] = {
        {"\"ErrorCode\":\"0,14\",\"AdditionalErrorText\":\"Unused position(s): 4,5,8.\"", ""},
        {"\"AdditionalErrorText\":\"Invalid character(s): 9:!, 11:!.\"", "9 11"},
        {"\"AdditionalErrorText\":\"Unused position(s): 11; Invalid character(s): 9:!         , 11:!;\"", "9 11"},
        {"\"AdditionalErrorText\":\"Invalid character(s): 3:O;\"", "3"},
        {"\"AdditionalErrorText\":\"Invalid character(s): 1:,, 2:5, 3:\xC3\x9C, 4:.\"", "1 2 3 4"},
        {"\"AdditionalErrorText\":\"Invalid character(s): 0:A, 18:B, 99999999999999999999:C, 17:D.\"", "17"},
        {"\"AdditionalErrorText\":\"Invalid character(s): 5\"", ""},
        {"\"AdditionalErrorText\":\"Invalid character(s): 5:\"", "5"},
        {"\"AdditionalErrorText\":\"Invalid character(s):\"", ""},
        {"\"SuggestedVIN\":\"5YJSA3D!*EF!  \",\"VIN\":\"5YJSA3DS*EF\"", "8 12"},
        {"\"SuggestedVIN\":\"1fbne3bl1cdb23596\",\"VIN\":\"1FBNE3BE1CDB23596\"", "8"},
        {"\"SuggestedVIN\":\"123456789012345678!\",\"VIN\":\"1\"", ""},
        {"\"PossibleValues\":\"(8:12)(12:ABFPRS)(18:A)(0:B)(x)(3)\"", "8 12"},
        {"\"PossibleValues\":\"(4:BF\"", "4"},
        {"\"ErrorCode\":\"1,11\"", "9 10"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct vehicle *vehicle = vehicle_of(cases[i][0]);
        CHECK_TEXT(marked(vehicle), cases[i][1]);
        vehicle_free(vehicle);
    }
}

static void notes_name_positions(void)
{
    struct vehicle *vehicle = vehicle_of(
        "\"ErrorCode\":\"4,14,400\",\"AdditionalErrorText\":\"Unused position(s): 4,5,8. Invalid character(s): "
        "9:!, 11:!.\",\"SuggestedVIN\":\"1GNJKADZ1B!449709\",\"PossibleValues\":\"(11:01)\"");
    struct note notes[NOTES_MAX];
    CHECK_INT(notes_read(vehicle, notes), 3);
    CHECK(holds(notes[0].text, ". Position 11."));
    CHECK(holds(notes[1].text, ". Positions 4, 5, 8."));
    CHECK(holds(notes[2].text, ". Positions 9, 11."));
    vehicle_free(vehicle);
}

static void check_suggestions(const char *members, const char *vin, const char *wanted)
{
    struct vehicle *vehicle = vehicle_of(members);
    struct suggestion list[SUGGESTIONS_MAX];
    size_t count = notes_suggestions(vehicle, vin, list);
    struct buffer found;
    buffer_init(&found, 4096);
    for (size_t i = 0; i < count; i++) {
        const char *verdict = list[i].check_expected == 0 ? "?" : list[i].check_ok ? "+" : "-";
        buffer_printf(&found, "%s%s%s", i > 0 ? " " : "", list[i].vin, verdict);
    }
    CHECK_TEXT(found.data, wanted);
    buffer_clear(&found);
    vehicle_free(vehicle);
}

static void no_suggestion(void)
{
    check_suggestions("\"SuggestedVIN\":\"\"", "1HGCM82633A004352", "");
    check_suggestions("\"SuggestedVIN\":\"   \",\"PossibleValues\":\"(4:A)\"", "1HGCM82633A004352", "");
    check_suggestions("\"SuggestedVIN\":\" 1hgcm82633a004352 \"", "1HGCM82633A004352", "");
    check_suggestions("\"SuggestedVIN\":\"1HGCM82!33A004352\",\"PossibleValues\":\"(8:6)\"", "1HGCM82633A004352", "");
    check_suggestions("\"SuggestedVIN\":\"1HGCM82!33A004352\"", "1HGCM82633A004352", "");
    check_suggestions("\"SuggestedVIN\":\"1HGCM82!33A004352\",\"PossibleValues\":\"(8:)\"", "1HGCM82633A004352", "");
    check_suggestions("\"SuggestedVIN\":\"1HGCM82\\u001b33A004352\"", "1HGCM82633A004352", "");
    check_suggestions("\"SuggestedVIN\":\"1HGCM82633A0043529\"", "1HGCM82633A004352", "");
}

/* The candidates whose check digit is right come first. */
static void several_matches(void)
{
    check_suggestions("\"SuggestedVIN\":\"1HGCM82!33A004352\",\"PossibleValues\":\"(8:4569)\"", "1HGCM82X33A004352",
                      "1HGCM82633A004352+ 1HGCM82433A004352- 1HGCM82533A004352- 1HGCM82933A004352-");
    check_suggestions("\"SuggestedVIN\":\"1HGCM82!33A004352\",\"PossibleValues\":\"(8:66(6))\"", "1HGCM82X33A004352",
                      "1HGCM82633A004352+");
}

static void wildcards_cannot_be_judged(void)
{
    check_suggestions("\"SuggestedVIN\":\"5YJSA3D!*EF!  \",\"PossibleValues\":\"(8:12)(12:AB)\"", "5YJSA3DS*EF",
                      "5YJSA3D1*EFA? 5YJSA3D1*EFB? 5YJSA3D2*EFA? 5YJSA3D2*EFB?");
    check_suggestions("\"SuggestedVIN\":\"1HGCM826*3A004352\"", "1HGCM826*3A004353", "1HGCM826*3A004352?");
}

static void differences_are_marked(void)
{
    struct vehicle *vehicle = vehicle_of("\"SuggestedVIN\":\"5YJSA3D1*EFA\"");
    struct suggestion list[SUGGESTIONS_MAX];
    CHECK_INT(notes_suggestions(vehicle, "5YJSA3DS*EF", list), 1);
    for (size_t i = 0; i < VIN_LENGTH; i++) {
        CHECK_INT(list[0].differs[i], i == 7 || i == 11);
    }
    vehicle_free(vehicle);
}

/* Where not all fit, those with the right digit are offered; where these do not fit either, none. */
static void more_suggestions_than_room(void)
{
    check_suggestions(
        "\"SuggestedVIN\":\"1HGCM!!633A004352\",\"PossibleValues\":\"(6:0123456789)(7:0123456789)\"",
        "1HGCM82633A004352",
        "1HGCM03633A004352+ 1HGCM17633A004352+ 1HGCM20633A004352+ 1HGCM34633A004352+ 1HGCM48633A004352+ "
        "1HGCM51633A004352+ 1HGCM65633A004352+ 1HGCM79633A004352+ 1HGCM96633A004352+"); /* 3a + 2b = 6 (11) */
    check_suggestions("\"SuggestedVIN\":\"1HGC!!!633A004352\",\"PossibleValues\":\"(5:0123456789)(6:0123456789)"
                      "(7:0123456789)\"",
                      "1HGCM82633A004352", "");
    check_suggestions(
        "\"SuggestedVIN\":\"1!!!!!!!!!!!!!!!!\",\"PossibleValues\":\"(2:01)(3:01)(4:01)(5:01)(6:01)(7:01)(8:01)"
        "(9:01)(10:01)(11:01)(12:01)(13:01)(14:01)(15:01)(16:01)(17:01)\"",
        "1HGCM82633A004352", "");
    check_suggestions("\"SuggestedVIN\":\"1HG!!\",\"PossibleValues\":\"(4:0123456789)(5:0123456789)\"", "1HGCM", "");
}

static void a_suggestion_that_stays_open(void)
{
    char open[VIN_LENGTH + 1];
    struct vehicle *vehicle = vehicle_of("\"SuggestedVIN\":\" 1hgc!!!633A004352 \",\"PossibleValues\":\"(5:01)\"");
    CHECK(notes_open_suggestion(vehicle, open));
    CHECK_TEXT(open, "1HGC!!!633A004352");
    vehicle_free(vehicle);
    vehicle = vehicle_of("\"SuggestedVIN\":\"1HGCM82633A004352\"");
    CHECK(!notes_open_suggestion(vehicle, open));
    vehicle_free(vehicle);
    vehicle = vehicle_of("\"SuggestedVIN\":\"1HGCM82633A0043521!\"");
    CHECK(!notes_open_suggestion(vehicle, open));
    vehicle_free(vehicle);
}

/* B01: the suggestion of one position, with the caret under it. */
static void b01_suggestion_with_a_caret(void)
{
    struct vehicle *vehicle =
        vehicle_of("\"VIN\":\"1FBNE3BE1CDB23596\",\"Make\":\"FORD\",\"ErrorCode\":\"1,3,14\",\"SuggestedVIN\":"
                   "\"1FBNE3BL1CDB23596\",\"PossibleValues\":\"(8:L)\",\"ErrorText\":\"1 - x; 3 - y; 14 - z\"");
    struct note notes[NOTES_MAX];
    CHECK_INT(notes_read(vehicle, notes), 3);
    CHECK_INT(notes_severity(vehicle), SEVERITY_WARNING);
    CHECK(holds(notes[1].text, "Position 8."));
    CHECK_TEXT(marked(vehicle), "8 9");
    struct suggestion list[SUGGESTIONS_MAX];
    CHECK_INT(notes_suggestions(vehicle, vehicle_vin(vehicle), list), 1);
    CHECK_TEXT(list[0].vin, "1FBNE3BL1CDB23596");
    for (size_t i = 0; i < VIN_LENGTH; i++) {
        CHECK_INT(list[0].differs[i], i == 7);
    }
    CHECK_TEXT(vehicle_value(vehicle, "Make"), "FORD");
    vehicle_free(vehicle);
}

/* B12: a maker that does not sell in the US is not an invalid VIN. */
static void b12_not_in_the_us_database(void)
{
    struct vehicle *vehicle = vehicle_of("\"VIN\":\"LRWYGDFD3PC939701\",\"ErrorCode\":\"7,8\"");
    struct note notes[NOTES_MAX];
    CHECK_INT(notes_read(vehicle, notes), 2);
    CHECK(holds(notes[0].text, "US database"));
    for (size_t i = 0; i < 2; i++) {
        CHECK(strstr(notes[i].text, "invalid") == NULL);
    }
    vehicle_free(vehicle);
}

/* B15: code 1 is a warning that says both digits, and that it means little outside North America. */
static void b15_check_digit_warning(void)
{
    struct vehicle *vehicle = vehicle_of("\"VIN\":\"WBA3A5C51CF256987\",\"Make\":\"BMW\",\"ErrorCode\":\"1\"");
    struct note notes[NOTES_MAX];
    CHECK_INT(notes_read(vehicle, notes), 1);
    CHECK_INT(notes[0].severity, SEVERITY_WARNING);
    CHECK(holds(notes[0].text, "It is 1; the others call for 7."));
    CHECK(holds(notes[0].text, "not built for North America"));
    vehicle_free(vehicle);
    vehicle = vehicle_of("\"VIN\":\"1HGCM82643A004352\",\"ErrorCode\":\"1\"");
    notes_read(vehicle, notes);
    CHECK(holds(notes[0].text, "It is 4; the others call for 3."));
    CHECK(strstr(notes[0].text, "North America") == NULL);
    vehicle_free(vehicle);
}

/* B16: a suggestion of NHTSA can fail the check digit that the original passes. */
static void b16_suggestion_fails_the_check_digit(void)
{
    struct vehicle *vehicle =
        vehicle_of("\"VIN\":\"1THBA30G445037936\",\"ErrorCode\":\"2,14\",\"SuggestedVIN\":\"1THBA30G441037936\"");
    struct suggestion list[SUGGESTIONS_MAX];
    CHECK_INT(notes_suggestions(vehicle, "1THBA30G445037936", list), 1);
    CHECK_INT(list[0].check_expected, '5');
    CHECK(!list[0].check_ok);
    vehicle_free(vehicle);
}

/* B18: NHTSA makes an exception for the check digit and still says 0: its word, with its note. */
static void b18_check_digit_exception(void)
{
    struct vehicle *vehicle = vehicle_of(
        "\"VIN\":\"ZACCJABT0FPB71014\",\"ErrorCode\":\"0\",\"ErrorText\":\"0 - VIN decoded clean. Check Digit (9th "
        "position) is correct NOTE: Check Digit Exception - given by the OEM\"");
    struct note notes[NOTES_MAX];
    CHECK_INT(notes_read(vehicle, notes), 1);
    CHECK_INT(notes[0].severity, SEVERITY_OK);
    CHECK(holds(notes[0].text, "exception"));
    CHECK_TEXT(marked(vehicle), "");
    vehicle_free(vehicle);
    vehicle = vehicle_of("\"ErrorCode\":\"0\",\"ErrorText\":\"0 - VIN decoded clean. Check Digit is correct\"");
    notes_read(vehicle, notes);
    CHECK(strstr(notes[0].text, "exception") == NULL);
    vehicle_free(vehicle);
}

static const struct unit_test tests[] = {
    {"severities of a set", severities_of_a_set},
    {"more codes than notes", more_codes_than_notes},
    {"an unknown code shows the text of NHTSA", an_unknown_code_shows_the_text_of_nhtsa},
    {"a remark without a code", a_remark_without_a_code},
    {"a long text is cut between characters", a_long_text_is_cut_between_characters},
    {"the cut at 500 characters", the_cut_at_500_characters},
    {"positions that an answer names", positions_that_an_answer_names},
    {"notes name positions", notes_name_positions},
    {"no suggestion", no_suggestion},
    {"several matches", several_matches},
    {"wildcards cannot be judged", wildcards_cannot_be_judged},
    {"differences are marked", differences_are_marked},
    {"more suggestions than room", more_suggestions_than_room},
    {"a suggestion that stays open", a_suggestion_that_stays_open},
    {"B01 suggestion with a caret", b01_suggestion_with_a_caret},
    {"B12 not in the US database", b12_not_in_the_us_database},
    {"B15 check digit warning", b15_check_digit_warning},
    {"B16 suggestion fails the check digit", b16_suggestion_fails_the_check_digit},
    {"B18 check digit exception", b18_check_digit_exception},
};

UNIT_MAIN("notes", tests)
