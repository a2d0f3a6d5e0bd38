#ifndef CORE_POLICY_STRUCTURED_FIELD_H
#define CORE_POLICY_STRUCTURED_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Structured field values by RFC 9651, Lists and Dictionaries, read member by member without memory of their own. All
 * or nothing: a field counts only if every member and every parameter was read and `failed` is still false behind them.
 *
 *     struct structured_reader reader = structured_read(text, length);
 *     while (structured_list_next(&reader, &item)) {
 *         while (structured_parameter_next(&reader, &key, &item)) { ... }
 *     }
 *     if (reader.failed) { ... }
 *
 * A tab is read as a space (planner.md P13). Everything borrows the text. Pure; any thread.
 */

enum structured_kind {
    STRUCTURED_INTEGER,
    STRUCTURED_DECIMAL,
    STRUCTURED_STRING,
    STRUCTURED_TOKEN,
    STRUCTURED_BYTES,
    STRUCTURED_BOOLEAN,
    STRUCTURED_DATE,
    STRUCTURED_DISPLAY_STRING,
    STRUCTURED_INNER_LIST
};

/* A bare item; of kinds other than INTEGER, BOOLEAN, STRING and TOKEN only the kind is kept. */
struct structured_item {
    enum structured_kind kind;
    int64_t integer;  /* also a boolean's 0 or 1 */
    const char *text; /* of a STRING what stands between the quotes, escapes and all */
    size_t length;
};

struct structured_key {
    const char *text;
    size_t length;
};

struct structured_reader {
    const char *at, *end;
    bool failed;
    bool begun; /* a member has been read, so a comma or the end has to follow */
};

struct structured_reader structured_read(const char *text, size_t length);

/* The next member of a List. False behind the last one and after a failure. An Inner List is read and dropped. The
 * parameters of the member before have to be read first. */
bool structured_list_next(struct structured_reader *reader, struct structured_item *item);

/* The next member of a Dictionary. A key that stands twice comes twice: the last one counts. */
bool structured_dictionary_next(struct structured_reader *reader, struct structured_key *key,
                                struct structured_item *item);

/* The next parameter of the member just read. A key that stands twice comes twice: the last one counts. */
bool structured_parameter_next(struct structured_reader *reader, struct structured_key *key,
                               struct structured_item *item);

bool structured_key_is(const struct structured_key *key, const char *wanted);

/* Do two items of kind STRING or TOKEN have the same text, escapes resolved? */
bool structured_same_text(const struct structured_item *a, const struct structured_item *b);

#endif
