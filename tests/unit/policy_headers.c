/* The parse rules P0 to P15 and the readers below them: dates and structured fields. */
#include "unit.h"

#include "core/policy/http_date.h"
#include "core/policy/structured_field.h"
#include "policy_support.h"

static void check_quota(struct quota quota, int64_t limit, int64_t remaining, int64_t reset_ms, int64_t retry_after_ms,
                        const char *source)
{
    CHECK_INT(quota.limit, limit);
    CHECK_INT(quota.remaining, remaining);
    CHECK_INT(quota.reset_ms, reset_ms);
    CHECK_INT(quota.retry_after_ms, retry_after_ms);
    CHECK_TEXT(quota_source_name(quota.source), source);
}

static void p00_nothing(void)
{
    struct quota quota;
    quota_read(NULL, 0, POLICY_NOW, &quota);
    check_quota(quota, -1, -1, -1, -1, "none");
    CHECK_INT(quota.hint_source, HINT_NONE);
    CHECK_TEXT(hint_source_name(HINT_NONE), "none");
}

static void p01_names(void)
{
    CHECK_INT(READ("retry-AFTER", "8").retry_after_ms, 8000);
    CHECK_INT(READ("Retry-After2", "8").retry_after_ms, QUOTA_UNKNOWN);
    CHECK_INT(READ("Retry-Afte", "8").retry_after_ms, QUOTA_UNKNOWN);
    CHECK_INT(READ(" Retry-After", "8").retry_after_ms, QUOTA_UNKNOWN);
}

static void p02_lines(void)
{
    char line[1100];
    CHECK_INT(retry_after(" \t 8\t "), 8000);
    CHECK_INT(retry_after("8\r"), QUOTA_UNKNOWN);
    CHECK_INT(retry_after("8\x7f"), QUOTA_UNKNOWN);
    CHECK_INT(retry_after("8\x80"), QUOTA_UNKNOWN);
    CHECK_INT(retry_after(""), QUOTA_UNKNOWN);
    memset(line, '0', sizeof line);
    strcpy(line + 1023, "8");
    CHECK_INT(retry_after(line), 8000);
    line[1023] = '0';
    strcpy(line + 1024, "8");
    CHECK_INT(retry_after(line), QUOTA_UNKNOWN);
    struct header_field with_nul = {"Retry-After", 11, "8\0", 2};
    struct quota quota;
    quota_read(&with_nul, 1, POLICY_NOW, &quota);
    CHECK_INT(quota.retry_after_ms, QUOTA_UNKNOWN);
}

static void p03_numbers(void)
{
    static const char *const malformed[] = {"+8",  "-8", "8e1", "0x8",   "8s",  "\"8\"",
                                            "8;x", "8.", ".8",  "8.8.8", "8 8", "8,"};
    for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++) {
        CHECK_INT(retry_after(malformed[i]), QUOTA_UNKNOWN);
    }
    CHECK_INT(retry_after("999999999999999"), DURATION_MAX_MS);
    CHECK_INT(retry_after("9999999999999999"), DURATION_MAX_MS);
    CHECK_INT(retry_after("999999999999.999"), 999999999999999);
    CHECK_INT(retry_after("999999999999.9991"), DURATION_MAX_MS);
}

static void p04_fractions(void)
{
    CHECK_INT(retry_after("0.0000001"), 1);
    CHECK_INT(retry_after("1.999"), 1999);
    CHECK_INT(retry_after("1.9990000"), 1999);
    CHECK_INT(retry_after("1.9990001"), 2000);
    CHECK_INT(READ("Retry-After-Ms", "10.1").retry_after_ms, 11);
}

