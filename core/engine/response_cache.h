#ifndef CORE_ENGINE_RESPONSE_CACHE_H
#define CORE_ENGINE_RESPONSE_CACHE_H

#include "core/engine/event.h"

/*
 * What a key was answered with, for a while (planner.md G2, G3, D27). The least recently used entry makes room. An
 * entry expires at a fixed moment, which no use postpones (R99). The engine has two: answers and failures. Used by one
 * thread.
 */
struct cache_entry {
    struct vin_key key;
    monotime expires_at;
    struct vehicle *vehicle;      /* an answer, owned; NULL in a failure */
    struct event_failed *failure; /* a failure, owned; NULL in an answer */
    monotime answered_at;
    int status;
    bool sparse;
    struct cache_entry *newer, *older; /* by last use */
    struct cache_entry *chain;         /* the next in its bucket */
};

enum { CACHE_BUCKETS = 256 };

struct response_cache {
    size_t count, limit;
    struct cache_entry *newest, *oldest;
    struct cache_entry *buckets[CACHE_BUCKETS];
};

/* An empty cache of at most `limit` entries; 0 keeps nothing. */
void response_cache_init(struct response_cache *cache, size_t limit);
void response_cache_clear(struct response_cache *cache);

/* The live entry of `key`, now the most recently used, or NULL. Borrowed until the cache is next changed. */
const struct cache_entry *response_cache_find(struct response_cache *cache, const struct vin_key *key, monotime now);

/* Keeps `vehicle` (owned from here on) or a copy of `failure` under `key`; replaces what was there. */
void response_cache_put_vehicle(struct response_cache *cache, const struct vin_key *key, struct vehicle *vehicle,
                                bool sparse, int status, monotime answered_at, monotime expires_at);
void response_cache_put_failure(struct response_cache *cache, const struct vin_key *key,
                                const struct event_failed *failure, monotime expires_at);

void response_cache_remove(struct response_cache *cache, const struct vin_key *key);

/* A number from a key, for tables that are a power of two. */
size_t key_hash(const struct vin_key *key);

#endif
