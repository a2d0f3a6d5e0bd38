#include "tui/view_page.h"

#include <stdio.h>
#include <string.h>

/* F1: the key table, for people. */

/* "Left, Ctrl-B   a character to the left": keys with the same command share a line. */
static void add_context(enum key_context context, struct page *page)
{
    enum { NAMES_WIDTH = 20 };
    page_puts(page, 0, ROLE_HEADING, key_context_name(context));
    for (size_t i = 0; i < keys_count(); i++) {
        const struct key_binding *binding = keys_at(i);
        if (binding->context != context) {
            continue;
        }
        const char *names = binding->name;
        while (i + 1 < keys_count() && keys_share_line(binding, keys_at(i + 1))) {
            names = page_keep(page, "%s, %s", names, keys_at(++i)->name);
        }
        size_t first = page->count;
        (void)page_wrap(page, first, 1, NAMES_WIDTH, ROLE_KEY, names, strlen(names));
        (void)page_wrap(page, first, NAMES_WIDTH, page->columns, ROLE_TEXT, binding->help, strlen(binding->help));
    }
    page_add(page);
}

void view_help(struct page *page)
{
    (void)snprintf(page->title, sizeof page->title, "Help");
    page_puts(page, 0, ROLE_TEXT,
              "Scan, paste or type a VIN; a model year may follow behind a comma. Enter asks once; while NHTSA wants a "
              "pause nothing is sent, and a call that waits leaves by itself.");
    page_add(page);
    add_context(KEYS_FIELD, page);
    add_context(KEYS_OUTSIDE, page);
    add_context(KEYS_EVERYWHERE, page);
    add_context(KEYS_LINE, page);
    add_context(KEYS_PROMPT, page);
}
