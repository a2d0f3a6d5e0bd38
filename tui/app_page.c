#include "tui/app_model.h"
#include "tui/view_page.h"

#include <stdio.h>
#include <string.h>

/* Keys for the page, the card or what lies on top of it. */

struct place *app_place(struct app *app)
{
    return app->overlay_count > 0 ? &app->overlays[app->overlay_count - 1].place : &app->card;
}

size_t app_page_rows(const struct app *app, size_t fixed, monotime now)
{
    struct layout layout = view_layout(app, app->rows, app->columns, true, now, 0);
    size_t rows = layout.page_rows > 0 ? (size_t)layout.page_rows : 1;
    return rows > fixed ? rows - fixed : 1;
}

static size_t moved(size_t at, enum command command, size_t page, size_t last)
{
    size_t far = page > 1 ? page - 1 : 1; /* a line of the page before stays in sight */
    switch (command) {
    case COMMAND_LINE_UP:
        return at > 0 ? at - 1 : 0;
    case COMMAND_LINE_DOWN:
        return at < last ? at + 1 : last;
    case COMMAND_PAGE_UP:
        return at > far ? at - far : 0;
    case COMMAND_PAGE_DOWN:
        return last - (at < last ? at : last) > far ? at + far : last;
    case COMMAND_TOP:
        return 0;
    default:
        return last;
    }
}

void app_show(struct app *app, size_t line, monotime now)
{
    struct place *place = app_place(app);
    size_t rows = app_page_rows(app, view_page_size(app, now).fixed, now);
    place->selected = line;
    if (line < place->scroll) {
        place->scroll = line;
    } else if (line >= place->scroll + rows) {
        place->scroll = line - rows + 1;
    }
}

void app_scroll(struct app *app, enum command command, monotime now)
{
    struct place *place = app_place(app);
    struct page_size size = view_page_size(app, now);
    size_t rows = app_page_rows(app, size.fixed, now);
    if (app_has_choice(app)) {
        size_t count = app_choice_count(app);
        app_show(app, moved(place->selected, command, rows, count > 0 ? count - 1 : 0), now);
    } else {
        place->scroll = moved(place->scroll, command, rows, size.lines > rows ? size.lines - rows : 0);
    }
}

/* Choosing */

static const char *chosen_list_text(const struct app *app, size_t index)
{
    return index < app->list.count ? list_input(&app->list.entries[index]) : "";
}

/* The text for the field of the line that is chosen; "" without one. */
static void chosen_text(const struct app *app, char *out, size_t size)
{
    const struct overlay *top = app_overlay(app);
    struct choice choices[CHOICES_MAX];
    const struct result *result;
    out[0] = '\0';
    switch (top != NULL ? top->kind : OVERLAYS_MAX) {
    case OVERLAY_HISTORY:
        result = results_newest(&app->results, top->place.selected);
        if (result != NULL) {
            app_key_text(app, &result->key, out, size);
        }
        break;
    case OVERLAY_CHOOSE:
        if (top->place.selected < app_choices(app, choices)) {
            (void)snprintf(out, size, "%s", choices[top->place.selected].vin);
        }
        break;
    case OVERLAY_LIST:
        (void)snprintf(out, size, "%s", chosen_list_text(app, top->place.selected));
        break;
    default:
        break;
    }
}

bool app_chosen_vin(const struct app *app, char *out, size_t size)
{
    char text[LIST_INPUT_MAX + 1];
    chosen_text(app, text, sizeof text);
    (void)snprintf(out, size, "%s", text);
    return text[0] != '\0' && strlen(text) < size;
}

void app_take(struct app *app)
{
    char text[LIST_INPUT_MAX + 1];
    bool list = app_on_top(app, OVERLAY_LIST);
    size_t index = app_place(app)->selected;
    chosen_text(app, text, sizeof text);
    if (text[0] == '\0') {
        return;
    }
    app->overlay_count = 0;
    app->in_card = false;
    app->walked = 0;
    app_replace_field(app, text);
    if (list && app_result(app) == NULL && app->list.entries[index].state >= LIST_DECODED) {
        app_effect(app, &(struct effect){.kind = EFFECT_RECALL, .index = index});
    }
}

/* Searching */

static bool list_holds(const struct list_entry *entry, const char *text)
{
    return view_holds(list_input(entry), strlen(list_input(entry)), text) ||
           (entry->headline != NULL && view_holds(entry->headline, strlen(entry->headline), text));
}

/* The line where the search goes on from `line`, itself included, round the end of the page; SIZE_MAX: nowhere. */
static size_t find(const struct app *app, size_t line, bool before, monotime now)
{
    const struct list *list = &app->list;
    if (!app_on_top(app, OVERLAY_LIST)) {
        return view_page_find(app, app->search, line, before, now);
    }
    for (size_t step = 0; step < list->count; step++) {
        size_t at = (before ? line + list->count - step : line + step) % list->count;
        if (list_holds(&list->entries[at], app->search)) {
            return at;
        }
    }
    return SIZE_MAX;
}

/* Fields without a value are hidden, but they are there. */
static bool hidden_holds(struct app *app, monotime now)
{
    bool shown = app->show_empty;
    if (app->overlay_count > 0 || shown || app_vehicle(app) == NULL) {
        return false;
    }
    app->show_empty = true;
    bool found = find(app, 0, false, now) != SIZE_MAX;
    app->show_empty = shown;
    return found;
}

static void go_to(struct app *app, size_t line, monotime now)
{
    struct place *place = app_place(app);
    size_t rows = app_page_rows(app, view_page_size(app, now).fixed, now);
    app->found = line != SIZE_MAX;
    if (!app->found) {
        return;
    }
    if (!app_has_choice(app) && (line < place->scroll || line >= place->scroll + rows)) {
        place->scroll = line > rows / 3 ? line - rows / 3 : 0; /* with what stands around it */
    }
    app_show(app, line, now);
}

void app_find_from(struct app *app, size_t line, monotime now)
{
    app->found = true;
    if (app->search[0] != '\0') {
        go_to(app, find(app, line, false, now), now);
    }
}

void app_find(struct app *app, enum command command, monotime now)
{
    bool before = command == COMMAND_FIND_BEFORE;
    size_t at = app_place(app)->selected, lines = view_page_size(app, now).lines;
    if (lines == 0) {
        return;
    }
    size_t line = find(app, before ? (at + lines - 1) % lines : (at + 1) % lines, before, now);
    go_to(app, line, now);
    char said[SAID_MAX];
    if (!app->found) {
        (void)snprintf(said, sizeof said, "\"%s\" %s", app->search,
                       hidden_holds(app, now) ? "is only in a field without a value; e shows those" : "is not here");
        app_say(app, said);
    } else if (before ? line > at : line < at) {
        app_say(app, before ? "Searched on from the bottom" : "Searched on from the top");
    }
}
