#include "core/vin/scan.h"

#include "unit/unit.h"

enum { THIS_YEAR = 2026 };

#define VIN "1HGCM82633A004352"

static struct scan scan_bytes(const char *text, size_t length)
{
    struct scan scan;
    scan_clean(text, length, THIS_YEAR, &scan);
    return scan;
}

static struct scan scan_of(const char *text)
{
    return scan_bytes(text, strlen(text));
}

/* A text in which exactly one VIN is found. */
static void check_found(const char *text, size_t length, const char *vin, const char *removed)
{
    struct scan scan = scan_bytes(text, length);
    CHECK_TEXT(scan.check.text, vin);
    CHECK_TEXT(scan.removed, removed);
    CHECK_INT(scan.check.problem_count, 0);
    CHECK_INT(scan.candidate_count, 0);
    struct vin_key key = scan_key(&scan, 0);
    CHECK_TEXT(key.vin, vin);
}

#define FOUND(text, vin, removed) check_found(text, sizeof(text) - 1, vin, removed)

/* A text that stays as it is; `candidates` are offered, separated by blanks. */
static void check_left(const char *text, size_t length, const char *kept, enum vin_verdict verdict,
                       const char *candidates)
{
    struct scan scan = scan_bytes(text, length);
    char offered[SCAN_CANDIDATES_MAX * (VIN_LENGTH + 1) + 1] = "";
    for (size_t i = 0; i < scan.candidate_count; i++) {
        strcat(strcat(offered, i > 0 ? " " : ""), scan.candidates[i]);
    }
    CHECK_TEXT(scan.check.text, kept);
    CHECK_TEXT(offered, candidates);
    CHECK_INT(vin_verdict(&scan.check), verdict);
}

#define LEFT(text, kept, verdict, candidates) check_left(text, sizeof(text) - 1, kept, verdict, candidates)

static void plain_vin_loses_nothing(void)
{
    FOUND(VIN, VIN, "");
    CHECK(!scan_of(VIN).upper_cased);
}

static void every_end_of_a_scan_goes(void)
{
    FOUND(VIN "\r", VIN, "CR");
    FOUND(VIN "\n", VIN, "LF");
    FOUND(VIN "\r\n", VIN, "CR, LF");
    FOUND(VIN "\t", VIN, "Tab");
    FOUND(VIN "\r\r\t\t\n\n", VIN, "2 Tabs, 2 CRs, 2 LFs");
}

static void a_year_follows_a_comma(void)
{
    static const struct {
        const char *text;
        int year;
        bool bad;
    } cases[] = {
        {VIN, 0, false},
        {VIN ",2003", 2003, false},
        {VIN ", 2003\r\n", 2003, false},
        {VIN ",1980", 1980, false},
        {VIN ",2027", 2027, false},
        {VIN ",2028", 0, true},
        {VIN ",1979", 0, true},
        {VIN ",", 0, true},
        {VIN ",20", 0, true},
        {VIN ",02003", 0, true},
        {VIN ",2003,x", 0, true},
        {VIN ",MMIII", 0, true},
        {"5UXWX7C5*BA,2011", 2011, false},
        {VIN ",99999999999999999999", 0, true},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct scan scan = scan_of(cases[i].text);
        CHECK_INT(scan.year, cases[i].year);
        CHECK_INT(scan.year_bad, cases[i].bad);
        CHECK_INT(scan.check.length, cases[i].text[0] == '5' ? 11 : 17);
    }
}

static void the_key_has_the_year(void)
{
    struct scan scan = scan_of(VIN ",2003");
    struct vin_key key = scan_key(&scan, 1999);
    CHECK_TEXT(key.vin, VIN);
    CHECK_INT(key.year, 2003);
    scan = scan_of(VIN);
    CHECK_INT(scan_key(&scan, 1999).year, 1999);
    CHECK_INT(scan_key(&scan, 0).year, 0);
    scan = scan_of("5uxwx7c5*ba");
    CHECK_TEXT(scan_key(&scan, 0).vin, "5UXWX7C5*BA");
    scan = scan_of(VIN "7");
    CHECK_TEXT(scan_key(&scan, 0).vin, "");
}

static void aim_identifiers_go(void)
{
    FOUND("]C0" VIN, VIN, "AIM identifier");
    FOUND("]A0I" VIN "\r", VIN, "AIM identifier, leading I (import label), CR");
    FOUND("]d1*" VIN "*", VIN, "AIM identifier, * at the ends");
    LEFT("]C01HGCM8263", "]C01HGCM8263", VIN_BLOCKED, "");
}

