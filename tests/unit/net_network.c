/* The network thread: outcomes end to end, cancel and stop in every state, no signal taken, no wake-up at rest. */

#include "tests/support/raw_responder.h"
#include "tests/unit/net_session.h"
#include "tests/unit/unit.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#define BYTES(text) .bytes = (text), .length = sizeof(text) - 1

static struct raw_responder *respond(struct raw_reply reply)
{
    struct raw_responder *responder = raw_responder_start(&reply, 1);
    if (responder == NULL) {
        printf("no responder\n");
        exit(1);
    }
    return responder;
}

static void test_decoded(void)
{
    struct raw_responder *responder = respond((struct raw_reply){.bytes = session_answer, .ending = RAW_KEEP});
    struct session session;
    session_open(&session, raw_responder_url(responder), NULL);
    session_submit(&session, 7, 0);
    struct network_news *news = session_wait(&session, EVENT_DECODED, PATIENCE_MS);
    CHECK(news != NULL);
    if (news != NULL) {
        CHECK_INT(news->event.ticket, 7);
        CHECK_INT(news->event.as.decoded.attempts, 1);
        CHECK_TEXT(news->event.key.vin, session_vin);
        network_news_free(news);
    }
    char *request = raw_responder_request(responder, 0);
    CHECK(request != NULL && strstr(request, "GET /vehicles/DecodeVinValues/1HGCM82633A004352?format=json") == request);
    free(request);
    CHECK_AT_ONCE(session_close(&session));
    raw_responder_stop(responder);
}

/* What the user is told when a call ends for good at once. */
static void test_failed_at_once(void)
{
    const struct {
        struct raw_reply reply;
        enum transfer transfer;
        int status;
        enum code code;
    } cases[] = {
        {{BYTES("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n")},
         TRANSFER_ANSWERED,
         302,
         CODE_BAD_RESPONSE},
        {{BYTES("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")}, TRANSFER_ANSWERED, 404, CODE_BAD_REQUEST},
        {{BYTES("HTTP/1.1 103 Early Hints\r\n\r\n")}, TRANSFER_ANSWERED, 103, CODE_BAD_RESPONSE},
        {{BYTES("HTTP/1.1 429 Slow Down\r\nRetry-After: 120\r\nContent-Length: 0\r\n\r\n")},
         TRANSFER_ANSWERED,
         429,
         CODE_UPSTREAM_THROTTLE},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct raw_responder *responder = respond(cases[i].reply);
        struct session session;
        session_open(&session, raw_responder_url(responder), NULL);
        session_submit(&session, 1, 0);
        struct network_news *news = session_wait(&session, EVENT_FAILED, PATIENCE_MS);
        CHECK(news != NULL);
        if (news != NULL) {
            CHECK_INT(news->event.as.failed.transfer, cases[i].transfer);
            CHECK_INT(news->event.as.failed.status, cases[i].status);
            CHECK_INT(news->event.as.failed.code, cases[i].code);
            network_news_free(news);
        }
        CHECK_INT(raw_responder_requests(responder), 1);
        session_close(&session);
        raw_responder_stop(responder);
    }
}

/* A state in which a ticket is caught by cancel or stop. */
enum state { CONNECTING, NO_ANSWER_YET, BODY_TRICKLES, WAITING_FOR_RETRY, QUEUED, STATE_COUNT };

static const char *const state_names[] = {"connecting", "no answer yet", "body trickles", "waiting for retry",
                                          "queued"};

struct caught {
    struct raw_responder *responder;
    struct session session;
    size_t tickets;
};

