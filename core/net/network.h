#ifndef CORE_NET_NETWORK_H
#define CORE_NET_NETWORK_H

#include "core/base/mailbox.h"
#include "core/engine/engine.h"

/*
 * The network thread: one libcurl multi handle for its life, one engine, one mailbox in, one out. It only moves bytes
 * and messages; the engine decides (architecture.md, libcurl.md).
 */
struct network;

struct network_options {
    struct engine_options engine;
    uint64_t seed;       /* of the engine's draws; random_seed_from_system() outside tests */
    const char *ca_file; /* NULL: the system's, or SSL_CERT_FILE */
};

/* A message from the network thread. The receiver frees it with network_news_free(). */
struct network_news {
    struct mail mail;
    bool is_meter; /* else an event */
    union {
        struct event event;
        struct meter meter;
    };
};

/* Starts the thread, with all signals blocked in it but those of its own crash. Proxies are libcurl's business: it
 * reads the environment, so nobody may change it while the thread runs. `inbox` must live until network_stop() has
 * returned; news is posted to it. NULL with `*why` set (constant text) when the thread or libcurl cannot start.
 * curl_global_init() happens inside. Call after the first frame. */
struct network *network_start(const struct network_options *options, struct mailbox *inbox, const char **why);

/* Orders; they return at once. UI thread only. */
void network_submit(struct network *network, const struct submission *submission);
void network_submit_all(struct network *network, const struct submission *submissions, size_t count);
void network_cancel(struct network *network, uint64_t ticket);
void network_ask_meter(struct network *network);

/* Ends the thread within 50 ms in every state, joins it and frees everything. Undelivered news stays in the inbox: take
 * and free it afterwards. */
void network_stop(struct network *network);

void network_news_free(struct network_news *news);

#endif
