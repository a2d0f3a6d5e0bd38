#include "unit/unit.h"

#include "core/base/clock.h"
#include "core/vpic/answer.h"

#define JSON "application/json"
#define HINT "{\"retryAfterMs\":1500}"

static int64_t hint(const char *content_type, const char *body)
{
    return body_hint_read(content_type, content_type == NULL ? 0 : strlen(content_type), body, strlen(body));
}

static void content_types(void)
{
    static const struct {
        const char *type;
        int64_t wanted;
    } cases[] = {
        {"application/json", 1500},
        {"Application/JSON; charset=UTF-8", 1500}, /* J13 */
        {"application/problem+json", 1500},        /* J14 */
        {"application/vnd.api+json;v=1", 1500},
        {"  application/json\t; q=1", 1500},
        {"text/html", -1}, /* J12 */
        {"text/json", -1},
        {"application/jsonp", -1},
        {"application/x-json", -1},
        {"application/+json", -1},
        {"application/json, text/html", -1},
        {"application/a/b+json", -1},
        {"application/a b+json", -1},
        {"application/", -1},
        {"application", -1},
        {"json", -1},
        {"", -1},
        {";", -1},
        {NULL, -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t found = hint(cases[i].type, HINT);
        if (found != cases[i].wanted) {
            printf("\n%s: ", cases[i].type == NULL ? "(null)" : cases[i].type);
        }
        CHECK_INT(found, cases[i].wanted);
    }
}

static void bodies(void)
{
    static const struct {
        const char *body;
        int64_t wanted;
    } cases[] = {
        {HINT, 1500},                                          /* J01 */
        {"{\"retryAfterMs\":\"1500\"}", -1},                   /* J05 */
        {"{\"retryAfterMs\":0}", -1},                          /* J06 */
        {"{\"retryAfterMs\":-1}", -1},                         /* J06 */
        {"{\"retryAfterMs\":true}", -1},                       /* J06 */
        {"{\"retryAfterMs\":null}", -1},                       /* J06 */
        {"{\"retryAfterMs\":1e999}", -1},                      /* J07 */
        {"{\"retryAfterMs\":1500.2}", 1501},                   /* J08 */
        {"{\"retryAfterMs\":59999}", 59999},                   /* J09 */
        {"{\"retryAfterMs\":60000}", 60000},                   /* J10 */
        {"{\"retryAfterMs\":99999999999}", 99999999999},       /* J10 */
        {"{\"retryAfterMs\":5}", 5},                           /* J11 */
        {"{\"RetryAfterMs\":1500}", -1},                       /* J15 */
        {"{\"retryAfterMs\":10,\"retryAfterMs\":9000}", 9000}, /* J16 */
        {"[{\"retryAfterMs\":1500}]", -1},                     /* J17 */
        {"{\"error\":{\"retryAfterMs\":1500}}", -1},           /* J17 */
        {"{\"retryAfterMs\":1500", -1},                        /* J18 */
        {"{\"retryAfterMs\\uZZZZ\":1500}", -1},
        {"{\"retryAfterMs\":1e-9}", 1},
        {"{\"retryAfterMs\":999999999999999}", DURATION_MAX_MS},
        {"{\"retryAfterMs\":999999999999999.5}", DURATION_MAX_MS},
        {"{\"retryAfterMs\":1e15}", DURATION_MAX_MS},
        {"{\"retryAfterMs\":1e308}", DURATION_MAX_MS},
        {"{\"retryAfterMs\":7,\"retryAfterMs\":1e999,\"retryAfterMs\":\"9\",\"retryAfterMs\":-8}", 7},
        {"{\"retryAfterMs\\u0000\":7}", -1},
        {"\n {\"retryAfterMs\" : 7 } \r\n", 7},
        {"{\"\\u0072etryAfterMs\":7}", 7},
        {"null", -1},
        {"7", -1},
        {"", -1},
        {"<html>", -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t found = hint(JSON, cases[i].body);
        if (found != cases[i].wanted) {
            printf("\n%s: ", cases[i].body);
        }
        CHECK_INT(found, cases[i].wanted);
    }
}

/* J18: 65,536 bytes are read, one more is not. */
static void j18_long_body(void)
{
    enum { MOST = 65536 };
    static char body[MOST + 1];
    memset(body, ' ', sizeof body);
    memcpy(body, HINT, strlen(HINT));
    CHECK_INT(body_hint_read(JSON, strlen(JSON), body, MOST), 1500);
    CHECK_INT(body_hint_read(JSON, strlen(JSON), body, MOST + 1), -1);
}

static void lengths_are_lengths(void)
{
    static const char type[] = "application/jsonp", body[] = HINT "junk";
    CHECK_INT(body_hint_read(type, strlen("application/json"), body, strlen(HINT)), 1500);
}

static const struct unit_test tests[] = {
    {"content types", content_types},
    {"bodies", bodies},
    {"J18 long body", j18_long_body},
    {"lengths are lengths", lengths_are_lengths},
};

UNIT_MAIN("answer hint", tests)
