#ifndef TESTS_SUPPORT_RAW_RESPONDER_H
#define TESTS_SUPPORT_RAW_RESPONDER_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A responder that sends raw bytes on loopback: what is not HTTP, or broken HTTP, cannot come from an HTTP server. It
 * runs in a thread of its own, with all signals blocked, on a port that the system chooses.
 *
 * The n-th request, counted over all connections, gets the n-th reply; the last reply stands for all that follow.
 */

enum raw_ending {
    RAW_CLOSE, /* close the connection after the bytes */
    RAW_RESET, /* reset it (RST) */
    RAW_KEEP,  /* wait for the next request on it */
    RAW_HANG   /* keep it open and never say a word again */
};

struct raw_reply {
    const char *bytes; /* borrowed until raw_responder_stop(); NULL: nothing */
    size_t length;     /* 0: strlen(bytes) */
    size_t piece;      /* bytes per write; 0: all at once */
    int delay_ms;      /* before each write */
    enum raw_ending ending;
    bool at_once; /* answer the first bytes that come, whatever they are: for a peer that does not speak HTTP */
};

struct raw_responder;

/* NULL when the system gives no socket or thread. `replies` is copied, the bytes are not. */
struct raw_responder *raw_responder_start(const struct raw_reply *replies, size_t count);

/* Nobody accepts, and the queue of connections is full: a connect to it hangs. */
struct raw_responder *raw_responder_start_deaf(void);

/* "http://127.0.0.1:PORT"; lives as long as the responder. */
const char *raw_responder_url(const struct raw_responder *responder);

/* What has come so far. */
size_t raw_responder_connections(struct raw_responder *responder);
size_t raw_responder_requests(struct raw_responder *responder);

/* Connections that the peer has closed or reset so far. */
size_t raw_responder_departures(struct raw_responder *responder);

/* The bytes of the n-th request (from 0), header and body, as a string to be freed; NULL if there is none. */
char *raw_responder_request(struct raw_responder *responder, size_t n);

/* Waits until that many requests (or connections) have come; false after `timeout_ms`. */
bool raw_responder_wait_requests(struct raw_responder *responder, size_t count, int timeout_ms);
bool raw_responder_wait_departures(struct raw_responder *responder, size_t count, int timeout_ms);

/* Ends the thread and closes everything. */
void raw_responder_stop(struct raw_responder *responder);

#endif
