#include "core/engine/response_cache.h"

#include "core/base/memory.h"

#include <stdlib.h>

/* FNV-1a: short keys, no adversary (a table is walked in full at worst). */
size_t key_hash(const struct vin_key *key)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (const char *c = key->vin; *c != '\0'; c++) {
        hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
    }
    hash = (hash ^ (uint64_t)key->year) * UINT64_C(1099511628211);
    return (size_t)(hash ^ (hash >> 32));
}

void response_cache_init(struct response_cache *cache, size_t limit)
{
    *cache = (struct response_cache){.limit = limit};
}

static struct cache_entry **bucket_of(struct response_cache *cache, const struct vin_key *key)
{
    return &cache->buckets[key_hash(key) % CACHE_BUCKETS];
}

static void unlink_use(struct response_cache *cache, struct cache_entry *entry)
{
    *(entry->newer != NULL ? &entry->newer->older : &cache->newest) = entry->older;
    *(entry->older != NULL ? &entry->older->newer : &cache->oldest) = entry->newer;
}

static void link_newest(struct response_cache *cache, struct cache_entry *entry)
{
    entry->newer = NULL;
    entry->older = cache->newest;
    *(cache->newest != NULL ? &cache->newest->newer : &cache->oldest) = entry;
    cache->newest = entry;
}

static void entry_remove(struct response_cache *cache, struct cache_entry *entry)
{
    struct cache_entry **link = bucket_of(cache, &entry->key);
    while (*link != entry) {
        link = &(*link)->chain;
    }
    *link = entry->chain;
    unlink_use(cache, entry);
    cache->count--;
    vehicle_free(entry->vehicle);
    free(entry->failure);
    free(entry);
}

void response_cache_clear(struct response_cache *cache)
{
    while (cache->oldest != NULL) {
        entry_remove(cache, cache->oldest);
    }
}

static struct cache_entry *entry_find(struct response_cache *cache, const struct vin_key *key)
{
    struct cache_entry *entry = *bucket_of(cache, key);
    while (entry != NULL && !vin_key_equal(&entry->key, key)) {
        entry = entry->chain;
    }
    return entry;
}

const struct cache_entry *response_cache_find(struct response_cache *cache, const struct vin_key *key, monotime now)
{
    struct cache_entry *entry = entry_find(cache, key);
    if (entry == NULL) {
        return NULL;
    }
    if (entry->expires_at <= now) {
        entry_remove(cache, entry);
        return NULL;
    }
    unlink_use(cache, entry);
    link_newest(cache, entry);
    return entry;
}

void response_cache_remove(struct response_cache *cache, const struct vin_key *key)
{
    struct cache_entry *entry = entry_find(cache, key);
    if (entry != NULL) {
        entry_remove(cache, entry);
    }
}

/* A fresh entry for `key` in place of what was there; the cache's limit is above 0. */
static struct cache_entry *entry_new(struct response_cache *cache, const struct vin_key *key, monotime expires_at)
{
    response_cache_remove(cache, key);
    if (cache->count >= cache->limit && cache->oldest != NULL) {
        entry_remove(cache, cache->oldest);
    }
    struct cache_entry *entry = memory_get(sizeof *entry);
    struct cache_entry **bucket = bucket_of(cache, key);
    entry->key = *key;
    entry->expires_at = expires_at;
    entry->chain = *bucket;
    *bucket = entry;
    link_newest(cache, entry);
    cache->count++;
    return entry;
}

void response_cache_put_vehicle(struct response_cache *cache, const struct vin_key *key, struct vehicle *vehicle,
                                bool sparse, int status, monotime answered_at, monotime expires_at)
{
    if (cache->limit == 0) {
        vehicle_free(vehicle);
        return;
    }
    struct cache_entry *entry = entry_new(cache, key, expires_at);
    entry->vehicle = vehicle;
    entry->sparse = sparse;
    entry->status = status;
    entry->answered_at = answered_at;
}

void response_cache_put_failure(struct response_cache *cache, const struct vin_key *key,
                                const struct event_failed *failure, monotime expires_at)
{
    if (cache->limit > 0) {
        struct event_failed *copy = memory_copy(failure, sizeof *failure);
        entry_new(cache, key, expires_at)->failure = copy;
    }
}
