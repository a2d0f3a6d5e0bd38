/* What arrives in the VIN field: any bytes. The check and the cleaning keep what their headers promise. */
#include "core/vin/lookalike.h"
#include "core/vin/maker.h"
#include "core/vin/scan.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { THIS_YEAR = 2026 };

/* assert() is silent in a release build. */
static void promise(bool kept, const char *what)
{
    if (!kept) {
        fprintf(stderr, "broken promise: %s\n", what);
        abort();
    }
}

static bool is_key(const char *vin)
{
    size_t length = strlen(vin);
    return length >= 1 && length <= VIN_LENGTH && strspn(vin, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789*") == length;
}

static bool is_vin(const char *vin)
{
    return strlen(vin) == VIN_LENGTH && strspn(vin, "ABCDEFGHJKLMNPRSTUVWXYZ0123456789") == VIN_LENGTH;
}

static void check_promises(const struct vin_check *check)
{
    size_t last = 0;
    promise(memchr(check->text, '\0', sizeof(check->text)) != NULL, "the text ends");
    promise(check->problem_count <= VIN_PROBLEMS_MAX, "problems fit");
    for (size_t i = 0; i < check->problem_count; i++) {
        size_t position = check->problems[i].position;
        if (position == 0) {
            promise(i + 1 == check->problem_count, "the length comes last");
        } else {
            promise(position > last && position <= check->length, "problems ascend within the text");
            last = position;
        }
    }
    promise(check->has_check_digit == (check->problem_count == 0), "a digit without problems");
    promise(check->has_check_digit == is_vin(check->text), "a digit for a VIN");
    promise(check->year_count <= 2, "at most two years");
    for (size_t i = 0; i < check->year_count; i++) {
        promise(check->years[i] >= 1980 && check->years[i] <= THIS_YEAR + 1, "years in range");
        promise(i == 0 || check->years[i] > check->years[i - 1], "years ascend");
    }
    promise((vin_verdict(check) != VIN_BLOCKED) == is_key(check->text), "what is not blocked can be a key");
    int year = vin_year_of_car(check);
    promise(year == 0 || (check->year_count == 2 && (year == check->years[0] || year == check->years[1])),
            "the year of a car is one of the two");
}

/* What came, uncleaned: the same text as the one that is checked whole. */
static void check_original(const char *text, size_t size)
{
    static struct scan original;
    static struct vin_check whole;
    scan_original(text, size, THIS_YEAR, &original);
    check_promises(&original.check);
    promise(original.removed[0] == '\0' && !original.upper_cased, "nothing was done to the original");
    vin_check_whole(text, size, THIS_YEAR, &whole);
    check_promises(&whole);
    promise(memchr(text, ',', size) != NULL || strcmp(whole.text, original.check.text) == 0, "the original is whole");
    struct vin_key key = scan_key(&original, 0);
    promise(vin_verdict(&original.check) == VIN_BLOCKED || is_key(key.vin), "a key of the original");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = size > 0 ? (const char *)data : "";
    struct vin_check check, again;
    vin_check(text, size, THIS_YEAR, &check);
    check_promises(&check);
    if (check.length <= VIN_LENGTH) {
        vin_check(check.text, strlen(check.text), THIS_YEAR, &again);
        promise(strcmp(check.text, again.text) == 0, "a clean text stays as it is");
    }

    check_original(text, size);
    struct scan scan;
    scan_clean(text, size, THIS_YEAR, &scan);
    check_promises(&scan.check);
    promise(memchr(scan.removed, '\0', sizeof(scan.removed)) != NULL, "the remark ends");
    promise(scan.year == 0 || (scan.year >= 1980 && scan.year <= THIS_YEAR + 1), "a year in range");
    promise(scan.year == 0 || !scan.year_bad, "a year is good or bad");
    promise(scan.candidate_count <= SCAN_CANDIDATES_MAX, "candidates fit");
    for (size_t i = 0; i < scan.candidate_count; i++) {
        promise(is_vin(scan.candidates[i]), "each candidate is a VIN");
    }
    promise(!check.has_check_digit || scan.check.has_check_digit || scan.candidate_count > 1,
            "the scanner finds what the check finds");

    struct vin_key key = scan_key(&scan, 0);
    promise(vin_verdict(&scan.check) == VIN_BLOCKED || is_key(key.vin), "a key of 1 to 17 characters");

    struct maker maker;
    promise(maker_find(scan.check.text, &maker) == (strlen(scan.check.text) >= 3), "three characters have a maker");
    struct lookalike lookalikes[LOOKALIKE_MAX];
    size_t count = lookalike_find(scan.check.text, lookalikes);
    promise(count <= LOOKALIKE_MAX, "look-alikes fit");
    for (size_t i = 0; i < count; i++) {
        promise(is_vin(lookalikes[i].vin), "each look-alike is a VIN");
        promise(vin_check_digit(lookalikes[i].vin) == lookalikes[i].vin[VIN_CHECK_POSITION - 1], "and right");
    }
    return 0;
}
