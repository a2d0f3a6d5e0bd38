#include "tests/support/raw_responder.h"

#include "core/base/buffer.h"
#include "core/base/clock.h"
#include "core/base/memory.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { PEERS_MAX = 64, REQUEST_MAX = 1 << 20, FILLERS = 4 };

/* One connection. */
struct peer {
    int socket;
    struct buffer request;         /* bytes of the request that is being read */
    const struct raw_reply *reply; /* being sent; NULL: reading */
    size_t sent;
    monotime next_at; /* when the next piece goes out */
    bool silent;      /* RAW_HANG has been reached */
};

struct raw_responder {
    pthread_t thread;
    bool has_thread;
    int listener;
    int control[2]; /* closing the write end stops the thread */
    int fillers[FILLERS];
    char url[48];
    struct raw_reply *replies;
    size_t reply_count;
    struct peer peers[PEERS_MAX]; /* of the thread alone */
    size_t peer_count;

    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t changed;
    char **requests;
    size_t request_count, connection_count, departure_count;
};

static void set_flags(int descriptor)
{
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    fcntl(descriptor, F_SETFL, O_NONBLOCK);
}

static struct sockaddr_in loopback(void)
{
    return (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static bool listen_on_loopback(struct raw_responder *responder, int backlog)
{
    struct sockaddr_in address = loopback();
    socklen_t size = sizeof(address);
    responder->listener = socket(AF_INET, SOCK_STREAM, 0);
    if (responder->listener < 0 || bind(responder->listener, (struct sockaddr *)&address, size) != 0 ||
        listen(responder->listener, backlog) != 0 ||
        getsockname(responder->listener, (struct sockaddr *)&address, &size) != 0) {
        return false;
    }
    set_flags(responder->listener);
    snprintf(responder->url, sizeof(responder->url), "http://127.0.0.1:%u", (unsigned)ntohs(address.sin_port));
    return true;
}

/* The reply to the request with that number. */
static const struct raw_reply *reply_to(const struct raw_responder *responder, size_t number)
{
    size_t last = responder->reply_count - 1;
    return &responder->replies[number < last ? number : last];
}

/* Bytes of the request at the beginning of `received`; 0 while it is not whole. */
static size_t request_length(const struct buffer *received)
{
    const char *bytes = received->data;
    const char *end = strstr(bytes, "\r\n\r\n");
    if (end == NULL) {
        return 0;
    }
    size_t header = (size_t)(end - bytes) + 4, body = 0;
    const char *field = strstr(bytes, "\r\nContent-Length:");
    if (field != NULL && field < end) {
        body = strtoul(field + strlen("\r\nContent-Length:"), NULL, 10);
    }
    return received->length >= header + body ? header + body : 0;
}

static void count_one(struct raw_responder *responder, size_t *counter)
{
    pthread_mutex_lock(&responder->lock);
    ++*counter;
    pthread_cond_broadcast(&responder->changed);
    pthread_mutex_unlock(&responder->lock);
}

static void keep_request(struct raw_responder *responder, const char *bytes, size_t length)
{
    char *copy = memory_get(length + 1);
    memcpy(copy, bytes, length);
    pthread_mutex_lock(&responder->lock);
    size_t number = responder->request_count++;
    responder->requests = memory_resize(responder->requests, responder->request_count * sizeof(char *));
    responder->requests[number] = copy;
    pthread_cond_broadcast(&responder->changed);
    pthread_mutex_unlock(&responder->lock);
}

/* If a whole request has come, its reply begins. */
static void answer_request(struct raw_responder *responder, struct peer *peer)
{
    if (peer->reply != NULL) {
        return;
    }
    /* Only this thread changes the number of requests. */
    const struct raw_reply *reply = reply_to(responder, responder->request_count);
    size_t length = reply->at_once ? peer->request.length : request_length(&peer->request);
    if (length == 0) {
        return;
    }
    keep_request(responder, peer->request.data, length);
    peer->request.length -= length;
    memmove(peer->request.data, peer->request.data + length, peer->request.length + 1);
    peer->reply = reply;
    peer->sent = 0;
    peer->next_at = clock_now() + reply->delay_ms;
}

static void close_peer(struct raw_responder *responder, struct peer *peer)
{
    close(peer->socket);
    buffer_clear(&peer->request);
    *peer = responder->peers[--responder->peer_count];
}

static void end_reply(struct raw_responder *responder, struct peer *peer)
{
    enum raw_ending ending = peer->reply->ending;
    peer->reply = NULL;
    if (ending == RAW_HANG) {
        peer->silent = true;
    } else if (ending == RAW_KEEP) {
        answer_request(responder, peer);
    } else {
        struct linger at_once = {.l_onoff = 1, .l_linger = 0};
        if (ending == RAW_RESET) {
            setsockopt(peer->socket, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
        }
        close_peer(responder, peer);
    }
}

/* Sends one piece. False when the peer is gone. */
static bool send_piece(struct raw_responder *responder, struct peer *peer)
{
    const struct raw_reply *reply = peer->reply;
    size_t left = reply->length - peer->sent;
    size_t size = reply->piece > 0 && reply->piece < left ? reply->piece : left;
    ssize_t sent = size == 0 ? 0 : send(peer->socket, reply->bytes + peer->sent, size, MSG_NOSIGNAL);
    if (sent < 0) {
        return errno == EAGAIN || errno == EWOULDBLOCK;
    }
    peer->sent += (size_t)sent;
    peer->next_at = clock_now() + reply->delay_ms;
    if (peer->sent == reply->length) {
        end_reply(responder, peer);
    }
    return true;
}

/* Reads what is there. False when the peer has closed or reset. */
static bool read_request(struct raw_responder *responder, struct peer *peer)
{
    char bytes[4096];
    ssize_t got = recv(peer->socket, bytes, sizeof(bytes), 0);
    if (got < 0) {
        return errno == EAGAIN || errno == EWOULDBLOCK;
    }
    if (got == 0) {
        return false;
    }
    buffer_put(&peer->request, bytes, (size_t)got);
    if (!peer->silent) {
        answer_request(responder, peer);
    }
    return true;
}

static void accept_peer(struct raw_responder *responder)
{
    int descriptor = accept(responder->listener, NULL, NULL);
    if (descriptor < 0) {
        return;
    }
    if (responder->peer_count == PEERS_MAX) {
        close(descriptor);
        return;
    }
    set_flags(descriptor);
    struct peer *peer = &responder->peers[responder->peer_count++];
    *peer = (struct peer){.socket = descriptor};
    buffer_init(&peer->request, REQUEST_MAX);
    count_one(responder, &responder->connection_count);
}

static void serve_peer(struct raw_responder *responder, struct peer *peer, short happened)
{
    bool alive = true;
    if (happened & (POLLIN | POLLHUP | POLLERR)) {
        alive = read_request(responder, peer);
    }
    if (alive && peer->reply != NULL && peer->next_at <= clock_now()) {
        alive = send_piece(responder, peer);
    }
    if (!alive) {
        close_peer(responder, peer);
        count_one(responder, &responder->departure_count);
    }
}

/* Milliseconds until the next piece of any reply is due; -1: none is. */
static int next_piece_ms(const struct raw_responder *responder, monotime now)
{
    int wait = -1;
    for (size_t i = 0; i < responder->peer_count; i++) {
        const struct peer *peer = &responder->peers[i];
        if (peer->reply != NULL && peer->next_at > now) {
            int left = (int)(peer->next_at - now);
            wait = wait < 0 || left < wait ? left : wait;
        }
    }
    return wait;
}

static void *serve(void *argument)
{
    struct raw_responder *responder = argument;
    for (;;) {
        struct pollfd watched[PEERS_MAX + 2];
        monotime now = clock_now();
        size_t count = responder->peer_count;
        for (size_t i = 0; i < count; i++) {
            const struct peer *peer = &responder->peers[i];
            bool due = peer->reply != NULL && peer->next_at <= now;
            watched[i] = (struct pollfd){.fd = peer->socket, .events = due ? POLLIN | POLLOUT : POLLIN};
        }
        watched[count] = (struct pollfd){.fd = responder->listener, .events = POLLIN};
        watched[count + 1] = (struct pollfd){.fd = responder->control[0], .events = POLLIN};
        poll(watched, count + 2, next_piece_ms(responder, now));
        if (watched[count + 1].revents != 0) {
            break;
        }
        /* From the last to the first, because a peer that is closed gives its place to the last one. */
        for (size_t i = count; i-- > 0;) {
            serve_peer(responder, &responder->peers[i], watched[i].revents);
        }
        if (watched[count].revents & POLLIN) {
            accept_peer(responder);
        }
    }
    while (responder->peer_count > 0) {
        close_peer(responder, &responder->peers[0]);
    }
    return NULL;
}

static struct raw_responder *prepare(void)
{
    struct raw_responder *responder = memory_get(sizeof(*responder));
    responder->listener = responder->control[0] = responder->control[1] = -1;
    for (int i = 0; i < FILLERS; i++) {
        responder->fillers[i] = -1;
    }
    pthread_mutex_init(&responder->lock, NULL);
    pthread_cond_init(&responder->changed, NULL);
    return responder;
}

/* The thread takes no signal: they are for the program under test. */
static bool start_thread(struct raw_responder *responder)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    responder->has_thread = pthread_create(&responder->thread, NULL, serve, responder) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return responder->has_thread;
}

struct raw_responder *raw_responder_start(const struct raw_reply *replies, size_t count)
{
    struct raw_responder *responder = prepare();
    responder->replies = memory_copy(replies, count * sizeof(*replies));
    responder->reply_count = count;
    for (size_t i = 0; i < count; i++) {
        struct raw_reply *reply = &responder->replies[i];
        reply->length = reply->length == 0 && reply->bytes != NULL ? strlen(reply->bytes) : reply->length;
    }
    if (pipe(responder->control) != 0 || !listen_on_loopback(responder, 64) || !start_thread(responder)) {
        raw_responder_stop(responder);
        return NULL;
    }
    return responder;
}

struct raw_responder *raw_responder_start_deaf(void)
{
    struct raw_responder *responder = prepare();
    if (!listen_on_loopback(responder, 0)) {
        raw_responder_stop(responder);
        return NULL;
    }
    /* The queue takes one or two; from then on the system drops what asks for a connection. */
    struct sockaddr_in address = loopback();
    address.sin_port = htons((in_port_t)strtoul(strrchr(responder->url, ':') + 1, NULL, 10));
    for (int i = 0; i < FILLERS; i++) {
        responder->fillers[i] = socket(AF_INET, SOCK_STREAM, 0);
        set_flags(responder->fillers[i]);
        (void)connect(responder->fillers[i], (struct sockaddr *)&address, sizeof(address));
    }
    return responder;
}

const char *raw_responder_url(const struct raw_responder *responder)
{
    return responder->url;
}

static size_t read_counter(struct raw_responder *responder, const size_t *counter)
{
    pthread_mutex_lock(&responder->lock);
    size_t count = *counter;
    pthread_mutex_unlock(&responder->lock);
    return count;
}

size_t raw_responder_connections(struct raw_responder *responder)
{
    return read_counter(responder, &responder->connection_count);
}

size_t raw_responder_requests(struct raw_responder *responder)
{
    return read_counter(responder, &responder->request_count);
}

size_t raw_responder_departures(struct raw_responder *responder)
{
    return read_counter(responder, &responder->departure_count);
}

char *raw_responder_request(struct raw_responder *responder, size_t n)
{
    pthread_mutex_lock(&responder->lock);
    char *copy = n < responder->request_count ? memory_string(responder->requests[n]) : NULL;
    pthread_mutex_unlock(&responder->lock);
    return copy;
}

static bool wait_for(struct raw_responder *responder, const size_t *counter, size_t count, int timeout_ms)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += timeout_ms / 1000;
    until.tv_nsec += (long)(timeout_ms % 1000) * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    pthread_mutex_lock(&responder->lock);
    while (*counter < count && pthread_cond_timedwait(&responder->changed, &responder->lock, &until) == 0) {
    }
    bool reached = *counter >= count;
    pthread_mutex_unlock(&responder->lock);
    return reached;
}

bool raw_responder_wait_requests(struct raw_responder *responder, size_t count, int timeout_ms)
{
    return wait_for(responder, &responder->request_count, count, timeout_ms);
}

bool raw_responder_wait_departures(struct raw_responder *responder, size_t count, int timeout_ms)
{
    return wait_for(responder, &responder->departure_count, count, timeout_ms);
}

static void close_if_open(int descriptor)
{
    if (descriptor >= 0) {
        close(descriptor);
    }
}

void raw_responder_stop(struct raw_responder *responder)
{
    close_if_open(responder->control[1]);
    if (responder->has_thread) {
        pthread_join(responder->thread, NULL);
    }
    close_if_open(responder->control[0]);
    close_if_open(responder->listener);
    for (int i = 0; i < FILLERS; i++) {
        close_if_open(responder->fillers[i]);
    }
    for (size_t i = 0; i < responder->request_count; i++) {
        free(responder->requests[i]);
    }
    free(responder->requests);
    free(responder->replies);
    pthread_cond_destroy(&responder->changed);
    pthread_mutex_destroy(&responder->lock);
    free(responder);
}
