#include "tui/view_page.h"
#include "tui/view_parts.h"

#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/vpic/notes.h"
#include "tui/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The card: NHTSA's answer for the VIN in the field, or one line on why there is none. */

enum { TWO_COLUMNS_FROM = 100, GAP = 2 };

struct field_rows {
    struct page *page;
    int columns;        /* side by side: 1 or 2 */
    int width;          /* of each */
    int next;           /* the column that the next field goes to */
    size_t top, bottom; /* lines of the row that is being filled */
};

static enum role severity_role(enum severity severity)
{
    static const enum role roles[] = {
        [SEVERITY_OK] = ROLE_OK,
        [SEVERITY_INFO] = ROLE_INFO,
        [SEVERITY_WARNING] = ROLE_WARNING,
        [SEVERITY_PROBLEM] = ROLE_ERROR,
    };
    return roles[severity];
}

static bool has_value(const struct vehicle *vehicle, const char *name)
{
    const char *value = vehicle_value(vehicle, name);
    size_t length = strlen(value);
    value = text_trim(value, &length);
    return length > 0 && !text_is(value, length, "Not Applicable");
}

/* Year, make, model and trim. */
static void add_headline(const struct vehicle *vehicle, struct page *page)
{
    const char *text = "";
    static const char *const names[] = {"ModelYear", "Make", "Model", "Trim"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (has_value(vehicle, names[i])) {
            const char *value = vehicle_value(vehicle, names[i]);
            size_t length = strlen(value);
            value = text_trim(value, &length);
            text = page_keep(page, "%s%s%.*s", text, text[0] != '\0' ? " " : "", (int)length, value);
        }
    }
    page_puts(page, 0, ROLE_HEADING, text[0] != '\0' ? text : "NHTSA names no year, make or model");
}

/* What our sentence on a code leaves open, from what was asked: the two years that disagree. */
static const char *note_addition(const struct app *app, int code, struct page *page)
{
    const struct vin_check *check = &app->scan.check;
    if (code != 12 || app->key.year == 0 || check->year_count == 0) {
        return "";
    }
    return check->year_count == 1
               ? page_keep(page, " %d was sent, position 10 says %d.", app->key.year, check->years[0])
               : page_keep(page, " %d was sent, position 10 says %d or %d.", app->key.year, check->years[0],
                           check->years[1]);
}

/* Worst first; each with its severity in words. */
static void add_notes(const struct app *app, const struct vehicle *vehicle, struct page *page)
{
    struct note notes[NOTES_MAX];
    size_t count = notes_read(vehicle, notes);
    for (int severity = SEVERITY_PROBLEM; severity >= SEVERITY_OK; severity--) {
        for (size_t i = 0; i < count; i++) {
            if (notes[i].severity != (enum severity)severity) {
                continue;
            }
            const char *text = notes[i].code == NOTE_WITHOUT_CODE
                                   ? page_keep(page, "%s: %s", severity_name(notes[i].severity), notes[i].text)
                                   : page_keep(page, "%s %d: %s%s", severity_name(notes[i].severity), notes[i].code,
                                               notes[i].text, note_addition(app, notes[i].code, page));
            page_puts(page, 0, severity_role(notes[i].severity), text);
        }
    }
    if (notes_cut(vehicle)) {
        page_puts(page, 0, ROLE_INFO, "NHTSA cut its own text at 500 characters; d shows all of it that came");
    }
}

/* "position 8: E -> L" for each that differs. */
static const char *differences(struct page *page, const char *vin, const struct suggestion *suggestion)
{
    const char *text = "";
    for (size_t i = 0; i < VIN_LENGTH && vin[i] != '\0'; i++) {
        if (suggestion->differs[i]) {
            text = page_keep(page, "%s%sposition %zu: %c for %c", text, text[0] != '\0' ? ", " : "", i + 1,
                             suggestion->vin[i], vin[i]);
        }
    }
    return text;
}

/* Each with its difference and its check digit judged; none is ever taken by itself. */
static void add_suggestions(const struct vehicle *vehicle, const char *vin, struct page *page)
{
    struct suggestion suggestions[SUGGESTIONS_MAX];
    size_t count = notes_suggestions(vehicle, vin, suggestions);
    char open[VIN_LENGTH + 1];
    if (count == 0 && notes_open_suggestion(vehicle, open)) {
        page_puts(page, 0, ROLE_INFO,
                  page_keep(page, "suggested %s, with more that fits at ! than can be listed; d shows it", open));
    }
    for (size_t i = 0; i < count && i < 4; i++) {
        const char *digit = suggestions[i].check_expected == 0 ? ""
                            : suggestions[i].check_ok          ? "; its check digit matches"
                                                               : "; its check digit does not match";
        page_puts(
            page, 0, ROLE_INFO,
            page_keep(page, "suggested %s (%s)%s", suggestions[i].vin, differences(page, vin, &suggestions[i]), digit));
    }
    if (count > 4) {
        page_puts(page, 0, ROLE_INFO, page_keep(page, "and %zu more: Tab, then s", count - 4));
    }
}

