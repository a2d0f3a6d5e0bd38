#include "tui/view_page.h"
#include "tui/words.h"

#include "core/base/text.h"

#include <stdio.h>
#include <string.h>

/* F3: many VINs, how it stands with each and with all of them. A hundred thousand lines are as quick as ten: only those
 * in sight are laid out. */

enum { STATE_COLUMN = 19, STATE_COLUMN_WIDE = 24 /* room for a year */ };

/* Why the local check does not let it go by itself. */
static const char *refusal(const struct app *app, const struct list_entry *entry, struct page *page)
{
    struct scan scan;
    char problem[256];
    const char *input = list_input(entry);
    scan_clean(input, strlen(input), app->this_year, &scan);
    words_problem(&scan.check, problem, sizeof problem);
    const char *why = scan.year_bad              ? "what follows the comma is no model year"
                      : problem[0] != '\0'       ? problem
                      : scan.candidate_count > 0 ? "more than one VIN stands here"
                                                 : "asks first";
    if (why == problem && problem[1] >= 'a' && problem[1] <= 'z') {
        problem[0] = text_lower(problem[0]); /* it goes on a line; an O or a Q at its beginning is a character */
    }
    return page_keep(page, "not sent: %s", why);
}

static const char *stage_words(const struct list *list, size_t index)
{
    static const char *const words[] = {
        [STAGE_HANDED_OVER] = "is next", [STAGE_CALLING] = "under way", [STAGE_WAITING] = "waits"};
    for (size_t i = 0; i < list->out_count; i++) {
        if (list->out[i].index == index) {
            return words[list->out[i].stage];
        }
    }
    return "";
}

static void add_entry(const struct app *app, size_t index, struct page *page)
{
    const struct list_entry *entry = &app->list.entries[index];
    const char *text = "";
    enum role role = ROLE_LABEL;
    switch ((enum list_state)entry->state) {
    case LIST_REFUSED:
        text = refusal(app, entry, page);
        role = ROLE_WARNING;
        break;
    case LIST_TODO:
        text = "to do";
        break;
    case LIST_OUT:
        text = stage_words(&app->list, index);
        role = ROLE_INFO;
        break;
    case LIST_DECODED:
        text = entry->headline[0] != '\0' ? entry->headline : "no year, make or model";
        role = ROLE_TEXT;
        if (entry->severity >= SEVERITY_WARNING) {
            text = page_keep(page, "%s (%s)", text, severity_name((enum severity)entry->severity));
            role = ROLE_WARNING;
        }
        break;
    case LIST_FAILED:
        text = page_keep(page, "failed: %s", words_code((enum code)entry->code));
        role = ROLE_ERROR;
        break;
    case LIST_STATES:
        break;
    }
    const char *input = list_input(entry);
    int width = frame_width(input, strlen(input), page->utf8);
    int column = page->columns < 60 ? STATE_COLUMN : STATE_COLUMN_WIDE;
    page_add(page);
    page_put(page, 0, ROLE_TEXT, input);
    page_put(page, width + 2 > column ? width + 2 : column, role, text);
}

/* "80 of 120 decoded, 3 failed, 1 unsent" */
static void add_counts(const struct list *list, struct page *page)
{
    const char *failed =
        list->counts[LIST_FAILED] > 0 ? page_keep(page, ", %zu failed", list->counts[LIST_FAILED]) : "";
    const char *refused =
        list->counts[LIST_REFUSED] > 0 ? page_keep(page, ", %zu unsent", list->counts[LIST_REFUSED]) : "";
    page_puts(page, 0, ROLE_TEXT,
              page_keep(page, "%zu of %zu decoded%s%s", list->counts[LIST_DECODED], list->count, failed, refused));
}

/* How the whole goes on. */
static void add_progress(const struct app *app, monotime now, struct page *page)
{
    const struct list *list = &app->list;
    size_t left = list->count - list_done(list), calling = list_calling(list);
    const char *percent = page_keep(page, "%zu %%", list->count > 0 ? list_done(list) * 100 / list->count : 0);
    struct wait wait;
    const char *text;
    if (list->reading) {
        text = page_keep(page, "%s, still reading", percent);
    } else if (left == 0) {
        text = app->list_unsaved ? "Done; w saves the results" : "Done";
    } else if (list->stopped) {
        text = page_keep(page, "%s, stopped; x %s", percent, list_has_begun(list) ? "goes on" : "starts");
    } else if (calling > 0) {
        text = page_keep(page, "%s, %zu under way, %zu to do", percent, calling, left - calling);
    } else if (list_wait(list, &wait) && app_wait_shown(&wait, now)) {
        char left_words[24], origin[128];
        words_countdown(wait.until - now, left_words, sizeof left_words);
        words_origin(&wait, app->upstream, app->utc_offset_ms, origin, sizeof origin);
        text = page_keep(page, "%s, waits %s (%s)", percent, left_words, origin);
    } else {
        text = page_keep(page, "%s, %zu to do", percent, left);
    }
    page_puts(page, 0, ROLE_INFO, text);
}

static void add_nothing(struct page *page)
{
    page_puts(page, 0, ROLE_TEXT,
              "There is no list yet. Paste several VINs, or press o and name a file: one VIN a line, "
              "\"VIN\" or \"VIN,YEAR\", or CSV with a column \"vin\".");
}

void view_list(const struct app *app, size_t rows, monotime now, struct page *page)
{
    const struct list *list = &app->list;
    if (list->name == NULL) {
        (void)snprintf(page->title, sizeof page->title, "List");
        add_nothing(page);
        return;
    }
    (void)snprintf(page->title, sizeof page->title, "List%s%.80s", page->columns < 60 ? "" : " ",
                   page->columns < 60 ? "" : list->name);
    add_counts(list, page);
    add_progress(app, now, page);
    page->fixed = page->count;
    size_t visible = rows > page->fixed ? rows - page->fixed : 0, from = app_overlay(app)->place.scroll;
    if (from + visible > list->count) {
        from = list->count > visible ? list->count - visible : 0;
    }
    page->above = from;
    page->total = list->count;
    for (size_t i = from; i < list->count && i < from + visible; i++) {
        add_entry(app, i, page);
    }
}
