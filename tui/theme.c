#include "tui/theme.h"

#include "core/base/buffer.h"

#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PALETTE = 16, CUBE = 6, CUBE_FIRST = 16, GREY_FIRST = 232, GREYS = 24, FILE_MAX = 65536 };

static const char *const role_names[ROLE_COUNT] = {
    [ROLE_TEXT] = "text",
    [ROLE_TITLE] = "title",
    [ROLE_DEMO] = "demo",
    [ROLE_KEYS] = "keys",
    [ROLE_KEY] = "key",
    [ROLE_LABEL] = "label",
    [ROLE_HEADING] = "heading",
    [ROLE_VIN_MAKER] = "vin-maker",
    [ROLE_VIN_DESCRIPTOR] = "vin-descriptor",
    [ROLE_VIN_CHECK] = "vin-check",
    [ROLE_VIN_YEAR] = "vin-year",
    [ROLE_VIN_PLANT] = "vin-plant",
    [ROLE_VIN_SERIAL] = "vin-serial",
    [ROLE_ERROR] = "error",
    [ROLE_WARNING] = "warning",
    [ROLE_INFO] = "info",
    [ROLE_OK] = "ok",
    [ROLE_STATE_GO] = "state-go",
    [ROLE_STATE_BUSY] = "state-busy",
    [ROLE_STATE_STOP] = "state-stop",
    [ROLE_STATE_ASK] = "state-ask",
    [ROLE_ACTION_ON] = "action-on",
    [ROLE_ACTION_OFF] = "action-off",
    [ROLE_EMPHASIS] = "emphasis",
    [ROLE_SELECTED] = "selected",
};

const char *role_name(enum role role)
{
    return role_names[role];
}

/* Colours. The palette is xterm's; other terminals have other shades of the same sixteen. */

static const struct {
    const char *name;
    uint32_t rgb;
} palette[PALETTE] = {
    {"black", 0x000000},        {"red", 0xcd0000},
    {"green", 0x00cd00},        {"yellow", 0xcdcd00},
    {"blue", 0x0000ee},         {"magenta", 0xcd00cd},
    {"cyan", 0x00cdcd},         {"white", 0xe5e5e5},
    {"bright-black", 0x7f7f7f}, {"bright-red", 0xff0000},
    {"bright-green", 0x00ff00}, {"bright-yellow", 0xffff00},
    {"bright-blue", 0x5c5cff},  {"bright-magenta", 0xff00ff},
    {"bright-cyan", 0x00ffff},  {"bright-white", 0xffffff},
};

static uint32_t cube_level(int step)
{
    return step == 0 ? 0 : 55 + 40 * (uint32_t)step;
}

uint32_t theme_palette(int index)
{
    if (index < PALETTE) {
        return palette[index].rgb;
    }
    if (index >= GREY_FIRST) {
        return (8 + 10 * (uint32_t)(index - GREY_FIRST)) * 0x010101;
    }
    int place = index - CUBE_FIRST;
    return cube_level(place / (CUBE * CUBE)) << 16 | cube_level(place / CUBE % CUBE) << 8 | cube_level(place % CUBE);
}

static int64_t square(int64_t value)
{
    return value * value;
}

/* How far two colours are apart: by their parts, and by the differences between the parts, so that a grey stays grey
 * and a dark green does not become black. */
static int64_t distance(uint32_t a, uint32_t b)
{
    int64_t red = (int64_t)(a >> 16 & 0xff) - (int64_t)(b >> 16 & 0xff);
    int64_t green = (int64_t)(a >> 8 & 0xff) - (int64_t)(b >> 8 & 0xff);
    int64_t blue = (int64_t)(a & 0xff) - (int64_t)(b & 0xff);
    return square(red) + square(green) + square(blue) + (square(red - green) + square(green - blue)) / 2;
}

/* The nearest colour of the palette from `first` to `last`; of equals the first. */
static int32_t nearest(uint32_t rgb, int first, int last)
{
    int best = first;
    for (int index = first; index <= last; index++) {
        if (distance(rgb, theme_palette(index)) < distance(rgb, theme_palette(best))) {
            best = index;
        }
    }
    return best;
}

