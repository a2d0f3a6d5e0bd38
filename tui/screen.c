#include "tui/screen.h"

#include "core/base/memory.h"
#include "tui/crash.h"
#include "tui/key_reader.h"
#include "tui/signals.h"
#include "tui/title.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* From here on the names of curses; two of them are also ours. */
#include <curses.h>
#include <term.h>
enum { CURSES_ENTER = KEY_ENTER };
#undef KEY_ENTER
#undef columns

/* Key codes that we give to sequences which terminfo does not name. They lie above curses' own. */
enum { CODE_PASTE_BEGIN = KEY_MAX + 1, CODE_PASTE_END };

/* After an end of paste: how long to look for more of it. */
enum { PASTE_DOUBT_MS = 10 };

/* When the real size is unknown (0x0). */
enum { USUAL_ROWS = 24, USUAL_COLUMNS = 80 };

enum { ESCAPE_DELAY_MS = 25, ESCAPE_DELAY_SSH_MS = 100 };

#define PASTE_ON "\033[?2004h"
#define PASTE_OFF "\033[?2004l"
#define MOUSE_ON "\033[?1000h\033[?1006h"
#define MOUSE_OFF "\033[?1006l\033[?1002l\033[?1000l"

/* How curses draws a role. */
struct paint {
    attr_t attributes;
    short pair;
};

struct screen {
    SCREEN *terminal;
    WINDOW *keys; /* a pad: reading from it never draws */
    struct termios before;
    struct frame shown; /* what the terminal has */
    bool utf8;
    bool all;   /* the next frame is drawn whole */
    bool taken; /* taken over since the last SIGCONT */
    bool mouse; /* it is ours */
    bool gone;
    bool busy;  /* something was read since reading last said that nothing is pending */
    int cursor; /* curs_set's argument, -1: not set yet */
    struct key_reader reader;
    struct paint paints[ROLE_COUNT];
    struct title title;
    char titled[64]; /* what the window is called; "": not yet */
};

/* Looks */

static attr_t attributes_of(const struct look *look)
{
    return (look->attributes & ATTRIBUTE_BOLD ? A_BOLD : 0) |
           (look->attributes & ATTRIBUTE_UNDERLINE ? A_UNDERLINE : 0) |
           (look->attributes & ATTRIBUTE_REVERSE ? A_REVERSE : 0);
}

/* The terminal's palette is never changed: a colour that it does not have becomes the nearest one that it has. */
static enum depth find_depth(enum depth most)
{
    if (most == DEPTH_NONE || !has_colors() || start_color() == ERR || use_default_colors() == ERR) {
        return DEPTH_NONE;
    }
    enum depth depth = theme_depth(COLORS);
    return depth < most ? depth : most;
}

/* A colour pair for each two colours; roles that share them share the pair, so that going from one to the other writes
 * nothing. */
static void mix_paints(struct screen *screen, const struct theme *theme, enum depth depth)
{
    short pairs = 0;
    for (int role = 0; role < ROLE_COUNT; role++) {
        struct look look = theme_look(theme, (enum role)role, depth);
        struct paint *paint = &screen->paints[role];
        *paint = (struct paint){.attributes = attributes_of(&look)};
        if (look.text < 0 && look.ground < 0) {
            continue;
        }
        for (int before = 0; before < role && paint->pair == 0; before++) {
            struct look other = theme_look(theme, (enum role)before, depth);
            bool same = other.text == look.text && other.ground == look.ground;
            paint->pair = same ? screen->paints[before].pair : 0;
        }
        if (paint->pair == 0 && init_extended_pair(pairs + 1, look.text, look.ground) == OK) {
            paint->pair = ++pairs;
        }
    }
}

/* Taking the terminal over */

/* Curses has a buffer of its own and does not know these modes. A short write cannot be mended and does no harm. */
static void tell_terminal(const char *sequence)
{
    size_t length = strlen(sequence);
    if (length > 0 && write(STDOUT_FILENO, sequence, length) != (ssize_t)length) {
        return;
    }
}

