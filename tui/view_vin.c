#include "tui/view_parts.h"

#include "core/base/text.h"
#include "core/vin/clean.h"
#include "core/vin/maker.h"
#include "core/vpic/notes.h"
#include "tui/text_piece.h"
#include "tui/words.h"

#include <stdio.h>
#include <string.h>

/* The VIN pane: what stands in the field, and what it says by itself. */

enum { FIELD_COLUMN = 4, COUNT_COLUMN = FIELD_COLUMN + VIN_LENGTH + 2 };

static enum role group_role(size_t position)
{
    if (position <= 3) {
        return ROLE_VIN_MAKER;
    }
    if (position <= 8) {
        return ROLE_VIN_DESCRIPTOR;
    }
    if (position == VIN_CHECK_POSITION) {
        return ROLE_VIN_CHECK;
    }
    if (position == VIN_YEAR_POSITION) {
        return ROLE_VIN_YEAR;
    }
    return position == 11 ? ROLE_VIN_PLANT : position <= VIN_LENGTH ? ROLE_VIN_SERIAL : ROLE_ERROR;
}

static size_t characters(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t at = 0; at < length; count++) {
        uint32_t character;
        at += text_character(text + at, length - at, &character);
    }
    return count;
}

/* The run as it is shown: the cleaned text, and the year behind a comma. */
struct shown {
    char text[VIN_TEXT_MAX + LINE_EDITOR_MAX + 16];
    size_t length;
    size_t cursor; /* in characters */
};

/* The cursor moves in what was typed; what is shown lacks the separators and perhaps what stood before the VIN. */
static size_t shown_cursor(const struct app *app, const struct shown *shown)
{
    struct clean whole, before;
    clean_separators(app->field.text, app->field.length, &whole);
    clean_separators(app->field.text, app->field.cursor, &before);
    const char *found = strstr(whole.text, app->scan.check.text);
    size_t skipped = found != NULL ? characters(whole.text, (size_t)(found - whole.text)) : 0;
    size_t at = before.length > skipped ? before.length - skipped : 0;
    size_t last = characters(shown->text, shown->length);
    return at < last ? at : last;
}

static void show_field(const struct app *app, struct shown *shown)
{
    const struct scan *scan = &app->scan;
    const char *comma = memchr(app->field.text, ',', app->field.length);
    struct clean rest = {0};
    char year[16] = "";
    if (scan->year_bad && comma != NULL) {
        clean_separators(comma, (size_t)(app->field.text + app->field.length - comma), &rest);
    } else if (scan->year != 0) {
        (void)snprintf(year, sizeof year, ",%d", scan->year);
    }
    int length = snprintf(shown->text, sizeof shown->text, "%s%s%s", scan->check.text, rest.text, year);
    shown->length = length > 0 ? (size_t)length : 0;
    shown->cursor = shown_cursor(app, shown);
}

/* NHTSA has decoded it without finding an error: its word goes before what the check digit says here. */
static bool is_accepted(const struct app *app)
{
    enum { CODE_CLEAN = 0 };
    const struct vehicle *vehicle = app_vehicle(app);
    return vehicle != NULL && vehicle_has_code(vehicle, CODE_CLEAN);
}

/* Which positions carry a caret: what the check found, and what NHTSA's answer calls wrong. */
static void find_errors(const struct app *app, bool errors[VIN_LENGTH + 1])
{
    const struct vin_check *check = &app->scan.check;
    const struct vehicle *vehicle = app_vehicle(app);
    for (size_t i = 0; i < check->problem_count; i++) {
        const struct vin_problem *problem = &check->problems[i];
        bool wrong = problem->kind == VIN_BAD_CHARACTER || problem->kind == VIN_FORBIDDEN_LETTER;
        if (wrong && problem->position >= 1 && problem->position <= VIN_LENGTH) {
            errors[problem->position - 1] = true;
        }
        errors[VIN_LENGTH] = errors[VIN_LENGTH] || problem->kind == VIN_TOO_LONG;
    }
    if (vin_digit(check) == VIN_DIGIT_WRONG && !is_accepted(app)) {
        errors[VIN_CHECK_POSITION - 1] = true;
    }
    if (vehicle != NULL) {
        bool marks[VIN_LENGTH] = {false};
        notes_positions(vehicle, marks);
        for (size_t i = 0; i < VIN_LENGTH; i++) {
            errors[i] = errors[i] || marks[i];
        }
    }
}

