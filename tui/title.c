#include "tui/title.h"

#include "tui/frame.h"

#include <stdio.h>
#include <string.h>

/* Kinds of terminals that take xterm's sequences, by the beginning of their names; others would show them. */
static bool is_like_xterm(const char *term)
{
    static const char *const names[] = {"xterm",   "screen", "tmux", "rxvt",  "alacritty", "foot",
                                        "konsole", "vte",    "st-",  "kitty", "mintty",    "iterm"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strncmp(term, names[i], strlen(names[i])) == 0) {
            return true;
        }
    }
    return false;
}

/* A status line of hardware takes a column, "%p1": that is no title. */
static bool is_plain(const char *sequence, size_t size)
{
    return sequence != NULL && sequence[0] != '\0' && strchr(sequence, '%') == NULL && strlen(sequence) < size;
}

void title_init(struct title *title, const char *term, const char *tsl, const char *fsl, const char *smcup)
{
    bool like_xterm = is_like_xterm(term);
    bool named = is_plain(tsl, sizeof title->begin) && is_plain(fsl, sizeof title->end);
    *title = (struct title){.able = named || like_xterm,
                            .stacked = like_xterm && (smcup == NULL || strstr(smcup, "\033[22;0") == NULL)};
    (void)snprintf(title->begin, sizeof title->begin, "%s", named ? tsl : "\033]2;");
    (void)snprintf(title->end, sizeof title->end, "%s", named ? fsl : "\007");
}

void title_save(const struct title *title, struct buffer *out)
{
    buffer_puts(out, title->stacked ? "\033[22;0t" : "");
}

void title_name(const struct title *title, const char *text, bool utf8, struct buffer *out)
{
    char clean[256];
    if (title->able) {
        (void)frame_clean(text, strlen(text), utf8, clean, sizeof clean);
        buffer_puts(out, title->begin);
        buffer_puts(out, clean);
        buffer_puts(out, title->end);
    }
}

/* Emptied first: a terminal without a stack is left with no title rather than with ours, and a shell's prompt sets its
 * own. */
void title_restore(const struct title *title, struct buffer *out)
{
    title_name(title, "", false, out);
    buffer_puts(out, title->stacked ? "\033[23;0t" : "");
}
