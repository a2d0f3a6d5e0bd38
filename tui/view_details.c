#include "tui/view_page.h"
#include "tui/words.h"

#include "core/vpic/notes.h"

#include <stdio.h>
#include <string.h>

/* d: what NHTSA wrote about this VIN, word for word, and how the answer came. */

enum { TEXT_COLUMN = 16 };

/* NHTSA's own text of a field; an empty one is said, too. */
static void add_text(const struct vehicle *vehicle, const char *label, const char *name, struct page *page)
{
    const char *value = vehicle_value(vehicle, name);
    page_entry(page, TEXT_COLUMN, label, value[strspn(value, " ")] != '\0' ? value : "(nothing)");
}

static void add_effort(const struct event_decoded *answer, struct page *page)
{
    char waited[32], elapsed[32];
    words_duration(answer->waited_ms, waited, sizeof waited);
    words_duration(answer->elapsed_ms, elapsed, sizeof elapsed);
    if (answer->from_cache) {
        page_entry(page, TEXT_COLUMN, "came", "from the cache: no call was made");
    } else {
        page_entry(page, TEXT_COLUMN, "came",
                   page_keep(page, "HTTP %d after %d call%s; %s, of which %s waiting", answer->status, answer->attempts,
                             answer->attempts == 1 ? "" : "s", elapsed, waited));
    }
}

void view_details(const struct app *app, monotime now, walltime wall, struct page *page)
{
    const struct vehicle *vehicle = app_vehicle(app);
    char at[32];
    if (vehicle == NULL) {
        (void)snprintf(page->title, sizeof page->title, "Details");
        page_puts(page, 0, ROLE_TEXT, "There is no answer for what stands in the field");
        return;
    }
    const struct event_decoded *answer = &app_result(app)->answer;
    (void)snprintf(page->title, sizeof page->title, "What NHTSA wrote");
    words_time(wall - (now - answer->answered_at), wall, app->utc_offset_ms, at, sizeof at);
    page_entry(page, TEXT_COLUMN, "about", page_keep(page, "%s", vehicle_vin(vehicle)));
    add_text(vehicle, "error codes", "ErrorCode", page);
    add_text(vehicle, "error text", "ErrorText", page);
    add_text(vehicle, "more of it", "AdditionalErrorText", page);
    if (notes_cut(vehicle)) {
        page_entry(page, TEXT_COLUMN, "", "NHTSA cuts its texts at 500 characters, in mid-word: this is all it sent");
    }
    add_text(vehicle, "suggested VIN", "SuggestedVIN", page);
    add_text(vehicle, "possible values", "PossibleValues", page);
    add_text(vehicle, "note", "Note", page);
    page_entry(page, TEXT_COLUMN, "sent", page_keep(page, "at %s", at));
    add_effort(answer, page);
}