/* Brings one ticket, or for QUEUED ten, into the state. */
static void catch_in(enum state state, struct caught *caught)
{
    const struct raw_reply silent = {.bytes = NULL, .ending = RAW_HANG};
    const struct raw_reply trickle = {
        BYTES("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n{\"Count\":1,\"Message\":\"this takes its time\""),
        .piece = 1, .delay_ms = 5};
    const struct raw_reply throttle = {BYTES("HTTP/1.1 503 Busy\r\nRetry-After: 30\r\nContent-Length: 0\r\n\r\n"),
                                       .ending = RAW_KEEP};
    caught->responder = state == CONNECTING          ? raw_responder_start_deaf()
                        : state == BODY_TRICKLES     ? respond(trickle)
                        : state == WAITING_FOR_RETRY ? respond(throttle)
                                                     : respond(silent);
    caught->tickets = state == QUEUED ? 10 : 1;
    session_open(&caught->session, raw_responder_url(caught->responder), NULL);
    for (size_t i = 1; i <= caught->tickets; i++) {
        session_submit(&caught->session, i, (unsigned)i);
    }
    enum event_kind sign = state == WAITING_FOR_RETRY ? EVENT_WAITING : EVENT_CALLING;
    struct network_news *news = session_wait(&caught->session, sign, PATIENCE_MS);
    CHECK(news != NULL);
    if (news != NULL) {
        network_news_free(news);
    }
    if (state != CONNECTING) {
        CHECK(raw_responder_wait_requests(caught->responder, 1, PATIENCE_MS));
    }
    if (state == BODY_TRICKLES) {
        poll(NULL, 0, 60); /* a few bytes of the answer are there */
    }
}

static void test_stop_in_every_state(void)
{
    for (enum state state = 0; state < STATE_COUNT; state++) {
        struct caught caught;
        catch_in(state, &caught);
        int64_t took_ms = session_close(&caught.session);
        if (took_ms > AT_ONCE_MS) {
            printf("\n%s: ", state_names[state]);
        }
        CHECK_AT_ONCE(took_ms);
        raw_responder_stop(caught.responder);
    }
}

static void test_cancel_in_every_state(void)
{
    for (enum state state = 0; state < STATE_COUNT; state++) {
        struct caught caught;
        catch_in(state, &caught);
        size_t requests = raw_responder_requests(caught.responder);
        size_t in_flight = 99;
        monotime before = clock_now();
        for (size_t i = 1; i <= caught.tickets; i++) {
            network_cancel(caught.session.network, i);
        }
        CHECK(session_in_flight(&caught.session, &in_flight));
        if (state == NO_ANSWER_YET || state == BODY_TRICKLES) {
            CHECK(raw_responder_wait_departures(caught.responder, 1, PATIENCE_MS));
        }
        int64_t took_ms = clock_now() - before;
        if (in_flight != 0 || took_ms > AT_ONCE_MS) {
            printf("\n%s: ", state_names[state]);
        }
        CHECK_INT(in_flight, 0);
        CHECK_AT_ONCE(took_ms);
        /* Never reported as a failure, and nothing else leaves for it. */
        struct network_news *news = session_wait(&caught.session, EVENT_FAILED, 100);
        CHECK(news == NULL);
        CHECK(raw_responder_requests(caught.responder) <= requests + 2);
        CHECK_AT_ONCE(session_close(&caught.session));
        raw_responder_stop(caught.responder);
    }
}

/* A cancel leaves the others alone, and the handle that it frees serves the next call. */
static void test_cancel_one_of_two(void)
{
    const struct raw_reply replies[] = {{.bytes = NULL, .ending = RAW_HANG},
                                        {.bytes = session_answer, .ending = RAW_KEEP}};
    struct raw_responder *responder = raw_responder_start(replies, 2);
    struct session session;
    session_open(&session, raw_responder_url(responder), NULL);
    session_submit(&session, 1, 1);
    CHECK(raw_responder_wait_requests(responder, 1, PATIENCE_MS));
    session_submit(&session, 2, 0);
    network_cancel(session.network, 1);
    network_cancel(session.network, 99); /* unknown: nothing happens */
    struct network_news *news = session_wait(&session, EVENT_DECODED, PATIENCE_MS);
    CHECK(news != NULL && news->event.ticket == 2);
    if (news != NULL) {
        network_news_free(news);
    }
    session_close(&session);
    raw_responder_stop(responder);
}