/* What a reader in Full ASCII mode did not turn into a key. */
static void a_dollar_is_named(void)
{
    LEFT(VIN "$M", VIN "$M", VIN_BLOCKED, VIN);
    struct scan scan = scan_of("$1HGCM82633A00435");
    CHECK_INT(scan.check.problem_count, 1);
    CHECK_INT(scan.check.problems[0].kind, VIN_BAD_CHARACTER);
    CHECK_INT(scan.check.problems[0].position, 1);
}

static void the_word_vin_goes(void)
{
    FOUND("VIN: 1HGCM 82633 A004352", VIN, "the word VIN, 3 blanks");
    FOUND("vin#1hgcm-82633-a004352", VIN, "the word VIN, 2 hyphens");
}

static void envelope_of_iso_15434(void)
{
    FOUND("[)>\x1e"
          "06\x1d"
          "17V12345\x1d"
          "I" VIN "\x1d"
          "S123\x1e\x04",
          VIN, "ISO 15434 envelope");
    FOUND("]d1[)>\x1e"
          "05\x1d" VIN "\x1e\x04\r",
          VIN, "ISO 15434 envelope");
    /* The first field that holds one, although a later one does too. */
    FOUND("[)>\x1e"
          "06\x1d"
          "I" VIN "\x1d"
          "WVWZZZ1JZXW000001\x1e\x04",
          VIN, "ISO 15434 envelope");
    /* An identifier that names something else: asked. */
    LEFT("[)>\x1e"
         "06\x1d"
         "P" VIN "\x1e\x04",
         "[)>06P" VIN, VIN_BLOCKED, VIN " P1HGCM82633A00435");
    LEFT("[)>", "[)>", VIN_BLOCKED, "");
    LEFT("[)", "[)", VIN_BLOCKED, "");
}

static void vin_inside_a_text(void)
{
    FOUND("https://example.test/car?vin=1hgcm82633a004352&x=1", VIN, "text around the VIN");
    FOUND("car_" VIN ".pdf", VIN, "text around the VIN");
    FOUND("seen " VIN " and again " VIN, VIN, "text around the VIN");
    FOUND("My VIN is 1HGCM\xe2\x80\x8b"
          "82633A004352!",
          VIN, "text around the VIN");
    struct scan scan = scan_of("the VIN, 1hgcm82633a004352 , 2003 or so");
    CHECK_TEXT(scan.check.text, VIN);
    CHECK_INT(scan.year, 2003);
    CHECK(!scan.year_bad);
    CHECK(scan.upper_cased);
    CHECK_INT(scan_of("the VIN is " VIN ", I think").year, 0);
    /* A foreign letter at its side makes it another word. */
    LEFT(VIN "\xc3\x96", VIN "\xc3\x96", VIN_BLOCKED, VIN);
}

static void several_vins_are_asked_about(void)
{
    LEFT(VIN "\nWVWZZZ1JZXW000001\n", VIN "WVWZZZ1JZXW000001", VIN_BLOCKED, VIN " WVWZZZ1JZXW000001");
    LEFT(VIN ",WVWZZZ1JZXW000001", VIN ",WVWZZZ1JZXW000001", VIN_BLOCKED, VIN " WVWZZZ1JZXW000001");
    char many[20 * 19] = "";
    for (int i = 0; i < 19; i++) {
        char vin[20];
        snprintf(vin, sizeof(vin), "1HGCM82633A0043%02d ", i);
        strcat(many, vin);
    }
    CHECK_INT(scan_of(many).candidate_count, SCAN_CANDIDATES_MAX);
}

static void parts_of_a_long_run_are_offered(void)
{
    LEFT("WVWZZZ 6RZFY 16746201", "WVWZZZ6RZFY16746201", VIN_BLOCKED, "WVWZZZ6RZFY167462 WZZZ6RZFY16746201");
    LEFT("xx 1HGCM82633A0043527", "XX1HGCM82633A0043527", VIN_BLOCKED, VIN " HGCM82633A0043527");
    LEFT("IIIIIIIIIIIIIIIIII", "IIIIIIIIIIIIIIIIII", VIN_BLOCKED, "");
    LEFT("1234567890123456789012345678901234567", "1234567890123456789012345678901234567", VIN_BLOCKED, "");
}