static void tell_buffer(struct buffer *sequences)
{
    tell_terminal(sequences->data);
    buffer_clear(sequences);
}

/* True when curses can draw on this kind of terminal; it is asked before, because curses would end the process. */
static bool check_term(char *why, size_t size)
{
    const char *name = getenv("TERM");
    char term[64];
    frame_clean(name ? name : "", name ? strlen(name) : 0, false, term, sizeof term);
    if (term[0] == '\0') {
        snprintf(why, size, "TERM is not set, so nobody knows how to draw on this terminal; try TERM=xterm-256color");
        return false;
    }
    int found = 0;
    if (setupterm(NULL, STDOUT_FILENO, &found) == ERR && found != 1) {
        snprintf(why, size, "TERM is \"%s\", which this system does not know; try TERM=xterm-256color", term);
        return false;
    }
    const char *address = tigetstr("cup");
    bool able = found == 1 && address != NULL && address != (char *)-1;
    if (cur_term != NULL) {
        del_curterm(cur_term);
    }
    if (!able) {
        snprintf(why, size,
                 "TERM is \"%s\", a terminal that cannot move its cursor; try TERM=xterm-256color, or --json", term);
    }
    return able;
}

/* The same kind of terminal with direct colours, if this system knows one ("xterm-256color": "xterm-direct"). */
static bool find_direct(char *name, size_t size)
{
    const char *term = getenv("TERM");
    int found = 0;
    if (term == NULL) {
        return false;
    }
    snprintf(name, size, "%.*s-direct", (int)strcspn(term, "-"), term);
    bool known = setupterm(name, STDOUT_FILENO, &found) == OK && found == 1;
    if (known) {
        known = tigetnum("colors") > 256;
        del_curterm(cur_term);
    }
    return known;
}

static const char *capability(const char *name)
{
    const char *text = tigetstr(name);
    return text == (char *)-1 ? NULL : text;
}

/* Adds a terminfo string without its padding, "$<5>". */
static void put_sequence(struct buffer *out, const char *text)
{
    while (text != NULL && *text != '\0') {
        const char *end = text[0] == '$' && text[1] == '<' ? strchr(text, '>') : NULL;
        if (end != NULL) {
            text = end + 1;
        } else {
            buffer_putc(out, *text++);
        }
    }
}

/* Takes back all that the terminal was told. */
static void put_off(const struct screen *screen, struct buffer *out)
{
    static const char *const capabilities[] = {"sgr0", "op", "rmkx", "cnorm", "rmcup"};
    buffer_puts(out, MOUSE_OFF PASTE_OFF);
    title_restore(&screen->title, out);
    for (size_t i = 0; i < sizeof capabilities / sizeof capabilities[0]; i++) {
        put_sequence(out, capability(capabilities[i]));
    }
}

static void arm_crash(const struct screen *screen)
{
    struct buffer off;
    buffer_init(&off, CRASH_OFF_MAX);
    put_off(screen, &off);
    buffer_puts(&off, "\r\n");
    crash_arm(off.data, off.length, &screen->before);
    buffer_clear(&off);
}