/* The line below the run: the groups, and carets under what is wrong. */
static void draw_ruler(const struct app *app, int row, struct frame *frame)
{
    static const char *const words[] = {"maker", "descriptor", "check", "year", "plant", "serial"};
    static const size_t first[] = {1, 4, 9, 10, 11, 12};
    const char *ruler = "<-><--->|||<---->";
    static const uint32_t lines[VIN_LENGTH] = {0x2514, 0x2500, 0x2518, 0x2514, 0x2500, 0x2500, 0x2500, 0x2518, 0x2502,
                                               0x2502, 0x2502, 0x2514, 0x2500, 0x2500, 0x2500, 0x2500, 0x2518};
    bool errors[VIN_LENGTH + 1] = {false};
    find_errors(app, errors);
    for (size_t i = 0; i < VIN_LENGTH; i++) {
        uint32_t code = frame->utf8 ? lines[i] : (uint32_t)(unsigned char)ruler[i];
        frame_put(frame, row, FIELD_COLUMN + (int)i, errors[i] ? '^' : code,
                  errors[i] ? ROLE_ERROR : group_role(i + 1));
    }
    if (errors[VIN_LENGTH]) {
        frame_put(frame, row, FIELD_COLUMN + VIN_LENGTH, '^', ROLE_ERROR);
    }
    int at = COUNT_COLUMN;
    for (size_t i = 0; i < 6 && frame->columns >= 80; i++) {
        at += frame_puts(frame, row, at, frame->columns - at, group_role(first[i]), words[i]) + 2;
    }
}

/* One unbroken run; when it is longer than the room, the part around the cursor. Carets only where all of it shows. */
void view_field(const struct app *app, const struct layout *layout, struct frame *frame)
{
    struct shown shown;
    char count[32];
    show_field(app, &shown);
    (void)snprintf(count, sizeof count, "%zu/17", app->scan.check.length);
    int row = layout->field_row, room = frame->columns - FIELD_COLUMN - (int)strlen(count) - 3;
    int at = FIELD_COLUMN, cursor = at, width = frame_width(shown.text, shown.length, frame->utf8);
    size_t index = 0, byte = 0, skip = 0;
    if (width > room) {
        skip = shown.cursor > (size_t)room / 2 ? shown.cursor - (size_t)room / 2 : 0;
    }
    (void)frame_puts(frame, row, 0, FIELD_COLUMN, ROLE_LABEL, "VIN ");
    for (; byte < shown.length; index++) {
        struct text_piece piece;
        text_piece_next(shown.text + byte, shown.length - byte, frame->utf8, &piece);
        size_t parts = characters(shown.text + byte, piece.bytes); /* marks count as characters, too */
        cursor = shown.cursor >= index ? at : cursor;
        if (index >= skip) {
            if (at + piece.columns > FIELD_COLUMN + room) {
                break;
            }
            enum role role = index < app->scan.check.length ? group_role(index + 1) : ROLE_VIN_YEAR;
            at += frame_text(frame, row, at, piece.columns, role, shown.text + byte, piece.bytes);
        }
        byte += piece.bytes;
        index += parts - 1;
    }
    cursor = shown.cursor >= index ? at : cursor;
    int count_at = at + 2 > COUNT_COLUMN ? at + 2 : COUNT_COLUMN;
    bool whole = app->scan.check.length == VIN_LENGTH;
    (void)frame_puts(frame, row, count_at, frame->columns - count_at, whole ? ROLE_OK : ROLE_LABEL, count);
    if (layout->ruler_row >= 0 && skip == 0) {
        draw_ruler(app, layout->ruler_row, frame);
    }
    if (app_in_field(app)) {
        frame->cursor_row = row;
        frame->cursor_column = cursor;
    }
}

#define LOCAL_LABEL "From the VIN itself: "

/* Whether `text` fits in `rows` rows. */
static bool fits(const struct frame *frame, int rows, const char *text)
{
    size_t length = strlen(text);
    while (length > 0 && rows-- > 0) {
        size_t taken = frame_wrap(text, length, frame->columns, frame->utf8);
        taken += strspn(text + taken, " ");
        text += taken;
        length -= taken;
    }
    return length == 0;
}

/* "From the VIN itself: 1HG AMERICAN HONDA MOTOR CO., INC., United States": local knowledge, never NHTSA's answer. A
 * long name gives way to the country. */