static void remarks_are_never_cut(void)
{
    static const char text[] = "]C0%I*\0\x01\x02\r\r\r\r\n\n\n\t\t\t\xc2\xad\xef\xbb\xbf  --.." VIN "*";
    struct scan scan = scan_bytes(text, sizeof(text) - 1);
    CHECK_TEXT(scan.check.text, VIN);
    CHECK_TEXT(scan.removed, "AIM identifier, leading I (import label), leading % (check the first character), "
                             "* at the ends, 2 blanks, 2 hyphens, 2 dots, 3 Tabs, 4 CRs, 3 LFs, 1 NUL");
}

static void a_huge_text_is_counted_whole(void)
{
    static char text[100000];
    memset(text, 'A', sizeof(text));
    struct scan scan = scan_bytes(text, sizeof(text));
    CHECK_INT(scan.check.length, sizeof(text));
    CHECK_INT(vin_verdict(&scan.check), VIN_BLOCKED);
    CHECK_INT(scan.candidate_count, 0);
}

static void nothing_is_empty(void)
{
    LEFT("", "", VIN_BLOCKED, "");
    LEFT("\r", "", VIN_BLOCKED, "");
    LEFT(",2003", "", VIN_BLOCKED, "");
}

/* What came, for who wants to see it: only the separators do not count. */
static void the_original_is_not_cleaned(void)
{
    static const struct {
        const char *text, *kept, *candidate;
        int year;
    } cases[] = {
        {"IJHLRD77874C026456\r", "IJHLRD77874C026456", "JHLRD77874C026456", 0},
        {"*1hgcm-82633 A004352*,2003", "*1HGCM82633A004352*", VIN, 2003},
        {"]C0" VIN, "]C0" VIN, VIN, 0},
        {"see " VIN, "SEE" VIN, VIN, 0},
        {VIN, VIN, "", 0},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct scan scan;
        scan_original(cases[i].text, strlen(cases[i].text), THIS_YEAR, &scan);
        CHECK_TEXT(scan.check.text, cases[i].kept);
        CHECK_TEXT(scan.removed, "");
        CHECK_INT(scan.year, cases[i].year);
        CHECK(!scan.upper_cased);
        CHECK_TEXT(scan.candidate_count > 0 ? scan.candidates[0] : "", cases[i].candidate);
    }
}

static void b40_too_long_with_a_vin_inside(void)
{
    struct scan scan = scan_of("999999999993VV3B7AXXNM077525");
    CHECK_INT(scan.check.length, 28);
    CHECK_INT(vin_verdict(&scan.check), VIN_BLOCKED);
    CHECK(scan.candidate_count > 0);
    CHECK_TEXT(scan.candidates[0], "3VV3B7AXXNM077525");
}

static void b45_case_mix(void)
{
    struct scan scan = scan_of("wbanf73576cG65408");
    CHECK_TEXT(scan.check.text, "WBANF73576CG65408");
    CHECK(scan.check.check_ok);
    CHECK(scan.upper_cased);
}

static void b46_lower_case_letter(void)
{
    struct scan scan = scan_of("ZACCJBBt0FPB63072");
    CHECK_TEXT(scan.check.text, "ZACCJBBT0FPB63072");
    CHECK_INT(vin_verdict(&scan.check), VIN_SENDABLE);
}

static void b54_nul_padding(void)
{
    FOUND(VIN "\0\0", VIN, "2 NULs");
    FOUND(VIN "\0\x7f", VIN, "1 NUL, 1 control character");
    FOUND("\xc2\x80" VIN "\x1b\x01", VIN, "3 control characters");
}

static void b58_japanese_chassis_number(void)
{
    struct scan scan = scan_of("SE3P 116167");
    CHECK_INT(scan.check.length, 10);
    CHECK(scan.chassis_number);
    CHECK_INT(vin_verdict(&scan.check), VIN_ASK);
    CHECK(scan_of("jzx100-0012345\r").chassis_number);
    CHECK(!scan_of("SE3P").chassis_number);
    CHECK(!scan_of("SE3P 1161").chassis_number);
    CHECK(!scan_of("SE3P 11616A").chassis_number);
    CHECK(!scan_of("WBA 116167").chassis_number);
    CHECK(!scan_of("1HGCM 116167").chassis_number);
    CHECK(!scan_of("SE3P 116167 A").chassis_number);
    CHECK(!scan_of(VIN).chassis_number);
}

