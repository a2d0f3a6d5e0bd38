#include "tui/demo/demo.h"

#include "core/base/buffer.h"
#include "core/base/clock.h"
#include "core/base/memory.h"
#include "tui/demo/play.h"
#include "tui/demo/scenario.h"
#include "tui/demo/service.h"
#include "tui/demo/watch.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

/*
 * The HTTP around play.h and service.h. Each connection has a thread, so that an answer that takes its time holds up no
 * other; everything that is judged or counted is judged under one lock, in the order in which the calls come.
 */
enum {
    PATH_MAX_LENGTH = 200,
    FORM_LIMIT = 256 * 1024,
    BODY_LIMIT = 80 * 1024 * 1024,
    CONNECTIONS_MAX = 1000,
    STACK_SIZE = 512 * 1024,
    BLOCK_SIZE = 16 * 1024
};

/* A scenario in play. Calls that are under way keep it while another one has taken the stage. */
struct show {
    struct scenario *scenario;
    struct play play;
    size_t users; /* calls under way, and the demo itself while it is on */
};

struct demo {
    struct MHD_Daemon *daemon;
    char base[64];
    monotime started_at;
    demo_watcher *watcher;
    void *watcher_context;

    pthread_mutex_t lock; /* for what follows */
    pthread_cond_t stop;  /* `stopping` was set */
    bool stopping;
    struct show *show;
    struct demo_counts counts;
};

/* A request as it comes in. */
struct incoming {
    char path[PATH_MAX_LENGTH + 1]; /* as it was sent, made printable */
    bool begun;
    struct MHD_PostProcessor *form;
    struct buffer data, format; /* of the form */
};

static struct show *show_new(struct scenario *scenario)
{
    struct show *show = memory_get(sizeof *show);
    show->scenario = scenario;
    show->users = 1;
    play_init(&show->play, scenario);
    return show;
}

/* With the lock held. */
static void show_release(struct show *show)
{
    if (--show->users == 0) {
        play_clear(&show->play);
        scenario_free(show->scenario);
        free(show);
    }
}

/* Waits, unless the demo stops first. With the lock held. */
static void wait_locked(struct demo *demo, int64_t delay_ms)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (time_t)(delay_ms / 1000);
    until.tv_nsec += (long)(delay_ms % 1000) * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    while (!demo->stopping && pthread_cond_timedwait(&demo->stop, &demo->lock, &until) != ETIMEDOUT) {
    }
}

static int this_year(void)
{
    time_t seconds = (time_t)(clock_wall() / 1000);
    struct tm utc = {0};
    gmtime_r(&seconds, &utc);
    return utc.tm_year + 1900;
}

/* A body of which only the first half is handed over. */
struct half_body {
    char *data;
    size_t half;
};

static ssize_t read_half(void *context, uint64_t position, char *to, size_t size)
{
    const struct half_body *body = context;
    if (position >= body->half) {
        return MHD_CONTENT_READER_END_WITH_ERROR;
    }
    size_t left = body->half - (size_t)position;
    size_t piece = left < size ? left : size;
    memcpy(to, body->data + position, piece);
    return (ssize_t)piece;
}

static void free_half(void *context)
{
    struct half_body *body = context;
    free(body->data);
    free(body);
}

static struct MHD_Response *make_response(const struct service_call *call, const struct turn *turn)
{
    struct buffer body;
    buffer_init(&body, BODY_LIMIT);
    const char *type = service_body(call, turn->answer, turn->status, this_year(), &body);
    size_t length = body.length;
    char *data = buffer_take(&body);
    buffer_clear(&body);
    struct MHD_Response *response;
    if (turn->answer->ending == ENDING_CUT) {
        struct half_body *half = memory_get(sizeof *half);
        *half = (struct half_body){data, length / 2};
        response = MHD_create_response_from_callback(length, BLOCK_SIZE, read_half, half, free_half);
    } else {
        response = MHD_create_response_from_buffer(length, data, MHD_RESPMEM_MUST_FREE);
    }
    if (response == NULL) {
        return NULL;
    }
    MHD_add_response_header(response, "Content-Type",
                            turn->answer->content_type != NULL ? turn->answer->content_type : type);
    if (turn->answer->ending == ENDING_CLOSE) {
        MHD_add_response_header(response, "Connection", "close");
    }
    return response;
}

