#include "tui/keys.h"

#include "core/base/text.h"

#define CHARACTER(character) KEY_CHARACTER, character
#define CONTROL(letter) KEY_CONTROL, letter
#define ALT(letter) KEY_ALT, letter
#define FUNCTION(number) KEY_FUNCTION, number

/* The order is that of the help and of the key line. Within a context no two rows name the same key. */
static const struct key_binding bindings[] = {
    {KEYS_FIELD, KEY_ENTER, 0, "Enter", COMMAND_DECODE, "decode", "decode the VIN, or say why not"},
    {KEYS_PROMPT, KEY_ENTER, 0, "Enter", COMMAND_ANSWER, "done", "take what is typed"},
    {KEYS_OUTSIDE, KEY_ENTER, 0, "Enter", COMMAND_TAKE, "take", "put the chosen line into the field"},
    {KEYS_EVERYWHERE, KEY_ESCAPE, 0, "Esc", COMMAND_ESCAPE, "cancel",
     "close what lies on top, else cancel the call or wait"},
    {KEYS_EVERYWHERE, FUNCTION(5), "F5", COMMAND_AGAIN, "again", "decode again, past the caches"},
    {KEYS_FIELD, KEY_TAB, 0, "Tab", COMMAND_TO_CARD, "card", "go to the card"},
    {KEYS_OUTSIDE, KEY_TAB, 0, "Tab", COMMAND_TO_FIELD, "field", "go back to the field"},
    {KEYS_OUTSIDE, CHARACTER('i'), "i", COMMAND_TO_FIELD, NULL, "go back to the field"},
    {KEYS_OUTSIDE, KEY_BACK_TAB, 0, "Shift-Tab", COMMAND_TO_FIELD, NULL, "go back to the field"},

    {KEYS_FIELD, KEY_GO_UP, 0, "Up", COMMAND_OLDER, NULL, "the VIN before this one"},
    {KEYS_FIELD, CONTROL('P'), "Ctrl-P", COMMAND_OLDER, NULL, "the VIN before this one"},
    {KEYS_FIELD, KEY_GO_DOWN, 0, "Down", COMMAND_NEWER, NULL, "the VIN after this one"},
    {KEYS_FIELD, CONTROL('N'), "Ctrl-N", COMMAND_NEWER, NULL, "the VIN after this one"},
    {KEYS_LINE, CONTROL('_'), "Ctrl-_", COMMAND_UNDO, "undo", "undo; brings back what was scanned"},
    {KEYS_LINE, KEY_GO_LEFT, 0, "Left", COMMAND_LEFT, NULL, "a character to the left"},
    {KEYS_LINE, CONTROL('B'), "Ctrl-B", COMMAND_LEFT, NULL, "a character to the left"},
    {KEYS_LINE, KEY_GO_RIGHT, 0, "Right", COMMAND_RIGHT, NULL, "a character to the right"},
    {KEYS_LINE, CONTROL('F'), "Ctrl-F", COMMAND_RIGHT, NULL, "a character to the right"},
    {KEYS_LINE, KEY_GO_HOME, 0, "Home", COMMAND_HOME, NULL, "to the beginning"},
    {KEYS_LINE, CONTROL('A'), "Ctrl-A", COMMAND_HOME, NULL, "to the beginning"},
    {KEYS_LINE, KEY_GO_END, 0, "End", COMMAND_END, NULL, "to the end"},
    {KEYS_LINE, CONTROL('E'), "Ctrl-E", COMMAND_END, NULL, "to the end"},
    {KEYS_LINE, ALT('b'), "Alt-b", COMMAND_WORD_LEFT, NULL, "a word to the left"},
    {KEYS_LINE, ALT('f'), "Alt-f", COMMAND_WORD_RIGHT, NULL, "a word to the right"},
    {KEYS_LINE, KEY_RUBOUT, 0, "Backspace", COMMAND_RUB_OUT, NULL, "delete the character before the cursor"},
    {KEYS_LINE, CONTROL('H'), "Ctrl-H", COMMAND_RUB_OUT, NULL, "delete the character before the cursor"},
    {KEYS_LINE, KEY_DELETE, 0, "Del", COMMAND_DELETE, NULL, "delete the character under the cursor"},
    {KEYS_LINE, CONTROL('D'), "Ctrl-D", COMMAND_DELETE, NULL, "delete the character under the cursor"},
    {KEYS_LINE, CONTROL('U'), "Ctrl-U", COMMAND_KILL_TO_START, NULL, "cut to the beginning"},
    {KEYS_LINE, CONTROL('K'), "Ctrl-K", COMMAND_KILL_TO_END, NULL, "cut to the end"},
    {KEYS_LINE, CONTROL('W'), "Ctrl-W", COMMAND_KILL_WORD_BACK, NULL, "cut the word before the cursor"},
    {KEYS_LINE, ALT('d'), "Alt-d", COMMAND_KILL_WORD_FORWARD, NULL, "cut the word behind the cursor"},
    {KEYS_LINE, CONTROL('Y'), "Ctrl-Y", COMMAND_YANK, NULL, "put back what was cut"},

    {KEYS_OUTSIDE, CHARACTER('o'), "o", COMMAND_LIST_FILE, "open a file", "put the VINs of a file into the list"},
    {KEYS_OUTSIDE, CHARACTER('x'), "x", COMMAND_LIST_RUN, "stop", "stop the list, or let it go on"},
    {KEYS_OUTSIDE, CHARACTER('r'), "r", COMMAND_LIST_RETRY, "retry", "ask again what failed in the list"},
    {KEYS_OUTSIDE, CHARACTER('w'), "w", COMMAND_SAVE, "save",
     "save the card, or the list, as JSON, CSV or text: by the end of the file's name"},
    {KEYS_OUTSIDE, CHARACTER('y'), "y", COMMAND_COPY, "copy", "copy the card, or the chosen VIN"},
    {KEYS_OUTSIDE, CHARACTER('c'), "c", COMMAND_LIST_CLEAR, NULL, "forget the list"},
    {KEYS_OUTSIDE, CHARACTER('/'), "/", COMMAND_SEARCH, "search", "search as you type"},
    {KEYS_OUTSIDE, CHARACTER('n'), "n", COMMAND_FIND_NEXT, NULL, "the next place that was searched for"},
    {KEYS_OUTSIDE, CHARACTER('N'), "N", COMMAND_FIND_BEFORE, NULL, "the place before that was searched for"},
    {KEYS_OUTSIDE, CHARACTER('s'), "s", COMMAND_CHOOSE, "suggestions", "other VINs that could be meant"},
    {KEYS_OUTSIDE, CHARACTER('e'), "e", COMMAND_EMPTY_FIELDS, "empty fields",
     "show or hide the fields without a value"},
    {KEYS_OUTSIDE, CHARACTER('d'), "d", COMMAND_DETAILS, "details", "what NHTSA wrote, word for word"},
    {KEYS_OUTSIDE, KEY_GO_UP, 0, "Up", COMMAND_LINE_UP, NULL, "a line up"},
    {KEYS_OUTSIDE, CHARACTER('k'), "k", COMMAND_LINE_UP, NULL, "a line up"},
    {KEYS_OUTSIDE, KEY_GO_DOWN, 0, "Down", COMMAND_LINE_DOWN, "scroll", "a line down"},
    {KEYS_OUTSIDE, CHARACTER('j'), "j", COMMAND_LINE_DOWN, NULL, "a line down"},
    {KEYS_EVERYWHERE, KEY_GO_PAGE_UP, 0, "PgUp", COMMAND_PAGE_UP, NULL, "a page up"},
    {KEYS_EVERYWHERE, KEY_GO_PAGE_DOWN, 0, "PgDn", COMMAND_PAGE_DOWN, NULL, "a page down"},
    {KEYS_OUTSIDE, CHARACTER('g'), "g", COMMAND_TOP, NULL, "to the top"},
    {KEYS_OUTSIDE, KEY_GO_HOME, 0, "Home", COMMAND_TOP, NULL, "to the top"},
    {KEYS_OUTSIDE, CHARACTER('G'), "G", COMMAND_BOTTOM, NULL, "to the bottom"},
    {KEYS_OUTSIDE, KEY_GO_END, 0, "End", COMMAND_BOTTOM, NULL, "to the bottom"},

    {KEYS_EVERYWHERE, FUNCTION(2), "F2", COMMAND_HISTORY, "history", "the VINs of this session"},
    {KEYS_OUTSIDE, CHARACTER('h'), "h", COMMAND_HISTORY, NULL, "the VINs of this session"},
    {KEYS_EVERYWHERE, FUNCTION(3), "F3", COMMAND_LIST, "list", "many VINs, from a file or pasted"},
    {KEYS_OUTSIDE, CHARACTER('l'), "l", COMMAND_LIST, NULL, "many VINs, from a file or pasted"},
    {KEYS_EVERYWHERE, FUNCTION(4), "F4", COMMAND_METER, "meter", "counters, time-outs, gate and breaker"},
    {KEYS_OUTSIDE, CHARACTER('m'), "m", COMMAND_METER, NULL, "counters, time-outs, gate and breaker"},
    {KEYS_EVERYWHERE, FUNCTION(7), "F7", COMMAND_LARGE, NULL, "the countdown in large digits"},
    {KEYS_OUTSIDE, CHARACTER('b'), "b", COMMAND_LARGE, NULL, "the countdown in large digits"},
    {KEYS_EVERYWHERE, FUNCTION(8), "F8", COMMAND_SCENARIO, "next scenario", "the next scenario of the demo"},
    {KEYS_EVERYWHERE, FUNCTION(9), "F9", COMMAND_MOUSE, NULL, "the mouse on or off"},
    {KEYS_EVERYWHERE, FUNCTION(1), "F1", COMMAND_HELP, "help", "this help"},
    {KEYS_EVERYWHERE, CHARACTER('?'), "?", COMMAND_HELP, NULL, "this help"},
    {KEYS_EVERYWHERE, CONTROL('C'), "Ctrl-C", COMMAND_INTERRUPT, NULL, "cancel what is open, else leave"},
    {KEYS_EVERYWHERE, CONTROL('L'), "Ctrl-L", COMMAND_REDRAW, NULL, "draw the screen anew"},
    {KEYS_EVERYWHERE, CONTROL('Z'), "Ctrl-Z", COMMAND_SUSPEND, NULL, "suspend the program"},
    {KEYS_OUTSIDE, CHARACTER('q'), "q", COMMAND_LEAVE, NULL, "leave"},
    {KEYS_EVERYWHERE, FUNCTION(10), "F10", COMMAND_LEAVE, "quit", "leave"},
    {KEYS_EVERYWHERE, CONTROL('Q'), "Ctrl-Q", COMMAND_LEAVE, NULL, "leave"},
};