/* A mixed colour never becomes one of the sixteen while there are 256: people change those to their liking. */
static int32_t mapped(const struct colour *colour, enum depth depth)
{
    if (colour->kind == COLOUR_OWN || depth == DEPTH_NONE) {
        return -1;
    }
    bool named = colour->kind == COLOUR_NAMED;
    switch (depth) {
    case DEPTH_8:
        return named ? (int32_t)(colour->value % 8) : nearest(colour->value, 0, 7);
    case DEPTH_16:
        return named ? (int32_t)colour->value : nearest(colour->value, 0, 15);
    case DEPTH_256:
        return named ? (int32_t)colour->value : nearest(colour->value, CUBE_FIRST, GREY_FIRST + GREYS - 1);
    default:
        break;
    }
    if (named) {
        return colour->value < 8 ? (int32_t)colour->value : (int32_t)palette[colour->value].rgb;
    }
    return (int32_t)(colour->value < 256 ? colour->value | 0x100 : colour->value); /* none of a palette */
}

static bool same_colour(const struct colour *a, const struct colour *b)
{
    return a->kind == b->kind && a->value == b->value;
}

/* Without colours, what only a colour would tell is told by an attribute: a ground by reverse, a text colour by bold.
 */
struct look theme_look(const struct theme *theme, enum role role, enum depth depth)
{
    const struct style *style = &theme->styles[role], *text = &theme->styles[ROLE_TEXT];
    struct look look = {mapped(&style->text, depth), mapped(&style->ground, depth), style->attributes};
    if (depth == DEPTH_NONE && !same_colour(&style->ground, &text->ground)) {
        look.attributes |= ATTRIBUTE_REVERSE;
    } else if (depth == DEPTH_NONE && look.attributes == 0 && !same_colour(&style->text, &text->text)) {
        look.attributes = ATTRIBUTE_BOLD;
    }
    return look;
}

static bool mixes_colours(const struct theme *theme)
{
    for (int role = 0; role < ROLE_COUNT; role++) {
        if (theme->styles[role].text.kind == COLOUR_MIXED || theme->styles[role].ground.kind == COLOUR_MIXED) {
            return true;
        }
    }
    return false;
}

bool theme_wants_direct(const struct theme *theme, bool asked, const char *colorterm)
{
    bool told = colorterm != NULL && (strcmp(colorterm, "truecolor") == 0 || strcmp(colorterm, "24bit") == 0);
    return (asked || told) && mixes_colours(theme);
}

enum depth theme_depth(int colours)
{
    return colours > 256    ? DEPTH_DIRECT
           : colours == 256 ? DEPTH_256
           : colours >= 16  ? DEPTH_16
           : colours >= 8   ? DEPTH_8
                            : DEPTH_NONE;
}

/* COLORFGBG is "text;ground" or "text;something;ground", by numbers of the palette. */
const char *theme_choose(const char *wanted, const char *colorfgbg)
{
    if (wanted != NULL) {
        return wanted;
    }
    const char *ground = colorfgbg != NULL ? strrchr(colorfgbg, ';') : NULL;
    char *end = NULL;
    long number = ground != NULL ? strtol(ground + 1, &end, 10) : -1;
    bool read = ground != NULL && end != ground + 1 && *end == '\0';
    return read && (number == 7 || (number >= 9 && number <= 15)) ? "light" : "default";
}

/* Reading */

struct theme_reading {
    struct theme *theme;
    char wrong[160]; /* the first thing that is wrong */
};

static int refuse(struct theme_reading *reading, const char *what, const char *text)
{
    if (reading->wrong[0] == '\0') {
        char shown[64];
        (void)frame_clean(text, strlen(text), true, shown, sizeof shown);
        (void)snprintf(reading->wrong, sizeof reading->wrong, what, shown);
    }
    return 0;
}

static bool read_colour(const char *word, struct colour *out)
{
    if (strcmp(word, "default") == 0) {
        *out = (struct colour){.kind = COLOUR_OWN};
        return true;
    }
    for (uint32_t i = 0; i < PALETTE; i++) {
        if (strcmp(word, palette[i].name) == 0) {
            *out = (struct colour){.kind = COLOUR_NAMED, .value = i};
            return true;
        }
    }
    if (word[0] == '#' && strlen(word) == 7 && strspn(word + 1, "0123456789abcdefABCDEF") == 6) {
        *out = (struct colour){.kind = COLOUR_MIXED, .value = (uint32_t)strtoul(word + 1, NULL, 16)};
        return true;
    }
    return false;
}