static void p05_dates(void)
{
    walltime date;
    static const char *const same[] = {"Sat, 14 Nov 2026 10:00:00 GMT", "Saturday, 14-Nov-26 10:00:00 GMT",
                                       "Sat Nov 14 10:00:00 2026",      "2026-11-14T10:00:00Z",
                                       "2026-11-14t11:30:00+01:30",     "2026-11-13T10:01:00.000-23:59",
                                       "Tue, 14 Nov 2026 10:00:00 GMT"};
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        date = 0;
        CHECK(http_date_read(same[i], strlen(same[i]), POLICY_NOW, &date));
        CHECK_INT(date, POLICY_NOW);
    }
    static const char *const malformed[] = {"",
                                            "Sat, 14 Nov 2026 10:00:00",
                                            "Sat, 14 Nov 2026 10:00:00 GMT ",
                                            "Sat, 14 Nov 2026 10:00:00 gmt",
                                            "sat, 14 Nov 2026 10:00:00 GMT",
                                            "Sat, 14 nov 2026 10:00:00 GMT",
                                            "Sat, 4 Nov 2026 10:00:00 GMT",
                                            "Sat, 14 Nov 26 10:00:00 GMT",
                                            "Sat, 31 Nov 2026 10:00:00 GMT",
                                            "Sat, 00 Nov 2026 10:00:00 GMT",
                                            "Sat, 29 Feb 2100 10:00:00 GMT",
                                            "Sat, 14 Nov 2026 24:00:00 GMT",
                                            "Sat, 14 Nov 2026 10:60:00 GMT",
                                            "Sat, 14 Nov 2026 10:00:61 GMT",
                                            "Sat,\t14 Nov 2026 10:00:00 GMT",
                                            "Sat, 14-Nov-26 10:00:00 GMT",
                                            "Saturday, 14-Nov-2026 10:00:00 GMT",
                                            "Sat Nov 5 10:00:00 2026",
                                            "Sat Nov 14 10:00:00 2026 GMT",
                                            "2026-11-14 10:00:00Z",
                                            "2026-11-14T10:00:00",
                                            "2026-11-14T10:00:00.Z",
                                            "2026-13-14T10:00:00Z",
                                            "2026-11-14T10:00:00+24:00",
                                            "2026-11-14T10:00:00+01:60",
                                            "2026-11-14T10:00:00+0100"};
    for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++) {
        if (http_date_read(malformed[i], strlen(malformed[i]), POLICY_NOW, &date)) {
            printf("\n\"%s\" passes for a date ", malformed[i]);
        }
        CHECK(!http_date_read(malformed[i], strlen(malformed[i]), POLICY_NOW, &date));
    }
}

static walltime date_of(const char *text, walltime now)
{
    walltime date = -1;
    CHECK(http_date_read(text, strlen(text), now, &date));
    return date;
}

static void p05_calendar(void)
{
    CHECK_INT(date_of("Thu, 01 Jan 1970 00:00:00 GMT", 0), 0);
    CHECK_INT(date_of("Sat, 01 Jan 0000 00:00:00 GMT", 0), INT64_C(-62167219200000));
    CHECK_INT(date_of("Fri, 31 Dec 9999 23:59:59 GMT", 0), INT64_C(253402300799000));
    CHECK_INT(date_of("Tue, 29 Feb 2000 00:00:00 GMT", 0), INT64_C(951782400000));
    CHECK_INT(date_of("Sun, 31 Dec 2016 23:59:60 GMT", 0), date_of("Sun, 01 Jan 2017 00:00:00 GMT", 0));
    CHECK_INT(date_of("Thu Nov 05 10:00:00 2026", 0), date_of("Thu Nov  5 10:00:00 2026", 0));
    CHECK_INT(date_of("2026-11-14T10:00:00.0004Z", 0), POLICY_NOW + 1);
    CHECK_INT(date_of("2026-11-14T10:00:00.5z", 0), POLICY_NOW + 500);
}