static void put_header(void *context, const char *name, const char *value)
{
    MHD_add_response_header(context, name, value);
}

static void count(struct demo *demo, enum verdict verdict, monotime now)
{
    struct demo_counts *counts = &demo->counts;
    counts->first_ms = counts->calls == 0 ? now : counts->first_ms;
    counts->last_ms = now;
    counts->calls++;
    counts->allowed += verdict == VERDICT_ALLOWED ? 1 : 0;
    counts->rejected += verdict == VERDICT_REJECTED ? 1 : 0;
    counts->early += verdict == VERDICT_EARLY ? 1 : 0;
}

static struct arrival read_arrival(struct MHD_Connection *connection, const struct service_call *call)
{
    struct arrival arrival = {.service_status = service_status(call)};
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    arrival.client = ntohl(((const struct sockaddr_in *)(const void *)info->client_addr)->sin_addr.s_addr);
    return arrival;
}

/* Judges a request that is complete, waits as long as the scenario says, and answers it. */
static enum MHD_Result answer(struct demo *demo, struct MHD_Connection *connection, const char *method,
                              const struct incoming *incoming, const struct service_call *call)
{
    struct arrival arrival = read_arrival(connection, call);
    struct turn turn;
    pthread_mutex_lock(&demo->lock);
    struct show *show = demo->show;
    show->users++;
    monotime arrived = clock_now();
    play_arrive(&show->play, &arrival, arrived, clock_wall(), &turn);
    count(demo, turn.verdict, arrived);
    if (turn.delay_ms > 0) {
        wait_locked(demo, turn.delay_ms);
    }
    pthread_mutex_unlock(&demo->lock);

    struct MHD_Response *response = turn.status == 0 ? NULL : make_response(call, &turn);
    pthread_mutex_lock(&demo->lock);
    if (response != NULL) {
        play_depart(&show->play, &arrival, &turn, clock_now(), clock_wall(), put_header, response);
    }
    show_release(show);
    pthread_mutex_unlock(&demo->lock);
    if (demo->watcher != NULL) {
        struct demo_event event = {arrived - demo->started_at, turn.verdict, turn.status, method, incoming->path};
        demo->watcher(demo->watcher_context, &event);
    }
    if (response == NULL) {
        return MHD_NO; /* closes the connection without a word */
    }
    enum MHD_Result result = MHD_queue_response(connection, (unsigned)turn.status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result take_field(void *context, enum MHD_ValueKind kind, const char *key, const char *filename,
                                  const char *type, const char *encoding, const char *data, uint64_t offset,
                                  size_t size)
{
    (void)kind, (void)filename, (void)type, (void)encoding, (void)offset;
    struct incoming *incoming = context;
    if (strcmp(key, "DATA") == 0 || strcmp(key, "data") == 0) {
        buffer_put(&incoming->data, data, size);
    } else if (strcmp(key, "format") == 0) {
        buffer_put(&incoming->format, data, size);
    }
    return MHD_YES;
}

static enum MHD_Result on_request(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                                  const char *version, const char *upload, size_t *upload_size, void **state)
{
    (void)version;
    struct incoming *incoming = *state;
    bool post = strcmp(method, "POST") == 0;
    if (!incoming->begun) {
        incoming->begun = true;
        incoming->form = post ? MHD_create_post_processor(connection, BLOCK_SIZE, take_field, incoming) : NULL;
        return MHD_YES;
    }
    if (*upload_size > 0) {
        if (incoming->form != NULL) {
            MHD_post_process(incoming->form, upload, *upload_size);
        }
        *upload_size = 0;
        return MHD_YES;
    }
    struct service_call call;
    service_read_path(url, post, &call);
    if (post) {
        MHD_destroy_post_processor(incoming->form); /* hands over the last field */
        incoming->form = NULL;
        service_read_format(incoming->format.data, &call);
        service_read_data(incoming->data.data, &call);
    } else {
        service_read_format(MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "format"), &call);
        service_read_year(MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "modelyear"), &call);
    }
    return answer(context, connection, method, incoming, &call);
}

