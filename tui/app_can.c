#include "tui/app_model.h"
#include "tui/view_page.h"

/* Where the focus is, and what would do something there. */

const struct overlay *app_overlay(const struct app *app)
{
    return app->overlay_count > 0 ? &app->overlays[app->overlay_count - 1] : NULL;
}

bool app_on_top(const struct app *app, enum overlay_kind kind)
{
    const struct overlay *top = app_overlay(app);
    return top != NULL && top->kind == kind;
}

bool app_overlay_of(enum command command, enum overlay_kind *out)
{
    static const struct {
        enum command command;
        enum overlay_kind kind;
    } openers[] = {{COMMAND_HELP, OVERLAY_HELP},   {COMMAND_HISTORY, OVERLAY_HISTORY}, {COMMAND_LIST, OVERLAY_LIST},
                   {COMMAND_METER, OVERLAY_METER}, {COMMAND_DETAILS, OVERLAY_DETAILS}, {COMMAND_LARGE, OVERLAY_LARGE}};
    for (size_t i = 0; i < sizeof openers / sizeof openers[0]; i++) {
        if (openers[i].command == command) {
            *out = openers[i].kind;
            return true;
        }
    }
    return false;
}

bool app_in_field(const struct app *app)
{
    return !app->in_card && app->overlay_count == 0;
}

enum key_context app_context(const struct app *app)
{
    return app->prompt.kind != PROMPT_NONE ? KEYS_PROMPT : app_in_field(app) ? KEYS_FIELD : KEYS_OUTSIDE;
}

bool app_has_choice(const struct app *app)
{
    return app_on_top(app, OVERLAY_HISTORY) || app_on_top(app, OVERLAY_CHOOSE) || app_on_top(app, OVERLAY_LIST);
}

size_t app_choice_count(const struct app *app)
{
    struct choice choices[CHOICES_MAX];
    const struct overlay *top = app_overlay(app);
    switch (top != NULL ? top->kind : OVERLAYS_MAX) {
    case OVERLAY_HISTORY:
        return app->results.count;
    case OVERLAY_CHOOSE:
        return app_choices(app, choices);
    case OVERLAY_LIST:
        return app->list.count;
    default:
        return 0;
    }
}

/* Where F5 skips both caches; under Ready and Check it is an Enter. Nothing skips the gate or the breaker. */
bool app_asks_again(enum state_word word)
{
    return word == STATE_DECODED || word == STATE_FAILED || word == STATE_RESTING;
}

static bool can_move(const struct app *app, monotime now)
{
    struct page_size size = view_page_size(app, now);
    return size.lines > app_page_rows(app, size.fixed, now) || app_choice_count(app) > 1;
}

static bool can_save(const struct app *app)
{
    const struct result *result = app_result(app);
    if (app_on_top(app, OVERLAY_LIST)) {
        return list_done(&app->list) > 0;
    }
    return app->overlay_count == 0 && result != NULL && (result->answered || result->failed);
}

static bool can_search(const struct app *app)
{
    const struct overlay *top = app_overlay(app);
    switch (top != NULL ? top->kind : OVERLAYS_MAX) {
    case OVERLAY_METER:
    case OVERLAY_LARGE:
        return false;
    case OVERLAY_LIST:
        return app->list.count > 0;
    case OVERLAYS_MAX:
        return app_vehicle(app) != NULL;
    default:
        return true;
    }
}

/* Commands for the list, while its pane lies on top. */
static bool can_list(const struct app *app, enum command command)
{
    const struct list *list = &app->list;
    if (!app_on_top(app, OVERLAY_LIST)) {
        return false;
    }
    switch (command) {
    case COMMAND_LIST_RUN:
        return list->counts[LIST_TODO] + list->counts[LIST_OUT] > 0;
    case COMMAND_LIST_RETRY:
        return list->counts[LIST_FAILED] > 0;
    case COMMAND_LIST_CLEAR:
        return list->name != NULL;
    default:
        return !list->reading;
    }
}

bool app_can(const struct app *app, enum command command, monotime now)
{
    struct choice choices[CHOICES_MAX];
    char vin[VIN_LENGTH + 16];
    switch (command) {
    case COMMAND_DECODE:
        return can_decode(app, now).action_on;
    case COMMAND_AGAIN:
        return app_asks_again(can_decode(app, now).word);
    case COMMAND_ESCAPE:
        return app->overlay_count > 0 || app->open.ticket != 0;
    case COMMAND_UNDO:
        return line_editor_can_undo(app->prompt.kind != PROMPT_NONE ? &app->prompt.line : &app->field);
    case COMMAND_TAKE:
        return app_has_choice(app) && app_choice_count(app) > 0;
    case COMMAND_HISTORY:
        return app->results.count > 0;
    case COMMAND_EMPTY_FIELDS:
        return app->overlay_count == 0 && app_vehicle(app) != NULL;
    case COMMAND_DETAILS:
        return (app->overlay_count == 0 || app_on_top(app, OVERLAY_DETAILS)) && app_vehicle(app) != NULL;
    case COMMAND_CHOOSE:
        return !app_on_top(app, OVERLAY_CHOOSE) && app_choices(app, choices) > 0;
    case COMMAND_COPY:
        return app_has_choice(app) ? app_chosen_vin(app, vin, sizeof vin) : app->overlay_count == 0 && app->has_key;
    case COMMAND_SAVE:
        return can_save(app);
    case COMMAND_SEARCH:
        return can_search(app);
    case COMMAND_FIND_NEXT:
    case COMMAND_FIND_BEFORE:
        return app->search[0] != '\0';
    case COMMAND_LIST_FILE:
    case COMMAND_LIST_RUN:
    case COMMAND_LIST_RETRY:
    case COMMAND_LIST_CLEAR:
        return can_list(app, command);
    case COMMAND_SCENARIO:
        return app->demo != NULL;
    case COMMAND_LINE_UP:
    case COMMAND_LINE_DOWN:
    case COMMAND_PAGE_UP:
    case COMMAND_PAGE_DOWN:
    case COMMAND_TOP:
    case COMMAND_BOTTOM:
        return can_move(app, now);
    default:
        return true;
    }
}