static void say_maker(const struct app *app, const struct frame *frame, int rows, char *out, size_t size)
{
    enum { SHORTEST_NAME = 8 };
    struct maker maker;
    if (app->scan.check.length < 3 || !maker_find(app->scan.check.text, &maker)) {
        (void)snprintf(out, size, LOCAL_LABEL "positions 1-3 will name the maker");
        return;
    }
    bool unfinished = maker.small && strlen(maker.code) == 3; /* positions 12-14 are not there yet */
    const char *name = maker.name[0] != '\0' ? maker.name
                       : unfinished          ? "one of the small makers"
                                             : "not in our table of makers";
    const char *comma = maker.country[0] != '\0' ? ", " : "", *dots = frame->utf8 ? "\xe2\x80\xa6" : "...";
    size_t length = strlen(name);
    (void)snprintf(out, size, LOCAL_LABEL "%s %s%s%s", maker.code, name, comma, maker.country);
    int excess = frame_width(out, strlen(out), frame->utf8) - rows * frame->columns;
    if (excess > 0) { /* at least so much of it has to go */
        length = length > SHORTEST_NAME + (size_t)excess ? length - (size_t)excess : SHORTEST_NAME;
    }
    while (!fits(frame, rows, out) && length > SHORTEST_NAME) {
        do {
            length--;
        } while (((unsigned char)name[length] & 0xc0) == 0x80); /* between two characters */
        (void)snprintf(out, size, LOCAL_LABEL "%s %.*s%s%s%s", maker.code, (int)length, name, dots, comma,
                       maker.country);
    }
    if (!fits(frame, rows, out)) {
        (void)snprintf(out, size, LOCAL_LABEL "%s %s%s%s", maker.code, name, comma, maker.country);
    }
}

/* Outside North America position 10 need not be the year. */
static void say_years(const struct vin_check *check, bool narrow, char *out, size_t size)
{
    const char *perhaps = vin_is_north_american(check->text) ? "" : "perhaps ";
    const char *label = narrow ? "" : "model year ";
    if (check->year_count == 2) {
        (void)snprintf(out, size, "%s%s%d or %d", perhaps, label, check->years[0], check->years[1]);
    } else if (check->year_count == 1) {
        (void)snprintf(out, size, "%s%s%d", perhaps, narrow ? "year " : label, check->years[0]);
    } else if (!check->has_check_digit) {
        out[0] = '\0';
    } else {
        (void)snprintf(out, size, narrow ? "no year at 10" : "position 10 names no year");
    }
}

/* Where the check digit is not required, one that matches may be chance, and one that does not is no fault. */
static void say_check_digit(const struct app *app, bool narrow, char *out, size_t size)
{
    const struct vin_check *check = &app->scan.check;
    enum vin_digit digit = vin_digit(check);
    bool required = vin_is_north_american(check->text);
    out[0] = '\0';
    if ((digit == VIN_DIGIT_WRONG || digit == VIN_DIGIT_DIFFERS) && is_accepted(app)) {
        (void)snprintf(out, size, narrow ? "digit %c not %c" : "check digit %c, expected %c (NHTSA accepts it)",
                       check->check_actual, check->check_expected);
        return;
    }
    switch (digit) {
    case VIN_DIGIT_UNKNOWN:
        break;
    case VIN_DIGIT_NOT_EXPECTED:
        (void)snprintf(out, size, narrow ? "no check digit" : "European VIN, no check digit expected");
        break;
    case VIN_DIGIT_MATCHES:
        (void)snprintf(out, size, narrow ? "check digit %c fits" : "check digit %c as expected%s", check->check_actual,
                       required ? "" : " (may be chance)");
        break;
    case VIN_DIGIT_WRONG:
        (void)snprintf(out, size, narrow ? "digit %c, expected %c" : "check digit %c, expected %c (required there)",
                       check->check_actual, check->check_expected);
        break;
    case VIN_DIGIT_DIFFERS:
        (void)snprintf(out, size, narrow ? "digit %c not %c" : "check digit %c, expected %c (not required there)",
                       check->check_actual, check->check_expected);
        break;
    }
}

/* The remarks in the rows that are left. One that does not fit behind those before it is left out whole. */
struct remarks {
    const struct frame *frame;
    int rows;
    char text[SCAN_REMOVED_MAX + 320];
};

