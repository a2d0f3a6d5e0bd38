/*
 * Frames with their attributes: some situations in every theme at every depth of colour, compared with
 * golden/themes/THEME-DEPTH.txt. Below a row of the frame stands a letter for each cell that does not look as the
 * terminal's own text; what the letters mean stands at the file's head.
 *
 *     themes DIRECTORY            compares; prints the first line that differs
 *     themes --update DIRECTORY   writes the golden files anew
 */
#include "screen/golden.h"
#include "screen/situations.h"
#include "tui/theme.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 24, COLUMNS = 80 };

static const char *const theme_names[] = {"default", "light", "high-contrast", "monochrome"};
static const char *const depth_names[] = {
    [DEPTH_NONE] = "none", [DEPTH_8] = "8", [DEPTH_16] = "16", [DEPTH_256] = "256", [DEPTH_DIRECT] = "direct"};
static const char *const shown[] = {"waiting", "throttled-enter",     "check-asked",
                                    "decoded", "decoded-suggestions", "history"};

/* Looks by letter, as they come up. */
struct legend {
    struct look looks[ROLE_COUNT];
    int count;
};

static char letter_of(struct legend *legend, const struct look *look)
{
    if (look->text < 0 && look->ground < 0 && look->attributes == 0) {
        return ' ';
    }
    int i = 0;
    while (i < legend->count && (legend->looks[i].text != look->text || legend->looks[i].ground != look->ground ||
                                 legend->looks[i].attributes != look->attributes)) {
        i++;
    }
    if (i == legend->count) {
        legend->looks[legend->count++] = *look;
    }
    return (char)('a' + i);
}

static void put_colour(struct buffer *out, const char *what, int32_t colour)
{
    if (colour >= 256) {
        buffer_printf(out, "  %s #%06x", what, (unsigned)colour);
    } else if (colour >= 0) {
        buffer_printf(out, "  %s %d", what, (int)colour);
    }
}

static void put_legend(struct buffer *out, const struct legend *legend)
{
    for (int i = 0; i < legend->count; i++) {
        const struct look *look = &legend->looks[i];
        buffer_putc(out, (char)('a' + i));
        put_colour(out, "text", look->text);
        put_colour(out, "ground", look->ground);
        buffer_puts(out, look->attributes & ATTRIBUTE_BOLD ? "  bold" : "");
        buffer_puts(out, look->attributes & ATTRIBUTE_UNDERLINE ? "  underline" : "");
        buffer_puts(out, look->attributes & ATTRIBUTE_REVERSE ? "  reverse" : "");
        buffer_putc(out, '\n');
    }
}

static void put_row(struct buffer *out, const char *text, size_t length, const char *letters)
{
    int last = COLUMNS;
    while (last > 0 && letters[last - 1] == ' ') {
        last--;
    }
    if (length > 0 || last > 0) {
        buffer_puts(out, length > 0 ? "  " : " ");
        buffer_put(out, text, length);
        buffer_putc(out, '\n');
    }
    if (last > 0) {
        buffer_puts(out, "~ ");
        buffer_put(out, letters, (size_t)last);
        buffer_putc(out, '\n');
    }
}

static void put_frame(struct buffer *out, const struct frame *frame, const struct theme *theme, enum depth depth,
                      struct legend *legend)
{
    char *text = frame_dump(frame);
    const char *line = text;
    for (int row = 0; row < ROWS; row++) {
        char letters[COLUMNS];
        size_t length = strcspn(line, "\n");
        for (int column = 0; column < COLUMNS; column++) {
            struct look look = theme_look(theme, (enum role)frame->cells[row * COLUMNS + column].role, depth);
            letters[column] = letter_of(legend, &look);
        }
        put_row(out, line, length, letters);
        line += length + 1;
    }
    free(text);
}

static void draw(const char *name, enum depth depth, struct buffer *out)
{
    struct theme theme;
    struct legend legend = {.count = 0};
    struct buffer frames;
    char why[256];
    if (!theme_load(name, &theme, why, sizeof why)) {
        (void)fprintf(stderr, "%s\n", why);
        exit(1);
    }
    buffer_init(&frames, 1 << 24);
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        struct frame frame;
        frame_init(&frame, ROWS, COLUMNS, true);
        situation_draw(situation_find(shown[i]), &frame);
        buffer_printf(&frames, "======== %s\n", shown[i]);
        put_frame(&frames, &frame, &theme, depth, &legend);
        frame_clear(&frame);
    }
    put_legend(out, &legend);
    buffer_put(out, frames.data, frames.length);
    buffer_clear(&frames);
}

int main(int count, char **arguments)
{
    bool update = count == 3 && strcmp(arguments[1], "--update") == 0;
    size_t passed = 0, missed = 0;
    if (count != (update ? 3 : 2)) {
        (void)fprintf(stderr, "usage: themes [--update] DIRECTORY\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof theme_names / sizeof theme_names[0]; i++) {
        for (enum depth depth = DEPTH_NONE; depth <= DEPTH_DIRECT; depth++) {
            char name[64], path[4096];
            struct buffer text;
            buffer_init(&text, 1 << 24);
            draw(theme_names[i], depth, &text);
            (void)snprintf(name, sizeof name, "%s-%s", theme_names[i], depth_names[depth]);
            (void)snprintf(path, sizeof path, "%s/%s.txt", arguments[count - 1], name);
            if (update ? golden_write(path, &text) : golden_compare(path, name, &text)) {
                passed++;
            } else {
                missed++;
            }
            buffer_clear(&text);
        }
    }
    (void)printf("%zu passed, %zu failed\n", passed, missed);
    return missed == 0 ? 0 : 1;
}
