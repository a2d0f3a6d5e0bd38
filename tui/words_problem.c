#include "core/base/text.h"
#include "tui/words.h"
#include "tui/words_put.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* What is wrong with a text as a VIN. */

/* The character at `position`, counted from 1, as bytes. */
static size_t character_at(const char *text, size_t position, const char **at)
{
    size_t length = strlen(text), used = 0;
    uint32_t character;
    *at = text;
    for (size_t i = 0; i < position && (size_t)(*at - text) + used < length; i++) {
        *at += used;
        used = text_character(*at, length - (size_t)(*at - text), &character);
    }
    return used;
}

/* A character, one of other scripts by its name too: a Cyrillic Es (U+0421) looks like a C and is none. */
static void say_character(struct words *words, const char *at, size_t length)
{
    static const struct {
        uint32_t first, last;
        const char *script;
    } scripts[] = {{0x370, 0x3ff, "Greek "}, {0x400, 0x52f, "Cyrillic "}, {0xff00, 0xff5e, "full-width "}};
    enum { REPLACEMENT = 0xfffd }; /* what cleaning made of a byte that is no UTF-8 */
    uint32_t character;
    const char *script = "";
    (void)text_character(at, length, &character);
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
        script = character >= scripts[i].first && character <= scripts[i].last ? scripts[i].script : script;
    }
    if (character == REPLACEMENT) {
        words_put(words, "a byte that is no UTF-8");
    } else if (character < 0x80) {
        words_put(words, "%.*s", (int)length, at);
    } else {
        words_put(words, "%s%.*s (U+%04lX)", script, (int)length, at, (unsigned long)character);
    }
}

/* "O stands at position 5", "I, Q at positions 4 and 7": all problems of one kind. */
static void say_positions(struct words *words, const struct vin_check *check, enum vin_problem_kind kind)
{
    const char *named[VIN_PROBLEMS_MAX];
    size_t count = 0, said = 0;
    for (size_t i = 0; i < check->problem_count; i++) {
        if (check->problems[i].kind != kind) {
            continue;
        }
        size_t used = character_at(check->text, check->problems[i].position, &named[count]);
        bool again = false;
        for (size_t k = 0; k < count; k++) {
            again = again || strncmp(named[k], named[count], used) == 0;
        }
        if (!again && said < 4) {
            words_put(words, "%s", said++ > 0 ? ", " : "");
            say_character(words, named[count], used);
        }
        count++;
    }
    said = 0;
    for (size_t i = 0; i < check->problem_count && said < 6; i++) {
        if (check->problems[i].kind == kind) {
            const char *first = count == 1 ? " stands at position " : " at positions ";
            words_put(words, "%s%zu",
                      said == 0           ? first
                      : said + 1 == count ? " and "
                                          : ", ",
                      check->problems[i].position);
            said++;
        }
    }
    if (said < count) {
        words_put(words, " and more");
    }
}

static bool has_kind(const struct vin_check *check, enum vin_problem_kind kind)
{
    for (size_t i = 0; i < check->problem_count; i++) {
        if (check->problems[i].kind == kind) {
            return true;
        }
    }
    return false;
}

void words_problem(const struct vin_check *check, char *out, size_t size)
{
    struct words words = words_begin(out, size);
    if (has_kind(check, VIN_EMPTY)) {
        words_put(&words, "Nothing is typed yet");
    } else if (has_kind(check, VIN_BAD_CHARACTER)) {
        say_positions(&words, check, VIN_BAD_CHARACTER);
        words_put(&words, ": never sent, a VIN has A-Z and 0-9");
    } else if (has_kind(check, VIN_TOO_LONG)) {
        words_put(&words, "%zu characters, a VIN has 17", check->length);
    } else if (has_kind(check, VIN_FORBIDDEN_LETTER)) {
        say_positions(&words, check, VIN_FORBIDDEN_LETTER);
        words_put(&words, ", a VIN never holds I, O or Q");
        if (has_kind(check, VIN_TOO_SHORT)) {
            words_put(&words, "; %zu of 17 characters", check->length);
        }
    } else if (has_kind(check, VIN_TOO_SHORT)) {
        words_put(&words, "%zu of 17 characters", check->length);
    } else if (has_kind(check, VIN_WILDCARD)) {
        say_positions(&words, check, VIN_WILDCARD);
        words_put(&words, " for a character that is not known");
    } else if (check->has_check_digit && !check->check_ok) {
        words_put(&words, "Position 9 holds check digit %c, expected %c", check->check_actual, check->check_expected);
    }
}
