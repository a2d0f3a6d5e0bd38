#include "cases.h"

#include "core/vin/vin.h"

#include <string.h>

static cJSON *problem_of(const struct vin_problem *problem, size_t length)
{
    static const char *const kinds[] = {
        [VIN_EMPTY] = "empty",
        [VIN_TOO_SHORT] = "too_short",
        [VIN_TOO_LONG] = "too_long",
        [VIN_BAD_CHARACTER] = "bad_character",
        [VIN_FORBIDDEN_LETTER] = "forbidden_letter",
        [VIN_WILDCARD] = "wildcard",
    };
    cJSON *out = cJSON_CreateObject();
    cJSON_AddStringToObject(out, "kind", kinds[problem->kind]);
    if (problem->position > 0) {
        cJSON_AddNumberToObject(out, "pos", (double)problem->position);
    } else {
        cJSON_AddNumberToObject(out, "length", (double)length);
    }
    return out;
}

cJSON *case_vin_check(const cJSON *in, const char **row)
{
    (void)row;
    bool ok = true;
    const char *text = case_text(in, "text", &ok);
    int this_year = (int)case_number(in, "this_year", &ok);
    if (!ok) {
        return NULL;
    }
    struct vin_check check;
    vin_check(text, strlen(text), this_year, &check);
    cJSON *out = cJSON_CreateObject();
    cJSON_AddStringToObject(out, "vin", check.text);
    cJSON *problems = cJSON_AddArrayToObject(out, "problems");
    for (size_t i = 0; i < check.problem_count; i++) {
        cJSON_AddItemToArray(problems, problem_of(&check.problems[i], check.length));
    }
    if (!check.has_check_digit) {
        cJSON_AddNullToObject(out, "check");
        cJSON_AddNullToObject(out, "years");
        return out;
    }
    char expected[] = {check.check_expected, '\0'}, actual[] = {check.check_actual, '\0'};
    cJSON *digit = cJSON_AddObjectToObject(out, "check");
    cJSON_AddStringToObject(digit, "expected", expected);
    cJSON_AddStringToObject(digit, "actual", actual);
    cJSON_AddBoolToObject(digit, "ok", check.check_ok);
    cJSON_AddItemToObject(out, "years", cJSON_CreateIntArray(check.years, (int)check.year_count));
    return out;
}
