#ifndef TESTS_UNIT_NET_SESSION_H
#define TESTS_UNIT_NET_SESSION_H

#include "core/net/network.h"
#include "tests/support/sanitized.h"

/* How long cancel and quit may take (architecture.md). Under a sanitizer the program is several times slower, so that
 * there the number only tells a hang from none. */
enum { AT_ONCE_MS = SANITIZED ? 500 : 50 };

#define CHECK_AT_ONCE(took_ms)                                                                                         \
    do {                                                                                                               \
        int64_t took_ = (took_ms);                                                                                     \
        if (took_ > AT_ONCE_MS) {                                                                                      \
            printf("\n%s:%d: %s is %lld ms, not at most %d ", __FILE__, __LINE__, #took_ms, (long long)took_,          \
                   (int)AT_ONCE_MS);                                                                                   \
        }                                                                                                              \
        CU_ASSERT_TRUE(took_ <= AT_ONCE_MS);                                                                           \
    } while (0)

/* Longer than anything takes here; a test that waits so long has failed. */
enum { PATIENCE_MS = 20000 };

/* A VIN, and the whole HTTP answer that decodes it. */
extern const char session_vin[];
extern const char session_answer[];

/* A running network and the mailbox of whoever listens to it. */
struct session {
    struct mailbox inbox;
    struct network *network;
};

/* Proxies of the environment are not for loopback. To be called before anything else. */
void session_prepare(void);

/* Starts a network for the API at `base`; the process ends if it cannot start. */
void session_open(struct session *session, const char *base, const char *ca_file);

/* The same with options of the caller's. */
void session_open_with(struct session *session, const struct network_options *options);

/* Submits session_vin, its last digits replaced by `number` if that is not 0. */
void session_submit(struct session *session, uint64_t ticket, unsigned number);

/* The next event of that kind, to be freed; what comes before it is dropped. NULL after `timeout_ms`. */
struct network_news *session_wait(struct session *session, enum event_kind kind, int timeout_ms);

/* Whether all that was ordered before has been carried out, and how many calls are in flight then. */
bool session_in_flight(struct session *session, size_t *count);

/* Stops the network and gives the milliseconds that it took. Frees undelivered news. */
int64_t session_close(struct session *session);

#endif
