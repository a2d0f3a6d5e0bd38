#include "unit/unit.h"

#include "core/vpic/request.h"

#define SINGLE "http://host/api/vehicles/DecodeVinValues/"

static void check_single(const char *base, const char *vin, int year, const char *wanted)
{
    struct vin_key key = {.year = year};
    snprintf(key.vin, sizeof key.vin, "%s", vin);
    struct buffer url;
    buffer_init(&url, 4096);
    request_single_url(base, &key, &url);
    CHECK_TEXT(url.data, wanted);
    CHECK(!url.failed);
    buffer_clear(&url);
}

static void single_urls(void)
{
    check_single("http://host/api", "1HGCM82633A004352", 0, SINGLE "1HGCM82633A004352?format=json");
    check_single("http://host/api", "1HGCM82633A004352", 2003, SINGLE "1HGCM82633A004352?format=json&modelyear=2003");
    check_single(VPIC_DEFAULT_BASE, "A", 0, "https://vpic.nhtsa.dot.gov/api/vehicles/DecodeVinValues/A?format=json");
}

static void slashes_at_the_end_of_the_base(void)
{
    check_single("http://host/api/", "A", 0, SINGLE "A?format=json");
    check_single("http://host/api///", "A", 0, SINGLE "A?format=json");
    check_single("", "A", 0, "/vehicles/DecodeVinValues/A?format=json");
    check_single("//", "A", 0, "/vehicles/DecodeVinValues/A?format=json");
}

static void only_unreserved_characters_stay(void)
{
    check_single("http://host/api", "5UXWX7C5*BA", 0, SINGLE "5UXWX7C5%2ABA?format=json");
    check_single("http://host/api", "-._~", 0, SINGLE "-._~?format=json");
    check_single("http://host/api", " %?#&=+\x01", 0, SINGLE "%20%25%3F%23%26%3D%2B%01?format=json");
    check_single("http://host/api", "\xC3\xA9", 0, SINGLE "%C3%A9?format=json");
}

/* B39: a slash inside the VIN must not change the path. */
static void b39_slash_in_the_vin(void)
{
    check_single("http://host/api", "1HGCM826/3A004352", 0, SINGLE "1HGCM826%2F3A004352?format=json");
    check_single("http://host/api", "../..", 0, SINGLE "..%2F..?format=json");
}

static void group_requests(void)
{
    struct buffer out;
    buffer_init(&out, 4096);
    request_group_url("http://host/api/", &out);
    CHECK_TEXT(out.data, "http://host/api/vehicles/DecodeVINValuesBatch/");
    buffer_reset(&out);
    struct vin_key keys[] = {{"5UXWX7C5*BA", 2011}, {"1HGCM82633A004352", 0}, {"A&B", 1999}};
    request_group_body(keys, 3, &out);
    CHECK_TEXT(out.data, "DATA=5UXWX7C5%2ABA%2C2011%3B1HGCM82633A004352%3BA%26B%2C1999&format=json");
    buffer_reset(&out);
    request_group_body(keys + 1, 1, &out);
    CHECK_TEXT(out.data, "DATA=1HGCM82633A004352&format=json");
    buffer_clear(&out);
}

static void the_largest_group(void)
{
    struct vin_key keys[VPIC_GROUP_MAX];
    for (size_t i = 0; i < VPIC_GROUP_MAX; i++) {
        keys[i] = (struct vin_key){"1HGCM82633A004352", 2003};
    }
    struct buffer body;
    buffer_init(&body, 4096);
    request_group_body(keys, VPIC_GROUP_MAX, &body);
    CHECK(!body.failed);
    CHECK_INT(body.length, strlen("DATA=&format=json") + VPIC_GROUP_MAX * strlen("1HGCM82633A004352%2C2003") +
                               (VPIC_GROUP_MAX - 1) * strlen("%3B"));
    buffer_clear(&body);
}

static const struct unit_test tests[] = {
    {"single URLs", single_urls},
    {"slashes at the end of the base", slashes_at_the_end_of_the_base},
    {"only unreserved characters stay", only_unreserved_characters_stay},
    {"B39 slash in the VIN", b39_slash_in_the_vin},
    {"group requests", group_requests},
    {"the largest group", the_largest_group},
};

UNIT_MAIN("vpic request", tests)
