#include "tui/app_model.h"

#include "core/base/text.h"

#include <stdio.h>
#include <string.h>

/* A question at the foot of the screen: what to search for, which file. */

const char *app_prompt_label(enum prompt_kind kind)
{
    static const char *const labels[] = {
        [PROMPT_NONE] = "", [PROMPT_SEARCH] = "/", [PROMPT_SAVE] = "Save as: ", [PROMPT_LIST_FILE] = "File of VINs: "};
    return labels[kind];
}

void app_open_prompt(struct app *app, enum prompt_kind kind)
{
    struct prompt *prompt = &app->prompt;
    char name[VIN_LENGTH + 8];
    app_close_prompt(app);
    line_editor_init(&prompt->line);
    prompt->kind = kind;
    prompt->refused = false;
    prompt->before = *app_place(app);
    if (kind == PROMPT_SAVE) {
        (void)snprintf(name, sizeof name, app_on_top(app, OVERLAY_LIST) ? "vins.csv" : "%s.json", app->key.vin);
        for (char *star = strchr(name, '*'); star != NULL; star = strchr(star, '*')) {
            *star = '_';
        }
        line_editor_set(&prompt->line, name, strlen(name));
    } else if (kind == PROMPT_SEARCH) {
        app->search[0] = '\0';
    }
}

void app_close_prompt(struct app *app)
{
    if (app->prompt.kind != PROMPT_NONE) {
        line_editor_clear(&app->prompt.line);
        app->prompt.kind = PROMPT_NONE;
    }
}

/* The search goes on from where the page stood, with each character. */
static void search_changed(struct app *app, monotime now)
{
    struct prompt *prompt = &app->prompt;
    (void)snprintf(app->search, sizeof app->search, "%.*s", SEARCH_MAX - 1, prompt->line.text);
    *app_place(app) = prompt->before;
    app_find_from(app, app_has_choice(app) ? prompt->before.selected : prompt->before.scroll, now);
}

static void changed(struct app *app, monotime now)
{
    app->prompt.refused = false;
    if (app->prompt.kind == PROMPT_SEARCH) {
        search_changed(app, now);
    }
}

/* A line end or a control character is no part of a name or of what is searched for. */
void app_prompt_type(struct app *app, const char *bytes, size_t length, bool typed, monotime now)
{
    size_t shown = 0;
    while (shown < length && (unsigned char)bytes[shown] >= 0x20 && bytes[shown] != 0x7f) {
        shown++;
    }
    if (shown > 0) {
        (void)line_editor_insert(&app->prompt.line, bytes, shown, typed);
        changed(app, now);
    }
}

static void answer(struct app *app, monotime now)
{
    struct prompt *prompt = &app->prompt;
    size_t length = prompt->line.length;
    const char *text = text_trim(prompt->line.text, &length);
    struct effect effect = {.kind = prompt->kind == PROMPT_SAVE ? EFFECT_SAVE : EFFECT_OPEN_LIST,
                            .list = app_on_top(app, OVERLAY_LIST),
                            .replace = prompt->refused};
    if (prompt->kind == PROMPT_SEARCH) {
        app_close_prompt(app);
        if (app->search[0] != '\0' && !app->found) {
            app_find(app, COMMAND_FIND_NEXT, now); /* says so */
        }
    } else if (length == 0) {
        app_close_prompt(app);
    } else {
        char path[LINE_EDITOR_MAX + 1];
        (void)snprintf(path, sizeof path, "%.*s", (int)length, text);
        effect.text = path;
        app_effect(app, &effect);
    }
}

void app_prompt_run(struct app *app, enum command command, monotime now)
{
    struct prompt *prompt = &app->prompt;
    if (command == COMMAND_ANSWER) {
        answer(app, now);
    } else if (command == COMMAND_ESCAPE) {
        if (prompt->kind == PROMPT_SEARCH) {
            *app_place(app) = prompt->before;
            app->search[0] = '\0';
        }
        app_close_prompt(app);
    } else if (app_line_do(&prompt->line, command) && command >= COMMAND_RUB_OUT) {
        changed(app, now);
    }
}

void app_say(struct app *app, const char *said)
{
    (void)snprintf(app->said, sizeof app->said, "%s", said);
    app->notice = NOTICE_SAID;
}

void app_answer(struct app *app, bool done, const char *said)
{
    app->prompt.refused = !done;
    if (done) {
        app_close_prompt(app);
    }
    app_say(app, said);
}