size_t keys_count(void)
{
    return sizeof bindings / sizeof bindings[0];
}

const struct key_binding *keys_at(size_t index)
{
    return &bindings[index];
}

bool keys_hold(const struct key_binding *binding, enum key_context context)
{
    switch (binding->context) {
    case KEYS_EVERYWHERE:
        return context != KEYS_PROMPT || binding->key != KEY_CHARACTER;
    case KEYS_LINE:
        return context == KEYS_FIELD || context == KEYS_PROMPT;
    default:
        return binding->context == context;
    }
}

static bool has_code(enum key key)
{
    return key == KEY_CHARACTER || key == KEY_FUNCTION || key == KEY_CONTROL || key == KEY_ALT;
}

const struct key_binding *keys_find(enum key_context context, const struct input *input)
{
    for (size_t i = 0; i < keys_count(); i++) {
        const struct key_binding *binding = &bindings[i];
        if (keys_hold(binding, context) && binding->key == input->key &&
            (!has_code(input->key) || binding->code == input->code)) {
            return binding;
        }
    }
    return NULL;
}

bool keys_share_line(const struct key_binding *a, const struct key_binding *b)
{
    return a->command == b->command && a->context == b->context;
}

const char *key_context_name(enum key_context context)
{
    static const char *const names[KEYS_CONTEXT_COUNT] = {"everywhere", "in the field and in prompts", "in the field",
                                                          "in a prompt", "outside the field"};
    return names[context];
}

