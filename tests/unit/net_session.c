#include "tests/unit/net_session.h"

#include "core/base/clock.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char session_vin[] = "1HGCM82633A004352";
const char session_answer[] =
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 157\r\n\r\n"
    "{\"Count\":1,\"Message\":\"OK\",\"SearchCriteria\":\"VIN:1HGCM82633A004352\",\"Results\":["
    "{\"ErrorCode\":\"0\",\"Make\":\"HONDA\",\"ModelYear\":\"2003\",\"VIN\":\"1HGCM82633A004352\"}]}";

void session_prepare(void)
{
    const char *names[] = {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy",
                           "ALL_PROXY",  "no_proxy",    "NO_PROXY"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        unsetenv(names[i]);
    }
}

void session_open(struct session *session, const char *base, const char *ca_file)
{
    struct network_options options = {.engine = engine_options_default(), .seed = 1, .ca_file = ca_file};
    options.engine.base = base;
    session_open_with(session, &options);
}

void session_open_with(struct session *session, const struct network_options *options)
{
    const char *why = NULL;
    bool has_inbox = mailbox_init(&session->inbox);
    session->network = has_inbox ? network_start(options, &session->inbox, &why) : NULL;
    if (session->network == NULL) {
        printf("the network does not start: %s\n", why == NULL ? "no mailbox" : why);
        exit(1);
    }
}

void session_submit(struct session *session, uint64_t ticket, unsigned number)
{
    struct submission submission = {.ticket = ticket, .profile = PROFILE_INTERACTIVE};
    memcpy(submission.key.vin, session_vin, sizeof(session_vin));
    if (number > 0) {
        snprintf(submission.key.vin + 13, 5, "%04u", number % 10000);
    }
    network_submit(session->network, &submission);
}

/* What session_wait() and session_in_flight() look for. */
static bool is_wanted(const struct network_news *news, bool is_meter, enum event_kind kind)
{
    return news->is_meter == is_meter && (is_meter || news->event.kind == kind);
}

/* Takes the first news that is wanted, drops what came before and puts back what came after. */
static struct network_news *wait_for_news(struct session *session, bool is_meter, enum event_kind kind, int timeout_ms)
{
    struct network_news *found = NULL;
    monotime until = clock_now() + timeout_ms;
    for (int64_t left_ms = timeout_ms; found == NULL && left_ms >= 0; left_ms = until - clock_now()) {
        struct pollfd waiting = {.fd = mailbox_descriptor(&session->inbox), .events = POLLIN};
        poll(&waiting, 1, (int)left_ms);
        struct mail *next;
        for (struct mail *mail = mailbox_take(&session->inbox); mail != NULL; mail = next) {
            next = mail->next;
            struct network_news *news = (struct network_news *)mail;
            if (found != NULL) {
                mailbox_post(&session->inbox, mail);
            } else if (is_wanted(news, is_meter, kind)) {
                found = news;
            } else {
                network_news_free(news);
            }
        }
    }
    return found;
}

struct network_news *session_wait(struct session *session, enum event_kind kind, int timeout_ms)
{
    return wait_for_news(session, false, kind, timeout_ms);
}

bool session_in_flight(struct session *session, size_t *count)
{
    network_ask_meter(session->network);
    struct network_news *news = wait_for_news(session, true, EVENT_HOST, PATIENCE_MS);
    if (news == NULL) {
        return false;
    }
    *count = news->meter.in_flight;
    network_news_free(news);
    return true;
}

int64_t session_close(struct session *session)
{
    monotime before = clock_now();
    network_stop(session->network);
    int64_t took_ms = clock_now() - before;
    struct mail *next;
    for (struct mail *mail = mailbox_take(&session->inbox); mail != NULL; mail = next) {
        next = mail->next;
        network_news_free((struct network_news *)mail);
    }
    mailbox_clear(&session->inbox);
    return took_ms;
}