static void p05_century(void)
{
    CHECK_INT(date_of("Saturday, 14-Nov-76 10:00:00 GMT", POLICY_NOW), date_of("Sat, 14 Nov 2076 10:00:00 GMT", 0));
    CHECK_INT(date_of("Saturday, 14-Nov-77 10:00:00 GMT", POLICY_NOW), date_of("Sat, 14 Nov 1977 10:00:00 GMT", 0));
    walltime year_1 = date_of("Mon, 01 Jan 0001 00:00:00 GMT", 0),
             year_1999 = date_of("Fri, 31 Dec 1999 00:00:00 GMT", 0);
    CHECK_INT(date_of("Saturday, 14-Nov-44 10:00:00 GMT", year_1), date_of("Sat, 14 Nov 0044 10:00:00 GMT", 0));
    CHECK_INT(date_of("Saturday, 14-Nov-49 10:00:00 GMT", year_1999), date_of("Sat, 14 Nov 1949 10:00:00 GMT", 0));
}

static void p06_base(void)
{
    CHECK_INT(
        READ("Date", "Sat, 14 Nov 2026 08:00:00 GMT", "Retry-After", "Sat, 14 Nov 2026 08:00:07 GMT").retry_after_ms,
        7000);
    CHECK_INT(READ("Date", "yesterday", "Date", "2026-11-14T08:00:00Z", "X-RateLimit-Reset", "1794643207").reset_ms,
              7000);
    CHECK_INT(READ("Retry-After", "7", "Date", "Sat, 14 Nov 2026 08:00:00 GMT").retry_after_ms, 7000);
}

static void p07_past(void)
{
    CHECK_INT(retry_after("Sat, 14 Nov 2020 10:00:00 GMT"), 0);
    CHECK_INT(retry_after("1794650399"), 0);
}

static void p08_epochs(void)
{
    struct quota quota = READ("Retry-After", "1794650405.25");
    CHECK_INT(quota.retry_after_ms, 5250);
    CHECK_TEXT(hint_source_name(quota.hint_source), "retry-after-epoch");
    CHECK_INT(retry_after("1794650405001"), 5001);
    CHECK_INT(retry_after("999999999"), INT64_C(999999999000));
    CHECK_INT(retry_after("10000000000"), INT64_C(10000000000000));
    CHECK_INT(retry_after("1794564000"), 0);
    CHECK_INT(retry_after("1794563999.999"), QUOTA_UNKNOWN);
    CHECK_INT(READ("Retry-After-Ms", "1794650405").retry_after_ms, 1794650405);
    CHECK_INT(READ("RateLimit", "a;r=0;t=1794650405").reset_ms, 5000);
    CHECK_INT(READ("RateLimit", "a;r=0;t=1000000000").reset_ms, QUOTA_UNKNOWN);
}

static void p09_duplicates(void)
{
    struct quota quota =
        READ("Retry-After", "4 ,\t6", "Retry-After", "Sat, 14 Nov 2026 10:00:06 GMT", "Retry-After", "5x");
    CHECK_INT(quota.retry_after_ms, 6000);
    CHECK_INT(quota.hint_source, HINT_RETRY_AFTER_SECONDS);
    CHECK_INT(READ("Retry-After", "4,6,").retry_after_ms, QUOTA_UNKNOWN);
    CHECK_INT(READ("Retry-After", "4,,6").retry_after_ms, QUOTA_UNKNOWN);
    CHECK_INT(READ("Retry-After", "4, Sat, 14 Nov 2026 10:00:06 GMT").retry_after_ms, QUOTA_UNKNOWN);
    check_quota(READ("X-RateLimit-Limit", "9, 7", "X-RateLimit-Limit", "8", "X-RateLimit-Remaining", "3, 2"), 7, 2, -1,
                -1, "x-ratelimit");
    check_quota(READ("RateLimit-Limit", "9 ; w=1, 7;w=60;c=\"x y\"", "RateLimit-Reset", "1, 2"), 9, -1, 2000, -1,
                "ratelimit");
    check_quota(READ("RateLimit-Limit", "9;=1", "RateLimit-Reset", "2"), -1, -1, 2000, -1, "ratelimit");
    check_quota(READ("RateLimit-Limit", "9;", "RateLimit-Reset", "2"), -1, -1, 2000, -1, "ratelimit");
}

