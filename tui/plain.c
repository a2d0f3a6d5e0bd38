#include "tui/plain.h"

#include "core/base/clock.h"
#include "tui/plain_say.h"
#include "tui/signals.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STATUS_RUNNING = -1, LINE_MAX_BYTES = 4096 };

struct plain {
    struct app *app;
    struct report *report;
    struct network *network;
    struct mailbox inbox;
    struct record_context context;
    struct plain_said said;
    struct buffer out;
    char input[LINE_MAX_BYTES]; /* what is read of standard input and not taken yet */
    size_t input_length;
    bool skipping; /* the rest of a line that is too long */
    bool ended;    /* of input */
    bool typed;    /* standard input is a terminal */
    bool bell;
    int signals, alarm;
    int status;
};

static void leave(struct plain *plain, int status)
{
    if (plain->status == STATUS_RUNNING) {
        plain->status = status;
    }
}

/* Writes what there is to say; the reader may have gone. */
static void flush(struct plain *plain)
{
    if (plain->out.failed) {
        leave(plain, 1);
    }
    signals_let_through(STDOUT_FILENO);
    if (fwrite(plain->out.data, 1, plain->out.length, stdout) != plain->out.length || fflush(stdout) != 0) {
        leave(plain, errno == EPIPE ? 128 + SIGPIPE : 1);
    }
    signals_hold();
    buffer_reset(&plain->out);
}

static void say(struct plain *plain)
{
    bool waited = plain->said.until != 0 && plain->said.until <= clock_now();
    bool asked = plain->said.any && plain->said.word == STATE_DECODING;
    plain->context.now = clock_now();
    plain->context.wall = clock_wall();
    plain_say(plain->app, &plain->said, &plain->context, &plain->out);
    bool answered = asked && plain->said.word != STATE_DECODING && plain->said.word != STATE_WAITING;
    if (plain->bell && (waited || answered)) {
        buffer_putc(&plain->out, '\a');
    }
    flush(plain);
}

/* A key or a text in the model; a ticket that it closes is told about. */
static void press(struct plain *plain, enum key key, uint32_t code)
{
    struct open_ticket before = plain->app->open;
    struct input input = {.key = key, .code = code};
    app_input(plain->app, &input, clock_now());
    if (before.ticket != 0 && plain->app->open.ticket == 0) {
        plain_say_cancelled(before.key.vin, &plain->out);
    }
}

static void set_text(struct plain *plain, const char *text)
{
    struct open_ticket before = plain->app->open;
    app_set_text(plain->app, text, false, clock_now());
    if (before.ticket != 0 && plain->app->open.ticket == 0) {
        plain_say_cancelled(before.key.vin, &plain->out);
    }
}

/* A line of input: a VIN, or Enter alone, which sends what was asked about. */
static void take_line(struct plain *plain, const char *line)
{
    bool enter = line[strspn(line, " \t")] == '\0';
    if (!enter) {
        press(plain, KEY_UNKNOWN, 0); /* what was asked about another VIN is asked no more */
        set_text(plain, line);
    } else if (can_decode(plain->app, clock_now()).word == STATE_CHECK && plain->app->notice != NOTICE_ASKED) {
        press(plain, KEY_ENTER, 0); /* asked before, while it could not be sent */
    }
    press(plain, KEY_ENTER, 0);
    plain->said.any = false; /* whoever typed wants to hear */
}

/* What comes in */

static void read_input(struct plain *plain)
{
    size_t room = sizeof plain->input - 1 - plain->input_length;
    ssize_t count = read(STDIN_FILENO, plain->input + plain->input_length, room);
    if (count > 0) {
        plain->input_length += (size_t)count;
    } else if (count == 0 || (errno != EINTR && errno != EAGAIN)) {
        plain->ended = true;
    }
}

static void drop(struct plain *plain, size_t length)
{
    plain->input_length -= length;
    memmove(plain->input, plain->input + length, plain->input_length);
}

/* Whether the next line may be taken now. */
static bool wants_line(const struct plain *plain)
{
    return plain->typed || can_decode(plain->app, clock_now()).word != STATE_DECODING;
}

/* Takes the next whole line, if there is one. A line that does not fit is cut: it is too long for a VIN anyway. */
static bool take_next_line(struct plain *plain)
{
    char *end = memchr(plain->input, '\n', plain->input_length);
    bool full = plain->input_length == sizeof plain->input - 1;
    bool last = plain->ended && plain->input_length > 0;
    if (end == NULL && !full && !last) {
        return false;
    }
    size_t length = end != NULL ? (size_t)(end - plain->input) : plain->input_length;
    char line[LINE_MAX_BYTES];
    memcpy(line, plain->input, length);
    size_t text = length > 0 && line[length - 1] == '\r' ? length - 1 : length;
    for (size_t i = 0; i < text; i++) {
        line[i] = line[i] == '\0' ? '\x01' : line[i]; /* padding of a vehicle's bus goes like any other control */
    }
    line[text] = '\0';
    drop(plain, end != NULL ? length + 1 : length);
    if (!plain->skipping) {
        take_line(plain, line);
    }
    plain->skipping = end == NULL && full;
    return true;
}

