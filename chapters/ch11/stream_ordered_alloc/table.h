/* table.h - a table of keys with chains of entries, and what is said of it. Where an entry's memory comes from is the rungs'
 * affair. */
#ifndef STREAM_ORDERED_ALLOC_TABLE_H
#define STREAM_ORDERED_ALLOC_TABLE_H

#include <stdint.h>
#include <string.h>

#include <aisp/variant.h>

#include "problem.h"

enum { BUCKET_BITS = 7, BUCKETS = 1 << BUCKET_BITS, TABLES = LIVE + 1, LINE = 64 };

struct entry { struct entry *next; int32_t key; };

struct table { int64_t n; struct entry *head[BUCKETS]; };

static inline uint32_t bucket_of(int32_t key)
{
    return (uint32_t)key * 2654435769u >> (32 - BUCKET_BITS);
}

/* The link that leads to the entry of `key`, or the last of its chain, NULL, where a new one belongs. */
static inline struct entry **place_of(struct table *t, int32_t key)
{
    struct entry **link = &t->head[bucket_of(key)];

    while (*link && (*link)->key != key)
        link = &(*link)->next;
    return link;
}

static inline void add(struct table *t, struct entry **link, struct entry *e, int32_t key)
{
    e->next = NULL;
    e->key = key;
    *link = e;
    t->n++;
}

static inline int32_t in_both(const struct table *t, struct table *other)
{
    int32_t n = 0;

    for (int b = 0; b < BUCKETS; b++)
        for (const struct entry *e = t->head[b]; e; e = e->next)
            n += *place_of(other, e->key) != NULL;
    return n;
}

/* What is said of request r when its table is whole. `table` is the ring of those alive; the oldest is dropped by the
 * caller. */
static inline void report(const struct aisp_call *call, struct table *table, int64_t r)
{
    int32_t *high = call->tensor[HIGH];
    int64_t alive = 0;

    for (int i = 0; i < TABLES; i++)
        alive += table[i].n;
    ((int32_t *)call->tensor[DISTINCT])[r] = (int32_t)table[r % TABLES].n;
    ((int32_t *)call->tensor[COMMON])[r] = r < LIVE ? 0 : in_both(&table[r % TABLES], &table[(r - LIVE) % TABLES]);
    high[r] = r && high[r - 1] > alive ? high[r - 1] : (int32_t)alive;
}

#endif
