#include "core/net/network.h"

#include "core/base/memory.h"
#include "core/net/call.h"
#include "core/net/name_check.h"

#include <curl/curl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* More lookups that failed at once than this are not looked into. */
enum { NAME_CHECKS_MAX = 14 };

/* A body of so many bytes holds many rows. */
enum { GROUP_BODY = 32768 };

enum order_kind { ORDER_SUBMIT, ORDER_CANCEL, ORDER_METER, ORDER_STOP };

/* A message to the network thread. */
struct order {
    struct mail mail;
    enum order_kind kind;
    struct submission *submissions; /* ORDER_SUBMIT; owned */
    size_t count;
    uint64_t ticket; /* ORDER_CANCEL */
};

/* Both threads use the two mailboxes. All else is touched by the network thread alone from its start to its end, and by
 * its maker before and after. */
struct network {
    struct mailbox orders;
    bool has_orders;
    struct mailbox *inbox;
    struct mail *news; /* to be posted together, oldest first */
    struct mail *last_news;
    pthread_t thread;
    struct engine *engine;
    struct call_settings settings;
    CURLM *multi;
    int alarm;
    struct call *under_way; /* in the multi handle, or waiting for a name check */
    struct call *spare;     /* have brought an answer, and are used again */
    bool stopping;
};

/* Takes the call with that number out of the list of those under way; NULL if there is none. */
static struct call *take_call(struct network *network, uint64_t id)
{
    for (struct call **link = &network->under_way; *link != NULL; link = &(*link)->next) {
        if ((*link)->id == id) {
            struct call *call = *link;
            *link = call->next;
            return call;
        }
    }
    return NULL;
}

static void push_call(struct call **list, struct call *call)
{
    call->next = *list;
    *list = call;
}

/* Gives up a call whatever it is waiting for; its connection goes. */
static void drop_call(struct network *network, struct call *call)
{
    curl_multi_remove_handle(network->multi, call->easy);
    if (call->name_check >= 0) {
        name_check_close(call->name_check);
    }
    call_free(call);
}

/* The call has ended: tells the engine, and keeps the handle for the next one if it may be used again. */
static void finish_call(struct network *network, uint64_t id, monotime now, const struct response *response)
{
    struct call *call = take_call(network, id);
    engine_finished(network->engine, now, id, response);
    if (response->transfer == TRANSFER_ANSWERED) {
        push_call(&network->spare, call);
    } else {
        drop_call(network, call);
    }
}

static struct call *spare_call(struct network *network)
{
    struct call *call = network->spare;
    if (call == NULL) {
        return call_new(&network->settings);
    }
    network->spare = call->next;
    return call;
}

static void start_call(struct network *network, monotime now, const struct action *action)
{
    struct call *call = spare_call(network);
    if (call != NULL) {
        call_prepare(call, action->url, action->form, action->timeout_ms);
        call->id = action->call;
        call->give_up_at = monotime_add(now, action->timeout_ms);
        if (curl_multi_add_handle(network->multi, call->easy) == CURLM_OK) {
            push_call(&network->under_way, call);
            return;
        }
        call_free(call);
    }
    /* No handle, or libcurl takes no more: nothing has left the machine. */
    const struct response unreachable = {.transfer = TRANSFER_UNREACHABLE, .received_wall = clock_wall()};
    engine_finished(network->engine, now, action->call, &unreachable);
}

static void abort_call(struct network *network, uint64_t id)
{
    struct call *call = take_call(network, id);
    if (call != NULL) {
        drop_call(network, call);
    }
}

static void add_news(struct network *network, struct network_news *news)
{
    *(network->news == NULL ? &network->news : &network->last_news->next) = &news->mail;
    network->last_news = &news->mail;
}

static void add_event(struct network *network, const struct event *event)
{
    struct network_news *news = memory_resize(NULL, sizeof(*news));
    news->is_meter = false;
    news->event = *event;
    add_news(network, news);
}

static void add_meter(struct network *network, monotime now)
{
    struct network_news *news = memory_resize(NULL, sizeof(*news));
    news->is_meter = true;
    news->meter = engine_meter(network->engine, now);
    add_news(network, news);
}

/* What belongs together comes together: whoever reads it wakes up once. */
static void post_news(struct network *network)
{
    if (network->news != NULL) {
        mailbox_post_all(network->inbox, network->news, network->last_news);
        network->news = NULL;
    }
}

static void carry_out_actions(struct network *network, monotime now)
{
    struct action action;
    while (engine_next_action(network->engine, &action)) {
        switch (action.kind) {
        case ACTION_START:
            start_call(network, now, &action);
            break;
        case ACTION_ABORT:
            abort_call(network, action.call);
            break;
        case ACTION_EMIT:
            add_event(network, &action.event);
            break;
        }
    }
}