/* Sequences that terminals send whatever TERM says. */
static void define_keys(void)
{
    static const struct {
        const char *sequence;
        int code;
    } known[] = {
        {"\033[200~", CODE_PASTE_BEGIN},
        {"\033[201~", CODE_PASTE_END},
        {"\033[1~", KEY_HOME},
        {"\033[7~", KEY_HOME},
        {"\033[H", KEY_HOME},
        {"\033OH", KEY_HOME},
        {"\033[4~", KEY_END},
        {"\033[8~", KEY_END},
        {"\033[F", KEY_END},
        {"\033OF", KEY_END},
        {"\033[3~", KEY_DC},
        {"\033[5~", KEY_PPAGE},
        {"\033[6~", KEY_NPAGE},
        {"\033[Z", KEY_BTAB},
        {"\033[A", KEY_UP},
        {"\033OA", KEY_UP},
        {"\033[B", KEY_DOWN},
        {"\033OB", KEY_DOWN},
        {"\033[C", KEY_RIGHT},
        {"\033OC", KEY_RIGHT},
        {"\033[D", KEY_LEFT},
        {"\033OD", KEY_LEFT},
        {"\033OP", KEY_F(1)},
        {"\033OQ", KEY_F(2)},
        {"\033OR", KEY_F(3)},
        {"\033OS", KEY_F(4)},
        {"\033[11~", KEY_F(1)},
        {"\033[12~", KEY_F(2)},
        {"\033[13~", KEY_F(3)},
        {"\033[14~", KEY_F(4)},
        {"\033[[A", KEY_F(1)},
        {"\033[[B", KEY_F(2)},
        {"\033[[C", KEY_F(3)},
        {"\033[[D", KEY_F(4)},
        {"\033[[E", KEY_F(5)},
        {"\033[15~", KEY_F(5)},
        {"\033[17~", KEY_F(6)},
        {"\033[18~", KEY_F(7)},
        {"\033[19~", KEY_F(8)},
        {"\033[20~", KEY_F(9)},
        {"\033[21~", KEY_F(10)},
        {"\033[23~", KEY_F(11)},
        {"\033[24~", KEY_F(12)},
        {"\033OM", CURSES_ENTER},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        define_key(known[i].sequence, known[i].code);
    }
    /* The mouse's reports are the key reader's: curses would wait within wgetch() for what follows a release. */
    const char *mouse = capability("kmous");
    define_key("\033[<", 0);
    if (mouse != NULL) {
        define_key(mouse, 0);
    }
}

/* Until endwin() was called once, curses writes after each movement of the cursor; once the screen has been taken up
 * again, a frame is one write. Before there are colours, because taking up again would reset the user's palette. */
static void write_whole_frames(void)
{
    endwin();
    refresh();
}

static void take_title(struct screen *screen)
{
    struct buffer sequence;
    buffer_init(&sequence, CRASH_OFF_MAX);
    title_save(&screen->title, &sequence);
    tell_buffer(&sequence);
    screen->titled[0] = '\0';
}

static void give_title_back(const struct screen *screen)
{
    struct buffer sequence;
    buffer_init(&sequence, CRASH_OFF_MAX);
    title_restore(&screen->title, &sequence);
    tell_buffer(&sequence);
}

/* False, and what was asked for stays as it is, when the terminal does not know: then the size before holds. */
static bool ask_size(int *rows, int *columns)
{
    struct winsize size = {0};
    if (ioctl(STDIN_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) {
        return false;
    }
    *rows = size.ws_row;
    *columns = size.ws_col;
    return true;
}

static void set_modes(struct screen *screen)
{
    raw(); /* and IXON and IEXTEN off: ^S ^Q ^V ^O ^Z ^C arrive as keys */
    noecho();
    nonl(); /* CR stays apart from LF */
    typeahead(-1);
    screen->keys = newpad(1, 1);
    keypad(screen->keys, TRUE);
    nodelay(screen->keys, TRUE);
    if (getenv("ESCDELAY") == NULL) {
        bool far = getenv("SSH_TTY") != NULL || getenv("SSH_CONNECTION") != NULL;
        set_escdelay(far ? ESCAPE_DELAY_SSH_MS : ESCAPE_DELAY_MS);
    }
    define_keys();
    tell_terminal(PASTE_ON);
    take_title(screen);
}

struct screen *screen_open(const struct screen_options *options, char *why, size_t size)
{
    char direct[64];
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
        snprintf(why, size, "standard %s is no terminal", isatty(STDIN_FILENO) ? "output" : "input");
        return NULL;
    }
    setlocale(LC_CTYPE, ""); /* and no other part of it: numbers in JSON are written with a point */
    struct screen *screen = memory_get(sizeof *screen);
    if (!check_term(why, size) || tcgetattr(STDIN_FILENO, &screen->before) != 0) {
        free(screen);
        return NULL;
    }
    crash_arm("", 0, &screen->before); /* all that is known before curses has read about the terminal */
    signals_let_through(STDOUT_FILENO);
    use_env(FALSE);
    use_tioctl(TRUE);
    screen->terminal = newterm(options->direct && find_direct(direct, sizeof direct) ? direct : NULL, stdout, stdin);
    if (screen->terminal == NULL) {
        signals_hold();
        crash_disarm();
        snprintf(why, size, "this terminal cannot be used");
        free(screen);
        return NULL;
    }
    title_init(&screen->title, getenv("TERM"), capability("tsl"), capability("fsl"), capability("smcup"));
    arm_crash(screen);
    errors_keep();
    write_whole_frames();
    screen->utf8 = !options->ascii && strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    screen->cursor = -1;
    key_reader_init(&screen->reader);
    frame_init(&screen->shown, 1, 1, screen->utf8);
    set_modes(screen);
    mix_paints(screen, options->theme, find_depth(options->most));
    int rows = USUAL_ROWS, columns = USUAL_COLUMNS;
    if (!ask_size(&rows, &columns) && is_term_resized(rows, columns)) {
        resizeterm(rows, columns);
    }
    screen_resized(screen);
    signals_hold();
    return screen;
}

