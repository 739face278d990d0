/* optimized_packed - tiles for every level of the memory ladder, with b (and a, where it pays)
 * copied into the order in which the register tile reads them, a little of the next piece under
 * each register tile.
 * Expected: the multiplier is the limit, not the memory. The inner loop reads a panel of b and one
 * of a from L1 and L2, both sequential and prefetched; sums of several k blocks stay packed until
 * the last; the copies cost issue slots but no waiting. So the rate is nearly the same at any size
 * from 256 on, power-of-two strides included: no packed stride is a power of two.
 * Costs: scratch for the copies and sums (4 bytes an element of a k block of b, and of c where k is
 * more than one block), and one hand-written kernel for each instruction set.
 *
 * The loops, outermost first; x_block is the isa's:
 *   n by nc_block, k by kc_block  L3   a block of b: panels of nr columns, kc rows of nr floats
 *   m by mc                       L2   a block of a: rows kc apart plus a line; copied only where
 *                                      the rows of a do not follow each other already
 *   panel of b                    L1   kc * nr floats
 *   panel of a                    regs mr rows: one kernel call, c[mr][nr] (+)= a[mr][kc] b[kc][nr]
 * Contract: a (m,k)  b (k,n)  c (m,n): f32, row-major, no overlap, any m, n, k >= 1.
 * Cost: 2mnk flop; copies 8 (kn + mk ceil(n/nc_block)) bytes; 8mn (ceil(k/kc_block) - 1) bytes of
 * sums; 4mn bytes of c, each written once.
 * Error: |c - c64| <= g |A||B| elementwise, g = k u/(1 - k u), u = 2^-24. Source: Higham 2002,
 * section 3.5; the order of the loops is that of Goto and van de Geijn, ACM TOMS 34(3), 2008. */
#include <aisp/variant.h>

#include <string.h>

#include "packed_kernels.h"
#include "problem.h"

struct isa {
    int mr, nr;             /* register tile */
    int k_whole;            /* up to here k is one block: c is touched once, and a needs no copy */
    int kc_block, nc_block; /* beyond it; multiples of 8 and of nr */
    int a_floats;           /* of one block of a that is to stay in L2; half where two are needed */
    kernel_fn *const *kernel; /* [rows - 1], rows 1 .. mr */
};

enum { LINE = 16, MAX_TILE = 14 * 32 }; /* floats */

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

static const struct isa portable_isa = { 2, 8, 512, 256, 2048, 64 * 1024, portable_kernel };
static const struct isa avx2_isa = { 6, 16, 512, 384, 2048, 128 * 1024, avx2_kernel };
static const struct isa avx512_isa = { 14, 32, 512, 384, 2048, 256 * 1024, avx512_kernel };

static const struct isa *pick(void)
{
    if (__builtin_cpu_supports("avx512f"))
        return &avx512_isa;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &avx2_isa;
    return &portable_isa;
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
    int64_t n_panels;   /* of b that are kept: a whole block, or two where each is soon used up */
    int pack_a;
    size_t b_floats, sum_floats;
    size_t a_floats; /* of one block; there are two, one in use and one in the making */
};

static struct plan plan_of(const int64_t *param)
{
    struct plan s = { .isa = pick(), .m = param[M], .n = param[N], .k = param[K] };

    s.kc = even_block(s.k, s.k <= s.isa->k_whole ? s.isa->k_whole : s.isa->kc_block, 8);
    s.nc = even_block(s.n, s.isa->nc_block, s.isa->nr);
    s.pack_a = s.k > s.kc; /* one k block: the rows of a follow each other already */
    s.mc = even_block(s.m, at_least(s.isa->a_floats / (s.kc << s.pack_a), s.isa->mr), s.isa->mr);
    s.lda = s.kc + LINE; /* rows and panels start in different cache sets */
    s.panel = s.kc * s.isa->nr + LINE;
    s.n_panels = s.mc >= s.m ? 2 : s.nc / s.isa->nr;
    s.b_floats = (size_t)(s.n_panels * s.panel);
    s.a_floats = s.pack_a ? (size_t)(s.mc * s.lda) : 0;
    s.sum_floats = s.pack_a ? (size_t)(s.m * s.nc) : 0;
    return s;
}

static size_t workspace_bytes(const int64_t *param)
{
    const struct plan s = plan_of(param);

    return (s.b_floats + 2 * s.a_floats + s.sum_floats) * sizeof(float);
}

/* A copy that is done in steps, one chunk a step: rows of `width` floats, `chunk` at a time, what
 * is missing in the last chunk of a row filled up with zeros. Its source was prefetched `ahead`
 * floats before: rows lie in pages of their own, where no hardware prefetcher follows, and a
 * prefetch past the end is harmless. */
struct copy {
    const float *from;
    float *to;
    int64_t from_ld, to_ld, rows, width, chunk, ahead, row, column;
};

static void copy_chunk(float *to, const float *from, int64_t width, int64_t chunk)
{
    if (width >= 32 && chunk == 32)
        memcpy(to, from, 128);
    else if (width >= 16 && chunk == 16)
        memcpy(to, from, 64);
    else
        for (int64_t i = 0; i < chunk; i++)
            to[i] = i < width ? from[i] : 0;
}