/* A key's name as mdoc takes it: as one word, and none of roff's own signs alone. */
static void put_name(const char *name, struct buffer *out)
{
    buffer_puts(out, "Ic \\&");
    for (; *name != '\0'; name++) {
        buffer_puts(out, *name == '-' ? "\\-" : *name == '\\' ? "\\e" : "");
        if (*name != '-' && *name != '\\') {
            buffer_putc(out, *name);
        }
    }
}

static void put_rows(enum key_context context, struct buffer *out)
{
    for (size_t i = 0; i < keys_count(); i++) {
        const struct key_binding *binding = &bindings[i];
        if (binding->context != context) {
            continue;
        }
        buffer_puts(out, ".It ");
        put_name(binding->name, out);
        while (i + 1 < keys_count() && keys_share_line(binding, &bindings[i + 1])) {
            buffer_puts(out, " , ");
            put_name(bindings[++i].name, out);
        }
        buffer_printf(out, "\n%s\n", binding->help);
    }
}

void keys_write_man(struct buffer *out)
{
    static const enum key_context order[] = {KEYS_EVERYWHERE, KEYS_FIELD, KEYS_OUTSIDE, KEYS_LINE, KEYS_PROMPT};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        const char *name = key_context_name(order[i]);
        buffer_printf(out, ".Ss %c%s\n.Bl -tag -width Ds\n", text_upper(name[0]), name + 1);
        put_rows(order[i], out);
        buffer_puts(out, ".El\n");
    }
}
