#include "tui/errands.h"

#include "core/base/memory.h"
#include "tui/copy.h"
#include "tui/frame.h"
#include "tui/line_source.h"
#include "tui/save.h"
#include "tui/spool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINES_PER_TURN = 2000, SAID_SIZE = 512 };

/* Their order among what is polled for. */
enum { POLL_LINES, POLL_COPY };

struct errands {
    struct errands_options options;
    struct line_source source;
    bool reading, more_lines;
    struct spool *spool;
    bool spool_failed;
    struct save save;
    struct copy_child child;
    char copied[SAID_SIZE]; /* what is under way to the clipboard, in words */
};

struct errands *errands_new(const struct errands_options *options)
{
    struct errands *errands = memory_get(sizeof *errands);
    errands->options = *options;
    errands->spool = spool_new();
    return errands;
}

static void stop_reading(struct errands *errands)
{
    if (errands->reading) {
        line_source_close(&errands->source);
    }
    errands->reading = errands->more_lines = false;
}

void errands_free(struct errands *errands)
{
    if (errands == NULL) {
        return;
    }
    stop_reading(errands);
    save_abandon(&errands->save);
    copy_abandon(&errands->child);
    spool_free(errands->spool);
    free(errands);
}

/* Lists */

static void shown_path(const char *path, char *out, size_t size)
{
    (void)frame_clean(path, strlen(path), true, out, size);
}

/* What can be said before it is opened: a pipe without a writer would never open. */
static bool is_readable(const char *path, char *why, size_t size)
{
    struct stat status;
    char shown[200];
    shown_path(path, shown, sizeof shown);
    if (stat(path, &status) != 0) {
        (void)snprintf(why, size, "%s: %s", shown, strerror(errno));
        return false;
    }
    if (!S_ISREG(status.st_mode)) {
        (void)snprintf(why, size, "%s is %s, no file with VINs", shown,
                       S_ISDIR(status.st_mode) ? "a directory" : "a device or a pipe");
        return false;
    }
    return true;
}

bool errands_open_list(struct errands *errands, char **arguments, size_t count, const char *path, char *why,
                       size_t size)
{
    char shown[200] = "of the command line";
    if (path != NULL) {
        shown_path(path, shown, sizeof shown);
    }
    stop_reading(errands);
    if (!line_source_open(&errands->source, arguments, count, path)) {
        (void)snprintf(why, size, "%s: %s", shown, strerror(errno));
        return false;
    }
    errands->reading = errands->more_lines = true;
    app_list_begin(errands->options.app, shown);
    return true;
}

/* "~/vins.txt" as a shell would have it. */
static void open_named(struct errands *errands, const char *path)
{
    char why[SAID_SIZE], whole[4096];
    const char *home = getenv("HOME");
    bool at_home = strncmp(path, "~/", 2) == 0 && home != NULL;
    (void)snprintf(whole, sizeof whole, "%s%s", at_home ? home : "", at_home ? path + 1 : path);
    if (!is_readable(whole, why, sizeof why) || !errands_open_list(errands, NULL, 0, whole, why, sizeof why)) {
        app_answer(errands->options.app, false, why);
    }
}

static void read_lines(struct errands *errands)
{
    struct app *app = errands->options.app;
    const char *text;
    size_t length;
    for (int i = 0; i < LINES_PER_TURN; i++) {
        switch (line_source_next(&errands->source, &text, &length)) {
        case LINE_READY:
            app_list_line(app, text, length);
            break;
        case LINE_LATER:
            errands->more_lines = false;
            return;
        case LINE_END: {
            const char *wrong = errands->source.error != 0 ? strerror(errands->source.error) : errands->source.wrong;
            app_list_end(app, wrong);
            stop_reading(errands);
            return;
        }
        }
    }
}

static void keep(struct errands *errands, const struct effect *effect)
{
    if (!spool_put(errands->spool, effect->index, effect->event) && !errands->spool_failed) {
        char said[SAID_SIZE];
        (void)snprintf(said, sizeof said,
                       "Answers of the list cannot be kept (%s): they will be missing when it is saved",
                       strerror(errno));
        app_say(errands->options.app, said);
        errands->spool_failed = true;
    }
}

