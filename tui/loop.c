#include "tui/loop.h"

#include "core/base/clock.h"
#include "tui/signals.h"
#include "tui/view.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* So many keys are read before a frame is drawn even when more are pending: a person can still see and stop a flood. */
enum { KEYS_PER_TURN = 4096 };

enum { STATUS_RUNNING = -1, TOGETHER_MAX = 64, SIZE_DOUBT_MS = 50 };

/* What a turn waits for. */
enum { READY_KEYS, READY_SIGNALS, READY_NEWS, READY_ALARM, READY_ERRANDS, READY_COUNT = READY_ERRANDS + ERRANDS_POLLS };

struct loop {
    struct screen *screen;
    struct app *app;
    struct errands *errands;
    struct report *report;
    struct network *network;
    struct mailbox inbox;
    struct frame frame;
    int signals, alarm;
    monotime alarm_at;     /* what the alarm is set to */
    int64_t wall_ahead_ms; /* for clock_wall_at() */
    monotime size_at;      /* when the size is asked for once more; 0: never */
    bool more_keys;        /* the last turn left some */
    bool gone;             /* the terminal has hung up */
    struct submission submissions[TOGETHER_MAX];
    size_t together;
    bool bell;            /* ring when a wait is over and when an answer comes */
    bool key;             /* this turn has read one: what changes is no news to who pressed it */
    struct verdict shown; /* by the last frame */
    monotime shown_at;
    int status;
};

static void leave(struct loop *loop, int status)
{
    if (loop->status == STATUS_RUNNING) {
        loop->status = status;
    }
}

static void hang_up(struct loop *loop)
{
    loop->gone = true;
    leave(loop, 128 + SIGHUP);
}

static void take_size(struct loop *loop)
{
    int rows, columns;
    screen_size(loop->screen, &rows, &columns);
    if (rows != loop->frame.rows || columns != loop->frame.columns) {
        frame_resize(&loop->frame, rows, columns);
    }
    app_size(loop->app, rows, columns);
}

/* Whether a wait has come to its end since the last frame, or what was asked for has come. */
static bool is_news(const struct loop *loop, const struct verdict *verdict, monotime now)
{
    bool waited = loop->shown.off.until > loop->shown_at && loop->shown.off.until <= now;
    bool answered = loop->shown.word == STATE_DECODING && verdict->word != STATE_DECODING;
    return (waited && verdict->off.until <= now) || (answered && verdict->word != STATE_WAITING);
}

static void draw(struct loop *loop)
{
    monotime now = clock_now();
    struct verdict verdict = can_decode(loop->app, now);
    frame_erase(&loop->frame);
    view(loop->app, now, clock_wall_at(&loop->wall_ahead_ms, now), &loop->frame);
    signals_let_through(STDOUT_FILENO);
    screen_title(loop->screen, state_word_name(verdict.word));
    screen_draw(loop->screen, &loop->frame);
    if (loop->bell && !loop->key && is_news(loop, &verdict, now)) {
        screen_bell(loop->screen);
    }
    signals_hold();
    loop->shown = verdict;
    loop->shown_at = now;
    loop->key = false;
}

/* What comes in */

static void read_signals(struct loop *loop)
{
    int number;
    while ((number = signals_next(loop->signals)) != 0) {
        switch (number) {
        case SIGWINCH:
            screen_resized(loop->screen);
            loop->size_at = clock_now() + SIZE_DOUBT_MS;
            break;
        case SIGTSTP:
            screen_suspend(loop->screen);
            break;
        case SIGCONT:
            screen_continued(loop->screen);
            break;
        default:
            leave(loop, 128 + number);
            break;
        }
    }
    take_size(loop);
}

static void read_keys(struct loop *loop)
{
    struct input input;
    int count = 0;
    while (count < KEYS_PER_TURN && screen_read(loop->screen, &input)) {
        app_input(loop->app, &input, clock_now());
        loop->key = true;
        count++;
    }
    loop->more_keys = count == KEYS_PER_TURN;
    if (screen_gone(loop->screen)) {
        hang_up(loop);
    }
}

static void read_news(struct loop *loop)
{
    struct mail *mail = mailbox_take(&loop->inbox);
    while (mail != NULL) {
        struct network_news *news = (struct network_news *)mail;
        monotime now = clock_now();
        mail = mail->next;
        report_news(loop->report, news, !news->is_meter && app_list_asks_again(loop->app, &news->event), now);
        if (news->is_meter) {
            app_meter(loop->app, &news->meter, now);
        } else {
            app_event(loop->app, &news->event, now);
            news->event = (struct event){.kind = EVENT_HOST}; /* what it owned is the app's now */
        }
        network_news_free(news);
    }
}

/* What goes out */

/* Submissions that follow each other leave together, so that group calls are filled. */
static void submit(struct loop *loop, const struct submission *submission)
{
    if (loop->together == TOGETHER_MAX) {
        network_submit_all(loop->network, loop->submissions, loop->together);
        loop->together = 0;
    }
    loop->submissions[loop->together++] = *submission;
}

static void submit_gathered(struct loop *loop)
{
    if (loop->together > 0) {
        network_submit_all(loop->network, loop->submissions, loop->together);
        loop->together = 0;
    }
}