static void carry_out_order(struct network *network, monotime now, const struct order *order)
{
    switch (order->kind) {
    case ORDER_SUBMIT:
        engine_submit_all(network->engine, now, order->submissions, order->count);
        break;
    case ORDER_CANCEL:
        engine_cancel(network->engine, now, order->ticket);
        break;
    case ORDER_METER:
        add_meter(network, now);
        break;
    case ORDER_STOP:
        network->stopping = true;
        break;
    }
}

static void free_orders(struct mail *mail)
{
    while (mail != NULL) {
        struct mail *next = mail->next;
        free(((struct order *)mail)->submissions);
        free(mail);
        mail = next;
    }
}

static void take_orders(struct network *network, monotime now)
{
    struct mail *all = mailbox_take(&network->orders);
    for (struct mail *mail = all; mail != NULL; mail = mail->next) {
        carry_out_order(network, now, (const struct order *)mail);
    }
    free_orders(all);
}

static size_t count_name_checks(const struct network *network)
{
    size_t count = 0;
    for (const struct call *call = network->under_way; call != NULL; call = call->next) {
        count += call->name_check >= 0;
    }
    return count;
}

/* Whether the answer to a failed lookup now waits for a name check. */
static bool start_name_check(struct network *network, struct call *call)
{
    char *host = count_name_checks(network) < NAME_CHECKS_MAX ? call_host(call) : NULL;
    if (host != NULL) {
        call->name_check = name_check_open(host);
        free(host);
    }
    return call->name_check >= 0;
}

/* What was asked for goes in, what the engine wants done is done, and what it says goes out. */
static void settle(struct network *network, monotime now)
{
    take_orders(network, now);
    if (!network->stopping) {
        engine_tick(network->engine, now);
        carry_out_actions(network, now);
    }
    post_news(network);
}

/* Tells the engine of the transfers that libcurl has ended. */
static bool finish_transfers(struct network *network, monotime now)
{
    bool any = false;
    CURLMsg *message;
    int left;
    while ((message = curl_multi_info_read(network->multi, &left)) != NULL) {
        if (message->msg != CURLMSG_DONE) {
            continue;
        }
        struct call *call = NULL;
        CURLcode result = message->data.result;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &call);
        curl_multi_remove_handle(network->multi, call->easy); /* `message` ends here */
        if (result == CURLE_COULDNT_RESOLVE_HOST && start_name_check(network, call)) {
            continue;
        }
        struct response response;
        call_response(call, result, clock_wall(), &response);
        size_t length = response.body_length; /* the call is gone after this */
        finish_call(network, call->id, now, &response);
        if (length >= GROUP_BODY) {
            settle(network, now); /* its rows are work for others, which begins while the next answer is read */
        }
        any = true;
    }
    return any;
}

/* Tells the engine of the name checks that have ended, or have used up the time of their call. */
static bool finish_name_checks(struct network *network, monotime now)
{
    bool any = false;
    struct call *next;
    for (struct call *call = network->under_way; call != NULL; call = next) {
        next = call->next;
        if (call->name_check < 0) {
            continue;
        }
        enum name_check_answer answer = name_check_answer(call->name_check);
        if (answer == NAME_CHECK_PENDING && now < call->give_up_at) {
            continue;
        }
        const struct response response = {
            .transfer = answer == NAME_CHECK_DENIED ? TRANSFER_NO_SUCH_HOST : TRANSFER_DNS_FAILED,
            .received_wall = clock_wall(),
        };
        finish_call(network, call->id, now, &response);
        any = true;
    }
    return any;
}

/* Fills in what a name check adds to a wait, and when the wait ends by itself. */
static monotime watch_name_checks(const struct network *network, struct curl_waitfd *watched, unsigned *count)
{
    monotime until = engine_next_deadline(network->engine);
    for (const struct call *call = network->under_way; call != NULL; call = call->next) {
        if (call->name_check >= 0) {
            watched[(*count)++] = (struct curl_waitfd){.fd = call->name_check, .events = CURL_WAIT_POLLIN};
            until = call->give_up_at < until ? call->give_up_at : until;
        }
    }
    return until;
}

/* Sleeps until there is an order, bytes on a connection, an answer to a name check, or the engine's next deadline. A
 * sleep without a deadline has no end of its own: at rest the thread does not wake up. libcurl 7.88 takes no negative
 * time-out, so a very long one stands for none. */