static void take_signals(struct plain *plain)
{
    int number;
    while ((number = signals_next(plain->signals)) != 0) {
        if (number == SIGTSTP) {
            kill(getpid(), SIGSTOP);
        } else if (number == SIGINT) {
            press(plain, KEY_CONTROL, 'C');
        } else if (number != SIGWINCH && number != SIGCONT) {
            leave(plain, 128 + number);
        }
    }
}

static void take_news(struct plain *plain)
{
    struct mail *mail = mailbox_take(&plain->inbox);
    while (mail != NULL) {
        struct network_news *news = (struct network_news *)mail;
        mail = mail->next;
        report_news(plain->report, news, false, clock_now());
        if (!news->is_meter) {
            app_event(plain->app, &news->event, clock_now());
            news->event = (struct event){.kind = EVENT_HOST}; /* what it owned is the app's now */
            say(plain);
        }
        network_news_free(news);
    }
}

/* What goes out */

static void carry_out(struct plain *plain)
{
    struct effect effect;
    while (app_next_effect(plain->app, &effect)) {
        if (effect.kind == EFFECT_SUBMIT) {
            network_submit(plain->network, &effect.submission);
        } else if (effect.kind == EFFECT_CANCEL) {
            network_cancel(plain->network, effect.ticket);
            report_cancelled(plain->report, effect.ticket, false, clock_now());
        } else if (effect.kind == EFFECT_LEAVE) {
            leave(plain, effect.status);
        }
    }
}

/* The end of input is the end, but what came through a pipe is still answered. */
static void check_end(struct plain *plain)
{
    if (plain->ended && plain->input_length == 0 && (plain->typed || plain->app->open.ticket == 0)) {
        leave(plain, 0);
    }
}

static void wait_for_something(struct plain *plain)
{
    monotime now = clock_now(), next = plain_next(&plain->said, now), due = report_due(plain->report);
    next = due < next ? due : next;
    int timeout_ms = -1;
    if (plain->alarm >= 0) {
        clock_alarm_set(plain->alarm, next);
    } else if (next != MONOTIME_NEVER) {
        timeout_ms = next < now ? 0 : next - now > 60000 ? 60000 : (int)(next - now);
    }
    bool reads = !plain->ended && wants_line(plain);
    struct pollfd ready[4] = {{.fd = reads ? STDIN_FILENO : -1, .events = POLLIN},
                              {.fd = plain->signals, .events = POLLIN},
                              {.fd = mailbox_descriptor(&plain->inbox), .events = POLLIN},
                              {.fd = plain->alarm, .events = POLLIN}};
    if (poll(ready, 4, timeout_ms) < 0) {
        return;
    }
    if (ready[1].revents != 0) {
        take_signals(plain);
    }
    if (ready[0].revents != 0) {
        read_input(plain);
    }
}

static void run(struct plain *plain)
{
    while (plain->status == STATUS_RUNNING) {
        wait_for_something(plain);
        take_news(plain);
        report_ask(plain->report, plain->network, clock_now());
        while (wants_line(plain) && take_next_line(plain)) {
            carry_out(plain);
            say(plain);
        }
        carry_out(plain);
        say(plain);
        check_end(plain);
    }
}

int plain_run(const struct plain_options *options)
{
    setlocale(LC_CTYPE, "");
    struct plain plain = {.app = options->app,
                          .report = options->report,
                          .context = options->context,
                          .typed = isatty(STDIN_FILENO) != 0,
                          .bell = options->bell,
                          .signals = options->signals,
                          .alarm = clock_alarm_open(),
                          .status = STATUS_RUNNING};
    const char *why = "the system gives no more descriptors";
    plain.context.utf8 = !options->ascii && strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    buffer_init(&plain.out, SIZE_MAX / 2);
    bool boxed = mailbox_init(&plain.inbox);
    plain.network = boxed ? network_start(options->network, &plain.inbox, &why) : NULL;
    if (plain.network != NULL) {
        plain_greet(plain.app, plain.context.utf8, &plain.out);
        if (options->first != NULL) {
            take_line(&plain, options->first);
            carry_out(&plain);
        }
        say(&plain);
        run(&plain);
        network_ask_meter(plain.network);
        network_stop(plain.network);
    } else {
        fprintf(stderr, "vindecode: %s\n", why);
        plain.status = 1;
    }
    if (boxed) {
        report_rest(options->report, &plain.inbox);
        mailbox_clear(&plain.inbox);
    }
    if (plain.alarm >= 0) {
        close(plain.alarm);
    }
    buffer_clear(&plain.out);
    return plain.status;
}