static void recall(struct errands *errands, size_t index)
{
    struct event event;
    if (spool_get(errands->spool, index, &event)) {
        app_recalled(errands->options.app, index, &event);
    }
}

static void forget(struct errands *errands)
{
    stop_reading(errands);
    spool_forget(errands->spool);
    errands->spool_failed = false;
    if (errands->save.running) {
        save_abandon(&errands->save);
        app_say(errands->options.app, "Nothing saved: the list was forgotten meanwhile");
    }
}

/* Saving */

static void begin_save(struct errands *errands, const struct effect *effect, monotime now, walltime wall)
{
    struct app *app = errands->options.app;
    char said[SAID_SIZE];
    if (errands->save.running) {
        app_answer(app, false, "The list is still being saved");
        return;
    }
    struct save_setting setting = {.host = errands->options.host,
                                   .utc_offset_ms = errands->options.utc_offset_ms,
                                   .this_year = errands->options.this_year};
    if (!save_begin(&errands->save, effect->text, effect->replace, &setting, said, sizeof said)) {
        app_answer(app, false, said);
    } else if (effect->list) {
        app_answer(app, true, "Saving ...");
    } else {
        save_card(&errands->save, app, now, wall, said, sizeof said);
        app_answer(app, true, said);
    }
}

static void go_on_saving(struct errands *errands, monotime now, walltime wall)
{
    struct app *app = errands->options.app;
    char said[SAID_SIZE];
    bool well;
    if (!save_step(&errands->save, app, errands->spool, now, wall, &well, said, sizeof said)) {
        (void)snprintf(said, sizeof said, "Saving: %zu of %zu", errands->save.next, app_list_count(app));
    } else if (well) {
        app_saved(app);
    }
    app_say(app, said);
}

/* The clipboard */

static void card_text(const struct errands *errands, monotime now, walltime wall, struct buffer *out)
{
    struct field_choice all = {0};
    struct record_context context = {.host = errands->options.host,
                                     .now = now,
                                     .wall = wall,
                                     .utc_offset_ms = errands->options.utc_offset_ms,
                                     .fields = &all,
                                     .utf8 = screen_utf8(errands->options.screen)};
    struct event event;
    const char *input;
    size_t length;
    if (app_card(errands->options.app, &input, &length, &event)) {
        struct record record = {.input = input, .input_length = length, .event = &event};
        scan_clean(input, length, errands->options.this_year, &record.scan);
        text_write(&record, &context, out);
    }
}

/* Through the terminal itself, where it takes such a thing. */
static void copy_to_terminal(struct errands *errands, const struct buffer *text, const char *what)
{
    const char *term = getenv("TERM");
    char said[SAID_SIZE], name[64];
    (void)frame_clean(term != NULL ? term : "", term != NULL ? strlen(term) : 0, true, name, sizeof name);
    if (!copy_has_clipboard(name)) {
        (void)snprintf(said, sizeof said, "Not copied: a terminal of the kind %s has no clipboard", name);
    } else if (text->length > COPY_MAX) {
        (void)snprintf(said, sizeof said, "Not copied: %zu bytes are more than terminals take (%d)", text->length,
                       COPY_MAX);
    } else {
        struct buffer sequence;
        buffer_init(&sequence, 4 * COPY_MAX);
        copy_sequence(text->data, text->length, getenv("STY") != NULL, &sequence);
        bool sent = screen_send(errands->options.screen, sequence.data, sequence.length);
        buffer_clear(&sequence);
        (void)snprintf(said, sizeof said,
                       sent ? "Sent to the terminal's clipboard (OSC 52): %s, %zu bytes"
                            : "Not copied: the terminal does not take it: %s, %zu bytes",
                       what, text->length);
    }
    app_say(errands->options.app, said);
}