static bool read_attribute(const char *word, unsigned *attributes)
{
    static const struct {
        const char *name;
        unsigned attribute;
    } known[] = {{"bold", ATTRIBUTE_BOLD}, {"underline", ATTRIBUTE_UNDERLINE}, {"reverse", ATTRIBUTE_REVERSE}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(word, known[i].name) == 0) {
            *attributes |= known[i].attribute;
            return true;
        }
    }
    return false;
}

/* inih's handler of a pair; 0 is an error. */
static int take_pair(void *context, const char *section, const char *name, const char *value)
{
    struct theme_reading *reading = context;
    struct style style = {0};
    char words[256], *rest = words;
    bool ground = false;
    (void)section;
    int role = 0;
    while (role < ROLE_COUNT && strcmp(role_names[role], name) != 0) {
        role++;
    }
    if (role == ROLE_COUNT) {
        return refuse(reading, "nothing on the screen is called \"%s\"", name);
    }
    (void)snprintf(words, sizeof words, "%s", value);
    for (char *word = strtok_r(words, " \t", &rest); word != NULL; word = strtok_r(NULL, " \t", &rest)) {
        if (strcmp(word, "on") == 0 && !ground) {
            ground = true;
        } else if (!read_attribute(word, &style.attributes) &&
                   !read_colour(word, ground ? &style.ground : &style.text)) {
            return refuse(reading, "\"%s\" is neither a colour nor bold, underline or reverse", word);
        }
    }
    reading->theme->styles[role] = style;
    return 1;
}

static bool parse(const char *text, const char *shown, struct theme *out, char *why, size_t size)
{
    struct theme_reading reading = {.theme = out};
    *out = (struct theme){0};
    int line = ini_parse_string(text, take_pair, &reading);
    if (line == 0) {
        return true;
    }
    if (reading.wrong[0] == '\0') {
        (void)snprintf(reading.wrong, sizeof reading.wrong, "\"role = colour\" is expected");
    }
    (void)snprintf(why, size, "theme %s, line %d: %s", shown, line < 0 ? 0 : line, reading.wrong);
    return false;
}

static bool read_file(const char *path, struct buffer *text, const char *shown, char *why, size_t size)
{
    char bytes[4096];
    size_t count;
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        (void)snprintf(why, size, "cannot read the theme %s: %s", shown, strerror(errno));
        return false;
    }
    while ((count = fread(bytes, 1, sizeof bytes, file)) > 0 && !text->failed) {
        buffer_put(text, bytes, count);
    }
    int error = ferror(file) ? errno : 0;
    (void)fclose(file);
    if (error != 0 || text->failed) {
        (void)snprintf(why, size, "cannot read the theme %s: %s", shown,
                       error != 0 ? strerror(error) : "it is too long");
    }
    return error == 0 && !text->failed;
}

static bool load_file(const char *path, struct theme *out, char *why, size_t size)
{
    char shown[256];
    struct buffer text;
    (void)frame_clean(path, strlen(path), true, shown, sizeof shown);
    buffer_init(&text, FILE_MAX);
    bool read = read_file(path, &text, shown, why, size);
    buffer_putc(&text, '\n');
    bool good = read && parse(text.data, shown, out, why, size);
    buffer_clear(&text);
    return good;
}

bool theme_load(const char *name, struct theme *out, char *why, size_t size)
{
    extern const unsigned char asset_themes_default_ini[], asset_themes_light_ini[], asset_themes_high_contrast_ini[],
        asset_themes_monochrome_ini[];
    const struct {
        const char *name;
        const unsigned char *text;
    } built_in[] = {{"default", asset_themes_default_ini},
                    {"light", asset_themes_light_ini},
                    {"high-contrast", asset_themes_high_contrast_ini},
                    {"monochrome", asset_themes_monochrome_ini}};
    for (size_t i = 0; i < sizeof built_in / sizeof built_in[0]; i++) {
        if (strcmp(name, built_in[i].name) == 0) {
            return parse((const char *)built_in[i].text, name, out, why, size);
        }
    }
    if (strchr(name, '/') != NULL) {
        return load_file(name, out, why, size);
    }
    char shown[64];
    (void)frame_clean(name, strlen(name), true, shown, sizeof shown);
    (void)snprintf(why, size,
                   "no theme is called \"%s\": there are default, light, high-contrast and monochrome, "
                   "and a file with a / in its name",
                   shown);
    return false;
}
