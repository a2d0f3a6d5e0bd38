#include "tui/option_table.h"

#include "tui/frame.h"
#include "tui/keys.h"

#include <stdio.h>
#include <string.h>

/* What people and shells read, made from the table. */

enum { HELP_INDENT = 27, HELP_COLUMNS = 80 };

/* Help */

static void print_wrapped(const char *text, int used)
{
    for (size_t left = strlen(text); left > 0;) {
        size_t fits = frame_wrap(text, left, HELP_COLUMNS - HELP_INDENT, true);
        printf("%*s%.*s\n", used < HELP_INDENT ? HELP_INDENT - used : 1, "", (int)fits, text);
        text += fits;
        left -= fits;
        used = 0;
        while (left > 0 && *text == ' ') {
            text++;
            left--;
        }
    }
}

static void print_row(const struct option_row *row)
{
    const char *argument = row->argument ? row->argument : "";
    const char *between = argument[0] == '[' || argument[0] == '\0' ? "" : " ";
    int used = row->letter != 0 ? printf("  -%c, --%s%s%s", row->letter, row->name, between, argument)
                                : printf("      --%s%s%s", row->name, between, argument);
    if (used >= HELP_INDENT) {
        printf("\n");
        used = 0;
    }
    print_wrapped(row->help, used);
}

static void print_help(bool all)
{
    printf("Usage: vindecode [OPTION]... [VIN[,YEAR]]...\n"
           "Decodes vehicle identification numbers with NHTSA's vPIC service, and waits when\n"
           "it is asked to. Without an output option, on a terminal, it is a screen.\n");
    for (int section = 0; section < SECTION_COUNT; section++) {
        bool begun = false;
        for (size_t i = 0; i < option_row_count; i++) {
            const struct option_row *row = &option_rows[i];
            if (row->section != (enum option_section)section || row->place == PLACE_FILE || !(all || row->common)) {
                continue;
            }
            if (!begun) {
                printf("\n%s\n", option_section_title(row->section));
                begun = true;
            }
            print_row(row);
        }
    }
    printf("\nExit status: 0 all decoded, 1 internal error, 2 wrong usage or unreadable file,\n"
           "3 a VIN is invalid, 4 throttled, 5 unavailable or given up, 6 rejected,\n"
           "7 warnings with --strict, 128+N ended by signal N.\n");
    if (!all) {
        printf("All options: vindecode --help=all. The manual: man vindecode.\n");
    }
}

/* The manual: mdoc(7) */

/* A new sentence begins a new line, as mdoc wants. */
static void print_mdoc_text(const char *text)
{
    for (; *text != '\0'; text++) {
        if (text[0] == '.' && text[1] == ' ' && text[2] >= 'A' && text[2] <= 'Z') {
            fputs(".\n", stdout);
            text++;
        } else if (*text == '\\') {
            fputs("\\e", stdout);
        } else if (*text == '-') {
            fputs("\\-", stdout);
        } else {
            putchar(*text);
        }
    }
    putchar('\n');
}

static void print_man(void)
{
    for (int section = 0; section < SECTION_COUNT; section++) {
        printf(".Ss %s\n.Bl -tag -width Ds\n", option_section_title((enum option_section)section));
        for (size_t i = 0; i < option_row_count; i++) {
            const struct option_row *row = &option_rows[i];
            if (row->section != (enum option_section)section || row->place == PLACE_FILE) {
                continue;
            }
            printf(".It ");
            if (row->letter != 0) {
                printf("Fl %c , ", row->letter);
            }
            printf("Fl \\-%s", row->name);
            if (option_is_optional(row)) {
                printf(" Ns Op = Ns Ar %.*s", (int)strcspn(row->argument + 2, "]"), row->argument + 2);
            } else if (row->argument != NULL) {
                printf(" Ar %s", row->argument);
            }
            printf("\n");
            print_mdoc_text(row->help);
        }
        printf(".El\n");
    }
}

/* Completions */

/* The help up to the first pause: what stands beside a completion. */
static int short_length(const struct option_row *row)
{
    size_t length = strcspn(row->help, ";:(.");
    while (length > 0 && row->help[length - 1] == ' ') {
        length--;
    }
    return (int)length;
}

/* Text inside single quotes of a shell; none of the texts holds a quote of that kind except "NHTSA's". */
static void print_quoted(const char *text, int length, const char *quote)
{
    for (int i = 0; i < length; i++) {
        if (text[i] == '\'') {
            fputs(quote, stdout);
        } else {
            putchar(text[i]);
        }
    }
}

static bool takes_file(const struct option_row *row)
{
    return row->words != NULL && strcmp(row->words, "FILE") == 0;
}