static void copy(struct errands *errands, const struct effect *effect, monotime now, walltime wall)
{
    struct buffer text;
    char what[96] = "the card";
    buffer_init(&text, 1 << 20);
    if (effect->text != NULL) {
        char clean[512];
        buffer_put(&text, clean, frame_clean(effect->text, strlen(effect->text), true, clean, sizeof clean));
        (void)snprintf(what, sizeof what, "%.80s", text.data);
    } else {
        card_text(errands, now, wall, &text);
    }
    copy_abandon(&errands->child);
    if (getenv("TMUX") != NULL && copy_to_tmux(&errands->child, text.data, text.length)) {
        (void)snprintf(errands->copied, sizeof errands->copied, "%s, %zu bytes", what, text.length);
        app_say(errands->options.app, "Copying through tmux ...");
    } else {
        copy_to_terminal(errands, &text, what);
    }
    buffer_clear(&text);
}

static void end_copy(struct errands *errands)
{
    char said[SAID_SIZE + 64];
    bool well;
    if (copy_reap(&errands->child, &well)) {
        (void)snprintf(said, sizeof said, well ? "Copied through tmux: %s" : "Not copied, tmux refused: %s",
                       errands->copied);
        app_say(errands->options.app, said);
    }
}

/* The demo */

static void next_scenario(struct errands *errands)
{
    struct demo *demo = errands->options.demo;
    const char *name, *description, *first = NULL, *next = NULL;
    char said[SAID_SIZE], why[SAID_SIZE];
    if (demo == NULL) {
        return;
    }
    for (size_t i = 0; demo_list(i, &name, &description); i++) {
        first = first != NULL ? first : name;
        if (strcmp(name, demo_scenario(demo)) == 0) {
            next = demo_list(i + 1, &name, &description) ? name : first;
            break;
        }
    }
    if (!demo_play(demo, next != NULL ? next : first, why, sizeof why)) {
        app_say(errands->options.app, why);
        return;
    }
    for (size_t i = 0; demo_list(i, &name, &description) && strcmp(name, demo_scenario(demo)) != 0; i++) {
    }
    (void)snprintf(said, sizeof said, "The demo plays %s: %s", name, description);
    app_scenario(errands->options.app, demo_scenario(demo));
    app_say(errands->options.app, said);
}

/* Turns */

void errands_do(struct errands *errands, const struct effect *effect, monotime now, walltime wall)
{
    switch (effect->kind) {
    case EFFECT_KEEP:
        keep(errands, effect);
        break;
    case EFFECT_RECALL:
        recall(errands, effect->index);
        break;
    case EFFECT_FORGET:
        forget(errands);
        break;
    case EFFECT_OPEN_LIST:
        open_named(errands, effect->text);
        break;
    case EFFECT_SAVE:
        begin_save(errands, effect, now, wall);
        break;
    case EFFECT_COPY:
        copy(errands, effect, now, wall);
        break;
    case EFFECT_SCENARIO:
        next_scenario(errands);
        break;
    default:
        break;
    }
}

size_t errands_poll(const struct errands *errands, struct pollfd out[ERRANDS_POLLS], bool *busy)
{
    bool waits = errands->reading && !errands->more_lines;
    out[POLL_LINES] = (struct pollfd){.fd = waits ? errands->source.descriptor : -1, .events = POLLIN};
    out[POLL_COPY] = (struct pollfd){.fd = errands->child.pid != 0 ? errands->child.done : -1, .events = POLLIN};
    *busy = errands->save.running || errands->more_lines;
    return ERRANDS_POLLS;
}

void errands_turn(struct errands *errands, const struct pollfd polled[ERRANDS_POLLS], monotime now, walltime wall)
{
    if (polled[POLL_LINES].revents != 0 && errands->reading) {
        line_source_fill(&errands->source);
        errands->more_lines = true;
    }
    if (errands->more_lines) {
        read_lines(errands);
    }
    if (polled[POLL_COPY].revents != 0 && errands->child.pid != 0) {
        end_copy(errands);
    }
    if (errands->save.running) {
        go_on_saving(errands, now, wall);
    }
}
