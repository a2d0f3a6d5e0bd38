#include "tests/e2e/random_run.h"

#include <stdio.h>
#include <string.h>

/* What is on the screen */

/* The row that begins with a state word, or -1 unless there is exactly one. */
static int state_row(struct terminal *terminal, int rows, enum state_word *word)
{
    int found = -1;
    for (int row = 0; row < rows; row++) {
        const char *line = terminal_row(terminal, row);
        for (int i = STATE_DECODING; i <= STATE_READY; i++) {
            const char *name = state_word_name((enum state_word)i);
            char after = begins(line, name) ? line[strlen(name)] : 'x';
            if (after == ' ' || after == '\0') {
                if (found >= 0) {
                    return -1;
                }
                found = row;
                *word = (enum state_word)i;
            }
        }
    }
    return found;
}

/* The run of characters behind `label` at the beginning of a row, to a blank or a comma. */
static bool value_of(struct terminal *terminal, int rows, const char *label, char *out, size_t size)
{
    for (int row = 0; row < rows; row++) {
        const char *line = terminal_row(terminal, row);
        if (begins(line, label)) {
            const char *value = line + strlen(label);
            (void)snprintf(out, size, "%.*s", (int)strcspn(value, " ,"), value);
            return true;
        }
    }
    return false;
}

/* How the action reads in each state, to its first letter that may differ. */
static const char *action_of(enum state_word word)
{
    return word == STATE_DECODED                                                ? "[ Decode again F5 ]"
           : word == STATE_FAILED || word == STATE_CHECK || word == STATE_READY ? "[ Decode ]"
                                                                                : "( Decode off";
}

const char *judge_screen(struct run *run)
{
    struct terminal *terminal = run->terminal;
    char field[512], title[512];
    enum state_word word = STATE_READY;
    if (run->rows < 12 || run->columns < 40) {
        return terminal_shows(terminal, "40") || run->columns < 6 ? NULL : "no line asks for more room";
    }
    int row = state_row(terminal, run->rows, &word);
    if (row < 0) {
        return "not exactly one line begins with a state word";
    }
    if (strstr(terminal_row(terminal, row), action_of(word)) == NULL) {
        return "the action is not that of the state";
    }
    if (!value_of(terminal, run->rows, "VIN ", field, sizeof field)) {
        return "there is no field";
    }
    bool card = value_of(terminal, run->rows, "Vehicle ", title, sizeof title);
    if (card && strcmp(field, title) != 0) {
        return "the card is of another VIN than the field's";
    }
    if (!card && (terminal_shows(terminal, "Manufacturer Name") || terminal_shows(terminal, "Body Class"))) {
        return "a vehicle without a VIN above it";
    }
    bool closed = terminal_shows(terminal, "wait asked for") || terminal_shows(terminal, " gate 0:") ||
                  word == STATE_THROTTLED || word == STATE_PAUSED;
    if (closed && terminal_shows(terminal, "[ Decode")) {
        return "the action is on while the gate is closed";
    }
    if (terminal_shows(terminal, " 0:00 ")) {
        return "a countdown says 0:00";
    }
    run->states[word]++;
    return NULL;
}

/* What reaches the terminal */

/* Where an escape sequence ends that may be written; NULL: it may not. `left`: bytes from `at` on. */
static const char *end_of_sequence(struct run *run, const char *at, size_t left)
{
    int rows = run->rows, columns = run->columns;
    int numbers[2] = {1, 1}, count = 0;
    for (size_t i = 0; i < SIZES_KEPT; i++) {
        rows = run->sizes[i][0] > rows ? run->sizes[i][0] : rows;
        columns = run->sizes[i][1] > columns ? run->sizes[i][1] : columns;
    }
    if (left < 2) {
        return at + left;
    }
    if (at[1] == ']') {
        const char *end = memchr(at, '\a', left), *other = NULL;
        for (size_t i = 2; i + 1 < left && other == NULL; i++) {
            other = at[i] == '\033' && at[i + 1] == '\\' ? at + i + 1 : NULL;
        }
        end = end == NULL || (other != NULL && other < end) ? other : end;
        bool pasted = left > 11 && memcmp(at, "\033]52;c;QUFB", 11) == 0; /* what was pasted and answered */
        bool known = (at[2] == '5' && run->copied) || at[2] == '0' || at[2] == '2' || at[2] == '4' || at[2] == '1';
        return known && !pasted ? (end != NULL ? end + 1 : at + left) : NULL;
    }
    if (at[1] != '[') {
        return strchr("()>=78MHc\\P", at[1]) != NULL ? at + (strchr("()", at[1]) != NULL ? 3 : 2) : NULL;
    }
    const char *c = at + 2, *stop = at + left;
    for (; c < stop && (unsigned char)*c >= 0x20 && (unsigned char)*c < 0x40; c++) {
        if (*c >= '0' && *c <= '9' && count < 2) {
            numbers[count] = c > at + 2 && c[-1] >= '0' && c[-1] <= '9' ? numbers[count] * 10 + *c - '0' : *c - '0';
        } else if (*c == ';') {
            count++;
        }
    }
    if (c >= stop) {
        return stop;
    }
    bool outside = (*c == 'H' && (numbers[0] > rows || numbers[1] > columns)) || (*c == 'd' && numbers[0] > rows) ||
                   (*c == 'G' && numbers[0] > columns);
    return !outside && strchr("HfABCDGdJKmhlrXPLM@STbtqsunc", *c) != NULL ? c + 1 : NULL;
}

/* Every byte since the last time. */
void judge_output(struct run *run)
{
    size_t length;
    const char *output = terminal_output(run->terminal, &length), *end = output + length;
    for (const char *at = output + run->seen; at < end;) {
        unsigned char byte = (unsigned char)*at;
        const char *next = at + 1;
        bool c1 = byte == 0xc2 && next < end && (unsigned char)*next >= 0x80 && (unsigned char)*next < 0xa0;
        if (byte == '\033') {
            next = end_of_sequence(run, at, (size_t)(end - at));
        } else if ((byte < 0x20 && strchr("\r\n\b\t\016\017\a", byte) == NULL) || byte == 0x7f || byte == 0 || c1) {
            next = NULL;
        }
        if (next == NULL) {
            char found[80];
            size_t shown = 0;
            for (const char *c = at; c < end && c < at + 16; c++) {
                shown += (size_t)snprintf(found + shown, sizeof found - shown, "%02x ", (unsigned char)*c);
            }
            run_complain(run, "a byte or sequence that must not reach a terminal", found);
            next = at + 1;
        }
        at = next;
    }
    run->seen = length;
}