/* Answers the first bytes that come on a listening socket. */
static void answer_once(int listener, const char *bytes)
{
    char received[4096];
    int peer = accept(listener, NULL, NULL);
    CHECK(peer >= 0);
    CHECK(recv(peer, received, sizeof(received), 0) > 0);
    CHECK_INT(send(peer, bytes, strlen(bytes), MSG_NOSIGNAL), strlen(bytes));
    close(peer);
}

/* The system's error of one call is not taken for the next one's: first nobody listens, then plain HTTP where TLS is
 * wanted. libcurl keeps the first error in its handle. */
static void test_no_error_survives(void)
{
    int held = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof(address);
    char base[64];
    CHECK_INT(bind(held, (struct sockaddr *)&address, length), 0);
    CHECK_INT(getsockname(held, (struct sockaddr *)&address, &length), 0);
    snprintf(base, sizeof(base), "https://127.0.0.1:%u", (unsigned)ntohs(address.sin_port));
    struct session session;
    session_open(&session, base, NULL);
    session_submit(&session, 1, 0);
    struct network_news *news = session_wait(&session, EVENT_WAITING, PATIENCE_MS);
    CHECK(news != NULL);
    if (news != NULL) {
        CHECK_INT(news->event.as.waiting.reason, REASON_TRANSPORT);
        network_news_free(news);
        CHECK_INT(listen(held, 1), 0);
        answer_once(held, "HTTP/1.1 400 This is plain HTTP\r\n\r\n");
        news = session_wait(&session, EVENT_FAILED, PATIENCE_MS);
        CHECK(news != NULL);
    }
    if (news != NULL) {
        CHECK_INT(news->event.as.failed.transfer, TRANSFER_UNSUPPORTED);
        CHECK_INT(news->event.as.failed.attempts, 2);
        network_news_free(news);
    }
    session_close(&session);
    close(held);
}

/* Threads of this process, by number. */
static size_t list_threads(long *numbers, size_t size)
{
    size_t count = 0;
    DIR *folder = opendir("/proc/self/task");
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] != '.' && count < size) {
            numbers[count++] = strtol(entry->d_name, NULL, 10);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return count;
}