static enum role value_of(struct page *page, const struct vehicle_field *field, const char *unit, const char **value)
{
    if (field->state == FIELD_NO_DATA) {
        *value = "no data";
        return ROLE_LABEL;
    }
    if (field->state == FIELD_NOT_APPLICABLE) {
        *value = "not applicable";
        return ROLE_LABEL;
    }
    size_t length = strlen(field->value);
    const char *trimmed = text_trim(field->value, &length);
    char number[WORDS_NUMBER_MAX];
    bool rounded = words_number(trimmed, length, number, sizeof number);
    if (rounded || (unit[0] != '\0' && length < sizeof number)) {
        *value = page_keep(page, "%.*s%s%s", rounded ? (int)strlen(number) : (int)length, rounded ? number : trimmed,
                           unit[0] != '\0' ? " " : "", unit);
    } else {
        *value = trimmed;
    }
    return ROLE_TEXT;
}

/* A label and its value, each wrapped in its part of the column. */
static void add_field(struct field_rows *rows, const char *label, const char *unit, const struct vehicle_field *field)
{
    const char *value;
    struct page *page = rows->page;
    enum role role = value_of(page, field, unit, &value);
    int left = rows->next * (rows->width + GAP);
    int label_width = rows->width / 3 < 14 ? 14 : rows->width / 3 > 28 ? 28 : rows->width / 3;
    if (rows->next == 0) {
        rows->top = page->count;
        rows->bottom = page->count;
    }
    size_t labels = page_wrap(page, rows->top, left, left + label_width, ROLE_LABEL, label, strlen(label));
    size_t values = page_wrap(page, rows->top, left + label_width + 1, left + rows->width, role, value, strlen(value));
    size_t height = labels > values ? labels : values;
    if (rows->top + height > rows->bottom) {
        rows->bottom = rows->top + height;
    }
    rows->next = (rows->next + 1) % rows->columns;
}

static void end_row(struct field_rows *rows)
{
    rows->next = 0;
}

/* The catalogue's entry of each field of the answer, looked up once; NULL for fields that it does not know. */
struct entries {
    const struct vehicle *vehicle;
    const struct catalogue_field **known;
    size_t count;
};

static struct entries find_entries(const struct vehicle *vehicle)
{
    struct entries entries = {.vehicle = vehicle, .count = vehicle_field_count(vehicle)};
    entries.known = memory_get((entries.count + 1) * sizeof *entries.known);
    for (size_t i = 0; i < entries.count; i++) {
        entries.known[i] = catalogue_find(vehicle_field_at(vehicle, i).name);
    }
    return entries;
}

static bool find_field(const struct entries *entries, const struct catalogue_field *known, struct vehicle_field *out)
{
    for (size_t i = 0; i < entries->count; i++) {
        if (entries->known[i] == known) {
            *out = vehicle_field_at(entries->vehicle, i);
            return true;
        }
    }
    return false;
}

/* The dozen that are nearly always filled, in their own order; year, make, model and trim are the headline. */
static void add_main_fields(const struct entries *entries, struct field_rows *rows)
{
    enum { HEADLINE_LAST = 4 };
    size_t count = catalogue_count();
    int last = 0;
    for (size_t i = 0; i < count; i++) {
        last = catalogue_at(i)->headline > last ? catalogue_at(i)->headline : last;
    }
    for (int place = HEADLINE_LAST + 1; place <= last; place++) {
        for (size_t i = 0; i < count; i++) {
            const struct catalogue_field *known = catalogue_at(i);
            struct vehicle_field field;
            if (known->headline == place && find_field(entries, known, &field) && field.state == FIELD_VALUE) {
                add_field(rows, known->label, known->unit, &field);
            }
        }
    }
    end_row(rows);
}

/* How the fields of a group stand. */
struct counts {
    size_t of[FIELD_VALUE + 1];
};

/* "Engine  6 filled, 7 without data, 1 not applicable": what is folded away is counted. */
static void add_group_title(struct page *page, const char *title, const struct counts *counts, bool folded)
{
    const char *mark = page->utf8 ? (folded ? "\xe2\x96\xb8" : "\xe2\x96\xbe") : folded ? "+" : "-", *text = "";
    static const char *const words[] = {
        [FIELD_VALUE] = "filled", [FIELD_NO_DATA] = "without data", [FIELD_NOT_APPLICABLE] = "not applicable"};
    static const enum field_state order[] = {FIELD_VALUE, FIELD_NO_DATA, FIELD_NOT_APPLICABLE};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        if (counts->of[order[i]] > 0) {
            text =
                page_keep(page, "%s%s%zu %s", text, text[0] != '\0' ? ", " : "", counts->of[order[i]], words[order[i]]);
        }
    }
    if (!folded) {
        page_add(page);
    }
    page_puts(page, 0, folded ? ROLE_LABEL : ROLE_HEADING, page_keep(page, "%s %s: %s", mark, title, text));
}

/* The fields of one group of the catalogue, from `first` to before `end`. Those with a value in the headline stand
 * there already. */