static void p10_order(void)
{
    CHECK_INT(READ("Retry-After", "9", "x-ms-retry-after-ms", "700", "retry-after-ms", "500").retry_after_ms, 500);
    CHECK_INT(READ("Retry-After", "9", "x-ms-retry-after-ms", "700", "retry-after-ms", "5s").retry_after_ms, 700);
    CHECK_INT(READ("Retry-After", "9", "x-ms-retry-after-ms", "-1", "retry-after-ms", "").retry_after_ms, 9000);
    CHECK_INT(READ("retry-after-ms", "500, 900").retry_after_ms, 900);
    CHECK_TEXT(hint_source_name(READ("retry-after-ms", "500").hint_source), "retry-after-ms");
}

static void p11_families(void)
{
    check_quota(READ("X-RateLimit-Remaining", "1", "RateLimit-Reset", "4"), -1, -1, 4000, -1, "ratelimit");
    check_quota(READ("X-RateLimit-Remaining", "1", "RateLimit-Limit", "50"), 50, 1, -1, -1, "x-ratelimit");
    check_quota(READ("RateLimit-Remaining", "1", "X-RateLimit-Limit", "50"), -1, 1, -1, -1, "ratelimit");
    check_quota(READ("X-Rate-Limit-Limit", "50", "X-RateLimit-Limit", "60"), 60, -1, -1, -1, "none");
    check_quota(READ("X-Rate-Limit-Limit", "50", "Retry-After", "1"), 50, -1, -1, 1000, "retry-after-only");
    check_quota(READ("X-RateLimit-Reset", "3", "X-RateLimit-Reset-After", "2"), -1, -1, 2000, -1, "x-ratelimit");
    check_quota(READ("X-Rate-Limit-Next", "3", "X-Rate-Limit-Reset", "z"), -1, -1, 3000, -1, "x-ratelimit");
    check_quota(READ("RateLimit-Reset-After", "3"), -1, -1, -1, -1, "none");
}

static void p12_remaining(void)
{
    CHECK_INT(READ("RateLimit-Remaining", "0.9").remaining, 0);
    CHECK_INT(READ("RateLimit-Remaining", "-1").remaining, QUOTA_UNKNOWN);
    CHECK_INT(READ("RateLimit-Remaining", "99999999999999999").remaining, INT64_C(999999999999999));
}

static void p13_list(void)
{
    check_quota(READ("RateLimit", "\"a\";r=3;t=9, \"b\";r=3;t=11, c;r=4;t=99", "RateLimit-Policy", "b;q=20"), 20, 3,
                11000, -1, "ratelimit");
    check_quota(READ("RateLimit", "a;t=5", "RateLimit", "b;t=8"), -1, -1, 8000, -1, "ratelimit");
    check_quota(READ("RateLimit", "a;r=1, b;t=8"), -1, 1, -1, -1, "ratelimit");
    check_quota(READ("RateLimit", "a;r=9;r=2;t=1;t=3"), -1, 2, 3000, -1, "ratelimit");
    check_quota(READ("RateLimit", "a", "RateLimit-Policy", "a;q=20, a;q=30"), 20, -1, -1, -1, "none");
    check_quota(READ("RateLimit", "a;r=1", "RateLimit-Policy", "\"a\";q=20;w=1, b;q=?"), -1, 1, -1, -1, "ratelimit");
    check_quota(READ("RateLimit", "a;r=1", "RateLimit-Policy", "a;q=2.5"), -1, 1, -1, -1, "ratelimit");
    check_quota(READ("RateLimit", "a;r=1", "RateLimit-Policy", "7;q=9, a;q=2"), 2, 1, -1, -1, "ratelimit");
    static const char *const dropped[] = {"a;r=-1",        "a;r=1.0",    "a;r=\"1\"", "a;r",    "a;r=1,",
                                          "a;r=1, b;t=-1", "7;r=1",      "(a);r=1",   "a;r=1;", "a;r=1;X=1",
                                          "a r=1",         "a;r=1;b=?2", ",a;r=1",    "?1;r=1"};
    for (size_t i = 0; i < sizeof dropped / sizeof dropped[0]; i++) {
        check_quota(READ("RateLimit", dropped[i]), -1, -1, -1, -1, "none");
    }
}