/* Text after `label` in /proc/self/task/NUMBER/status, as a number of that base. */
static unsigned long long thread_status(long number, const char *label, int base)
{
    char path[64], line[256];
    unsigned long long value = 0;
    snprintf(path, sizeof(path), "/proc/self/task/%ld/status", number);
    FILE *file = fopen(path, "r");
    while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
        if (strncmp(line, label, strlen(label)) == 0) {
            value = strtoull(line + strlen(label), NULL, base);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return value;
}

/* The thread that is there now and was not before. */
static long new_thread(const long *before, size_t before_count)
{
    long now[64];
    size_t count = list_threads(now, 64);
    for (size_t i = 0; i < count; i++) {
        bool known = false;
        for (size_t j = 0; j < before_count; j++) {
            known |= before[j] == now[i];
        }
        if (!known) {
            return now[i];
        }
    }
    return 0;
}

static void test_rest_and_signals(void)
{
    struct raw_responder *responder = respond((struct raw_reply){.bytes = session_answer, .ending = RAW_KEEP});
    long before[64];
    size_t before_count = list_threads(before, 64);
    struct session session;
    session_open(&session, raw_responder_url(responder), NULL);
    long thread = new_thread(before, before_count);
    if (thread == 0) {
        printf("no /proc/self/task here: rest and signals are not tested\n");
        session_close(&session);
        raw_responder_stop(responder);
        return;
    }
    /* After a call, with its connection kept open. */
    session_submit(&session, 1, 0);
    struct network_news *news = session_wait(&session, EVENT_DECODED, PATIENCE_MS);
    CHECK(news != NULL);
    if (news != NULL) {
        network_news_free(news);
    }
    poll(NULL, 0, 100);
    unsigned long long switches = thread_status(thread, "voluntary_ctxt_switches:", 10);
    poll(NULL, 0, 1000);
    CHECK(switches > 0);
    CHECK_INT(thread_status(thread, "voluntary_ctxt_switches:", 10), switches);

    unsigned long long blocked = thread_status(thread, "SigBlk:", 16);
    const int people[] = {SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGPIPE, SIGCHLD, SIGALRM, SIGUSR1, SIGTSTP};
    for (size_t i = 0; i < sizeof(people) / sizeof(people[0]); i++) {
        CHECK((blocked >> (people[i] - 1)) & 1);
    }
    CHECK(((blocked >> (SIGSEGV - 1)) & 1) == 0); /* so that its own crash restores the terminal */
    sigset_t ours;
    pthread_sigmask(SIG_SETMASK, NULL, &ours);
    CHECK_INT(sigismember(&ours, SIGINT), 0);
    session_close(&session);
    raw_responder_stop(responder);
}

static size_t count_descriptors(void)
{
    size_t count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (folder != NULL && readdir(folder) != NULL) {
        count++;
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return count;
}

/* A thousand short lives, each ended at another moment; nothing is left of them. */
static void test_thousand_lives(void)
{
    struct raw_responder *responder = respond((struct raw_reply){.bytes = session_answer, .ending = RAW_KEEP});
    size_t descriptors = 0;
    int64_t longest_ms = 0;
    for (unsigned i = 0; i < 1000; i++) {
        struct session session;
        session_open(&session, raw_responder_url(responder), NULL);
        for (unsigned ticket = 1; ticket <= i % 4; ticket++) {
            session_submit(&session, ticket, ticket - 1);
        }
        if (i % 3 == 0) {
            network_cancel(session.network, 1);
        } else if (i % 4 > 0 && i % 5 == 0) {
            struct network_news *news = session_wait(&session, EVENT_DECODED, PATIENCE_MS);
            CHECK(news != NULL);
            if (news != NULL) {
                network_news_free(news);
            }
        }
        network_ask_meter(session.network);
        int64_t took_ms = session_close(&session);
        longest_ms = took_ms > longest_ms ? took_ms : longest_ms;
        if (i == 0) {
            descriptors = count_descriptors();
        }
    }
    CHECK_AT_ONCE(longest_ms);
    /* The responder's side of the last connections may still be open. */
    CHECK(count_descriptors() <= descriptors + 4);
    raw_responder_stop(responder);
}

static void test_addresses_that_are_none(void)
{
    const struct {
        const char *base;
        enum transfer transfer;
    } cases[] = {
        {"ftp://127.0.0.1/api", TRANSFER_UNSUPPORTED},
        {"http://127.0.0.1:99999", TRANSFER_UNSUPPORTED},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct session session;
        session_open(&session, cases[i].base, NULL);
        session_submit(&session, 1, 0);
        struct network_news *news = session_wait(&session, EVENT_FAILED, PATIENCE_MS);
        CHECK(news != NULL);
        if (news != NULL) {
            CHECK_INT(news->event.as.failed.transfer, cases[i].transfer);
            CHECK_INT(news->event.as.failed.code, CODE_UPSTREAM_UNAVAILABLE);
            CHECK_INT(news->event.as.failed.attempts, 1);
            network_news_free(news);
        }
        session_close(&session);
    }
}

static const struct unit_test tests[] = {
    {"a decode", test_decoded},
    {"failures that end at once", test_failed_at_once},
    {"addresses that are none", test_addresses_that_are_none},
    {"stop in every state", test_stop_in_every_state},
    {"cancel in every state", test_cancel_in_every_state},
    {"cancel one of two", test_cancel_one_of_two},
    {"no error is left for the next call", test_no_error_survives},
    {"at rest nothing wakes it, and it takes no signals", test_rest_and_signals},
    {"a thousand short lives", test_thousand_lives},
};

int main(void)
{
    session_prepare();
    return unit_run("net_network", tests, sizeof(tests) / sizeof(tests[0]));
}
