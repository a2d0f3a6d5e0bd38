#include "core/base/buffer.h"
#include "tui/demo/demo.h"
#include "tui/demo/scenario.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The scenarios that are embedded, in the order in which F8 plays them; those for tests come last. A new one is also
 * named in sources.cmake. */
#define SCENARIOS(X)                                                                                                   \
    X(calm)                                                                                                            \
    X(retry_after)                                                                                                     \
    X(quota)                                                                                                           \
    X(outage)                                                                                                          \
    X(slow)                                                                                                            \
    X(tour)                                                                                                            \
    X(flaky)                                                                                                           \
    X(forbidden)                                                                                                       \
    X(quota_ratelimit)                                                                                                 \
    X(quota_structured)                                                                                                \
    X(quota_epoch)                                                                                                     \
    X(quota_retry_after)                                                                                               \
    X(answers_20ms)

#define X(name)                                                                                                        \
    extern const unsigned char asset_scenarios_##name##_json[];                                                        \
    extern const size_t asset_scenarios_##name##_json_size;
SCENARIOS(X)
#undef X

static const struct {
    const unsigned char *text;
    const size_t *length;
} embedded[] = {
#define X(name) {asset_scenarios_##name##_json, &asset_scenarios_##name##_json_size},
    SCENARIOS(X)
#undef X
};

enum { EMBEDDED_COUNT = sizeof embedded / sizeof embedded[0], FILE_LIMIT = 1 << 20, WHY_SIZE = 512 };

/* Read once, for their names; they live as long as the process. */
static struct scenario *known[EMBEDDED_COUNT];

static struct scenario *read_embedded(size_t index)
{
    char why[WHY_SIZE];
    struct scenario *scenario = scenario_read((const char *)embedded[index].text, *embedded[index].length,
                                              "embedded scenario", why, sizeof why);
    if (scenario == NULL) {
        fprintf(stderr, "vindecode: %s\n", why); /* a bug: a test reads each of them */
        abort();
    }
    return scenario;
}

static void read_all(void)
{
    for (size_t i = 0; i < EMBEDDED_COUNT; i++) {
        known[i] = read_embedded(i);
    }
}

bool demo_list(size_t index, const char **name, const char **description)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_all);
    if (index >= EMBEDDED_COUNT) {
        return false;
    }
    *name = scenario_name(known[index]);
    *description = scenario_description(known[index]);
    return true;
}

static struct scenario *read_file(const char *path, char *why, size_t size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        snprintf(why, size, "%s: %s", path, strerror(errno));
        return NULL;
    }
    struct buffer text;
    buffer_init(&text, FILE_LIMIT);
    char chunk[4096];
    size_t got;
    while (!text.failed && (got = fread(chunk, 1, sizeof chunk, file)) > 0) {
        buffer_put(&text, chunk, got);
    }
    struct scenario *scenario = NULL;
    if (ferror(file)) {
        snprintf(why, size, "%s: %s", path, strerror(errno));
    } else if (text.failed) {
        snprintf(why, size, "%s: longer than a scenario may be (%d bytes)", path, FILE_LIMIT);
    } else {
        scenario = scenario_read(text.data, text.length, path, why, size);
    }
    fclose(file);
    buffer_clear(&text);
    return scenario;
}

struct scenario *scenario_open(const char *name, char *why, size_t size)
{
    size_t length = strlen(name);
    if (strchr(name, '/') != NULL || (length > 5 && strcmp(name + length - 5, ".json") == 0)) {
        return read_file(name, why, size);
    }
    const char *candidate, *description;
    for (size_t i = 0; demo_list(i, &candidate, &description); i++) {
        if (strcmp(candidate, name) == 0) {
            return read_embedded(i);
        }
    }
    snprintf(why, size, "there is no scenario \"%.40s\"; --demo=list names them", name);
    return NULL;
}
