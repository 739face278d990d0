/* pages.h - a head of a sequence attended to page by page, where the pages lie. */
#ifndef PAGED_ATTENTION_PAGES_H
#define PAGED_ATTENTION_PAGES_H

#include "kit/decode.h"
#include "problem.h"

enum { PAGES_AT_ONCE = MOST_KEYS / PAGE };

struct pages {
    const float *k, *v;
    const int64_t *table, *param;
    int64_t b, h;
    int is_prefetched;
};

static inline int64_t keys_in(const struct pages *p, int64_t page)
{
    const int64_t left = p->param[SEQ] - page * PAGE;

    return left < PAGE ? left : PAGE;
}

static inline int64_t place_of(const struct pages *p, int64_t page)
{
    return page_at(p->table, p->param, p->b, page, p->h);
}

/* The pages that will be read after `ahead` more, one line of 64 bytes after the other. */
static inline void prefetch(const struct pages *p, const float *pool, int64_t page)
{
    const int64_t n = PAGE * p->param[DIM];

    if (!p->is_prefetched || page >= pages_of(p->param))
        return;
    for (int64_t i = 0; i < n; i += 64 / (int64_t)sizeof(float))
        __builtin_prefetch(pool + place_of(p, page) + i);
}

/* Pages first .. end - 1, at most PAGES_AT_ONCE. */
__attribute__((target("avx2,fma"))) static inline void pages_avx2(const struct pages *p, struct part *w, int64_t first,
                                                                    int64_t end)
{
    float s[MOST_KEYS + LANES];
    int64_t n = 0;

    for (int64_t i = first; i < end; i++) {
        prefetch(p, p->k, i + 1);
        scores_avx2(w, p->k + place_of(p, i), keys_in(p, i), s + n);
        n += keys_in(p, i);
    }
    prefetch(p, p->v, first);
    exponentials_avx2(w, s, n);
    for (int64_t i = first; i < end; i++) {
        prefetch(p, i + 1 < end ? p->v : p->k, i + 1);
        values_avx2(w, s + (i - first) * PAGE, p->v + place_of(p, i), keys_in(p, i));
    }
}

static inline void attend_pages(const struct pages *p, struct part *w, int fast)
{
    const int64_t n_pages = pages_of(p->param);

    part_begin(w);
    for (int64_t i = 0; i < n_pages && fast; i += PAGES_AT_ONCE)
        pages_avx2(p, w, i, i + PAGES_AT_ONCE < n_pages ? i + PAGES_AT_ONCE : n_pages);
    for (int64_t i = 0; i < n_pages && !fast; i++)
        part_take_portable(w, p->k + place_of(p, i), p->v + place_of(p, i), keys_in(p, i));
    part_end(w);
}

#endif