static void p13_dictionary(void)
{
    check_quota(READ("RateLimit", "limit=30, remaining=2, reset=4"), 30, 2, 4000, -1, "ratelimit");
    check_quota(READ("RateLimit", "limit=30", "RateLimit", "reset=4;a=1, remaining=9, remaining=2, x, y=(1 2);z"), 30,
                2, 4000, -1, "ratelimit");
    check_quota(READ("RateLimit", "limit=30"), 30, -1, -1, -1, "none");
    static const char *const dropped[] = {"limit=30, remaining=-2", "limit, remaining=2", "reset=1.5, remaining=2",
                                          "limit=30 remaining=2",   "limit=30,",          "limit=30, a;r=1;b=\"",
                                          "remaining=\"2\""};
    for (size_t i = 0; i < sizeof dropped / sizeof dropped[0]; i++) {
        check_quota(READ("RateLimit", dropped[i]), -1, -1, -1, -1, "none");
    }
}

static void p14_borrow(void)
{
    check_quota(READ("RateLimit", "a;r=0", "X-RateLimit-Limit", "9", "X-Rate-Limit-Reset", "6"), -1, 0, 6000, -1,
                "ratelimit");
    check_quota(READ("RateLimit", "a;r=1", "X-Rate-Limit-Reset", "6"), -1, 1, -1, -1, "ratelimit");
    check_quota(READ("RateLimit", "a;r=0", "X-Rate-Limit-Reset", "6", "retry-after-ms", "8"), -1, 0, -1, 8,
                "ratelimit");
    check_quota(READ("X-Rate-Limit-Remaining", "0", "RateLimit-Reset", "x"), -1, 0, -1, -1, "x-ratelimit");
}

static void p15_age(void)
{
    check_quota(READ("Age", "0.5", "RateLimit-Limit", "4", "RateLimit-Remaining", "0", "Retry-After", "8"), -1, -1, -1,
                8000, "retry-after-only");
    check_quota(READ("Age", "0, 0", "Age", "x", "RateLimit-Remaining", "0"), -1, 0, -1, -1, "ratelimit");
}

static bool parses_as_list(const char *text)
{
    struct structured_reader reader = structured_read(text, strlen(text));
    struct structured_key key;
    struct structured_item item;
    while (structured_list_next(&reader, &item)) {
        while (structured_parameter_next(&reader, &key, &item)) {
        }
    }
    return !reader.failed;
}

static void structured_kinds(void)
{
    static const char *const good[] = {"",
                                       "  ",
                                       "a",
                                       "*a/b:c",
                                       "-5",
                                       "-123456789012.123",
                                       "\"\"",
                                       "\"\\\\\\\"\"",
                                       "::",
                                       ":YQ==:",
                                       ":YWI=:",
                                       ":YWJj:",
                                       ":YQ:",
                                       "?0",
                                       "@-1",
                                       "%\"\"",
                                       "%\"a b%e2%82%ac%f0%9f%9a%97\"",
                                       "()",
                                       "( a  b;x )",
                                       "(a);y=1,\tb ,c"};
    static const char *const bad[] = {"-",
                                      "1.",
                                      "1.1234",
                                      "1234567890123.1",
                                      "1234567890123456",
                                      "\"a",
                                      "\"\\a\"",
                                      "\"\x7f\"",
                                      ":a:",
                                      ":YQ=:",
                                      ":YWJj=:",
                                      ":YQ==",
                                      "?",
                                      "?2",
                                      "@1.5",
                                      "@",
                                      "%a",
                                      "%\"a",
                                      "%\"%4\"",
                                      "%\"%zz\"",
                                      "%\"%ff\"",
                                      "%\"%c3\"",
                                      "%\"%e0%80%80\"",
                                      "%\"%C3%A9\"",
                                      "%\"%ed%a0%80\"",
                                      "%\"%f4%90%80%80\"",
                                      "%\"\x80\"",
                                      "(a",
                                      "(a\"b\")",
                                      "(a;X)",
                                      "a;",
                                      "a;1",
                                      "a b",
                                      "a,",
                                      "=",
                                      "!"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        if (!parses_as_list(good[i])) {
            printf("\nrefused: %s ", good[i]);
        }
        CHECK(parses_as_list(good[i]));
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (parses_as_list(bad[i])) {
            printf("\npasses: %s ", bad[i]);
        }
        CHECK(!parses_as_list(bad[i]));
    }
}