void screen_close(struct screen *screen, bool gone)
{
    if (!gone) {
        tell_terminal(screen->mouse ? MOUSE_OFF PASTE_OFF : PASTE_OFF);
        give_title_back(screen);
        endwin();
        delwin(screen->keys);
        delscreen(screen->terminal);
        errors_release();
    } else {
        crash_set_modes_back();
    }
    crash_disarm();
    key_reader_clear(&screen->reader);
    frame_clear(&screen->shown);
    free(screen);
}

/* Size, stop and go on */

void screen_size(const struct screen *screen, int *rows, int *columns)
{
    (void)screen;
    getmaxyx(stdscr, *rows, *columns);
}

bool screen_utf8(const struct screen *screen)
{
    return screen->utf8;
}

void screen_redraw(struct screen *screen)
{
    screen->all = true;
}

void screen_resized(struct screen *screen)
{
    int rows, columns;
    if (ask_size(&rows, &columns) && is_term_resized(rows, columns)) {
        resizeterm(rows, columns);
    }
    screen_redraw(screen);
}

bool screen_resized_since(struct screen *screen)
{
    int rows, columns;
    bool changed = ask_size(&rows, &columns) && is_term_resized(rows, columns);
    if (changed) {
        screen_resized(screen);
    }
    return changed;
}

/* Between a stop and going on curses is not asked: its own way back would reset a palette that the user has set. */
static void give_back(const struct screen *screen)
{
    struct buffer off;
    buffer_init(&off, CRASH_OFF_MAX);
    put_sequence(&off, tiparm(capability("cup"), LINES - 1, 0));
    put_off(screen, &off);
    tell_buffer(&off);
    reset_shell_mode();
}

static void take_over_again(struct screen *screen)
{
    struct buffer on;
    buffer_init(&on, CRASH_OFF_MAX);
    put_sequence(&on, capability("smcup"));
    put_sequence(&on, capability("smkx"));
    buffer_puts(&on, PASTE_ON);
    reset_prog_mode();
    tell_buffer(&on);
    take_title(screen);
    screen->cursor = -1;
    tell_terminal(screen->mouse ? MOUSE_ON : "");
    screen_resized(screen);
}

/* Whether the parent could continue us: it shares our session, but not our process group. */
static bool has_shell(void)
{
    pid_t parent = getppid();
    return getsid(parent) == getsid(0) && getpgid(parent) != getpgrp();
}

void screen_suspend(struct screen *screen)
{
    if (!has_shell()) {
        return;
    }
    signals_let_through(STDOUT_FILENO);
    give_back(screen);
    crash_disarm();
    kill(getpid(), SIGSTOP);
    arm_crash(screen);
    take_over_again(screen);
    signals_hold();
    screen->taken = true;
}

