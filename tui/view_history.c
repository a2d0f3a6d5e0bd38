#include "tui/view_page.h"

#include <stdio.h>
#include <string.h>

/* F2: the VINs of this session, the newest first. */

static const char *state_of(const struct app *app, const struct result *result)
{
    if (app->open.ticket != 0 && vin_key_equal(&app->open.key, &result->key)) {
        return "under way";
    }
    if (result->answered) {
        return result->failed ? "decoded, last try failed" : "decoded";
    }
    return result->failed ? code_name(result->failure.code) : "no answer";
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

void view_history(const struct app *app, monotime now, struct page *page)
{
    enum { STATE_COLUMN = 19 };
    (void)snprintf(page->title, sizeof page->title, "History of this session");
    for (size_t i = 0;; i++) {
        const struct result *result = results_newest(&app->results, i);
        if (result == NULL) {
            break;
        }
        char age[32] = "";
        if (result->answered) {
            view_age(now - result->answer.answered_at, age, sizeof age);
        }
        struct page_line *line = page_add(page);
        const char *vin = page_keep(page, "%s%s", result->key.vin,
                                    result->key.year != 0 ? page_keep(page, ",%d", result->key.year) : "");
        const char *rest = page_keep(page, "%s%s%s  %s", state_of(app, result), age[0] != '\0' ? ", " : "", age,
                                     headline_of(page, result));
        size_t width = strlen(vin);
        page_span(line, 0, ROLE_TEXT, vin, width);
        page_span(line, width + 1 > STATE_COLUMN ? (int)width + 1 : STATE_COLUMN, ROLE_LABEL, rest, strlen(rest));
    }
    if (page->count == 0) {
        page_puts(page, 0, ROLE_TEXT, "Nothing was asked yet");
    }
}
