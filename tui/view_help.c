#include "tui/view_page.h"

#include <stdio.h>
#include <string.h>

/* The overlays that are lists of lines known beforehand: the help, and the VINs to choose from. */

static bool same_row(const struct key_binding *a, const struct key_binding *b)
{
    return a->command == b->command && a->context == b->context;
}

/* "Left, Ctrl-B   a character to the left": keys with the same command share a line. */
static void add_context(enum key_context context, struct page *page)
{
    enum { NAMES_WIDTH = 18 };
    page_puts(page, 0, ROLE_HEADING, key_context_name(context));
    for (size_t i = 0; i < keys_count(); i++) {
        const struct key_binding *binding = keys_at(i);
        if (binding->context != context) {
            continue;
        }
        const char *names = binding->name;
        while (i + 1 < keys_count() && same_row(binding, keys_at(i + 1))) {
            names = page_keep(page, "%s, %s", names, keys_at(++i)->name);
        }
        size_t first = page->count;
        (void)page_wrap(page, first, 1, NAMES_WIDTH, ROLE_KEY, names, strlen(names));
        (void)page_wrap(page, first, NAMES_WIDTH, page->columns, ROLE_TEXT, binding->help, strlen(binding->help));
    }
    (void)page_add(page);
}

void view_help(struct page *page)
{
    (void)snprintf(page->title, sizeof page->title, "Help");
    page_puts(page, 0, ROLE_TEXT,
              "Scan, paste or type a VIN; a model year may follow behind a comma. Enter asks once; while NHTSA wants a "
              "pause nothing is sent, and a call that waits leaves by itself.");
    (void)page_add(page);
    add_context(KEYS_FIELD, page);
    add_context(KEYS_OUTSIDE, page);
    add_context(KEYS_EVERYWHERE, page);
}

void view_choose(const struct app *app, struct page *page)
{
    struct choice choices[CHOICES_MAX];
    size_t count = app_choices(app, choices);
    static const char *const from[] = {
        [CHOICE_IN_TEXT] = "in the text", [CHOICE_NHTSA] = "NHTSA", [CHOICE_LOOKALIKE] = "look-alike"};
    (void)snprintf(page->title, sizeof page->title, "Other VINs that could be meant");
    for (size_t i = 0; i < count; i++) {
        const struct choice *choice = &choices[i];
        const char *differing = "";
        struct page_line *line = page_add(page);
        for (size_t p = 0; p < VIN_LENGTH; p++) {
            if (choice->differs[p]) {
                differing = page_keep(page, "%s %zu", differing, p + 1);
            }
        }
        page_span(line, 1, ROLE_TEXT, page_keep(page, "%s", choice->vin), strlen(choice->vin));
        const char *digit = choice->check_expected == 0 ? "" : choice->check_ok ? "digit right" : "digit wrong";
        const char *text =
            page_keep(page, "%-12s %s%s%s", digit, choice->same_value ? "counts alike" : from[choice->kind],
                      differing[0] != '\0' ? ", differs at" : "", differing);
        page_span(line, 1 + VIN_LENGTH + 2, choice->check_ok ? ROLE_OK : ROLE_LABEL, text, strlen(text));
    }
    if (count == 0) {
        page_puts(page, 0, ROLE_TEXT, "There are none");
    }
}