static void print_bash(void)
{
    printf("# bash completion for vindecode; printed by \"vindecode --help=bash\".\n"
           "_vindecode() {\n"
           "    local cur prev words cword split\n"
           "    _init_completion -s || return\n"
           "    case $prev in\n");
    for (size_t i = 0; i < option_row_count; i++) {
        const struct option_row *row = &option_rows[i];
        if (row->argument == NULL || row->place == PLACE_FILE) {
            continue;
        }
        printf("    --%s", row->name);
        if (row->letter != 0 && !option_is_optional(row)) {
            printf(" | -%c", row->letter);
        }
        printf(")\n");
        if (option_is_optional(row)) {
            printf("        [[ $split == true ]] || return\n");
        }
        if (takes_file(row)) {
            printf("        _filedir\n");
        } else if (strcmp(row->name, "demo") == 0) {
            printf("        COMPREPLY=($(compgen -W \"list $(vindecode --demo=list 2>/dev/null | cut -d ' ' -f 1)\" -- "
                   "\"$cur\"))\n");
        } else if (row->words != NULL) {
            printf("        COMPREPLY=($(compgen -W '%s' -- \"$cur\"))\n", row->words);
        }
        printf("        return\n        ;;\n");
    }
    printf("    esac\n    $split && return\n    if [[ $cur == -* ]]; then\n        COMPREPLY=($(compgen -W '");
    for (size_t i = 0; i < option_row_count; i++) {
        const struct option_row *row = &option_rows[i];
        if (row->place == PLACE_FILE) {
            continue;
        }
        printf("%s--%s%s", i > 0 ? " " : "", row->name, row->argument != NULL && !option_is_optional(row) ? "=" : "");
    }
    printf("' -- \"$cur\"))\n"
           "        [[ ${COMPREPLY-} == *= ]] && compopt -o nospace\n"
           "    fi\n"
           "} &&\n"
           "    complete -F _vindecode vindecode\n");
}

static void print_zsh_value(const struct option_row *row)
{
    const char *name = row->argument + (option_is_optional(row) ? 2 : 0);
    printf(":%.*s:", (int)strcspn(name, "]/["), name);
    if (takes_file(row)) {
        printf("_files");
    } else if (strcmp(row->name, "demo") == 0) {
        printf("{compadd list $(vindecode --demo=list 2>/dev/null | cut -d \" \" -f 1)}");
    } else if (row->words != NULL) {
        printf("(%s)", row->words);
    }
}

static void print_zsh(void)
{
    printf("#compdef vindecode\n# zsh completion for vindecode; printed by \"vindecode --help=zsh\".\n_arguments -s -S "
           "\\\n");
    for (size_t i = 0; i < option_row_count; i++) {
        const struct option_row *row = &option_rows[i];
        if (row->place == PLACE_FILE) {
            continue;
        }
        const char *equals = row->argument == NULL ? "" : option_is_optional(row) ? "=-" : "=";
        if (row->letter != 0 && !option_is_optional(row)) {
            printf("  '(-%c --%s)'{-%c%s,--%s%s}'[", row->letter, row->name, row->letter, row->argument ? "+" : "",
                   row->name, equals);
        } else {
            printf("  '--%s%s[", row->name, equals);
        }
        print_quoted(row->help, short_length(row), "'\\''");
        printf("]");
        if (option_is_optional(row)) {
            putchar(':');
        }
        if (row->argument != NULL) {
            print_zsh_value(row);
        }
        printf("' \\\n");
    }
    printf("  '*:VIN:'\n");
}

static void print_fish(void)
{
    printf("# fish completion for vindecode; printed by \"vindecode --help=fish\".\ncomplete -c vindecode -f\n");
    for (size_t i = 0; i < option_row_count; i++) {
        const struct option_row *row = &option_rows[i];
        if (row->place == PLACE_FILE) {
            continue;
        }
        printf("complete -c vindecode");
        if (row->letter != 0) {
            printf(" -s %c", row->letter);
        }
        printf(" -l %s", row->name);
        if (row->argument != NULL && !option_is_optional(row)) {
            printf(takes_file(row) ? " -r -F" : " -x");
        }
        if (strcmp(row->name, "demo") == 0) {
            printf(" -a '(vindecode --demo=list 2>/dev/null | string split -f 1 \" \"; echo list)'");
        } else if (row->words != NULL && !takes_file(row)) {
            printf(" -a '%s'", row->words);
        }
        printf(" -d '");
        print_quoted(row->help, short_length(row), "\\'");
        printf("'\n");
    }
}

static void print_keys(void)
{
    struct buffer keys;
    buffer_init(&keys, 1 << 20);
    keys_write_man(&keys);
    fputs(keys.data, stdout);
    buffer_clear(&keys);
}

void options_help(enum help help)
{
    switch (help) {
    case HELP_MAN:
        print_man();
        break;
    case HELP_KEYS:
        print_keys();
        break;
    case HELP_BASH:
        print_bash();
        break;
    case HELP_ZSH:
        print_zsh();
        break;
    case HELP_FISH:
        print_fish();
        break;
    case HELP_NONE:
    case HELP_COMMON:
    case HELP_ALL:
        print_help(help == HELP_ALL);
        break;
    }
}
