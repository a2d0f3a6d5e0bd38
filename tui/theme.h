#ifndef TUI_THEME_H
#define TUI_THEME_H

#include "tui/frame.h"

/* How roles look. A theme gives each role one style; what a terminal shows of it is computed for its number of colours,
 * so that there is one table and not five. Nothing here blinks or is dim, and no role needs its colour to be
 * understood. Pure, but for theme_load(), which may read a file. No curses. */

/* How many colours there are to show. */
enum depth { DEPTH_NONE, DEPTH_8, DEPTH_16, DEPTH_256, DEPTH_DIRECT };

enum { ATTRIBUTE_BOLD = 1, ATTRIBUTE_UNDERLINE = 2, ATTRIBUTE_REVERSE = 4 };

/* A colour as a theme names it. */
struct colour {
    enum { COLOUR_OWN, COLOUR_NAMED, COLOUR_MIXED } kind; /* the terminal's own; of its palette; by its parts */
    uint32_t value;                                       /* named: 0 to 15; mixed: 0xRRGGBB */
};

struct style {
    struct colour text, ground;
    unsigned attributes;
};

struct theme {
    struct style styles[ROLE_COUNT];
};

/* Reads a theme: one that is built in ("default", "light", "high-contrast", "monochrome"), or a file when `name` holds
 * a "/". A file has lines "role = [COLOUR] [on COLOUR] [bold] [underline] [reverse]", where COLOUR is "default", a name
 * ("red", "bright-red") or "#rrggbb"; roles that it leaves out look as the terminal's own text. False with one clear
 * line in `why` (at most `size` bytes). */
bool theme_load(const char *name, struct theme *out, char *why, size_t size);

/* The theme to load: `wanted` (--theme) when it is not NULL, else "light" when COLORFGBG (NULL: not set) says that the
 * background is light, else "default". */
const char *theme_choose(const char *wanted, const char *colorfgbg);

/* Whether direct colours are worth looking for: the theme mixes colours, and they were `asked` for (--color=true) or
 * the terminal says by COLORTERM (NULL: not set) that it has them. */
bool theme_wants_direct(const struct theme *theme, bool asked, const char *colorterm);

/* The depth of a terminal that says how many colours it has. */
enum depth theme_depth(int colours);

/* What a terminal is told. Colours: -1 is its own; below 8 (16, 256) of its palette; with DEPTH_DIRECT 0xRRGGBB from
 * 256 on, and below 8 of its palette: what terminfo's direct terminals have in common. */
struct look {
    int32_t text, ground;
    unsigned attributes;
};

struct look theme_look(const struct theme *theme, enum role role, enum depth depth);

/* The colour of a palette as xterm has it: 0 to 255 as 0xRRGGBB. */
uint32_t theme_palette(int index);

/* "text", "vin-maker", ...: as a theme spells it. */
const char *role_name(enum role role);

#endif
