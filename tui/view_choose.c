#include "tui/view_page.h"

#include <stdio.h>
#include <string.h>

/* s: VINs that are offered instead of what stands in the field; each with its difference and its check digit judged. */

static const char *differing_positions(const struct choice *choice, struct page *page)
{
    const char *positions = "";
    for (size_t i = 0; i < VIN_LENGTH; i++) {
        if (choice->differs[i]) {
            positions = page_keep(page, "%s %zu", positions, i + 1);
        }
    }
    return positions;
}

void view_choose(const struct app *app, struct page *page)
{
    static const char *const from[] = {
        [CHOICE_IN_TEXT] = "in the text", [CHOICE_NHTSA] = "from NHTSA", [CHOICE_LOOKALIKE] = "looks alike"};
    struct choice choices[CHOICES_MAX];
    size_t count = app_choices(app, choices);
    (void)snprintf(page->title, sizeof page->title, "Other VINs that could be meant");
    for (size_t i = 0; i < count; i++) {
        const struct choice *choice = &choices[i];
        const char *digit = choice->check_expected == 0 ? "" : choice->check_ok ? "digit right" : "digit wrong";
        const char *positions = differing_positions(choice, page);
        page_add(page);
        page_put(page, 1, ROLE_TEXT, page_keep(page, "%s", choice->vin));
        page_put(page, 1 + VIN_LENGTH + 2, choice->check_ok ? ROLE_OK : ROLE_LABEL,
                 page_keep(page, "%-12s %s%s%s", digit, positions[0] != '\0' ? "at" : "", positions,
                           positions[0] != '\0' ? "," : ""));
        int column = 1 + VIN_LENGTH + 2 + 13 + (positions[0] != '\0' ? 4 + (int)strlen(positions) : 0);
        page_put(page, column, ROLE_LABEL, choice->same_value ? "counts alike" : from[choice->kind]);
    }
    if (count == 0) {
        page_puts(page, 0, ROLE_TEXT, "There are none");
    }
}
