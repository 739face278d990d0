/* optimized_packed - tiles for every level of the memory ladder, with b (and a, where it pays)
 * copied into the order in which the register tile reads them. The panels of b that are needed next
 * are copied inside the register tile's loop, a line of them every eight steps.
 * Expected: the multiplier is the limit, not the memory. The inner loop reads a panel of b and one
 * of a from L1 and L2, both sequential and prefetched; sums of several k blocks stay packed until
 * the last, and k is the inner of the outer loops, so that they are few enough for a cache; the
 * copies take load and store slots that the multiplier leaves free. So the rate is nearly the same
 * at any size from 256 on, power-of-two strides included: no packed stride is a power of two.
 * Costs: scratch for the copies and sums (4 bytes an element of nc_block columns of b and, where k
 * is more than one block, of mc rows of c), and one hand-written kernel for each instruction set.
 *
 * The loops, outermost first; x_block is the isa's, mc follows from the size of L2:
 *   n by nc_block     L3   b for all of k: panels of nr columns, kc rows of nr floats
 *   m by mc           L2-3 sums of mc rows of c
 *   k by kc_block     L2   a block of a: rows kc apart plus a line; copied only where the rows of a
 *                          do not follow each other already
 *   panel of b        L1   kc * nr floats
 *   panel of a        regs mr rows: one kernel call, c[mr][nr] (+)= a[mr][kc] b[kc][nr]
 * Contract: a (m,k)  b (k,n)  c (m,n): f32, row-major, no overlap, any m, n, k >= 1.
 * Cost: 2mnk flop; copies 8 (kn + mk ceil(n/nc_block)) bytes; 8mn (ceil(k/kc_block) - 1) bytes of
 * sums; 4mn bytes of c, each written once.
 * Error: |c - c64| <= g |A||B| elementwise, g = k u/(1 - k u), u = 2^-24. Source: Higham 2002,
 * section 3.5; the order of the loops is that of Goto and van de Geijn, ACM TOMS 34(3), 2008. */
#include <aisp/variant.h>

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "kit/tiles.h"
#include "problem.h"

/* clang-format off */
AISP_TILES_6X16(avx2, Y_F32, "vaddps");
Y_KERNEL(6, avx2_copying, COPYING, Y_F32, "vaddps")
AISP_TILES_14X32(avx512, "avx512f", "vfmadd231ps", "vaddps");
Z_KERNEL(14, avx512_copying, COPYING, "avx512f", "vfmadd231ps", "vaddps")
/* clang-format on */

struct isa {
    int mr, nr;             /* register tile */
    int k_whole;            /* up to here k is one block: c is touched once, and a needs no copy */
    int kc_block, nc_block; /* beyond it; multiples of 8 and of nr */
    kernel_fn *const *kernel; /* [rows - 1], rows 1 .. mr */
    kernel_fn *copying;       /* the one for mr rows that copies as well, if there is one */
};

enum { LINE = 16, MAX_TILE = 14 * 32 }; /* floats */
/* So many columns of b are made into panels together, row by row: the reads are long enough for the
 * prefetchers and fall into many cache sets where the rows are a power of two apart. */
enum { GROUP = 64 };

static int64_t at_most(int64_t a, int64_t limit)
{
    return a < limit ? a : limit;
}
static int64_t at_least(int64_t a, int64_t limit)
{
    return a > limit ? a : limit;
}
static int64_t blocks(int64_t n, int64_t block)
{
    return (n + block - 1) / block;
}
static int64_t round_up(int64_t a, int64_t step)
{
    return blocks(a, step) * step;
}

static const struct isa portable_isa = { 2, 8, 512, 256, 2048, portable_f32_kernel, NULL };
static const struct isa avx2_isa = { 6, 16, 512, 256, 2048, avx2_kernel, avx2_copying };
static const struct isa avx512_isa = { 14, 32, 512, 704, 2048, avx512_kernel, avx512_copying };