void screen_continued(struct screen *screen)
{
    if (!screen->taken) {
        signals_let_through(STDOUT_FILENO);
        give_back(screen);
        take_over_again(screen);
        signals_hold();
    }
    screen->taken = false;
}

/* Drawing */

static void draw_cell(const struct paint *paints, const struct frame *frame, int row, int column,
                      const struct cell *cell)
{
    if (cell->width == 0) {
        return; /* the wide character on its left brings it along */
    }
    const struct paint *paint = &paints[cell->role < ROLE_COUNT ? cell->role : ROLE_TEXT];
    wchar_t text[1 + CELL_MARKS + 1] = {(wchar_t)cell->code};
    for (size_t i = 0; i < CELL_MARKS && cell->marks[i] != 0; i++) {
        text[1 + i] = (wchar_t)cell->marks[i];
    }
    cchar_t character;
    setcchar(&character, text, paint->attributes, paint->pair, NULL);
    if (column + cell->width <= frame->columns) {
        mvadd_wchnstr(row, column, &character, 1);
    }
}

static void show_cursor(struct screen *screen, const struct frame *frame)
{
    int cursor = frame->cursor_row >= 0 && frame->cursor_column >= 0 ? 1 : 0;
    if (cursor != screen->cursor) {
        curs_set(cursor);
        screen->cursor = cursor;
    }
    if (cursor == 1) {
        move(frame->cursor_row, frame->cursor_column);
    }
}

static bool same_cell(const struct cell *a, const struct cell *b)
{
    return a->code == b->code && a->role == b->role && a->width == b->width &&
           memcmp(a->marks, b->marks, sizeof a->marks) == 0;
}

/* A frame that was under way when the terminal grew ends with margins of the size before, and the terminal keeps them:
 * lines that curses inserts would go astray. */
static void reset_margins(int rows)
{
    const char *csr = capability("csr");
    struct buffer margins;
    buffer_init(&margins, CRASH_OFF_MAX);
    put_sequence(&margins, csr != NULL ? tiparm(csr, 0, rows - 1) : NULL);
    tell_buffer(&margins);
}

static void draw_row(struct screen *screen, const struct frame *frame, int row)
{
    size_t columns = (size_t)frame->columns, from = (size_t)row * columns;
    struct cell *shown = screen->shown.cells + from;
    const struct cell *cells = frame->cells + from;
    if (!screen->all && memcmp(shown, cells, columns * sizeof *cells) == 0) {
        return; /* as most rows are with most keys */
    }
    for (size_t i = 0; i < columns; i++) {
        if (screen->all || !same_cell(&shown[i], &cells[i])) {
            draw_cell(screen->paints, frame, row, (int)i, &cells[i]);
        }
    }
    memcpy(shown, cells, columns * sizeof *cells);
}

void screen_draw(struct screen *screen, const struct frame *frame)
{
    struct frame *shown = &screen->shown;
    if (shown->rows != frame->rows || shown->columns != frame->columns) {
        frame_resize(shown, frame->rows, frame->columns);
        screen->all = true;
    }
    if (screen->all) {
        reset_margins(frame->rows);
        clear(); /* a blank screen, and everything is written with the next refresh */
    }
    for (int row = 0; row < frame->rows; row++) {
        draw_row(screen, frame, row);
    }
    screen->all = false;
    leaveok(stdscr, FALSE);
    show_cursor(screen, frame);
    refresh();
}

void screen_title(struct screen *screen, const char *state)
{
    char title[sizeof screen->titled];
    snprintf(title, sizeof title, "vindecode \xe2\x80\x93 %s", state);
    if (strcmp(title, screen->titled) != 0) {
        struct buffer sequence;
        buffer_init(&sequence, CRASH_OFF_MAX);
        title_name(&screen->title, title, screen->utf8, &sequence);
        tell_buffer(&sequence);
        memcpy(screen->titled, title, sizeof title);
    }
}

void screen_bell(struct screen *screen)
{
    (void)screen;
    tell_terminal("\007");
}

