#include "tui/app_model.h"
#include "tui/view_page.h"

/* The mouse: a click on a button, a pane or a line, and the wheel. */

enum { WHEEL_LINES = 3 };

/* The action at the end of the status line. */
static void click_action(struct app *app, enum notice before, monotime now)
{
    app_run(app, can_decode(app, now).word == STATE_DECODED ? COMMAND_AGAIN : COMMAND_DECODE, before, now);
}

/* A click on a line chooses it, one on the chosen line takes it. */
static void click_page(struct app *app, const struct layout *layout, int row, enum notice before, monotime now)
{
    size_t fixed = view_page_size(app, now).fixed;
    size_t line = (size_t)(row - layout->page_row);
    struct place *place = app_place(app);
    if (app->overlay_count == 0) {
        app->in_card = true;
    }
    if (!app_has_choice(app) || line < fixed) {
        return;
    }
    line += place->scroll - fixed;
    if (line >= app_choice_count(app)) {
        return;
    }
    if (line == place->selected) {
        app_run(app, COMMAND_TAKE, before, now);
    } else {
        place->selected = line;
    }
}

static void click(struct app *app, const struct input *input, enum notice before, monotime now)
{
    struct layout layout = view_layout(app, app->rows, app->columns, true, now, 0);
    int row = input->row;
    if (!layout.fits) {
        return;
    }
    if (row == layout.keys_row) {
        const struct key_binding *binding = view_key_at(app, input->column, now);
        app_run(app, binding != NULL ? binding->command : COMMAND_NONE, before, now);
    } else if (row == layout.status_row && input->column >= app->columns - view_action_width(app, now)) {
        click_action(app, before, now);
    } else if (row >= layout.page_row && row < layout.keys_row) {
        click_page(app, &layout, row, before, now);
    } else if (row >= layout.field_row && row < layout.status_row) {
        app_run(app, COMMAND_TO_FIELD, before, now);
    }
}

void app_click(struct app *app, const struct input *input, enum notice before, monotime now)
{
    if (input->key == KEY_CLICK) {
        click(app, input, before, now);
        return;
    }
    for (int i = 0; i < WHEEL_LINES; i++) {
        app_scroll(app, input->key == KEY_WHEEL_UP ? COMMAND_LINE_UP : COMMAND_LINE_DOWN, now);
    }
}
