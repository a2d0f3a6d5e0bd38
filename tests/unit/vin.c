#include "core/vin/vin.h"

#include "unit/unit.h"

static struct vin_check check_of(const char *text)
{
    struct vin_check check;
    vin_check(text, strlen(text), 2026, &check);
    return check;
}

/* "forbidden_letter@5 too_short" */
static const char *problems_of(const struct vin_check *check)
{
    static const char *const names[] = {
        [VIN_EMPTY] = "empty",
        [VIN_TOO_SHORT] = "too_short",
        [VIN_TOO_LONG] = "too_long",
        [VIN_BAD_CHARACTER] = "bad_character",
        [VIN_FORBIDDEN_LETTER] = "forbidden_letter",
        [VIN_WILDCARD] = "wildcard",
    };
    static char text[VIN_PROBLEMS_MAX * 32];
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < check->problem_count; i++) {
        const struct vin_problem *problem = &check->problems[i];
        used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s", i > 0 ? " " : "", names[problem->kind]);
        if (problem->position > 0) {
            used += (size_t)snprintf(text + used, sizeof(text) - used, "@%zu", problem->position);
        }
    }
    return text;
}

static void check_problems(const char *text, const char *vin, const char *problems, enum vin_verdict verdict)
{
    struct vin_check check = check_of(text);
    CHECK_TEXT(check.text, vin);
    CHECK_TEXT(problems_of(&check), problems);
    CHECK_INT(vin_verdict(&check), verdict);
    CHECK_INT(check.has_check_digit, problems[0] == '\0');
}

/* The digit that stands there, the one that is called for, what that says, and whether it is sent. */
static void check_digit(const char *vin, char actual, char expected, enum vin_digit says, enum vin_verdict verdict)
{
    struct vin_check check = check_of(vin);
    CHECK_TEXT(problems_of(&check), "");
    CHECK_INT(check.check_actual, actual);
    CHECK_INT(check.check_expected, expected);
    CHECK_INT(check.check_ok, actual == expected);
    CHECK_INT(vin_digit(&check), says);
    CHECK_INT(vin_verdict(&check), verdict);
}

static void check_years(const char *vin, int this_year, int first, int second)
{
    struct vin_check check;
    vin_check(vin, strlen(vin), this_year, &check);
    CHECK_INT(check.year_count, (first != 0) + (second != 0));
    CHECK_INT(check.year_count > 0 ? check.years[0] : 0, first);
    CHECK_INT(check.year_count > 1 ? check.years[1] : 0, second);
}

static void separators_and_case_go(void)
{
    check_problems(" 1hgcm 82633-a00.4352\r\n", "1HGCM82633A004352", "", VIN_SENDABLE);
    check_problems("1HGCM\xc2\xa0"
                   "82633A004352\t",
                   "1HGCM82633A004352", "", VIN_SENDABLE);
    struct vin_check check;
    vin_check("1HGCM82633A004352\0\0", 19, 2026, &check);
    CHECK_TEXT(check.text, "1HGCM82633A004352");
}

static void ends_go_only_for_a_vin(void)
{
    check_problems("*1HGCM82633A004352*", "1HGCM82633A004352", "", VIN_SENDABLE);
    check_problems("*I1HGCM82633A004352*", "1HGCM82633A004352", "", VIN_SENDABLE);
    check_problems("I1HGCM82633A0043527", "I1HGCM82633A0043527", "forbidden_letter@1 too_long", VIN_BLOCKED);
    check_problems("*1HGCM82633*", "*1HGCM82633*", "wildcard@1 wildcard@12 too_short", VIN_ASK);
    check_problems("II1HGCM82633A004352", "II1HGCM82633A004352", "forbidden_letter@1 forbidden_letter@2 too_long",
                   VIN_BLOCKED);
    check_problems("%1HGCM82633A004352", "%1HGCM82633A004352", "bad_character@1 too_long", VIN_BLOCKED);
    check_problems("****", "****", "wildcard@1 wildcard@2 wildcard@3 wildcard@4 too_short", VIN_ASK);
    check_problems("I", "I", "forbidden_letter@1 too_short", VIN_ASK);
}

static void positions_count_characters(void)
{
    check_problems("1HGCM\xc3\x96"
                   "2633A00435Q",
                   "1HGCM\xc3\x96"
                   "2633A00435Q",
                   "bad_character@6 forbidden_letter@17", VIN_BLOCKED);
    check_problems("\xf0\x9f\x9a\x97_\xff*O", "\xf0\x9f\x9a\x97_\xef\xbf\xbd*O",
                   "bad_character@1 bad_character@2 bad_character@3 wildcard@4 forbidden_letter@5 too_short",
                   VIN_BLOCKED);
}

