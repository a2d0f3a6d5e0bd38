#include "tui/options.h"

#include "core/vpic/request.h"
#include "tests/unit/unit.h"

static char why[256];

/* Reads a command line of words. */
static bool read_line(const char *line, struct options *out)
{
    static char copy[512];
    static char *words[32];
    int count = 0;
    snprintf(copy, sizeof copy, "%s", line);
    for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " ")) {
        words[count++] = word;
    }
    words[count] = NULL;
    return options_read(count, words, 2026, out, why, sizeof why);
}

static void test_defaults(void)
{
    struct options options;
    unsetenv("VINDECODE_UPSTREAM");
    CHECK(read_line("vindecode", &options));
    CHECK_TEXT(options.upstream, VPIC_DEFAULT_BASE);
    CHECK(options.demo == NULL && options.file == NULL && !options.serve && !options.force);
    CHECK_INT(options.output, OUTPUT_SCREEN_OR_TEXT);
    CHECK_INT(options.vin_count, 0);
    CHECK_INT(options.policy.profile[PROFILE_INTERACTIVE].max_attempts,
              policy_default.profile[PROFILE_INTERACTIVE].max_attempts);
}

static void test_words_in_any_order(void)
{
    struct options options;
    CHECK(read_line("vindecode A1 -j B2 --no-cache -f - C3,1999 -y 2003 --ascii -q", &options));
    CHECK_INT(options.output, OUTPUT_JSON);
    CHECK(options.no_cache && options.ascii && options.quiet);
    CHECK_INT(options.year, 2003);
    CHECK_TEXT(options.file, "-");
    CHECK_INT(options.vin_count, 3);
    CHECK_TEXT(options.vins[2], "C3,1999");
}

static void test_demo_and_serve(void)
{
    struct options options;
    CHECK(read_line("vindecode --demo", &options));
    CHECK(options.demo != NULL && !options.demo_list);
    CHECK(read_line("vindecode --demo=outage --serve=8080", &options));
    CHECK_TEXT(options.demo, "outage");
    CHECK_INT(options.serve_port, 8080);
    CHECK(read_line("vindecode --demo=list", &options) && options.demo_list);
    CHECK(read_line("vindecode --serve", &options) && options.serve && options.serve_port == 0);
}

static void test_policy(void)
{
    struct options options;
    CHECK(read_line("vindecode --max-attempts 2 --max-wait=1.5 --deadline 7 --concurrency 5 --rate 3/0.5:9", &options));
    for (size_t i = 0; i < PROFILE_COUNT; i++) {
        const struct profile_policy *profile = &options.policy.profile[i];
        CHECK_INT(profile->max_attempts, 2);
        CHECK_INT(profile->deadline_ms, 7000);
        CHECK_INT(profile->concurrency, 5);
        CHECK_INT(profile->bucket_count, 3);
        CHECK_INT(profile->bucket_per_ms, 500);
        CHECK_INT(profile->bucket_burst, 9);
    }
    CHECK_INT(options.policy.max_wait_ms, 1500);
    CHECK(read_line("vindecode --rate 4/2", &options));
    CHECK_INT(options.policy.profile[PROFILE_LIST].bucket_burst, 4);
}

static void test_wrong_usage(void)
{
    static const char *const lines[] = {
        "vindecode --nonsense",         "vindecode -Z",
        "vindecode --max-wait 0",       "vindecode --max-wait 61",
        "vindecode --max-attempts 0",   "vindecode --deadline -3",
        "vindecode --deadline 1e9",     "vindecode --deadline nan",
        "vindecode --concurrency 6",    "vindecode --concurrency 2x",
        "vindecode --rate 5",           "vindecode --rate 0/1",
        "vindecode --rate 1/0",         "vindecode --serve=70000",
        "vindecode --year 1979",        "vindecode --year 2028",
        "vindecode --upstream nowhere", "vindecode -f",
        "vindecode --json=yes",         "vindecode --max-attempts 1.5",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct options options;
        why[0] = '\0';
        bool good = read_line(lines[i], &options);
        if (good || why[0] == '\0' || strchr(why, '\n') != NULL) {
            printf("\n%s: %s, \"%s\" ", lines[i], good ? "was taken" : "refused", why);
        }
        CHECK(!good && why[0] != '\0' && strchr(why, '\n') == NULL);
    }
}

static void test_what_is_wrong_is_named(void)
{
    struct options options;
    CHECK(!read_line("vindecode --nonsense", &options));
    CHECK(strstr(why, "--nonsense") != NULL);
    CHECK(!read_line("vindecode --max-wait 61", &options));
    CHECK(strstr(why, "--max-wait") != NULL && strstr(why, "61") != NULL && strstr(why, "1 to 60") != NULL);
    CHECK(!read_line("vindecode --\033[2J", &options));
    CHECK(strchr(why, '\033') == NULL);
}

static void test_upstream_from_environment(void)
{
    struct options options;
    setenv("VINDECODE_UPSTREAM", "http://127.0.0.1:1/api", 1);
    CHECK(read_line("vindecode", &options));
    CHECK_TEXT(options.upstream, "http://127.0.0.1:1/api");
    CHECK(read_line("vindecode -u http://127.0.0.1:2/api", &options));
    CHECK_TEXT(options.upstream, "http://127.0.0.1:2/api");
    setenv("VINDECODE_UPSTREAM", "", 1);
    CHECK(read_line("vindecode", &options));
    CHECK_TEXT(options.upstream, VPIC_DEFAULT_BASE);
}

static const struct unit_test tests[] = {
    {"defaults", test_defaults},
    {"words in any order", test_words_in_any_order},
    {"--demo and --serve", test_demo_and_serve},
    {"what changes the policy", test_policy},
    {"wrong usage is one line", test_wrong_usage},
    {"what is wrong is named, harmlessly", test_what_is_wrong_is_named},
    {"option before environment before default", test_upstream_from_environment},
};

UNIT_MAIN("options", tests)
