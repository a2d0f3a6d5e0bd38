#include "core/vin/lookalike.h"

#include "unit/unit.h"

static void letters_that_no_vin_has(void)
{
    struct lookalike out[LOOKALIKE_MAX];
    CHECK_INT(lookalike_find("1HGCM82633AOO4352", out), 1);
    CHECK_TEXT(out[0].vin, "1HGCM82633A004352");
    CHECK_INT(out[0].positions[0], 12);
    CHECK_INT(out[0].positions[1], 13);
    CHECK(!out[0].same_value);

    CHECK_INT(lookalike_find("IHGCM82633A004352", out), 1);
    CHECK_TEXT(out[0].vin, "1HGCM82633A004352");
    CHECK_INT(out[0].positions[0], 1);
    CHECK_INT(out[0].positions[1], 0);

    CHECK_INT(lookalike_find("IHGCM82633AQO4352", out), 0); /* three are more than we guess at */
}

static void the_original_is_among_them(void)
{
    static const char original[] = "1HGCM82633A004352";
    static const char *const misread[] = {"1H6CM82633A004352", "1HGCMB2633A004352", "1HGCM8Z633A004352",
                                          "1HGCM82G33A004352", "1HGCM82633A0043S2", "1HGCM82633A00435Z",
                                          "1H6CMB2633A004352", "1HGCM82633A0043SZ"};
    for (size_t i = 0; i < sizeof(misread) / sizeof(misread[0]); i++) {
        struct lookalike out[LOOKALIKE_MAX];
        size_t count = lookalike_find(misread[i], out);
        bool found = false;
        for (size_t j = 0; j < count; j++) {
            found = found || strcmp(out[j].vin, original) == 0;
            /* Each is right, and differs just where it says. */
            CHECK_INT(vin_check_digit(out[j].vin), out[j].vin[8]);
            for (size_t k = 0; k < VIN_LENGTH; k++) {
                bool named = out[j].positions[0] == k + 1 || out[j].positions[1] == k + 1;
                CHECK_INT(out[j].vin[k] != misread[i][k], named);
            }
            CHECK(j == 0 || (out[j - 1].positions[1] == 0) >= (out[j].positions[1] == 0)); /* fewest changes first */
        }
        CHECK(found);
    }
}

static void no_more_than_fit(void)
{
    struct lookalike out[LOOKALIKE_MAX];
    size_t count = lookalike_find("5S5S5B8B8Z2Z2G6G6", out);
    CHECK_INT(count, LOOKALIKE_MAX);
}

static void nothing_to_suggest(void)
{
    struct lookalike out[LOOKALIKE_MAX];
    CHECK_INT(lookalike_find("1HGCM82633A004352", out), 0); /* right, and digits at the end */
    CHECK_INT(lookalike_find("1HGCM8263", out), 0);
    CHECK_INT(lookalike_find("", out), 0);
    CHECK_INT(lookalike_find("1HGCM82633A0043527", out), 0);
    CHECK_INT(lookalike_find("1HGCM8_633A004352", out), 0);
}

/* "9" read as "R": the sum is the same, so the digit says nothing (report B89). */
static void b89_swap_that_the_digit_cannot_see(void)
{
    static const char original[] = "3AKJHHDR1KSKF8929", misread[] = "3AKJHHDR1KSKF8R2R", three[] = "3AKJHHDR1KSKFHRKR";
    struct lookalike out[LOOKALIKE_MAX];
    CHECK_INT(vin_check_digit(misread), misread[8]);
    CHECK_INT(lookalike_find(misread, out), 1);
    CHECK_TEXT(out[0].vin, original);
    CHECK_INT(out[0].positions[0], 15);
    CHECK_INT(out[0].positions[1], 17);
    CHECK(out[0].same_value);
    CHECK_INT(vin_check_digit(three), three[8]);
    CHECK_INT(lookalike_find(three, out), 0);
}

static const struct unit_test tests[] = {
    {"letters that no VIN has", letters_that_no_vin_has},
    {"the original is among them", the_original_is_among_them},
    {"no more than fit", no_more_than_fit},
    {"nothing to suggest", nothing_to_suggest},
    {"B89 a swap that the digit cannot see", b89_swap_that_the_digit_cannot_see},
};

UNIT_MAIN("lookalike", tests)