static void b63_blanks_and_dashes(void)
{
    FOUND("1HGCM 82633-A004352", VIN, "1 blank, 1 hyphen");
}

static void t37_invisible_characters_and_dashes(void)
{
    FOUND("1HGCM\xe2\x80\x8b"
          "82633\xc2\xa0"
          "A0043\xe2\x80\x93"
          "52\xef\xbb\xbf",
          VIN, "1 blank, 1 hyphen, 2 invisible characters");
    FOUND("1HGCM82633A.0043\xc2\xad"
          "52",
          VIN, "1 dot, 1 invisible character");
}

static void b85_leading_i(void)
{
    FOUND("IJHLRD77874C026456", "JHLRD77874C026456", "leading I (import label)");
    FOUND("ijhlrd77874c026456\r", "JHLRD77874C026456", "leading I (import label), CR");
    /* Only when 17 legal characters remain. */
    LEFT("IJHLRD77874C02645", "IJHLRD77874C02645", VIN_ASK, "");
    LEFT("IJHLRD77874C02645O", "IJHLRD77874C02645O", VIN_BLOCKED, "");
}

static void b87_percent_of_eu_labels(void)
{
    FOUND("%WBA3A5C51CF256551", "WBA3A5C51CF256551", "leading % (check the first character)");
    LEFT("%WBA3A5C5", "%WBA3A5C5", VIN_BLOCKED, "");
}

static void b88_extra_digits_are_not_cut(void)
{
    LEFT("WVWZZZ6RZFY16746201", "WVWZZZ6RZFY16746201", VIN_BLOCKED, "WVWZZZ6RZFY167462 WZZZ6RZFY16746201");
}

static void b91_stars_of_code_39(void)
{
    FOUND("*" VIN "*", VIN, "* at the ends");
    LEFT("1HGCM8*633A004352", "1HGCM8*633A004352", VIN_ASK, "");
}

static void b93_return_too_early(void)
{
    struct scan scan = scan_of("1HGCM8263\r");
    CHECK_INT(scan.check.length, 9);
    CHECK_INT(vin_verdict(&scan.check), VIN_ASK);
}

static void b94_return_first(void)
{
    FOUND("\r" VIN, VIN, "CR");
}

static void b96_star_of_the_bus(void)
{
    FOUND("1XPBDK9X1LD708195*", "1XPBDK9X1LD708195", "* at the ends");
}

static const struct unit_test tests[] = {
    {"a plain VIN loses nothing", plain_vin_loses_nothing},
    {"every end of a scan goes", every_end_of_a_scan_goes},
    {"a year follows a comma", a_year_follows_a_comma},
    {"the key has the year", the_key_has_the_year},
    {"AIM identifiers go", aim_identifiers_go},
    {"a dollar is named", a_dollar_is_named},
    {"the word VIN goes", the_word_vin_goes},
    {"envelope of ISO 15434", envelope_of_iso_15434},
    {"a VIN inside a text", vin_inside_a_text},
    {"several VINs are asked about", several_vins_are_asked_about},
    {"parts of a long run are offered", parts_of_a_long_run_are_offered},
    {"remarks are never cut", remarks_are_never_cut},
    {"a huge text is counted whole", a_huge_text_is_counted_whole},
    {"nothing is empty", nothing_is_empty},
    {"the original is not cleaned", the_original_is_not_cleaned},
    {"B40 too long with a VIN inside", b40_too_long_with_a_vin_inside},
    {"B45 case mix", b45_case_mix},
    {"B46 lower-case letter", b46_lower_case_letter},
    {"B54 NUL padding", b54_nul_padding},
    {"B58 Japanese chassis number", b58_japanese_chassis_number},
    {"B63 blanks and dashes", b63_blanks_and_dashes},
    {"T37 invisible characters and dashes", t37_invisible_characters_and_dashes},
    {"B85 leading I of an import label", b85_leading_i},
    {"B87 % of EU labels", b87_percent_of_eu_labels},
    {"B88 extra digits are not cut", b88_extra_digits_are_not_cut},
    {"B91 stars of Code 39", b91_stars_of_code_39},
    {"B93 Return too early", b93_return_too_early},
    {"B94 Return first", b94_return_first},
    {"B96 star of the vehicle's bus", b96_star_of_the_bus},
};

UNIT_MAIN("scan", tests)