static void add_remark(struct remarks *remarks, const char *before, const char *remark)
{
    size_t used = strlen(remarks->text);
    (void)snprintf(remarks->text + used, sizeof remarks->text - used, "%s%s%s", used > 0 ? "; " : "", before, remark);
    if (used > 0 && !fits(remarks->frame, remarks->rows, remarks->text)) {
        remarks->text[used] = '\0';
    }
}

/* A VIN that could have been meant: characters that look alike, or that count alike, which no check digit can tell
 * apart. */
static void say_lookalike(const struct app *app, struct remarks *remarks)
{
    struct choice choices[CHOICES_MAX];
    size_t count = app_choices(app, choices), first = 0;
    while (first < count && choices[first].kind != CHOICE_LOOKALIKE) {
        first++;
    }
    if (first == count || is_accepted(app) || (first > 0 && choices[first - 1].kind == CHOICE_NHTSA)) {
        return; /* NHTSA's word stands on the card */
    }
    char text[64];
    (void)snprintf(text, sizeof text, "perhaps %s%s", choices[first].vin,
                   choices[first].same_value ? ", which the digit cannot tell" : "");
    add_remark(remarks, "", text);
    add_remark(remarks, "", app_in_field(app) ? "Tab, then s: suggestions" : "s: suggestions");
}

/* Why two model years remain, and which of them a car has. */
static void say_why_two_years(const struct vin_check *check, struct remarks *remarks)
{
    char text[96];
    int year = vin_year_of_car(check);
    if (check->year_count != 2) {
        return;
    }
    (void)snprintf(text, sizeof text, "%c returns every 30 years", check->text[VIN_YEAR_POSITION - 1]);
    add_remark(remarks, "", text);
    if (year != 0) {
        (void)snprintf(text, sizeof text, "a %s at 7 says %d for a US car",
                       text_is_digit(check->text[6]) ? "digit" : "letter", year);
        add_remark(remarks, "", text);
    }
}

/* What cleaning did, and remarks that block nothing; what weighs most comes first. */
static void say_remarks(const struct app *app, struct remarks *remarks)
{
    const struct scan *scan = &app->scan;
    if (app->original) {
        char came[256]; /* byte for byte; the run above is never broken by a separator */
        (void)frame_clean(app->field.text, app->field.length, remarks->frame->utf8, came, sizeof came);
        add_remark(remarks, "as it came: ", came);
        add_remark(remarks, "", "Ctrl-_ undoes it");
    }
    if (scan->removed[0] != '\0') {
        add_remark(remarks, "removed: ", scan->removed);
    }
    if (scan->upper_cased) {
        add_remark(remarks, "", "made upper case");
    }
    if (scan->check.one_character) {
        add_remark(remarks, "", "all 17 characters are the same");
    }
    if (scan->check.length >= 3 && scan->check.length <= VIN_LENGTH && scan->check.text[2] == '9') {
        add_remark(remarks, "", "small maker: its code is positions 1-3 and 12-14");
    }
    say_lookalike(app, remarks);
    say_why_two_years(&scan->check, remarks);
}

void view_local(const struct app *app, const struct layout *layout, struct frame *frame)
{
    const struct vin_check *check = &app->scan.check;
    int row = layout->local_row, end = row + layout->local_rows;
    if (row == end) {
        return;
    }
    if (check->length > 0 && check->length <= VIN_LENGTH) {
        char maker[320], years[64], digit[128], facts[256];
        say_years(check, frame->columns < 60, years, sizeof years);
        say_check_digit(app, frame->columns < 60, digit, sizeof digit);
        (void)snprintf(facts, sizeof facts, "%s%s%s", years, years[0] != '\0' && digit[0] != '\0' ? ", " : "", digit);
        /* Where there are two rows, a remark of weight takes the maker's. */
        bool weighs = app->original || app->scan.removed[0] != '\0' || check->one_character;
        int maker_rows = layout->local_rows > 2 ? layout->local_rows - 2 : weighs ? 0 : 1;
        say_maker(app, frame, maker_rows, maker, sizeof maker);
        row += view_wrapped(frame, row, maker_rows, 0, ROLE_LABEL, maker);
        row += view_wrapped(frame, row, 1, 0, check->check_ok ? ROLE_OK : ROLE_LABEL, facts);
    }
    struct remarks remarks = {.frame = frame, .rows = end - row};
    say_remarks(app, &remarks);
    (void)view_wrapped(frame, row, end - row, 0, ROLE_INFO, remarks.text);
}