/* Bytes that are no UTF-8 do not become a character when what stands between them goes. */
static void broken_bytes_do_not_join(void)
{
    struct vin_check check;
    vin_check("\xef\0\xbb\xbf", 4, 2026, &check);
    CHECK_TEXT(check.text, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    CHECK_INT(check.length, 3);
    CHECK_TEXT(problems_of(&check), "bad_character@1 bad_character@2 bad_character@3 too_short");
}

static void empty_and_long_texts(void)
{
    check_problems("", "", "empty", VIN_BLOCKED);
    check_problems(" \t-", "", "empty", VIN_BLOCKED);
    check_problems("1HGCM82633A0043527", "1HGCM82633A0043527", "too_long", VIN_BLOCKED);
}

static void a_huge_text_stays_too_long(void)
{
    static char text[100000];
    memset(text, '*', sizeof(text));
    memcpy(text, "1HGCM82633A004352", VIN_LENGTH);
    struct vin_check check;
    vin_check(text, sizeof(text), 2026, &check);
    CHECK_INT(check.length, sizeof(text));
    CHECK_INT(strlen(check.text), VIN_TEXT_MAX);
    CHECK_INT(check.problem_count, VIN_PROBLEMS_MAX);
    CHECK_INT(check.problems[VIN_PROBLEMS_MAX - 1].kind, VIN_TOO_LONG);
    CHECK_INT(vin_verdict(&check), VIN_BLOCKED);

    text[0] = '1'; /* a character that does not fit is left out whole */
    for (size_t i = 1; i + 1 < sizeof(text); i += 2) {
        memcpy(text + i, "\xc3\x96", 2);
    }
    vin_check(text, sizeof(text) - 1, 2026, &check);
    CHECK_INT(check.length, 1 + (sizeof(text) - 2) / 2);
    CHECK_INT(strlen(check.text), VIN_TEXT_MAX - 1);
}

static void digits_of_real_vins(void)
{
    check_digit("1M8GDM9AXKP042788", 'X', 'X', VIN_DIGIT_MATCHES, VIN_SENDABLE);
    check_digit("1HGCM82633A004352", '3', '3', VIN_DIGIT_MATCHES, VIN_SENDABLE);
    check_digit("1HGCM82643A004352", '4', '3', VIN_DIGIT_WRONG, VIN_ASK);
    CHECK_INT(vin_check_digit("1HGCM8O633A004352"), 0);
    CHECK_INT(vin_check_digit("1HGCM8"), 0);
    CHECK_INT(vin_value('9'), 9);
    CHECK_INT(vin_value('Z'), 9);
    CHECK_INT(vin_value('S'), 2);
    CHECK_INT(vin_value('Q'), -1);
    CHECK_INT(vin_value('a'), -1);
    CHECK_INT(vin_value('['), -1);
}

static void mismatch_asks_by_the_first_character(void)
{
    static const char codes[] = "0123456789ABCDEFGHJKLMNPRSTUVWXYZ";
    for (const char *code = codes; *code != '\0'; code++) {
        char vin[] = "?HGCM82633A004352";
        vin[0] = *code;
        vin[8] = vin_check_digit(vin) == '0' ? '1' : '0';
        struct vin_check check = check_of(vin);
        bool required = strchr("123457", *code) != NULL;
        CHECK_INT(vin_is_north_american(vin), required);
        CHECK_INT(vin_verdict(&check), required ? VIN_ASK : VIN_SENDABLE);
        CHECK_INT(vin_digit(&check), required ? VIN_DIGIT_WRONG : VIN_DIGIT_DIFFERS);
    }
    CHECK(!vin_is_north_american(""));
    struct vin_check partial = check_of("1HGCM8");
    CHECK_INT(vin_digit(&partial), VIN_DIGIT_UNKNOWN);
}

static void keys_are_vin_and_year(void)
{
    struct vin_key key = {"1HGCM82633A004352", 2003}, same = key, other_year = {"1HGCM82633A004352", 0},
                   other_vin = {"1HGCM82633A004353", 2003};
    CHECK(vin_key_equal(&key, &same));
    CHECK(!vin_key_equal(&key, &other_year));
    CHECK(!vin_key_equal(&key, &other_vin));
}

static void b03_tacos(void)
{
    check_problems("tacos", "TACOS", "forbidden_letter@4 too_short", VIN_ASK);
}

static void b10_digit_matches_by_chance(void)
{
    check_digit("NMTDM26R30R030595", '3', '3', VIN_DIGIT_MATCHES, VIN_SENDABLE);
    check_years("NMTDM26R30R030595", 2026, 0, 0);
}

static void b12_real_but_not_of_the_us(void)
{
    check_digit("LRWYGDFD3PC939701", '3', '3', VIN_DIGIT_MATCHES, VIN_SENDABLE);
    struct vin_check check = check_of("WVGZZZ5NZEW069297");
    CHECK_INT(vin_digit(&check), VIN_DIGIT_NOT_EXPECTED);
    CHECK_INT(vin_verdict(&check), VIN_SENDABLE);
}

static void b15_wrong_digit_of_the_readme(void)
{
    check_digit("WBA3A5C51CF256987", '1', '7', VIN_DIGIT_DIFFERS, VIN_SENDABLE);
}

static void b16_suggestion_that_fails_itself(void)
{
    CHECK(vin_check_digit("1THBA30G441037936") != '4');
}

static void b18_exempted_maker(void)
{
    check_digit("ZACCJABT0FPB71014", '0', '5', VIN_DIGIT_DIFFERS, VIN_SENDABLE);
}

static void b39_slash(void)
{
    check_problems("1HGCM826/3A004352", "1HGCM826/3A004352", "bad_character@9", VIN_BLOCKED);
}

static void b46_lower_case_of_an_exempted_maker(void)
{
    check_digit("ZACCJBBt0FPB63072", '0', '4', VIN_DIGIT_DIFFERS, VIN_SENDABLE);
}

static void b48_lower_case_x(void)
{
    check_digit("3vv3b7axxnm077525", 'X', 'X', VIN_DIGIT_MATCHES, VIN_SENDABLE);
}

static void b49_x_is_ten(void)
{
    check_digit("WBA3B5G5XDNS01478", 'X', 'X', VIN_DIGIT_MATCHES, VIN_SENDABLE);
}

static void b51_letters_of_a_generator(void)
{
    check_problems("NT8Q9DQASR0M09679", "NT8Q9DQASR0M09679", "forbidden_letter@4 forbidden_letter@7", VIN_ASK);
}

static void b52_maker_code_with_o(void)
{
    check_problems("1OYAB", "1OYAB", "forbidden_letter@2 too_short", VIN_ASK);
}

static void b55_lower_case_is_accepted(void)
{
    check_problems("1hgcm82633a004352", "1HGCM82633A004352", "", VIN_SENDABLE);
}

static void b61_all_the_same(void)
{
    struct vin_check check = check_of("00000000000000000");
    CHECK(check.check_ok);
    CHECK(check.one_character);
    check = check_of("11111111111111111");
    CHECK(check.one_character);
    check = check_of("1HGCM82633A004352");
    CHECK(!check.one_character);
}

static void b66_bus_has_no_rule_for_position_7(void)
{
    check_years("4DRBUAANXGB000000", 2026, 1986, 2016);
    check_years("4DRBUA1NXGB000000", 2026, 1986, 2016);
}

static void b67_mercedes_of_the_rest_of_the_world(void)
{
    check_digit("WDD2470031J059461", '3', '0', VIN_DIGIT_DIFFERS, VIN_SENDABLE);
}

static void b69_years_from_2020(void)
{
    check_years("5YJYGDEE0LF000000", 2026, 1990, 2020);
}

static void b70_years_of_all_codes(void)
{
    static const char codes[] = "ABCDEFGHJKLMNPRSTVWXY123456789";
    for (int i = 0; i < 30; i++) {
        char vin[] = "5YJYGDEE0?F000000";
        vin[9] = codes[i];
        check_years(vin, 2100, 1980 + i, 2010 + i);
        check_years(vin, 2009, 1980 + i, i == 0 ? 2010 : 0);
        check_years(vin, 1979 + i - 1, 0, 0);
        check_years(vin, 1979 + i, 1980 + i, 0);
    }
    static const char none[] = "0UZ";
    for (int i = 0; i < 3; i++) {
        char vin[] = "5YJYGDEE0?F000000";
        vin[9] = none[i];
        check_years(vin, 2100, 0, 0);
    }
}

static void b72_lincoln(void)
{
    check_digit("2LNHM82W78X642182", '7', '7', VIN_DIGIT_MATCHES, VIN_SENDABLE);
    check_years("2LNHM82W78X642182", 2026, 2008, 0);
}

static void b73_european_volkswagen(void)
{
    struct vin_check check = check_of("WVGZZZ5NZJM131395");
    CHECK_INT(vin_digit(&check), VIN_DIGIT_NOT_EXPECTED);
    CHECK_INT(vin_verdict(&check), VIN_SENDABLE);
    check_digit("WAUZZZ8K1DA006278", '1', '1', VIN_DIGIT_MATCHES, VIN_SENDABLE);
}

static void b75_european_mazda(void)
{
    check_digit("JMZGHA4E601474682", '6', '5', VIN_DIGIT_DIFFERS, VIN_SENDABLE);
    check_years("JMZGHA4E601474682", 2026, 0, 0);
}

static void b76_volvo(void)
{
    check_digit("YV1MC5851CJ126651", '1', '2', VIN_DIGIT_DIFFERS, VIN_SENDABLE);
}

static void b82_letter_at_13(void)
{
    check_digit("3AKJHHDR1KSKF8929", '1', '1', VIN_DIGIT_MATCHES, VIN_SENDABLE);
}

static void b84_x_counts_7_as_data(void)
{
    check_digit("1XPBDK9X1LD708195", '1', '1', VIN_DIGIT_MATCHES, VIN_SENDABLE);
}

/* Position 10 of a part of a VIN says as much as that of a whole one. */
static void years_of_a_part(void)
{
    check_years("5UXWX7C5*BA", 2026, 1981, 2011);
    check_years("1HGCM8*633A004352", 2026, 2003, 0);
    check_years("1HGCM826O3", 2026, 2003, 0);
    check_years("1HGCM8263", 2026, 0, 0);
    check_years("1HGCM8263*", 2026, 0, 0);
    check_years("1HGCM826330000000000", 2026, 0, 0);
    check_years("\xc3\x9cHGCM82633A004352", 2026, 0, 0); /* bytes are no positions */
}

/* 49 CFR 565.15(b): what position 7 says about a car. */
static void the_year_of_a_car(void)
{
    static const struct {
        const char *vin;
        int year;
    } cases[] = {
        {"2T1BURHE0JC060752", 2018}, {"1C9FA3822R1257465", 1994},
        {"5UXWX7C5*BA", 2011},       {"5UXWX7*5*BA", 0},
        {"1HGCM82633A004352", 0}, /* 2033 is too far */
        {"00000000000000000", 0},    {"1HG", 0},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct vin_check check = check_of(cases[i].vin);
        CHECK_INT(vin_year_of_car(&check), cases[i].year);
    }
}

static void the_whole_keeps_its_ends(void)
{
    struct vin_check check;
    vin_check_whole("*ijhlrd77874c026456\r", 20, 2026, &check);
    CHECK_TEXT(check.text, "*IJHLRD77874C026456");
    CHECK_TEXT(problems_of(&check), "wildcard@1 forbidden_letter@2 too_long");
}

static const struct unit_test tests[] = {
    {"years of a part", years_of_a_part},
    {"the year of a car", the_year_of_a_car},
    {"the whole keeps its ends", the_whole_keeps_its_ends},
    {"separators and case go", separators_and_case_go},
    {"ends go only for a VIN", ends_go_only_for_a_vin},
    {"positions count characters", positions_count_characters},
    {"broken bytes do not join", broken_bytes_do_not_join},
    {"empty and long texts", empty_and_long_texts},
    {"a huge text stays too long", a_huge_text_stays_too_long},
    {"digits of real VINs", digits_of_real_vins},
    {"a mismatch asks by the first character", mismatch_asks_by_the_first_character},
    {"keys are VIN and year", keys_are_vin_and_year},
    {"B03 tacos", b03_tacos},
    {"B10 a digit that matches by chance", b10_digit_matches_by_chance},
    {"B12 real, but not of the US", b12_real_but_not_of_the_us},
    {"B15 wrong digit of the README", b15_wrong_digit_of_the_readme},
    {"B16 a suggestion that fails its own digit", b16_suggestion_that_fails_itself},
    {"B18 exempted maker", b18_exempted_maker},
    {"B39 a slash never reaches a URL", b39_slash},
    {"B46 lower case of an exempted maker", b46_lower_case_of_an_exempted_maker},
    {"B48 lower-case x at position 9", b48_lower_case_x},
    {"B49 X means 10", b49_x_is_ten},
    {"B51 letters of a generator, both positions", b51_letters_of_a_generator},
    {"B52 a maker code with O may be sent", b52_maker_code_with_o},
    {"B55 lower case is accepted", b55_lower_case_is_accepted},
    {"B61 all the same character", b61_all_the_same},
    {"B66 a bus has no rule for position 7", b66_bus_has_no_rule_for_position_7},
    {"B67 a Mercedes of the rest of the world", b67_mercedes_of_the_rest_of_the_world},
    {"B69 years from 2020", b69_years_from_2020},
    {"B70 years of all 30 codes", b70_years_of_all_codes},
    {"B72 a Lincoln of 2008", b72_lincoln},
    {"B73 a European Volkswagen", b73_european_volkswagen},
    {"B75 a European Mazda", b75_european_mazda},
    {"B76 a Volvo", b76_volvo},
    {"B82 a letter at position 13", b82_letter_at_13},
    {"B84 X counts 7 as data", b84_x_counts_7_as_data},
};

UNIT_MAIN("vin", tests)
