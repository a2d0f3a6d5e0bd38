#include "tui/options.h"

#include "core/vpic/request.h"
#include "tests/unit/unit.h"
#include "tui/option_table.h"

#include <sys/stat.h>
#include <unistd.h>

static char why[512];
static char folder[] = "/tmp/vindecode-options-XXXXXX";

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
    CHECK_INT(options.output, OUTPUT_DEFAULT);
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

static void test_addresses(void)
{
    static const struct {
        const char *url;
        bool good;
    } cases[] = {
        {"http://127.0.0.1:8080/api", true},
        {"HTTPS://user:secret@host.example/", true},
        {"http://[::1]:9", true},
        {"host.example/api", false},
        {"http://", false},
        {"http:///api", false},
        {"http://user@", false},
        {"http://[::1/api", false},
        {"http://127.0.0.1:99999/api", false},
        {"http://host example/", false},
        {"http://host.example/api?format=json", false},
        {"http://host.example/api#top", false},
        {"ftp://host.example/", false},
        {"file:///etc/passwd", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct options options;
        char text[128];
        char *words[] = {"vindecode", "--upstream", text, NULL};
        (void)snprintf(text, sizeof text, "%s", cases[i].url);
        bool good = options_read(3, words, 2026, &options, why, sizeof why);
        if (good != cases[i].good) {
            printf("\n%s was %s ", text, good ? "taken" : "refused");
        }
        CHECK_INT(good, cases[i].good);
        options_clear(&options);
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

/* The configuration file */

static void write_file(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    CHECK(file != NULL);
    fputs(text, file);
    fclose(file);
}

static void write_config(const char *text)
{
    write_file("vindecode/config", text);
}

static void test_file(void)
{
    struct options options;
    write_config("; mine\n"
                 "json = yes\nquiet = off\nmax-wait = 7\nmax_attempts=3\n# more\ntheme = light ; a comment\n"
                 "scan_end = tab\nfields = Make, Model\nlog = /tmp/a b.log\nno-color-here-is-none\n");
    CHECK(!read_line("vindecode", &options));
    CHECK(strstr(why, "line 11") != NULL);
    options_clear(&options);
    write_config("; mine\njson = yes\nquiet = off\nmax-wait = 7\nmax_attempts=3\ntheme = light ; a comment\n"
                 "scan_end = tab\nfields = Make, Model\nlog = /tmp/a b.log\nstats = yes\n");
    CHECK(read_line("vindecode", &options));
    CHECK_INT(options.output, OUTPUT_JSON);
    CHECK(!options.quiet && options.scan_end_tab);
    CHECK_INT(options.policy.max_wait_ms, 7000);
    CHECK_INT(options.policy.profile[PROFILE_LIST].max_attempts, 3);
    CHECK_TEXT(options.theme, "light");
    CHECK_TEXT(options.log, "/tmp/a b.log");
    CHECK_INT(options.fields.count, 2);
    CHECK_INT(options.stats, STATS_TEXT);
    options_clear(&options);
}

static void test_order_of_sources(void)
{
    struct options options;
    write_config("upstream = http://file/api\ncolor = 256\nyear = 1999\n");
    CHECK(read_line("vindecode", &options));
    CHECK_TEXT(options.upstream, "http://file/api");
    CHECK_INT(options.color, COLOR_256);
    CHECK_INT(options.year, 1999);
    options_clear(&options);
    setenv("VINDECODE_UPSTREAM", "http://environment/api", 1);
    setenv("NO_COLOR", "1", 1);
    CHECK(read_line("vindecode", &options));
    CHECK_TEXT(options.upstream, "http://environment/api");
    CHECK_INT(options.color, COLOR_NEVER);
    options_clear(&options);
    CHECK(read_line("vindecode -u http://option/api --color=true -y 2001", &options));
    CHECK_TEXT(options.upstream, "http://option/api");
    CHECK_INT(options.color, COLOR_TRUE);
    CHECK_INT(options.year, 2001);
    options_clear(&options);
    unsetenv("VINDECODE_UPSTREAM");
    unsetenv("NO_COLOR");
    write_config("demo = outage\n");
    CHECK(read_line("vindecode --upstream http://option/api", &options));
    CHECK(options.demo == NULL);
    options_clear(&options);
    CHECK(read_line("vindecode", &options));
    CHECK_TEXT(options.demo, "outage");
    options_clear(&options);
}

static void test_wrong_files(void)
{
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"json = yes\n\nnonsense = 1\n", "line 3: no option is called \"nonsense\""},
        {"json = perhaps\n", "line 1: the value is neither yes nor no"},
        {"max-wait = 99\n", "line 1: --max-wait does not take \"99\""},
        {"\nhelp = yes\n", "line 2: \"help\" cannot stand in a file"},
        {"config = x\n", "cannot stand in a file"},
        {"version = yes\n", "cannot stand in a file"},
        {"fields = Make,Modle\n", "line 1: no field or group is called \"Modle\""},
        {"json\n", "line 1: \"name = value\" is expected"},
        {"upstream = nowhere\n", "line 1: --upstream does not take"},
        {"theme =\n", "line 1: --theme does not take \"\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct options options;
        write_config(cases[i].text);
        why[0] = '\0';
        bool good = read_line("vindecode", &options);
        if (good || strstr(why, cases[i].expected) == NULL) {
            printf("\n%s: \"%s\", not \"%s\" ", cases[i].text, why, cases[i].expected);
        }
        CHECK(!good && strstr(why, cases[i].expected) != NULL && strchr(why, '\n') == NULL);
        options_clear(&options);
    }
    char line[600] = "theme = ";
    memset(line + 8, 'x', 500);
    write_config(line);
    struct options options;
    CHECK(!read_line("vindecode", &options));
    CHECK(strstr(why, "line 1") != NULL && strstr(why, "too long") != NULL);
    options_clear(&options);
    CHECK(read_line("vindecode --help", &options)); /* is never hidden by a broken file */
    options_clear(&options);
    write_config("");
}

static void test_named_file(void)
{
    struct options options;
    char line[256];
    CHECK(!read_line("vindecode --config /nonexistent/file", &options));
    CHECK(strstr(why, "/nonexistent/file") != NULL);
    options_clear(&options);
    write_file("other", "csv = yes\n");
    snprintf(line, sizeof line, "vindecode --config %s/other A1", folder);
    CHECK(read_line(line, &options));
    CHECK_INT(options.output, OUTPUT_CSV);
    CHECK_INT(options.vin_count, 1);
    options_clear(&options);
    snprintf(line, sizeof line, "vindecode --config %s", folder);
    CHECK(!read_line(line, &options));
    CHECK(strstr(why, "directory") != NULL);
    options_clear(&options);
    setenv("XDG_CONFIG_HOME", "relative", 1);
    setenv("HOME", "/nonexistent", 1);
    CHECK(read_line("vindecode", &options));
    options_clear(&options);
    setenv("XDG_CONFIG_HOME", folder, 1);
}

static void test_fields(void)
{
    struct field_choice choice;
    CHECK(field_choice_read("model, MAKE ,ModelYear,Make", &choice, why, sizeof why));
    CHECK_INT(choice.count, 3);
    CHECK_TEXT(choice.fields[0]->name, "Model");
    CHECK_TEXT(choice.fields[1]->name, "Make");
    CHECK(field_choice_read("engine", &choice, why, sizeof why) && choice.count > 5);
    size_t body = field_choice_read("Exterior / Body", &choice, why, sizeof why) ? choice.count : 0;
    CHECK(field_choice_read("exterior", &choice, why, sizeof why) && body > 0 && choice.count > body);
    CHECK(!field_choice_read("Exter", &choice, why, sizeof why));
    CHECK(!field_choice_read(" , ", &choice, why, sizeof why));
    field_choice_all(&choice);
    CHECK_INT(choice.count, catalogue_count());
    struct options options;
    CHECK(read_line("vindecode --fields=list", &options) && options.fields_list);
}

static void test_two_files(void)
{
    struct options options;
    CHECK(!read_line("vindecode -f a --file b", &options));
    CHECK(strstr(why, "twice") != NULL);
    CHECK(!read_line("vindecode --s", &options));
    CHECK(strstr(why, "several") != NULL);
    CHECK(!read_line("vindecode --json=yes", &options));
    CHECK_TEXT(why, "option \"--json\" takes no value");
}

/* What the table promises: every name and letter once, a help of sentences, twenty common options. */
static void test_table(void)
{
    size_t common = 0;
    for (size_t i = 0; i < option_row_count; i++) {
        const struct option_row *row = &option_rows[i];
        common += row->common;
        CHECK(row->read != NULL && row->help[strlen(row->help) - 1] == '.');
        CHECK(option_find(row->name) == row);
        for (size_t k = 0; k < i; k++) {
            CHECK(row->letter == 0 || row->letter != option_rows[k].letter);
        }
    }
    CHECK_INT(common, 20);
}

static const struct unit_test tests[] = {
    {"the table", test_table},
    {"the configuration file", test_file},
    {"option, environment, file, default", test_order_of_sources},
    {"wrong files are named with their line", test_wrong_files},
    {"--config, and where the file stands", test_named_file},
    {"--fields", test_fields},
    {"two files, several options, a value too many", test_two_files},
    {"defaults", test_defaults},
    {"words in any order", test_words_in_any_order},
    {"--demo and --serve", test_demo_and_serve},
    {"what changes the policy", test_policy},
    {"wrong usage is one line", test_wrong_usage},
    {"addresses that can be asked", test_addresses},
    {"what is wrong is named, harmlessly", test_what_is_wrong_is_named},
    {"option before environment before default", test_upstream_from_environment},
};

int main(void)
{
    char path[256];
    unsetenv("NO_COLOR");
    if (mkdtemp(folder) == NULL) {
        return 1;
    }
    setenv("XDG_CONFIG_HOME", folder, 1);
    snprintf(path, sizeof path, "%s/vindecode", folder);
    mkdir(path, 0700);
    int status = unit_run("options", tests, sizeof tests / sizeof tests[0]);
    snprintf(path, sizeof path, "%s/vindecode/config", folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/other", folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/vindecode", folder);
    rmdir(path);
    rmdir(folder);
    return status;
}