static void add_group(const struct entries *entries, size_t first, size_t end, bool all, struct field_rows *rows)
{
    struct counts counts = {0};
    struct vehicle_field field;
    size_t shown = 0;
    for (size_t i = first; i < end; i++) {
        const struct catalogue_field *known = catalogue_at(i);
        if (find_field(entries, known, &field) && !(known->headline > 0 && field.state == FIELD_VALUE)) {
            counts.of[field.state]++;
            shown += all || field.state == FIELD_VALUE;
        }
    }
    if (counts.of[FIELD_VALUE] + counts.of[FIELD_NO_DATA] + counts.of[FIELD_NOT_APPLICABLE] == 0) {
        return;
    }
    add_group_title(rows->page, catalogue_at(first)->group, &counts, shown == 0);
    for (size_t i = first; i < end && shown > 0; i++) {
        const struct catalogue_field *known = catalogue_at(i);
        if (find_field(entries, known, &field) && (all || field.state == FIELD_VALUE) &&
            !(known->headline > 0 && field.state == FIELD_VALUE)) {
            add_field(rows, known->label, known->unit, &field);
        }
    }
    end_row(rows);
}

/* All other fields by NHTSA's group; a group without a value is folded into a line unless everything is asked for. */
static void add_groups(const struct entries *entries, bool all, struct field_rows *rows)
{
    size_t count = catalogue_count();
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && strcmp(catalogue_at(end)->group, catalogue_at(first)->group) == 0; end++) {
        }
        add_group(entries, first, end, all, rows);
    }
}

/* Fields that the catalogue does not know, under NHTSA's own names. */
static void add_unknown_fields(const struct entries *entries, bool all, struct field_rows *rows)
{
    struct counts counts = {0};
    for (size_t i = 0; i < entries->count; i++) {
        counts.of[vehicle_field_at(entries->vehicle, i).state] += entries->known[i] == NULL;
    }
    size_t shown = counts.of[FIELD_VALUE] + (all ? counts.of[FIELD_NO_DATA] + counts.of[FIELD_NOT_APPLICABLE] : 0);
    if (counts.of[FIELD_VALUE] + counts.of[FIELD_NO_DATA] + counts.of[FIELD_NOT_APPLICABLE] == 0) {
        return;
    }
    add_group_title(rows->page, "New to this program", &counts, shown == 0);
    for (size_t i = 0; i < entries->count && shown > 0; i++) {
        struct vehicle_field field = vehicle_field_at(entries->vehicle, i);
        if (entries->known[i] == NULL && (all || field.state == FIELD_VALUE)) {
            add_field(rows, field.name, "", &field);
        }
    }
    end_row(rows);
}

static void add_counts(const struct vehicle *vehicle, bool all, struct page *page)
{
    page_add(page);
    page_puts(page, 0, ROLE_LABEL,
              page_keep(page, "%zu fields filled, %zu without data, %zu not applicable; e %s the rest",
                        vehicle_count(vehicle, FIELD_VALUE), vehicle_count(vehicle, FIELD_NO_DATA),
                        vehicle_count(vehicle, FIELD_NOT_APPLICABLE), all ? "hides" : "shows"));
}

static void add_vehicle(const struct app *app, const struct vehicle *vehicle, struct page *page)
{
    struct field_rows rows = {.page = page, .columns = page->columns >= TWO_COLUMNS_FROM ? 2 : 1};
    rows.width = (page->columns - GAP * (rows.columns - 1)) / rows.columns;
    add_headline(vehicle, page);
    add_notes(app, vehicle, page);
    add_suggestions(vehicle, app->key.vin, page);
    struct entries entries = find_entries(vehicle);
    add_main_fields(&entries, &rows);
    add_groups(&entries, app->show_empty, &rows);
    add_unknown_fields(&entries, app->show_empty, &rows);
    free(entries.known);
    add_counts(vehicle, app->show_empty, page);
}

/* No title with a VIN and no vehicle data: only what is going on, and whose failure it was. */
static void add_no_answer(const struct app *app, monotime now, walltime wall, struct page *page)
{
    const struct result *result = app_result(app);
    if (result != NULL && result->failed && app->open.ticket == 0) {
        char sentence[ANSWER_MESSAGE_MAX + 256];
        words_failure(&result->failure, app->upstream, now, wall, app->utc_offset_ms, sentence, sizeof sentence);
        page_puts(page, 0, ROLE_TEXT, page_keep(page, "No answer for %s: %s", app->key.vin, sentence));
    } else {
        page_puts(page, 0, ROLE_TEXT, "No answer yet");
    }
}

void view_card(const struct app *app, monotime now, walltime wall, struct page *page)
{
    const struct vehicle *vehicle = app_vehicle(app);
    if (vehicle == NULL) {
        add_no_answer(app, now, wall, page);
        return;
    }
    (void)snprintf(page->title, sizeof page->title, "Vehicle %s", app->key.vin);
    add_vehicle(app, vehicle, page);
}