static bool same_text(const char *a, const char *b)
{
    struct structured_reader reader_a = structured_read(a, strlen(a)), reader_b = structured_read(b, strlen(b));
    struct structured_item item_a, item_b;
    CHECK(structured_list_next(&reader_a, &item_a) && structured_list_next(&reader_b, &item_b));
    return structured_same_text(&item_a, &item_b);
}

static void structured_texts(void)
{
    CHECK(same_text("abc", "\"abc\""));
    CHECK(same_text("\"a\\\"b\\\\\"", "\"a\\\"b\\\\\""));
    CHECK(same_text("\"a\tb\"", "\"a b\""));
    CHECK(!same_text("\"a\"", "\"ab\""));
    CHECK(!same_text("\"ab\"", "\"a\""));
    CHECK(!same_text("\"a\"", "\"b\""));
    struct structured_reader reader = structured_read("?1, ?0, 7", 9);
    struct structured_item item;
    CHECK(structured_list_next(&reader, &item) && item.kind == STRUCTURED_BOOLEAN && item.integer == 1);
    CHECK(structured_list_next(&reader, &item) && item.kind == STRUCTURED_BOOLEAN && item.integer == 0);
    CHECK(structured_list_next(&reader, &item) && item.kind == STRUCTURED_INTEGER && item.integer == 7);
    CHECK(!structured_list_next(&reader, &item) && !reader.failed);
    struct structured_reader bad = structured_read("a=1, B=2", 8);
    struct structured_key key;
    CHECK(structured_dictionary_next(&bad, &key, &item) && structured_key_is(&key, "a"));
    CHECK(!structured_dictionary_next(&bad, &key, &item) && bad.failed);
    CHECK(!structured_dictionary_next(&bad, &key, &item) && !structured_parameter_next(&bad, &key, &item));
}

static const struct unit_test tests[] = {
    {"P0 an answer without headers says nothing", p00_nothing},
    {"P1 names", p01_names},
    {"P2 lines", p02_lines},
    {"P3 numbers", p03_numbers},
    {"P4 fractions round up", p04_fractions},
    {"P5 dates, and what is none", p05_dates},
    {"P5 the calendar", p05_calendar},
    {"P5 the century of a year of two digits", p05_century},
    {"P6 the Date header is the base", p06_base},
    {"P7 the past is zero", p07_past},
    {"P8 epochs", p08_epochs},
    {"P9 duplicates and lists", p09_duplicates},
    {"P10 order of the retry hints", p10_order},
    {"P11 families", p11_families},
    {"P12 remaining", p12_remaining},
    {"P13 RateLimit as a list", p13_list},
    {"P13 RateLimit as a dictionary", p13_dictionary},
    {"P14 a borrowed reset", p14_borrow},
    {"P15 an aged answer", p15_age},
    {"RFC 9651: every kind of item", structured_kinds},
    {"RFC 9651: texts, booleans, dictionaries", structured_texts},
};

UNIT_MAIN("policy: headers", tests)