static void carry_out_one(struct loop *loop, const struct effect *effect)
{
    monotime now = clock_now();
    switch (effect->kind) {
    case EFFECT_SUBMIT:
        submit(loop, &effect->submission);
        break;
    case EFFECT_CANCEL:
        submit_gathered(loop);
        network_cancel(loop->network, effect->ticket);
        report_cancelled(loop->report, effect->ticket, effect->list, now);
        break;
    case EFFECT_LEAVE:
        leave(loop, effect->status);
        break;
    case EFFECT_REDRAW:
        screen_redraw(loop->screen);
        break;
    case EFFECT_SUSPEND:
        screen_suspend(loop->screen);
        take_size(loop);
        break;
    case EFFECT_ASK_METER:
        network_ask_meter(loop->network);
        break;
    case EFFECT_MOUSE:
        screen_mouse(loop->screen, effect->on);
        break;
    default:
        errands_do(loop->errands, effect, now, clock_wall_at(&loop->wall_ahead_ms, now));
        break;
    }
}

static void carry_out(struct loop *loop)
{
    struct effect effect;
    while (app_next_effect(loop->app, &effect)) {
        carry_out_one(loop, &effect);
    }
    submit_gathered(loop);
}

/* Sleeps until something happens. The alarm is on the clock of the waits, which goes on while the machine sleeps; where
 * there is none, poll's own time-out has to do. */
static void wait_for_something(struct loop *loop, struct pollfd ready[READY_COUNT])
{
    monotime now = clock_now(), change = app_next_change(loop->app, now), due = report_due(loop->report);
    change = loop->size_at != 0 && loop->size_at < change ? loop->size_at : change;
    change = due < change ? due : change;
    bool busy = false;
    ready[READY_KEYS] = (struct pollfd){.fd = STDIN_FILENO, .events = POLLIN};
    ready[READY_SIGNALS] = (struct pollfd){.fd = loop->signals, .events = POLLIN};
    ready[READY_NEWS] = (struct pollfd){.fd = mailbox_descriptor(&loop->inbox), .events = POLLIN};
    ready[READY_ALARM] = (struct pollfd){.fd = loop->alarm, .events = POLLIN};
    size_t count = READY_ERRANDS + errands_poll(loop->errands, ready + READY_ERRANDS, &busy);
    int timeout_ms = busy || loop->more_keys ? 0 : -1;
    if (loop->alarm >= 0 && change != loop->alarm_at) {
        clock_alarm_set(loop->alarm, change);
        loop->alarm_at = change;
    } else if (loop->alarm < 0 && change != MONOTIME_NEVER && timeout_ms < 0) {
        int64_t left_ms = change - now;
        timeout_ms = left_ms < 0 ? 0 : left_ms > 60000 ? 60000 : (int)left_ms;
    }
    if (poll(ready, (nfds_t)count, timeout_ms) < 0) {
        for (size_t i = 0; i < count; i++) {
            ready[i].revents = 0;
        }
    }
    if (ready[READY_ALARM].revents != 0) {
        loop->alarm_at = 0; /* it has rung: set it anew, which also silences it */
    }
}

static void turn(struct loop *loop)
{
    struct pollfd ready[READY_COUNT];
    wait_for_something(loop, ready);
    if (ready[READY_SIGNALS].revents != 0) {
        read_signals(loop);
    }
    if ((ready[READY_KEYS].revents & (POLLHUP | POLLERR | POLLNVAL)) != 0) {
        hang_up(loop);
    }
    if (!loop->gone && (ready[READY_KEYS].revents != 0 || loop->more_keys)) {
        read_keys(loop);
    }
    read_news(loop);
    carry_out(loop);
    monotime now = clock_now();
    if (loop->size_at != 0 && loop->size_at <= now) {
        loop->size_at = 0;
        if (screen_resized_since(loop->screen)) {
            take_size(loop);
        }
    }
    errands_turn(loop->errands, ready + READY_ERRANDS, now, clock_wall_at(&loop->wall_ahead_ms, now));
    report_ask(loop->report, loop->network, now);
    carry_out(loop); /* what the lines of a list ask for */
    if (loop->status == STATUS_RUNNING) {
        draw(loop);
    }
}

/* Whether the terminal still takes what is written to it, at once: after a SIGHUP it may be there or not. */
static bool takes_output(void)
{
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&output, 1, 0) == 1 && output.revents == POLLOUT;
}

int loop_run(struct screen *screen, struct app *app, struct errands *errands, struct report *report,
             const struct network_options *options, int signals, bool bell)
{
    struct loop loop = {.screen = screen,
                        .app = app,
                        .errands = errands,
                        .report = report,
                        .signals = signals,
                        .bell = bell,
                        .shown = {.word = STATE_TYPE},
                        .status = STATUS_RUNNING};
    const char *why = "the system gives no more descriptors";
    int rows, columns;
    screen_size(screen, &rows, &columns);
    frame_init(&loop.frame, rows, columns, screen_utf8(screen));
    take_size(&loop);
    draw(&loop);
    loop.alarm = clock_alarm_open();
    bool boxed = mailbox_init(&loop.inbox);
    loop.network = boxed ? network_start(options, &loop.inbox, &why) : NULL;
    if (loop.network != NULL) {
        carry_out(&loop);
    } else {
        leave(&loop, 1);
    }
    while (loop.status == STATUS_RUNNING) {
        turn(&loop);
    }
    bool gone = loop.gone || !takes_output();
    signals_let_through(STDOUT_FILENO);
    screen_close(screen, gone);
    signals_hold();
    if (loop.network != NULL) {
        network_ask_meter(loop.network);
        network_stop(loop.network);
    } else {
        fprintf(stderr, "vindecode: %s\n", why);
    }
    if (boxed) {
        report_rest(report, &loop.inbox);
        mailbox_clear(&loop.inbox);
    }
    if (loop.alarm >= 0) {
        close(loop.alarm);
    }
    frame_clear(&loop.frame);
    return loop.status;
}