static const struct isa *pick(void)
{
    if (__builtin_cpu_supports("avx512f"))
        return &avx512_isa;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &avx2_isa;
    return &portable_isa;
}

/* Of one block of a that is to stay in L2; half as many where sums pass through it as well. */
static int64_t a_floats(void)
{
    const long l2_bytes = sysconf(_SC_LEVEL2_CACHE_SIZE); /* 0 where it is not known */

    return (l2_bytes > 0 ? l2_bytes : 512 * 1024) / (long)sizeof(float);
}

/* `n` in blocks of equal size, at most `block`, in whole steps: the last block is no sliver. */
static int64_t even_block(int64_t n, int64_t block, int64_t step)
{
    return round_up(blocks(n, blocks(n, block)), step);
}

struct plan {
    const struct isa *isa;
    int64_t m, n, k, mc, nc, kc;
    int64_t lda, panel; /* floats between packed rows of a, between packed panels of b */
    int64_t n_groups;   /* of panels of b: all for nc and one, or two if each is used once */
    bool pack_a;
    size_t b_floats, a_floats, sum_floats;
};

static struct plan plan_of(const int64_t *param)
{
    struct plan s = { .isa = pick(), .m = param[M], .n = param[N], .k = param[K] };

    s.kc = even_block(s.k, s.k <= s.isa->k_whole ? s.isa->k_whole : s.isa->kc_block, s.isa->nr);
    s.nc = even_block(s.n, s.isa->nc_block, s.isa->nr);
    s.pack_a = s.k > s.kc; /* one k block: the rows of a follow each other already */
    s.mc = even_block(s.m, at_least(a_floats() / (s.kc << s.pack_a), s.isa->mr), s.isa->mr);
    s.lda = s.kc + LINE; /* rows and panels start in different cache sets */
    s.panel = s.kc * s.isa->nr + LINE;
    s.n_groups = s.mc >= s.m ? 2 : blocks(s.k, s.kc) * blocks(s.nc, GROUP) + 1;
    s.b_floats = (size_t)(s.n_groups * (GROUP / s.isa->nr) * s.panel);
    s.a_floats = s.pack_a ? (size_t)(s.mc * s.lda) : 0;
    s.sum_floats = s.pack_a ? (size_t)(s.mc * s.nc) : 0;
    return s;
}

static size_t workspace_bytes(const int64_t *param)
{
    const struct plan s = plan_of(param);

    return (s.b_floats + s.a_floats + s.sum_floats) * sizeof(float);
}

/* A copy in the making: `rows` of `width` floats, in pieces of nr floats, the last of a row filled
 * up with zeros. Where they go, a piece is to_ld and a row to_row behind the one before. */
struct copy {
    const float *from;
    float *to;
    int64_t from_ld, to_ld, to_row, rows, width, pieces, done;
};

static void copy_rest(struct copy *w, int64_t nr)
{
    int64_t piece = w->done % w->pieces;

    for (int64_t row = w->done / w->pieces; row < w->rows; row++, piece = 0)
        for (; piece < w->pieces; piece++) {
            const float *from = w->from + row * w->from_ld + piece * nr;
            float *to = w->to + row * w->to_row + piece * w->to_ld;
            const int64_t n = at_most(w->width - piece * nr, nr);

            __builtin_prefetch(from + 4 * w->from_ld); /* past the end that is harmless */
            memcpy(to, from, n * sizeof *to);
            if (n < nr)
                memset(to + n, 0, (nr - n) * sizeof *to);
        }
    w->done = w->rows * w->pieces;
}

/* Hand the kernel of this tile as many pieces as it copies, if they are left. It copies whole ones:
 * where the last of a row is narrow, the begin of the next row comes with it, into columns that no
 * c is made of; the last row, which has no next, is left to copy_rest. */
