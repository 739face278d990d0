/* packed_product.h - c = a b out of register tiles (tiles.h), for operands whose elements are narrower than a dword or become
 * wider on the way: blocks for each level of memory, packing, edges. What is particular to a type is a struct product_kind.
 * Not here: f32 as it is, where packing can be done within the tile's loop (ch09:gemm_ladder, optimized_packed).
 *
 * The loops, outermost first; mc follows from the size of L2:
 *   n by nc      L3    nc columns of b, for all of k, packed at once: panels of nr columns, a dword of each after the other
 *   m by mc      L2    a block of the result's sums, if k is more than one block
 *   k by kc      L2    a block of a: packed only where its rows are not whole dwords that follow each other
 *   panel of b   L1-2  kc nr dwords
 *   panel of a   regs  mr rows: one kernel call
 * No stride of what is packed is a power of two: rows and panels are a line longer than they need be. */
#ifndef AISP_KIT_PACKED_PRODUCT_H
#define AISP_KIT_PACKED_PRODUCT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "kit/tiles.h"

/* A part of a row-major matrix: `rows` rows, `ld` elements apart, `width` elements of each. */
struct part {
    const void *at;
    int64_t ld, rows, width;
};

struct product_kind {
    int mr, nr;                  /* register tile */
    int pack;                    /* elements along k in a dword */
    int a_bytes, b_bytes, c_bytes; /* of an element, as it lies in memory */
    bool is_a_ready;             /* elements of a make dwords as they lie, if k is whole dwords */
    kernel_fn *const *kernel;    /* [rows - 1] */
    /* Rows of a to rows of dwords, to_ld apart. What fills the last dword up is zero. */
    void (*pack_a)(struct part a, void *to, int64_t to_ld);
    /* At most PRODUCT_GROUP bytes of each row of b to panels, `panel` dwords apart, zeros where they go beyond b. */
    void (*pack_b)(struct part b, void *to, int64_t panel);
    /* Sums (rows, width), nr apart, to c, ldc apart; NULL: they are what c is made of. */
    void (*finish)(const void *sums, int rows, int64_t width, void *c, int64_t ldc);
};

struct product {
    const struct product_kind *kind;
    int64_t m, n, k;
    const void *a, *b;
    void *c;
    uint32_t *workspace; /* of product_workspace_bytes, aligned to 64 bytes */
};

/* So many bytes of a row of b are packed together: whole lines, also where the rows are in pages of their own. */
enum { PRODUCT_GROUP = 128 };
enum { PRODUCT_KC = 512, PRODUCT_NC = 1024, PRODUCT_LINE = 16, PRODUCT_TILE = 14 * 32 }; /* dwords */

struct product_plan {
    int64_t words, mc, nc, kc; /* of k in dwords, and blocks in them */
    int64_t lda, panel, b_block; /* dwords between rows of a, panels of b, blocks of k of b */
    bool pack_a;
};

static inline int64_t product_least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* `n` in blocks of equal size, at most `block`, in whole steps: the last block is no sliver. */
static inline int64_t product_even(int64_t n, int64_t block, int64_t step)
{
    const int64_t count = (n + block - 1) / block, size = (n + count - 1) / count;

    return (size + step - 1) / step * step;
}

static inline struct product_plan product_plan(const struct product *p)
{
    const struct product_kind *kind = p->kind;
    const long l2_bytes = sysconf(_SC_LEVEL2_CACHE_SIZE); /* 0 where it is not known */
    const int64_t quarter = (l2_bytes > 0 ? l2_bytes : 512 * 1024) / 16;
    struct product_plan s = { .words = (p->k + kind->pack - 1) / kind->pack };

    s.kc = product_even(s.words, PRODUCT_KC, 8);
    s.nc = product_even(p->n, PRODUCT_NC, PRODUCT_GROUP / kind->b_bytes);
    s.mc = product_even(p->m, product_least(quarter / s.kc + kind->mr, p->m), kind->mr);
    s.pack_a = !kind->is_a_ready || s.words > s.kc || p->k % kind->pack > 0;
    s.lda = s.pack_a ? s.kc + PRODUCT_LINE : p->k / kind->pack;
    s.panel = s.kc * kind->nr + PRODUCT_LINE;
    s.b_block = s.nc / kind->nr * s.panel;
    return s;
}

static inline int64_t product_b_words(const struct product_plan *s)
{
    return (s->words + s->kc - 1) / s->kc * s->b_block;
}

static inline int64_t product_a_words(const struct product_plan *s)
{
    return s->pack_a ? s->mc * s->lda : 0;
}