static void wait_for_something(struct network *network)
{
    struct curl_waitfd watched[2 + NAME_CHECKS_MAX] = {
        {.fd = mailbox_descriptor(&network->orders), .events = CURL_WAIT_POLLIN},
    };
    unsigned count = 1;
    monotime until = watch_name_checks(network, watched, &count);
    int timeout_ms = INT_MAX;
    if (network->alarm >= 0) {
        clock_alarm_set(network->alarm, until);
        watched[count++] = (struct curl_waitfd){.fd = network->alarm, .events = CURL_WAIT_POLLIN};
    } else if (until != MONOTIME_NEVER) {
        int64_t left_ms = until - clock_now();
        timeout_ms = left_ms < 0 ? 0 : left_ms > INT_MAX ? INT_MAX : (int)left_ms;
    }
    curl_multi_poll(network->multi, watched, count, timeout_ms, NULL);
}

static void *run(void *argument)
{
    struct network *network = argument;
    for (;;) {
        monotime now = clock_now();
        settle(network, now);
        if (network->stopping) {
            return NULL;
        }
        int running;
        curl_multi_perform(network->multi, &running);
        now = clock_now();
        bool finished = finish_transfers(network, now);
        finished |= finish_name_checks(network, now);
        if (!finished) {
            wait_for_something(network);
        }
    }
}

static CURLcode library_state;

static void start_library(void)
{
    library_state = curl_global_init(CURL_GLOBAL_DEFAULT);
}

static bool start_thread(struct network *network)
{
    /* Signals are the UI thread's. Those that say that this very thread has crashed stay open, so that the terminal is
     * restored then too. */
    const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    sigset_t blocked, before;
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof(crashes) / sizeof(crashes[0]); i++) {
        sigdelset(&blocked, crashes[i]);
    }
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    int error = pthread_create(&network->thread, NULL, run, network);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error == 0;
}

static void drop_calls(struct network *network, struct call *list)
{
    while (list != NULL) {
        struct call *next = list->next;
        drop_call(network, list);
        list = next;
    }
}

/* Also takes apart what network_start() has only half built. */
static void network_free(struct network *network)
{
    drop_calls(network, network->under_way);
    drop_calls(network, network->spare);
    if (network->multi != NULL) {
        curl_multi_cleanup(network->multi);
    }
    call_settings_clear(&network->settings);
    if (network->engine != NULL) {
        engine_free(network->engine);
    }
    if (network->alarm >= 0) {
        close(network->alarm);
    }
    if (network->has_orders) {
        free_orders(mailbox_take(&network->orders));
        mailbox_clear(&network->orders);
    }
    free(network);
}

/* NULL if all is ready for the thread; else what is missing. */
static const char *set_up(struct network *network, const struct network_options *options)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, start_library);
    network->has_orders = mailbox_init(&network->orders);
    if (!network->has_orders) {
        return "the system gives no descriptor for the network thread";
    }
    network->alarm = clock_alarm_open();
    network->multi = library_state == CURLE_OK ? curl_multi_init() : NULL;
    if (network->multi == NULL || !call_settings_init(&network->settings, options->ca_file)) {
        return "libcurl cannot start";
    }
#if LIBCURL_VERSION_NUM >= 0x081400
    curl_multi_setopt(network->multi, CURLMOPT_QUICK_EXIT, 1L);
#endif
    network->engine = engine_new(&options->engine, options->seed);
    return start_thread(network) ? NULL : "the system gives no thread for the network";
}

struct network *network_start(const struct network_options *options, struct mailbox *inbox, const char **why)
{
    struct network *network = memory_get(sizeof(*network));
    network->inbox = inbox;
    network->alarm = -1;
    *why = set_up(network, options);
    if (*why != NULL) {
        network_free(network);
        return NULL;
    }
    return network;
}

static void post_order(struct network *network, const struct order *order)
{
    struct order *copy = memory_copy(order, sizeof(*order));
    mailbox_post(&network->orders, &copy->mail);
}

void network_submit_all(struct network *network, const struct submission *submissions, size_t count)
{
    post_order(network, &(struct order){.kind = ORDER_SUBMIT,
                                        .submissions = memory_copy(submissions, count * sizeof *submissions),
                                        .count = count});
}

void network_submit(struct network *network, const struct submission *submission)
{
    network_submit_all(network, submission, 1);
}

void network_cancel(struct network *network, uint64_t ticket)
{
    post_order(network, &(struct order){.kind = ORDER_CANCEL, .ticket = ticket});
}

void network_ask_meter(struct network *network)
{
    post_order(network, &(struct order){.kind = ORDER_METER});
}

void network_stop(struct network *network)
{
    post_order(network, &(struct order){.kind = ORDER_STOP});
    pthread_join(network->thread, NULL);
    network_free(network);
}

void network_news_free(struct network_news *news)
{
    if (!news->is_meter) {
        event_clear(&news->event);
    }
    free(news);
}