void screen_mouse(struct screen *screen, bool on)
{
    screen->mouse = on;
    signals_let_through(STDOUT_FILENO);
    tell_terminal(on ? MOUSE_ON : MOUSE_OFF);
    signals_hold();
}

bool screen_send(struct screen *screen, const char *bytes, size_t length)
{
    (void)screen;
    bool well = true;
    signals_let_through(STDOUT_FILENO);
    while (length > 0 && well) {
        ssize_t count = write(STDOUT_FILENO, bytes, length);
        well = count >= 0 || errno == EINTR;
        bytes += count > 0 ? count : 0;
        length -= count > 0 ? (size_t)count : 0;
    }
    signals_hold();
    return well;
}

/* Keys */

static const struct {
    int code;
    enum key key;
} named_keys[] = {
    {KEY_UP, KEY_GO_UP},         {KEY_DOWN, KEY_GO_DOWN},   {KEY_LEFT, KEY_GO_LEFT},     {KEY_RIGHT, KEY_GO_RIGHT},
    {KEY_HOME, KEY_GO_HOME},     {KEY_END, KEY_GO_END},     {KEY_PPAGE, KEY_GO_PAGE_UP}, {KEY_NPAGE, KEY_GO_PAGE_DOWN},
    {KEY_FIND, KEY_GO_HOME},     {KEY_SELECT, KEY_GO_END},  {KEY_BTAB, KEY_BACK_TAB},    {KEY_DC, KEY_DELETE},
    {KEY_BACKSPACE, KEY_RUBOUT}, {CURSES_ENTER, KEY_ENTER},
};

static struct token token_of(int code, bool with_text)
{
    struct token token = {.kind = TOKEN_KEY, .key = KEY_UNKNOWN};
    if (code <= 0xff) {
        return (struct token){.kind = TOKEN_BYTE, .code = (uint32_t)code};
    }
    if (code == CODE_PASTE_BEGIN || code == CODE_PASTE_END) {
        token.kind = code == CODE_PASTE_BEGIN ? TOKEN_PASTE_BEGIN : TOKEN_PASTE_END;
        return token;
    }
    if (code > KEY_F0 && code <= KEY_F(12)) {
        token.key = KEY_FUNCTION;
        token.code = (uint32_t)(code - KEY_F0);
    }
    for (size_t i = 0; i < sizeof named_keys / sizeof named_keys[0]; i++) {
        if (named_keys[i].code == code) {
            token.key = named_keys[i].key;
        }
    }
    char *text = with_text ? keybound(code, 0) : NULL;
    if (text != NULL) {
        snprintf(token.text, sizeof token.text, "%s", text);
        free(text);
    }
    return token;
}

static bool readable(int timeout_ms)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&input, 1, timeout_ms) == 1;
}

/* Readable, yet there is nothing to read: the other end is gone. */
static bool is_at_end(void)
{
    int count = 0;
    return readable(0) && (ioctl(STDIN_FILENO, FIONREAD, &count) != 0 || count == 0);
}

/* Feeds the reader with one token; false when nothing is pending. */
static bool feed(struct screen *screen)
{
    int code;
    do {
        code = wgetch(screen->keys);
    } while (code == KEY_RESIZE); /* resizeterm() leaves one behind */
    if (code == ERR && key_reader_in_doubt(&screen->reader) && readable(PASTE_DOUBT_MS)) {
        code = wgetch(screen->keys);
    }
    if (code == ERR) {
        screen->gone = screen->gone || (!screen->busy && is_at_end());
        screen->busy = false;
        return false;
    }
    screen->busy = true;
    struct token token = token_of(code, key_reader_pasting(&screen->reader));
    key_reader_put(&screen->reader, &token, clock_now());
    return true;
}

bool screen_read(struct screen *screen, struct input *out)
{
    while (!key_reader_next(&screen->reader, out)) {
        if (!feed(screen)) {
            key_reader_idle(&screen->reader);
            return key_reader_next(&screen->reader, out);
        }
    }
    return true;
}

bool screen_gone(const struct screen *screen)
{
    return screen->gone;
}