static bool copy_with(struct copy *w, struct tile *t, int64_t nr)
{
    const bool is_narrow = w->width % nr > 0;
    const int64_t n = t->k / 8, end = (w->rows - is_narrow) * w->pieces;

    if (n == 0 || w->done + n > end || w->from_ld < nr)
        return false;
    t->left = w->pieces - w->done % w->pieces;
    t->from = w->from + w->done / w->pieces * w->from_ld + (w->pieces - t->left) * nr;
    t->from_ld = w->from_ld;
    t->to = w->to + w->done / w->pieces * w->to_row + (w->pieces - t->left) * w->to_ld;
    t->to_ld = w->to_ld;
    t->to_row = w->to_row;
    t->pieces = w->pieces;
    w->done += n;
    return true;
}

/* A place in the three outer loops. */
struct place {
    int64_t j, i, p;
};

static struct place after(const struct plan *s, struct place at)
{
    at.p += s->kc;
    if (at.p >= s->k) {
        at.p = 0;
        at.i += s->mc;
    }
    if (at.i >= s->m) {
        at.i = 0;
        at.j += s->nc;
    }
    return at;
}

/* What is in use and what is in the making. */
struct work {
    const struct plan *plan;
    const float *a, *b; /* the whole matrices */
    float *c, *b_packed, *a_packed, *sums;
    struct copy b_copy;
    int64_t first_group; /* of the nc columns of b in use, counted through */
};

/* Just before it is used, over the block before it, whose lines are in L2. */
static void pack_a(const struct work *w, struct place at)
{
    const struct plan *s = w->plan;
    const int64_t rows = at_most(s->m - at.i, s->mc), width = at_most(s->k - at.p, s->kc);

    for (int64_t r = 0; r < rows; r++)
        memcpy(w->a_packed + r * s->lda, w->a + (at.i + r) * s->k + at.p, width * sizeof *w->a);
}

/* The panel at column j of the block of b at `at`, or of the group behind its last. */
static float *panel_at(const struct work *w, struct place at, int64_t j)
{
    const struct plan *s = w->plan;
    const int64_t n_groups = blocks(at_most(s->n - at.j, s->nc), GROUP);
    const int64_t slot = (w->first_group + at.p / s->kc * n_groups + j / GROUP) % s->n_groups;

    return w->b_packed + (slot * GROUP + j % GROUP) / s->isa->nr * s->panel;
}

/* A group of panels, from column j on of the block of b at `at`. */
static void begin_b(struct work *w, struct place at, int64_t j, float *to)
{
    const struct plan *s = w->plan;
    const int64_t nr = s->isa->nr, width = at_most(at_most(s->n - at.j, s->nc) - j, GROUP);

    w->b_copy = (struct copy){ .from = w->b + at.p * s->n + at.j + j,
                               .to = to,
                               .from_ld = s->n,
                               .to_ld = s->panel,
                               .to_row = nr,
                               .rows = at_most(s->k - at.p, s->kc),
                               .width = width,
                               .pieces = blocks(width, nr) };
}

/* Before the first panel of a group: it must be whole, and the next that is used for the first time
 * begins, be it of this block of b or of the next. */
static void turn_group(struct work *w, struct place at, int64_t j, int64_t nc)
{
    const struct plan *s = w->plan;
    const struct place next = after(s, at);
    float *const to = panel_at(w, at, j + GROUP);

    if (at.i == 0)
        copy_rest(&w->b_copy, s->isa->nr);
    if (at.i == 0 && j + GROUP < nc)
        begin_b(w, at, j + GROUP, to);
    else if (next.i == 0 && j + GROUP >= nc && next.j < s->n)
        begin_b(w, next, 0, to);
}

/* A tile narrower than nr goes through scratch. */
static void narrow_tile(const struct isa *isa, struct tile t, int rows, int64_t width)
{
    float scratch[MAX_TILE] __attribute__((aligned(64)));
    float *const c = t.c;
    const int64_t ldc = t.ldc;

    t.c = scratch;
    t.ldc = isa->nr;
    isa->kernel[rows - 1](&t);
    for (int r = 0; r < rows; r++)
        memcpy(c + r * ldc, scratch + r * isa->nr, width * sizeof *c);
}

