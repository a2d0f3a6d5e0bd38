#include "core/vin/maker.h"

#include "core/vin/country.h"

#include "unit/unit.h"

static struct maker maker_of(const char *vin)
{
    struct maker maker;
    CHECK(maker_find(vin, &maker));
    return maker;
}

static void three_characters(void)
{
    struct maker maker = maker_of("1HGCM82633A004352");
    CHECK_TEXT(maker.code, "1HG");
    CHECK_TEXT(maker.name, "AMERICAN HONDA MOTOR CO., INC.");
    CHECK_TEXT(maker.makes, "");
    CHECK_TEXT(maker.country, "United States");
    CHECK_TEXT(maker.vehicle_type, "Passenger Car");
    CHECK(!maker.small);
    CHECK(maker.north_american);

    maker = maker_of("2LN");
    CHECK_TEXT(maker.name, "FORD MOTOR COMPANY OF CANADA, LTD.");
    CHECK_TEXT(maker.makes, "Lincoln");
    CHECK_TEXT(maker.country, "Canada");

    maker = maker_of("WBA3A5C51CF256551");
    CHECK_TEXT(maker.name, "BMW AG");
    CHECK_TEXT(maker.country, "Germany");
    CHECK(!maker.north_american);
}

static void all_vehicle_types(void)
{
    static const struct {
        const char *code, *type;
    } cases[] = {
        {"1G1", "Passenger Car"}, {"1FT", "Truck"},
        {"4DR", "Bus"},           {"ZAC", "Multipurpose Passenger Vehicle (MPV)"},
        {"101", "Trailer"},       {"1R9XXXXX0XX663XXX", "Motorcycle"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CHECK_TEXT(maker_of(cases[i].code).vehicle_type, cases[i].type);
    }
}

static void first_and_last_of_the_table(void)
{
    CHECK_TEXT(maker_of("101").name, "MO TRAILERS CORP.");
    CHECK_TEXT(maker_of("ZZN").code, "ZZN");
    CHECK_TEXT(maker_of("ZZZ").name, "");
    CHECK_TEXT(maker_of("000").name, "");
    CHECK_TEXT(maker_of("***").name, "");
    CHECK_TEXT(maker_of("###").name, "");
    CHECK_TEXT(maker_of("# W").name, "");
}

static void too_short(void)
{
    struct maker maker;
    CHECK(!maker_find("1H", &maker));
    CHECK_TEXT(maker.code, "");
    CHECK_TEXT(maker.country, "");
    CHECK(!maker_find("", &maker));
}

static void countries_by_the_first_two(void)
{
    static const struct {
        const char *code, *country;
    } cases[] = {
        {"JH", "Japan"},
        {"J0", "Japan"},
        {"SA", "United Kingdom"},
        {"SM", "United Kingdom"},
        {"SN", "Germany"},
        {"ST", "Germany"},
        {"SU", "Poland"},
        {"S1", "Latvia"},
        {"LR", "China"},
        {"VF", "France"},
        {"VS", "Spain"},
        {"YV", "Sweden"},
        {"ZA", "Italy"},
        {"9B", "Brazil"},
        {"91", "Brazil"},
        {"90", ""},
        {"6F", "Australia"},
        {"7A", "New Zealand"},
        {"7S", "United States"},
        {"2T", "Canada"},
        {"3V", "Mexico"},
        {"NM", "Turkey"},
        {"TM", "Czech Republic"},
        {"KM", "South Korea"},
        {"G1", ""},
        {"*A", ""},
        {"J*", ""},
        {"JI", ""},
        {"0A", ""},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        CHECK_TEXT(country_find(cases[i].code), cases[i].country);
    }
    CHECK_TEXT(country_find("J"), "");
}

static void b79_six_characters(void)
{
    struct maker maker = maker_of("109AB12345X013678");
    CHECK(maker.small);
    CHECK_TEXT(maker.code, "109013");
    CHECK_TEXT(maker.name, "ODOM'S MANUFACTURING INC WELDING");

    maker = maker_of("109AB1234"); /* positions 12-14 are not there yet */
    CHECK(maker.small);
    CHECK_TEXT(maker.code, "109");
    CHECK_TEXT(maker.name, "");

    maker = maker_of("VF9AB12345X795678");
    CHECK(maker.small);
    CHECK_TEXT(maker.code, "VF9795");
    CHECK_TEXT(maker.country, "France");
}

static void b81_unknown_is_not_invalid(void)
{
    struct maker maker = maker_of("LZ0AA1AA7K1000001");
    CHECK_TEXT(maker.code, "LZ0");
    CHECK_TEXT(maker.name, "");
    CHECK_TEXT(maker.vehicle_type, "");
    CHECK_TEXT(maker.country, "China");
}

/* Every row of the data set that the table was made from, where that lies beside the project. */
static void all_of_the_data_set(void)
{
    FILE *file = fopen(SHARED_DIRECTORY "/vpic/wmi.tsv", "r");
    if (file == NULL) {
        printf("(skipped: no data set) ");
        return;
    }
    static char line[1024];
    size_t rows = 0, wrong = 0;
    while (fgets(line, sizeof(line), file) != NULL) {
        const char *code = strtok(line, "\t"), *name = strtok(NULL, "\t"), *rest = strtok(NULL, "\n");
        const char *type = rest != NULL ? strrchr(rest, '\t') : NULL;
        if (code == NULL || name == NULL || type == NULL || strcmp(code, "wmi") == 0) {
            continue;
        }
        char vin[18];
        snprintf(vin, sizeof(vin), "%.3sXXXXXXXX%.3sXXX", code, strlen(code) == 6 ? code + 3 : "XXX");
        struct maker maker = maker_of(vin);
        bool right = strcmp(maker.name, name) == 0 && strcmp(maker.vehicle_type, type + 1) == 0;
        if (!right && wrong++ < 5) {
            printf("\n%s: \"%s\" (%s), not \"%s\" (%s) ", code, maker.name, maker.vehicle_type, name, type + 1);
        }
        rows++;
    }
    fclose(file);
    CHECK(rows > 12000);
    CHECK_INT(wrong, 0);
}

static const struct unit_test tests[] = {
    {"three characters", three_characters},
    {"all vehicle types", all_vehicle_types},
    {"first and last of the table", first_and_last_of_the_table},
    {"too short", too_short},
    {"countries by the first two characters", countries_by_the_first_two},
    {"B79 six characters of a small maker", b79_six_characters},
    {"B81 an unknown maker is not an invalid VIN", b81_unknown_is_not_invalid},
    {"all of the data set", all_of_the_data_set},
};

UNIT_MAIN("maker", tests)
