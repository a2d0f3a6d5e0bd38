#include "tui/view_page.h"
#include "tui/words.h"

#include <stdio.h>
#include <string.h>

/* F2: the VINs of this session, the newest first. */

/* How it stands with a VIN, and since when: "decoded 20:41:07". */
static const char *state_of(const struct app *app, const struct result *result, monotime now, walltime wall,
                            struct page *page)
{
    char at[32];
    if (app->open.ticket != 0 && vin_key_equal(&app->open.key, &result->key)) {
        return "under way";
    }
    if (!result->answered && !result->failed) {
        return "no answer";
    }
    monotime since = result->answered ? result->answer.answered_at : result->failed_at;
    words_time(wall - (now - since), wall, app->utc_offset_ms, at, sizeof at);
    return page_keep(page, "%s %s%s", result->answered ? "decoded" : words_code(result->failure.code), at,
                     result->answered && result->failed ? ", last try failed" : "");
}

static const char *headline_of(struct page *page, const struct result *result)
{
    if (!result->answered) {
        return "";
    }
    const struct vehicle *vehicle = result->answer.vehicle;
    return page_keep(page, "%s %s %s", vehicle_value(vehicle, "ModelYear"), vehicle_value(vehicle, "Make"),
                     vehicle_value(vehicle, "Model"));
}

void view_history(const struct app *app, monotime now, walltime wall, struct page *page)
{
    enum { STATE_COLUMN = 19 };
    const struct result *newest[RESULTS_MAX];
    size_t count = results_order(&app->results, newest);
    (void)snprintf(page->title, sizeof page->title, "History of this session");
    for (size_t i = 0; i < count; i++) {
        const struct result *result = newest[i];
        page_add(page);
        const char *vin = page_keep(page, "%s%s", result->key.vin,
                                    result->key.year != 0 ? page_keep(page, ",%d", result->key.year) : "");
        const char *rest = page_keep(page, "%s  %s", state_of(app, result, now, wall, page), headline_of(page, result));
        int width = (int)strlen(vin);
        page_put(page, 0, ROLE_TEXT, vin);
        page_put(page, width + 1 > STATE_COLUMN ? width + 1 : STATE_COLUMN, ROLE_LABEL, rest);
    }
    if (count == 0) {
        page_puts(page, 0, ROLE_TEXT, "Nothing was asked yet");
    }
}