/* One block of a (mc rows, lda apart) times one panel of b. Sums of earlier k blocks lie packed,
 * panel after panel as b, and c itself is written in the last k block alone: its rows may be a
 * power of two apart, and then share a few cache sets. */
struct strip {
    const float *a, *b;
    float *c, *sums;
    int64_t lda, mc, kc, width;
    bool is_first, is_last;
};

static void multiply_strip(struct work *w, const struct strip *x)
{
    const struct isa *isa = w->plan->isa;
    const float *next_b = x->b + w->plan->panel;
    const int64_t ahead = blocks(blocks(w->plan->panel, LINE), blocks(x->mc, isa->mr));
    struct tile t = {
        .lda = x->lda, .b = x->b, .k = x->kc, .ldc = x->is_last ? w->plan->n : isa->nr
    };

    for (int64_t i = 0; i < x->mc; i += isa->mr) {
        const int rows = (int)at_most(x->mc - i, isa->mr);
        float *const c = x->is_last ? x->c + i * t.ldc : x->sums + i * isa->nr;

        t.a = x->a + i * x->lda;
        t.next_a = i + isa->mr < x->mc ? x->a + (i + isa->mr) * x->lda : x->a;
        t.sums = x->is_first ? NULL : x->sums + i * isa->nr;
        t.c = c;
        for (int r = 0; r < rows; r++)
            __builtin_prefetch(c + r * t.ldc, 1);
        for (int r = 0; r < rows && t.sums && x->is_last; r++)
            __builtin_prefetch((const float *)t.sums + r * isa->nr);
        for (int64_t l = 0; l < ahead; l++, next_b += LINE)
            __builtin_prefetch(next_b, 0, 2);
        if (x->width < isa->nr && x->is_last)
            narrow_tile(isa, t, rows, x->width);
        else if (rows == isa->mr && isa->copying && copy_with(&w->b_copy, &t, isa->nr))
            isa->copying(&t);
        else
            isa->kernel[rows - 1](&t);
    }
}

static void multiply_block(struct work *w, struct place at)
{
    const struct plan *s = w->plan;
    const int64_t nr = s->isa->nr, nc = at_most(s->n - at.j, s->nc);
    struct strip x = { .a = s->pack_a ? w->a_packed : w->a + at.i * s->k,
                       .lda = s->pack_a ? s->lda : s->k,
                       .mc = at_most(s->m - at.i, s->mc),
                       .kc = at_most(s->k - at.p, s->kc),
                       .is_first = at.p == 0,
                       .is_last = at.p + s->kc >= s->k };

    for (int64_t j = 0; j < nc; j += nr) {
        if (j % GROUP == 0)
            turn_group(w, at, j, nc);
        x.b = panel_at(w, at, j);
        x.c = w->c + at.i * s->n + at.j + j;
        x.sums = w->sums + j * s->mc;
        x.width = at_most(nc - j, nr);
        multiply_strip(w, &x);
    }
    if (after(s, at).j != at.j)
        w->first_group += blocks(s->k, s->kc) * blocks(nc, GROUP);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const struct plan s = plan_of(call->param);
    float *const scratch = call->workspace, *const a_packed = scratch + s.b_floats;
    struct work w = { .plan = &s,
                      .a = call->tensor[A],
                      .b = call->tensor[B],
                      .c = call->tensor[C],
                      .b_packed = scratch,
                      .a_packed = a_packed,
                      .sums = a_packed + s.a_floats };
    struct place at = { 0, 0, 0 };

    begin_b(&w, at, 0, w.b_packed);
    for (; at.j < s.n; at = after(&s, at)) {
        if (s.pack_a)
            pack_a(&w, at);
        multiply_block(&w, at);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: packed panels feed a 6x16 (AVX-512: 14x32) register tile at full FMA rate\n"
             "expect: FMA utilisation 0.9");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