/* Of a product with its kind, m, n and k. */
static inline size_t product_workspace_bytes(const struct product *p)
{
    const struct product_plan s = product_plan(p);
    const int64_t sums = s.words > s.kc ? s.mc * s.nc : 0;

    return (size_t)(product_b_words(&s) + product_a_words(&s) + sums) * sizeof(uint32_t);
}

/* nc columns of b from j on, all of k. */
static inline void product_pack_b(const struct product *p, const struct product_plan *s, int64_t j)
{
    const struct product_kind *kind = p->kind;
    const int64_t step = PRODUCT_GROUP / kind->b_bytes, nc = product_least(p->n - j, s->nc), rows = s->kc * kind->pack;

    for (int64_t row = 0; row < p->k; row += rows)
        for (int64_t x = 0; x < nc; x += step) {
            const struct part part = { .at = (const char *)p->b + (row * p->n + j + x) * kind->b_bytes,
                                       .ld = p->n,
                                       .rows = product_least(p->k - row, rows),
                                       .width = product_least(nc - x, step) };

            kind->pack_b(part, p->workspace + row / rows * s->b_block + x / kind->nr * s->panel, s->panel);
        }
}

/* One block of a times one panel of b. */
struct product_strip {
    const uint32_t *a, *b;
    uint32_t *sums; /* of earlier blocks of k, packed as b is */
    char *c;
    int64_t mc, kc, width;
    bool is_first, is_last;
};

static inline void product_strip(const struct product *p, const struct product_plan *s, const struct product_strip *x)
{
    const struct product_kind *kind = p->kind;
    const bool direct = x->width == kind->nr && !kind->finish;
    uint32_t scratch[PRODUCT_TILE] __attribute__((aligned(64)));
    struct tile t = { .lda = s->lda, .b = x->b, .k = x->kc };

    for (int64_t i = 0; i < x->mc; i += kind->mr) {
        const int rows = (int)product_least(x->mc - i, kind->mr);
        char *c = x->c + i * p->n * kind->c_bytes;

        t.a = x->a + i * s->lda;
        t.next_a = i + kind->mr < x->mc ? x->a + (i + kind->mr) * s->lda : x->a;
        t.sums = x->is_first ? NULL : x->sums + i * kind->nr;
        t.c = !x->is_last ? x->sums + i * kind->nr : direct ? (uint32_t *)c : scratch;
        t.ldc = x->is_last && direct ? p->n : kind->nr;
        for (int r = 0; x->is_last && r < rows; r++)
            __builtin_prefetch(c + r * p->n * kind->c_bytes, 1);
        kind->kernel[rows - 1](&t);
        if (!x->is_last || direct)
            continue;
        if (kind->finish)
            kind->finish(scratch, rows, x->width, c, p->n);
        for (int r = 0; !kind->finish && r < rows; r++)
            memcpy(c + r * p->n * kind->c_bytes, scratch + r * kind->nr, (size_t)x->width * sizeof *scratch);
    }
}

/* Rows from i on, columns from j on, block of k from dword w on. */
static inline void product_block(const struct product *p, const struct product_plan *s, int64_t i, int64_t j, int64_t w)
{
    const struct product_kind *kind = p->kind;
    const int64_t nc = product_least(p->n - j, s->nc), nr = kind->nr, first = w * kind->pack;
    const uint32_t *const b = p->workspace + w / s->kc * s->b_block;
    uint32_t *const a_packed = p->workspace + product_b_words(s), *const sums = a_packed + product_a_words(s);
    struct product_strip x = { .a = a_packed,
                               .mc = product_least(p->m - i, s->mc),
                               .kc = product_least(s->words - w, s->kc),
                               .is_first = w == 0,
                               .is_last = w + s->kc >= s->words };
    const struct part a = { .at = (const char *)p->a + (i * p->k + first) * kind->a_bytes,
                            .ld = p->k,
                            .rows = x.mc,
                            .width = product_least(p->k - first, s->kc * kind->pack) };

    if (s->pack_a)
        kind->pack_a(a, a_packed, s->lda);
    else
        x.a = a.at;
    for (int64_t col = 0; col < nc; col += nr) {
        x.b = b + col / nr * s->panel;
        x.sums = sums + col * s->mc;
        x.c = (char *)p->c + (i * p->n + j + col) * kind->c_bytes;
        x.width = product_least(nc - col, nr);
        product_strip(p, s, &x);
    }
}

static inline void product_run(const struct product *p)
{
    const struct product_plan s = product_plan(p);

    for (int64_t j = 0; j < p->n; j += s.nc) {
        product_pack_b(p, &s, j);
        for (int64_t i = 0; i < p->m; i += s.mc)
            for (int64_t w = 0; w < s.words; w += s.kc)
                product_block(p, &s, i, j, w);
    }
}

#endif
