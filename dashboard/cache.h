/* cache.h - answers of commands that only read, kept until something changes that they are made of (watched.h).
 * One child makes an answer for all who ask for the same meanwhile; so many children at once, so long each; the least recently
 * used answers go when there are too many bytes.
 * Not here: what a request means (read.c), commands that run code (jobs.h). */
#ifndef AISP_DASHBOARD_CACHE_H
#define AISP_DASHBOARD_CACHE_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#include "dashboard/made.h"
#include "dashboard/watched.h"
#include "doors/http.h"
#include "doors/job.h"

enum { AISP_CACHE_CHILDREN = 2, AISP_CACHE_FDS = 2 * AISP_CACHE_CHILDREN };

/* What one client asked for. */
struct aisp_wait {
    struct aisp_http_request *request;
    void (*reply)(const struct aisp_wait *wait, struct aisp_made *made);
    int most_stale_ms;                       /* an answer that was up to date so long ago will do, and says so */
    bool has_page;                           /* a page of the list, see read.c */
    int64_t limit, first;
    char of[17];                             /* the beginning of the entity tag that the first page had; or "" */
    const char *page_size;                   /* the name that the page's size has here */
};

struct aisp_cache_counts { int64_t hits, misses, shared, stale, failed; int children, entries; size_t bytes; };

struct aisp_cache;
struct aisp_cache *aisp_cache_new(struct aisp_watched_files *watched, const struct aisp_words *common, size_t most_bytes);
/* Those who wait are forgotten, not answered. */
void aisp_cache_free(struct aisp_cache *cache);
/* Calls wait->reply now or later, with a copy of *wait. `reads_store`: what it says changes with the store and the targets alone;
 * else it looks at the machine, and lasts some seconds. Takes the words. */
void aisp_cache_ask(struct aisp_cache *cache, struct aisp_words *words_take, bool reads_store, const struct aisp_wait *wait);
/* What to poll for reading; then work. */
size_t aisp_cache_fds(const struct aisp_cache *cache, struct pollfd fds[AISP_CACHE_FDS]);
void aisp_cache_work(struct aisp_cache *cache);
void aisp_cache_count(const struct aisp_cache *cache, struct aisp_cache_counts *counts);

#endif
