/*
 * The golden frames: each situation is played to the model by hand, drawn in every size with UTF-8 and in ASCII, and
 * compared with golden/NAME.txt, which is what a reviewer reads.
 *
 *     frames DIRECTORY            compares; prints the first line that differs
 *     frames --update DIRECTORY   writes the golden files anew
 *
 * No state, overlay, prompt or notice is without a golden file. Every frame is also held against what must be true of
 * all: one known state word at the beginning of one line, DEMO in the demo, no control character, no line wider than
 * the window.
 */
#include "screen/golden.h"
#include "screen/situations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t passed, missed;

static void miss(const char *name, const char *size, const char *what, const char *found)
{
    (void)printf("%s, %s: %s\n    %s\n", name, size, what, found);
    missed++;
}

static bool begins_with_state_word(const char *line, size_t length)
{
    for (int word = STATE_DECODING; word <= STATE_READY; word++) {
        const char *text = state_word_name((enum state_word)word);
        size_t size = strlen(text);
        if (length >= size && memcmp(line, text, size) == 0 && (length == size || line[size] == ' ')) {
            return true;
        }
    }
    return false;
}

/* What holds for every frame. */
static void check_frame(const struct situation *situation, const char *size, int columns, bool utf8, const char *text)
{
    size_t words = 0;
    for (const char *line = text; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        words += begins_with_state_word(line, length);
        if (frame_width(line, length, utf8) > columns) {
            miss(situation->name, size, "a line is wider than the window", line);
        }
        for (size_t i = 0; i < length; i++) {
            unsigned char byte = (unsigned char)line[i];
            if (byte < 0x20 || byte == 0x7f || (!utf8 && byte >= 0x80)) {
                miss(situation->name, size, "a byte that may not reach a terminal", line);
                break;
            }
        }
        line += length + 1;
    }
    if (words != 1) {
        miss(situation->name, size, "not exactly one line begins with a state word", text);
    }
    if (situation->demo != NULL &&
        strstr(text, utf8 ? "DEMO \xe2\x80\x93 simulated NHTSA" : "DEMO - simulated NHTSA") == NULL) {
        miss(situation->name, size, "DEMO is not said", text);
    }
}

static void draw(const struct situation *situation, struct buffer *out)
{
    static const int sizes[][2] = {{12, 40}, {24, 80}, {40, 120}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (int utf8 = 1; utf8 >= 0; utf8--) {
            struct frame frame;
            char size[40];
            frame_init(&frame, sizes[i][0], sizes[i][1], utf8 != 0);
            situation_draw(situation, &frame);
            (void)snprintf(size, sizeof size, "%dx%d %s", sizes[i][1], sizes[i][0], utf8 != 0 ? "UTF-8" : "ASCII");
            char *text = frame_dump(&frame);
            check_frame(situation, size, sizes[i][1], utf8 != 0, text);
            buffer_printf(out, "======== %s\n%s", size, text);
            free(text);
            frame_clear(&frame);
        }
    }
}

/* What the situations are of; all of it must be there. */
static struct {
    bool words[STATE_READY + 1], overlays[OVERLAYS_MAX], prompts[PROMPT_LIST_FILE + 1], notices[NOTICE_FORGET + 1];
} seen;

static void note(const struct situation *situation)
{
    struct stage stage;
    stage_open(&stage, situation->demo);
    app_size(stage.app, 24, 80);
    situation->play(&stage);
    seen.words[can_decode(stage.app, stage.now).word] = true;
    seen.prompts[stage.app->prompt.kind] = true;
    seen.notices[stage.app->notice] = true;
    if (stage.app->overlay_count > 0) {
        seen.overlays[stage.app->overlays[stage.app->overlay_count - 1].kind] = true;
    }
    stage_close(&stage);
}

static void check_all_seen(const bool *which, size_t count, const char *what)
{
    for (size_t i = 0; i < count; i++) {
        if (!which[i]) {
            char number[16];
            (void)snprintf(number, sizeof number, "%zu", i);
            miss(what, "of which there is no golden file", "is number", number);
        }
    }
}

int main(int count, char **arguments)
{
    bool update = count == 3 && strcmp(arguments[1], "--update") == 0;
    if (count != (update ? 3 : 2)) {
        (void)fprintf(stderr, "usage: frames [--update] DIRECTORY\n");
        return 2;
    }
    for (size_t i = 0; i < situation_count; i++) {
        char path[4096];
        struct buffer text;
        buffer_init(&text, 1 << 24);
        (void)snprintf(path, sizeof path, "%s/%s.txt", arguments[count - 1], situations[i].name);
        draw(&situations[i], &text);
        note(&situations[i]);
        if (update ? golden_write(path, &text) : golden_compare(path, situations[i].name, &text)) {
            passed++;
        } else {
            missed++;
        }
        buffer_clear(&text);
    }
    check_all_seen(seen.words, sizeof seen.words, "a state");
    check_all_seen(seen.overlays, sizeof seen.overlays, "an overlay");
    check_all_seen(seen.prompts, sizeof seen.prompts, "a prompt");
    check_all_seen(seen.notices, sizeof seen.notices, "a notice");
    (void)printf("%zu passed, %zu failed\n", passed, missed);
    return missed == 0 ? 0 : 1;
}