static void copy_steps(struct copy *w, int64_t n_steps)
{
    for (; n_steps > 0 && w->row < w->rows; n_steps--) {
        const float *from = w->from + w->row * w->from_ld + w->column;

        __builtin_prefetch(from + w->ahead, 0, 2);
        copy_chunk(w->to + w->row * w->to_ld + w->column, from, w->width - w->column, w->chunk);
        w->column += w->chunk;
        if (w->column >= w->width) {
            w->column = 0;
            w->row++;
        }
    }
}

static void copy_rest(struct copy *w)
{
    copy_steps(w, INT64_MAX);
}

/* A place in the three outer loops. */
struct place {
    int64_t j, p, i;
};

static struct place after(const struct plan *s, struct place at)
{
    at.i += s->mc;
    if (at.i >= s->m) {
        at.i = 0;
        at.p += s->kc;
    }
    if (at.p >= s->k) {
        at.p = 0;
        at.j += s->nc;
    }
    return at;
}

/* What is in use and what is in the making. */
struct work {
    const struct plan *plan;
    const float *a, *b; /* the whole matrices */
    float *c, *b_packed, *a_packed[2], *sums;
    struct copy a_copy, b_copy;
    int turn; /* of a_packed, the one in the making */
};

static void begin_a(struct work *w, struct place at)
{
    const struct plan *s = w->plan;

    w->a_copy = (struct copy){ .from = w->a + at.i * s->k + at.p,
                               .to = w->a_packed[w->turn],
                               .from_ld = s->k,
                               .to_ld = s->lda,
                               .rows = at_most(s->m - at.i, s->mc),
                               .width = at_most(s->k - at.p, s->kc),
                               .chunk = LINE,
                               .ahead = s->k };
}

static float *panel_at(const struct work *w, int64_t j)
{
    return w->b_packed + j / w->plan->isa->nr % w->plan->n_panels * w->plan->panel;
}

/* The panel at column j of the block of b at `at`; nothing if there is none. */
static void begin_b(struct work *w, struct place at, int64_t j)
{
    const struct plan *s = w->plan;
    const int64_t left = at_most(s->n - at.j, s->nc) - j;

    w->b_copy = (struct copy){ .from = w->b + at.p * s->n + at.j + j,
                               .to = panel_at(w, j),
                               .from_ld = s->n,
                               .to_ld = s->isa->nr,
                               .rows = left > 0 ? at_most(s->k - at.p, s->kc) : 0,
                               .width = at_most(left, s->isa->nr),
                               .chunk = s->isa->nr,
                               .ahead = 24 * s->n };
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
    int64_t lda, mc, kc, width, a_steps, b_steps;
    int is_first, is_last;
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

        t.a = x->a + i * x->lda;
        t.next_a = i + isa->mr < x->mc ? t.a + isa->mr * x->lda : x->a;
        t.sums = x->is_first ? NULL : x->sums + i * isa->nr;
        t.c = x->is_last ? x->c + i * t.ldc : x->sums + i * isa->nr;
        for (int r = 0; r < rows; r++)
            __builtin_prefetch(t.c + r * t.ldc, 1);
        if (x->b_steps)
            copy_steps(&w->b_copy, x->b_steps);
        else
            for (int64_t l = 0; l < ahead; l++, next_b += LINE)
                __builtin_prefetch(next_b, 0, 2);
        copy_steps(&w->a_copy, x->a_steps);
        if (x->width == isa->nr || !x->is_last)
            isa->kernel[rows - 1](&t);
        else
            narrow_tile(isa, t, rows, x->width);
    }
}

static void multiply_block(struct work *w, struct place at, const float *a, int64_t lda)
{
    const struct plan *s = w->plan;
    const int64_t nr = s->isa->nr, nc = at_most(s->n - at.j, s->nc);
    struct strip x = { .a = a,
                       .lda = lda,
                       .mc = at_most(s->m - at.i, s->mc),
                       .kc = at_most(s->k - at.p, s->kc),
                       .is_first = at.p == 0,
                       .is_last = at.p + s->kc >= s->k };
    const int64_t tiles = blocks(x.mc, s->isa->mr);

    x.a_steps = blocks(w->a_copy.rows * blocks(w->a_copy.width, LINE), tiles * blocks(nc, nr));
    x.b_steps = at.i == 0 ? blocks(x.kc, tiles) : 0;
    if (at.i == 0)
        begin_b(w, at, 0);
    for (int64_t j = 0; j < nc; j += nr) {
        if (at.i == 0) {
            copy_rest(&w->b_copy);
            begin_b(w, at, j + nr);
        }
        x.b = panel_at(w, j);
        x.c = w->c + at.i * s->n + at.j + j;
        x.sums = w->sums + j * s->m + at.i * nr;
        x.width = at_most(nc - j, nr);
        multiply_strip(w, &x);
    }
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
                      .a_packed = { a_packed, a_packed + s.a_floats },
                      .sums = a_packed + 2 * s.a_floats };
    struct place at = { 0, 0, 0 };

    if (s.pack_a)
        begin_a(&w, at);
    while (at.j < s.n) {
        const struct place next = after(&s, at);
        const float *a = w.a + at.i * s.k + at.p;

        if (s.pack_a) {
            copy_rest(&w.a_copy);
            a = w.a_packed[w.turn];
            w.turn = !w.turn;
            if (next.j < s.n)
                begin_a(&w, next);
        }
        multiply_block(&w, at, a, s.pack_a ? s.lda : s.k);
        at = next;
    }
    return AISP_OK;
}

AISP_DECLARE("idea: packed panels feed a 6x16 (AVX-512: 14x32) register tile at full FMA rate\n"
             "expect: FMA utilisation 0.85");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
