/* Any bytes as a date: nothing but a date is one, and what is one is so to the last byte. */
#include "core/policy/http_date.h"
#include "fuzz/promise.h"

#include <string.h>

enum { LONGEST = 4096 };
static const walltime now = INT64_C(1796040000000);
static const walltime year_0 = INT64_C(-62167219200000), year_10000 = INT64_C(253402300800000);
static const int64_t day_ms = INT64_C(86400000);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char longer[LONGEST + 1];
    walltime date, again;
    if (size > LONGEST || !http_date_read((const char *)data, size, now, &date)) {
        return 0;
    }
    promise(date >= year_0 - day_ms && date <= year_10000 + day_ms, "a year of four digits");
    promise(http_date_read((const char *)data, size, now, &again) && again == date, "the same every time");
    memcpy(longer, data, size);
    for (int byte = 0; byte < 256; byte++) {
        longer[size] = (char)byte;
        promise(!http_date_read(longer, size + 1, now, &again), "nothing behind a date");
    }
    promise(!http_date_read(longer, size - 1, now, &again), "a date is whole");
    return 0;
}