/* The first that is heard of a request: keeps its path for the watcher. */
static void *on_uri(void *context, const char *uri, struct MHD_Connection *connection)
{
    (void)context, (void)connection;
    struct incoming *incoming = memory_get(sizeof *incoming);
    buffer_init(&incoming->data, FORM_LIMIT);
    buffer_init(&incoming->format, PATH_MAX_LENGTH);
    for (size_t i = 0; i < PATH_MAX_LENGTH && uri[i] != '\0' && uri[i] != '?'; i++) {
        incoming->path[i] = uri[i] > ' ' && uri[i] <= '~' ? uri[i] : '?';
    }
    return incoming;
}

static void on_completed(void *context, struct MHD_Connection *connection, void **state,
                         enum MHD_RequestTerminationCode how)
{
    (void)context, (void)connection, (void)how;
    struct incoming *incoming = *state;
    if (incoming == NULL) {
        return;
    }
    if (incoming->form != NULL) {
        MHD_destroy_post_processor(incoming->form);
    }
    buffer_clear(&incoming->data);
    buffer_clear(&incoming->format);
    free(incoming);
    *state = NULL;
}

/* Starts the server on threads that no signal reaches. */
static bool listen_on(struct demo *demo, uint16_t port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    demo->daemon = MHD_start_daemon(
        MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL | MHD_USE_ITC, port, NULL, NULL,
        on_request, demo, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address, MHD_OPTION_URI_LOG_CALLBACK, on_uri, demo,
        MHD_OPTION_NOTIFY_COMPLETED, on_completed, demo, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS_MAX,
        MHD_OPTION_THREAD_STACK_SIZE, (size_t)STACK_SIZE, MHD_OPTION_END);
    int error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return demo->daemon != NULL;
}

static struct demo *demo_new(void)
{
    struct demo *demo = memory_get(sizeof *demo);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&demo->lock, NULL);
    pthread_cond_init(&demo->stop, &monotonic);
    pthread_condattr_destroy(&monotonic);
    demo->started_at = clock_now();
    return demo;
}

struct demo *demo_start_watched(const char *name, uint16_t port, demo_watcher *watcher, void *context, char *why,
                                size_t size)
{
    struct scenario *scenario = scenario_open(name, why, size);
    if (scenario == NULL) {
        return NULL;
    }
    struct demo *demo = demo_new();
    demo->show = show_new(scenario);
    demo->watcher = watcher;
    demo->watcher_context = context;
    if (!listen_on(demo, port)) {
        snprintf(why, size, "cannot listen on 127.0.0.1 port %u: %s", (unsigned)port, strerror(errno));
        demo_stop(demo);
        return NULL;
    }
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(demo->daemon, MHD_DAEMON_INFO_BIND_PORT);
    snprintf(demo->base, sizeof demo->base, "http://127.0.0.1:%u/api", (unsigned)info->port);
    return demo;
}

struct demo *demo_start(const char *scenario, uint16_t port, char *why, size_t size)
{
    return demo_start_watched(scenario, port, NULL, NULL, why, size);
}

void demo_halt(struct demo *demo)
{
    pthread_mutex_lock(&demo->lock);
    demo->stopping = true;
    pthread_cond_broadcast(&demo->stop);
    pthread_mutex_unlock(&demo->lock);
    if (demo->daemon != NULL) {
        MHD_stop_daemon(demo->daemon);
        demo->daemon = NULL;
    }
}

void demo_stop(struct demo *demo)
{
    if (demo == NULL) {
        return;
    }
    demo_halt(demo);
    show_release(demo->show);
    pthread_cond_destroy(&demo->stop);
    pthread_mutex_destroy(&demo->lock);
    free(demo);
}

const char *demo_base(const struct demo *demo)
{
    return demo->base;
}

const char *demo_scenario(const struct demo *demo)
{
    return scenario_name(demo->show->scenario);
}

bool demo_play(struct demo *demo, const char *name, char *why, size_t size)
{
    struct scenario *scenario = scenario_open(name, why, size);
    if (scenario == NULL) {
        return false;
    }
    struct show *next = show_new(scenario);
    pthread_mutex_lock(&demo->lock);
    struct show *last = demo->show;
    demo->show = next;
    show_release(last);
    pthread_mutex_unlock(&demo->lock);
    return true;
}

struct demo_counts demo_counts(struct demo *demo)
{
    pthread_mutex_lock(&demo->lock);
    struct demo_counts counts = demo->counts;
    pthread_mutex_unlock(&demo->lock);
    return counts;
}
