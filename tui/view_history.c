#include "tui/view_page.h"
#include "tui/words.h"

#include <stdio.h>
#include <string.h>

/* F2: the VINs of this session, the newest first. */

static bool is_open(const struct app *app, const struct result *result)
{
    return app->open.ticket != 0 && vin_key_equal(&app->open.key, &result->key);
}

/* How it stands with a VIN. */
static const char *state_of(const struct app *app, const struct result *result)
{
    if (is_open(app, result)) {
        return "under way";
    }
    return result->answered ? "decoded" : result->failed ? words_code(result->failure.code) : "no answer";
}

/* Since when; "": there was neither an answer nor a failure. A time of day stays true, an age would not. */
static const char *time_of(const struct app *app, const struct result *result, monotime now, walltime wall,
                           struct page *page)
{
    char at[32] = "";
    if (result->answered || result->failed) {
        monotime since = result->answered ? result->answer.answered_at : result->failed_at;
        words_time(wall - (now - since), wall, app->utc_offset_ms, at, sizeof at);
    }
    return page_keep(page, "%s", at);
}

static const char *headline_of(struct page *page, const struct result *result)
{
    if (!result->answered) {
        return "";
    }
    const struct vehicle *vehicle = result->answer.vehicle;
    return page_keep(page, "%s %s %s%s", vehicle_value(vehicle, "ModelYear"), vehicle_value(vehicle, "Make"),
                     vehicle_value(vehicle, "Model"), result->failed ? " (last try failed)" : "");
}

/* In columns where they fit; else the time, and the vehicle before the state. */
static void add_result(const struct app *app, const struct result *result, monotime now, walltime wall,
                       struct page *page)
{
    enum { VIN_COLUMNS = 19, VIN_COLUMNS_WIDE = 24 /* room for a year */, STATE_COLUMNS = 13, TIME_COLUMNS = 10 };
    bool narrow = page->columns < 60;
    const char *vin =
        page_keep(page, "%s%s", result->key.vin, result->key.year != 0 ? page_keep(page, ",%d", result->key.year) : "");
    const char *state = state_of(app, result), *headline = headline_of(page, result);
    const char *at = time_of(app, result, now, wall, page);
    int column = narrow ? VIN_COLUMNS : VIN_COLUMNS_WIDE, width = (int)strlen(vin);
    column = width + 2 > column ? width + 2 : column;
    page_add(page);
    page_put(page, 0, ROLE_TEXT, vin);
    if (narrow) {
        bool known = headline[0] != '\0' && !is_open(app, result);
        page_put(page, column, ROLE_LABEL,
                 page_keep(page, "%s%s%s", at, at[0] != '\0' ? " " : "", known ? headline : state));
        return;
    }
    page_put(page, column, ROLE_LABEL, state);
    page_put(page, column + STATE_COLUMNS, ROLE_LABEL, at);
    page_put(page, column + STATE_COLUMNS + TIME_COLUMNS, ROLE_TEXT, headline);
}

void view_history(const struct app *app, monotime now, walltime wall, struct page *page)
{
    const struct result *newest[RESULTS_MAX];
    size_t count = results_order(&app->results, newest);
    (void)snprintf(page->title, sizeof page->title, "History of this session");
    for (size_t i = 0; i < count; i++) {
        add_result(app, newest[i], now, wall, page);
    }
    if (count == 0) {
        page_puts(page, 0, ROLE_TEXT, "Nothing was asked yet");
    }
}
