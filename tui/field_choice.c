#include "tui/field_choice.h"

#include "core/base/text.h"
#include "tui/frame.h"

#include <stdio.h>
#include <string.h>

static void add(struct field_choice *choice, const struct catalogue_field *field)
{
    for (size_t i = 0; i < choice->count; i++) {
        if (choice->fields[i] == field) {
            return;
        }
    }
    if (choice->count < FIELD_CHOICE_MAX) {
        choice->fields[choice->count++] = field;
    }
}

/* Whether `length` bytes at `name` are the group called `group`, or one that it belongs to. */
static bool is_group(const char *name, size_t length, const char *group)
{
    char head[128];
    size_t all = strlen(group);
    if (length == 0 || length > all || length >= sizeof head ||
        strncmp(group + length, " / ", all > length ? 3 : 0) != 0) {
        return false;
    }
    memcpy(head, group, length);
    head[length] = '\0';
    return text_is(name, length, head);
}

static bool add_named(struct field_choice *choice, const char *name, size_t length)
{
    bool any = false;
    for (size_t i = 0; i < catalogue_count(); i++) {
        const struct catalogue_field *field = catalogue_at(i);
        if (text_is(name, length, field->name) || is_group(name, length, field->group)) {
            add(choice, field);
            any = true;
        }
    }
    return any;
}

bool field_choice_read(const char *list, struct field_choice *out, char *why, size_t size)
{
    *out = (struct field_choice){0};
    for (const char *at = list; at != NULL;) {
        const char *end = strchr(at, ',');
        size_t length = end ? (size_t)(end - at) : strlen(at);
        const char *name = text_trim(at, &length);
        if (length > 0 && !add_named(out, name, length)) {
            char shown[64];
            frame_clean(name, length, true, shown, sizeof shown);
            snprintf(why, size, "no field or group is called \"%s\"; --fields=list names them", shown);
            return false;
        }
        at = end ? end + 1 : NULL;
    }
    if (out->count == 0) {
        snprintf(why, size, "--fields names no field; --fields=list names them");
    }
    return out->count > 0;
}

void field_choice_all(struct field_choice *out)
{
    *out = (struct field_choice){0};
    for (size_t i = 0; i < catalogue_count(); i++) {
        add(out, catalogue_at(i));
    }
}
