#include "tui/view_page.h"

#include <stdio.h>
#include <string.h>

/* s: VINs that are offered instead of what stands in the field; each with its difference and its check digit judged. */

/* "at 3 and 15", or "". */
static const char *differing_positions(const struct choice *choice, struct page *page)
{
    const char *positions = "";
    size_t left = 0;
    for (size_t i = 0; i < VIN_LENGTH; i++) {
        left += choice->differs[i];
    }
    for (size_t i = 0; i < VIN_LENGTH; i++) {
        if (choice->differs[i]) {
            const char *before = positions[0] == '\0' ? "at " : left == 1 ? " and " : ", ";
            positions = page_keep(page, "%s%s%zu", positions, before, i + 1);
            left--;
        }
    }
    return positions;
}

void view_choose(const struct app *app, struct page *page)
{
    enum {
        DIGIT_COLUMN = 1 + VIN_LENGTH + 2,
        WHERE_COLUMN = DIGIT_COLUMN + 13,
        WHERE_COLUMN_NARROW = DIGIT_COLUMN + 6
    };
    static const char *const from[] = {
        [CHOICE_IN_TEXT] = "in the text", [CHOICE_NHTSA] = "from NHTSA", [CHOICE_LOOKALIKE] = "looks alike"};
    static const char *const briefly[] = {[CHOICE_IN_TEXT] = "", [CHOICE_NHTSA] = "NHTSA", [CHOICE_LOOKALIKE] = ""};
    bool narrow = page->columns < 60;
    struct choice choices[CHOICES_MAX];
    size_t count = app_choices(app, choices);
    (void)snprintf(page->title, sizeof page->title, "Other VINs that could be meant");
    for (size_t i = 0; i < count; i++) {
        const struct choice *choice = &choices[i];
        const char *digit = choice->check_expected == 0 ? ""
                            : choice->check_ok          ? (narrow ? "fits" : "digit fits")
                                                        : (narrow ? "wrong" : "digit wrong");
        const char *positions = differing_positions(choice, page);
        const char *why = narrow               ? briefly[choice->kind]
                          : choice->same_value ? "the digit cannot tell"
                                               : from[choice->kind];
        page_add(page);
        page_put(page, 1, ROLE_TEXT, page_keep(page, "%s", choice->vin));
        page_put(page, DIGIT_COLUMN, choice->check_ok ? ROLE_OK : ROLE_LABEL, digit);
        page_put(page, narrow ? WHERE_COLUMN_NARROW : WHERE_COLUMN, ROLE_LABEL,
                 page_keep(page, "%s%s%s", positions, positions[0] != '\0' && why[0] != '\0' ? ", " : "", why));
    }
    if (count == 0) {
        page_puts(page, 0, ROLE_TEXT, "There are none");
    }
}
