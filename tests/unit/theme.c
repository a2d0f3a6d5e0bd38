#include "tui/theme.h"

#include "tests/unit/unit.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const built_in[] = {"default", "light", "high-contrast", "monochrome"};
enum { THEMES = sizeof built_in / sizeof built_in[0] };

static struct theme load(const char *name)
{
    struct theme theme;
    char why[256] = "";
    CHECK(theme_load(name, &theme, why, sizeof why));
    CHECK_TEXT(why, "");
    return theme;
}

/* Writes a file and loads it. */
static bool load_text(const char *text, struct theme *out, char *why, size_t size)
{
    char path[] = "/tmp/vindecode-theme-XXXXXX";
    int file = mkstemp(path);
    CHECK(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
    bool good = theme_load(path, out, why, size);
    unlink(path);
    return good;
}

static void test_roles_have_names(void)
{
    for (int role = 0; role < ROLE_COUNT; role++) {
        CHECK(role_name((enum role)role) != NULL);
        for (int other = 0; other < role; other++) {
            CHECK(strcmp(role_name((enum role)role), role_name((enum role)other)) != 0);
        }
    }
}

static void test_file(void)
{
    struct theme theme;
    char why[256] = "";
    CHECK(load_text("; a theme\n\ntext = default on #102030\nerror = bright-red on default bold underline\n"
                    "title = reverse\n",
                    &theme, why, sizeof why));
    CHECK_INT(theme.styles[ROLE_TEXT].text.kind, COLOUR_OWN);
    CHECK_INT(theme.styles[ROLE_TEXT].ground.kind, COLOUR_MIXED);
    CHECK_INT(theme.styles[ROLE_TEXT].ground.value, 0x102030);
    CHECK_INT(theme.styles[ROLE_ERROR].text.value, 9);
    CHECK_INT(theme.styles[ROLE_ERROR].ground.kind, COLOUR_OWN);
    CHECK_INT(theme.styles[ROLE_ERROR].attributes, ATTRIBUTE_BOLD | ATTRIBUTE_UNDERLINE);
    CHECK_INT(theme.styles[ROLE_TITLE].attributes, ATTRIBUTE_REVERSE);
    CHECK_INT(theme.styles[ROLE_INFO].text.kind, COLOUR_OWN);
    CHECK_INT(theme.styles[ROLE_INFO].attributes, 0);
    CHECK(theme_wants_direct(&theme, true, NULL));
    CHECK(theme_wants_direct(&theme, false, "truecolor"));
    CHECK(theme_wants_direct(&theme, false, "24bit"));
    CHECK(!theme_wants_direct(&theme, false, NULL));
    CHECK(!theme_wants_direct(&theme, false, "yes"));
}

static void test_bad_files(void)
{
    static const struct {
        const char *text, *wanted;
    } cases[] = {
        {"text = default\nspinner = red\n", ", line 2: nothing on the screen is called \"spinner\""},
        {"text = crimson\n", ", line 1: \"crimson\" is neither a colour nor bold, underline or reverse"},
        {"\n\nerror = red blink\n", ", line 3: \"blink\" is neither"},
        {"error = red dim\n", ", line 1: \"dim\" is neither"},
        {"error = #12345\n", ", line 1: \"#12345\" is neither"},
        {"error = #12345g\n", ", line 1: \"#12345g\" is neither"},
        {"error = red on blue on green\n", ", line 1: \"on\" is neither"},
        {"error = \033[5mred\n", ", line 1: \"^[[5mred\" is neither"},
        {"error\n", ", line 1: \"role = colour\" is expected"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct theme theme;
        char why[256] = "";
        CHECK(!load_text(cases[i].text, &theme, why, sizeof why));
        if (strstr(why, cases[i].wanted) == NULL) {
            printf("\nwanted \"%s\" in \"%s\" ", cases[i].wanted, why);
        }
        CHECK(strstr(why, cases[i].wanted) != NULL);
        CHECK(strchr(why, '\033') == NULL && strchr(why, '\n') == NULL);
    }
}

static void test_no_files(void)
{
    static const struct {
        const char *name, *wanted;
    } cases[] = {
        {"solar\033[2Jized", "no theme is called \"solar^[[2Jized\": there are default, light"},
        {"", "no theme is called \"\""},
        {"/nowhere/a\033theme.ini", "cannot read the theme /nowhere/a^[theme.ini: No such file"},
        {"/tmp/", "cannot read the theme /tmp/: Is a directory"},
        {"/dev/zero", "cannot read the theme /dev/zero: it is too long"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct theme theme;
        char why[256] = "";
        CHECK(!theme_load(cases[i].name, &theme, why, sizeof why));
        if (strstr(why, cases[i].wanted) == NULL) {
            printf("\nwanted \"%s\" in \"%s\" ", cases[i].wanted, why);
        }
        CHECK(strstr(why, cases[i].wanted) != NULL);
    }
}

/* Fewer colours */

static int32_t text_at(const char *colour, enum depth depth)
{
    struct theme theme;
    char line[64], why[256];
    snprintf(line, sizeof line, "ok = %s\n", colour);
    CHECK(load_text(line, &theme, why, sizeof why));
    return theme_look(&theme, ROLE_OK, depth).text;
}

static void test_mapping(void)
{
    static const struct {
        const char *colour;
        int32_t direct, at_256, at_16, at_8;
    } cases[] = {
        {"default", -1, -1, -1, -1},
        {"red", 1, 1, 1, 1},
        {"white", 7, 7, 7, 7},
        {"bright-cyan", 0x00ffff, 14, 14, 6},
        {"bright-black", 0x7f7f7f, 8, 8, 0},
        {"#ffffff", 0xffffff, 231, 15, 7},
        {"#000000", 0x000100, 16, 0, 0}, /* below 256 it would be a palette's */
        {"#000007", 0x000107, 16, 0, 0},
        {"#5f87af", 0x5f87af, 67, 8, 6},
        {"#808080", 0x808080, 244, 8, 7},
        {"#FF0000", 0xff0000, 196, 9, 1},
        {"#b00000", 0xb00000, 124, 1, 1},
        {"#006e00", 0x006e00, 22, 2, 2},
        {"#8a4600", 0x8a4600, 94, 1, 1},
        {"#0000b0", 0x0001b0, 19, 4, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        printf("%s ", cases[i].colour);
        CHECK_INT(text_at(cases[i].colour, DEPTH_DIRECT), cases[i].direct);
        CHECK_INT(text_at(cases[i].colour, DEPTH_256), cases[i].at_256);
        CHECK_INT(text_at(cases[i].colour, DEPTH_16), cases[i].at_16);
        CHECK_INT(text_at(cases[i].colour, DEPTH_8), cases[i].at_8);
        CHECK_INT(text_at(cases[i].colour, DEPTH_NONE), -1);
    }
}

/* Each colour of the cube and the greys is its own nearest, or has the same parts as it. */
static void test_mapping_is_exact(void)
{
    for (int index = 16; index < 256; index++) {
        char colour[16];
        snprintf(colour, sizeof colour, "#%06x", theme_palette(index));
        CHECK_INT(theme_palette(text_at(colour, DEPTH_256)), theme_palette(index));
    }
}

static void test_depth(void)
{
    static const struct {
        int colours;
        enum depth depth;
    } cases[] = {{-1, DEPTH_NONE}, {0, DEPTH_NONE}, {2, DEPTH_NONE},  {8, DEPTH_8},
                 {16, DEPTH_16},   {88, DEPTH_16},  {256, DEPTH_256}, {0x1000000, DEPTH_DIRECT}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK_INT(theme_depth(cases[i].colours), cases[i].depth);
    }
}

static void test_choice(void)
{
    static const struct {
        const char *wanted, *colorfgbg, *name;
    } cases[] = {
        {NULL, NULL, "default"},        {NULL, "", "default"},           {NULL, "15;0", "default"},
        {NULL, "0;15", "light"},        {NULL, "0;default;15", "light"}, {NULL, "0;7", "light"},
        {NULL, "12;8", "default"},      {NULL, "0;default", "default"},  {NULL, "0;", "default"},
        {NULL, "15", "default"},        {NULL, "0;16", "default"},       {NULL, "0;15;", "default"},
        {NULL, "7;-7", "default"},      {NULL, "0;7x", "default"},       {"monochrome", "0;15", "monochrome"},
        {"default", "0;15", "default"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK_TEXT(theme_choose(cases[i].wanted, cases[i].colorfgbg), cases[i].name);
    }
}

/* What the built-in ones promise */

static double part(uint32_t value)
{
    double share = value / 255.0;
    return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4);
}

/* WCAG 2.1, "contrast ratio". */
static double contrast(uint32_t a, uint32_t b)
{
    double light[2];
    const uint32_t colours[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        light[i] = 0.2126 * part(colours[i] >> 16 & 0xff) + 0.7152 * part(colours[i] >> 8 & 0xff) +
                   0.0722 * part(colours[i] & 0xff);
    }
    double more = fmax(light[0], light[1]), less = fmin(light[0], light[1]);
    return (more + 0.05) / (less + 0.05);
}

static uint32_t rgb_of(int32_t colour, enum depth depth, uint32_t own)
{
    return colour < 0 ? own : depth == DEPTH_DIRECT && colour > 7 ? (uint32_t)colour : theme_palette(colour);
}

static void expect_contrast(const char *name, enum depth depth, uint32_t own_text, uint32_t own_ground, double least)
{
    struct theme theme = load(name);
    for (int role = 0; role < ROLE_COUNT; role++) {
        struct look look = theme_look(&theme, (enum role)role, depth);
        double found = contrast(rgb_of(look.text, depth, own_text), rgb_of(look.ground, depth, own_ground));
        if (found < least) {
            printf("\n%s, %s: %.2f, less than %.2f ", name, role_name((enum role)role), found, least);
        }
        CHECK(found >= least);
    }
}

static void test_contrast(void)
{
    /* White paper, and Solarized's. */
    expect_contrast("light", DEPTH_DIRECT, 0x000000, 0xffffff, 4.5);
    expect_contrast("light", DEPTH_256, 0x000000, 0xffffff, 4.5);
    expect_contrast("light", DEPTH_DIRECT, 0x073642, 0xfdf6e3, 4.5);
    expect_contrast("light", DEPTH_256, 0x073642, 0xfdf6e3, 4.5);
    /* Every colour brings its own ground. */
    struct theme theme = load("high-contrast");
    for (int role = 0; role < ROLE_COUNT; role++) {
        CHECK_INT(theme.styles[role].text.kind, theme.styles[role].ground.kind);
    }
    expect_contrast("high-contrast", DEPTH_DIRECT, 0xffffff, 0x000000, 7);
    expect_contrast("high-contrast", DEPTH_256, 0xffffff, 0x000000, 7);
    expect_contrast("high-contrast", DEPTH_16, 0xffffff, 0x000000, 4.5);
}

/* T18: text in the terminal's own colours, and no shade that is unreadable on somebody's ground. */
static void test_default_assumes_nothing(void)
{
    struct theme theme = load("default");
    CHECK(!theme_wants_direct(&theme, true, "truecolor")); /* nothing to gain */
    for (int role = 0; role < ROLE_COUNT; role++) {
        const struct style *style = &theme.styles[role];
        CHECK_INT(style->ground.kind, COLOUR_OWN);
        if (style->text.kind == COLOUR_NAMED) {
            bool quiet = style->text.value != 0 && style->text.value != 4 && style->text.value < 7;
            CHECK(quiet); /* neither black, blue, white nor a bright one */
            CHECK_INT(style->attributes & ATTRIBUTE_BOLD, 0);
        }
    }
    static const enum role texts[] = {ROLE_TEXT, ROLE_KEYS, ROLE_LABEL, ROLE_HEADING, ROLE_ACTION_OFF};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        CHECK_INT(theme.styles[texts[i]].text.kind, COLOUR_OWN);
    }
}

/* What must be told apart is told apart without colours. */
static void test_without_colours(void)
{
    static const enum role marked[] = {ROLE_ERROR,     ROLE_WARNING,  ROLE_STATE_GO,  ROLE_STATE_BUSY, ROLE_STATE_STOP,
                                       ROLE_STATE_ASK, ROLE_SELECTED, ROLE_ACTION_ON, ROLE_EMPHASIS,   ROLE_VIN_MAKER,
                                       ROLE_KEY,       ROLE_HEADING,  ROLE_TITLE};
    for (size_t i = 0; i < THEMES; i++) {
        struct theme theme = load(built_in[i]);
        CHECK_INT(theme_look(&theme, ROLE_TEXT, DEPTH_NONE).attributes, 0);
        for (size_t k = 0; k < sizeof marked / sizeof marked[0]; k++) {
            struct look look = theme_look(&theme, marked[k], DEPTH_NONE);
            if (look.attributes == 0) {
                printf("\n%s: %s looks like text ", built_in[i], role_name(marked[k]));
            }
            CHECK(look.attributes != 0);
            CHECK_INT(look.text, -1);
            CHECK_INT(look.ground, -1);
        }
        unsigned go = theme_look(&theme, ROLE_STATE_GO, DEPTH_NONE).attributes;
        unsigned stop = theme_look(&theme, ROLE_STATE_STOP, DEPTH_NONE).attributes;
        CHECK(go != stop);
        CHECK(theme_look(&theme, ROLE_VIN_MAKER, DEPTH_NONE).attributes !=
              theme_look(&theme, ROLE_VIN_DESCRIPTOR, DEPTH_NONE).attributes);
        CHECK(theme_look(&theme, ROLE_VIN_PLANT, DEPTH_NONE).attributes !=
              theme_look(&theme, ROLE_VIN_SERIAL, DEPTH_NONE).attributes);
    }
}

/* At every depth every role is a colour that this depth has. */
static void test_ranges(void)
{
    static const int32_t ends[] = {
        [DEPTH_NONE] = 0, [DEPTH_8] = 8, [DEPTH_16] = 16, [DEPTH_256] = 256, [DEPTH_DIRECT] = 0x1000000};
    for (size_t i = 0; i < THEMES; i++) {
        struct theme theme = load(built_in[i]);
        for (int role = 0; role < ROLE_COUNT; role++) {
            for (enum depth depth = DEPTH_NONE; depth <= DEPTH_DIRECT; depth++) {
                struct look look = theme_look(&theme, (enum role)role, depth);
                CHECK(look.text >= -1 && look.text < ends[depth]);
                CHECK(look.ground >= -1 && look.ground < ends[depth]);
                CHECK(depth == DEPTH_NONE || look.text < 0 || look.text != look.ground);
            }
        }
    }
}

static void test_monochrome(void)
{
    struct theme theme = load("monochrome");
    for (int role = 0; role < ROLE_COUNT; role++) {
        struct look look = theme_look(&theme, (enum role)role, DEPTH_256);
        CHECK_INT(look.text, -1);
        CHECK_INT(look.ground, -1);
    }
}

static const struct unit_test tests[] = {
    {"every role has a name of its own", test_roles_have_names},
    {"a theme from a file", test_file},
    {"bad files, with the line", test_bad_files},
    {"files that are none", test_no_files},
    {"fewer colours", test_mapping},
    {"256 colours are met exactly", test_mapping_is_exact},
    {"depth by number of colours", test_depth},
    {"COLORFGBG and --theme", test_choice},
    {"contrast of light and high-contrast", test_contrast},
    {"T18: the default assumes no ground", test_default_assumes_nothing},
    {"without colours", test_without_colours},
    {"only colours that are there", test_ranges},
    {"monochrome", test_monochrome},
};

UNIT_MAIN("theme", tests)
