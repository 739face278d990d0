/* optimized_register - hold a tile of c in registers while p runs: 6x16 with AVX2, 2x8 without.
 * Expected: c is neither loaded nor stored in the inner loop, and each loaded b serves 6 rows, each
 * a 16 columns: 24 FMA operands for 8 loads instead of 1 for 3. The multiplier, no more the load
 * ports, is the limit as long as b is in a near cache.
 * Costs: a tile shape chosen for a register file, and a second code path for the edges. At sizes
 * beyond the caches, and at power-of-two strides, the columns of b collide in the cache sets: see
 * optimized_packed.
 * Contract: a (m,k)  b (k,n)  c (m,n): f32, row-major, no overlap.
 * Cost: 2mnk flop; 4 (1/16 + 1/6) bytes loaded for each multiply-add.
 * Error: |c - c64| <= g |A||B| elementwise, g = k u/(1 - k u), u = 2^-24. Source: Higham 2002,
 * section 3.5. */
#include <aisp/variant.h>

#include <immintrin.h>

#include "problem.h"

struct matrices {
    const float *a, *b;
    float *c;
    int64_t m, n, k;
};

typedef void strip_fn(const struct matrices *, int64_t i, int64_t j);

/* One element after the other: for what no tile covers. */
static void edge(const struct matrices *x, int64_t i0, int64_t i1, int64_t j0, int64_t j1)
{
    for (int64_t i = i0; i < i1; i++)
        for (int64_t j = j0; j < j1; j++) {
            float sum = 0;

            for (int64_t p = 0; p < x->k; p++)
                sum += x->a[i * x->k + p] * x->b[p * x->n + j];
            x->c[i * x->n + j] = sum;
        }
}

/* 12 accumulators, 2 vectors of b, 1 broadcast of a: 15 of 16 registers. */
__attribute__((target("avx2,fma"))) static void tile_6x16(const struct matrices *x, int64_t i,
                                                          int64_t j)
{
    const int64_t n = x->n, k = x->k;
    const float *a = x->a + i * k, *b = x->b + j;
    float *c = x->c + i * n + j;
    __m256 c00 = _mm256_setzero_ps(), c01 = c00, c10 = c00, c11 = c00, c20 = c00, c21 = c00;
    __m256 c30 = c00, c31 = c00, c40 = c00, c41 = c00, c50 = c00, c51 = c00;

    for (int64_t p = 0; p < k; p++, b += n) {
        const __m256 b0 = _mm256_loadu_ps(b), b1 = _mm256_loadu_ps(b + 8);
        __m256 v;

#define ROW(r)                                                                                     \
    v = _mm256_broadcast_ss(a + (r)*k + p);                                                        \
    c##r##0 = _mm256_fmadd_ps(v, b0, c##r##0);                                                     \
    c##r##1 = _mm256_fmadd_ps(v, b1, c##r##1)
        ROW(0);
        ROW(1);
        ROW(2);
        ROW(3);
        ROW(4);
        ROW(5);
#undef ROW
    }
#define ROW(r)                                                                                     \
    _mm256_storeu_ps(c + (r)*n, c##r##0);                                                          \
    _mm256_storeu_ps(c + (r)*n + 8, c##r##1)
    ROW(0);
    ROW(1);
    ROW(2);
    ROW(3);
    ROW(4);
    ROW(5);
#undef ROW
}

typedef float f32x4 __attribute__((vector_size(16), aligned(4)));

/* 4 accumulators, 2 vectors of b, 2 broadcasts of a and their products: fits the 16 SSE registers
 * and any other file. */
static void tile_2x8(const struct matrices *x, int64_t i, int64_t j)
{
    const int64_t n = x->n, k = x->k;
    const float *a = x->a + i * k, *b = x->b + j;
    f32x4 *c0 = (f32x4 *)(x->c + i * n + j), *c1 = (f32x4 *)(x->c + (i + 1) * n + j);
    f32x4 c00 = { 0 }, c01 = c00, c10 = c00, c11 = c00;

    for (int64_t p = 0; p < k; p++, b += n) {
        const f32x4 b0 = *(const f32x4 *)b, b1 = *(const f32x4 *)(b + 4);

        c00 += a[p] * b0;
        c01 += a[p] * b1;
        c10 += a[k + p] * b0;
        c11 += a[k + p] * b1;
    }
    c0[0] = c00;
    c0[1] = c01;
    c1[0] = c10;
    c1[1] = c11;
}

static enum aisp_status run(const struct aisp_call *call)
{
    const struct matrices x = { call->tensor[A], call->tensor[B], call->tensor[C],
                                call->param[M],  call->param[N],  call->param[K] };
    const int wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const int64_t mr = wide ? 6 : 2, nr = wide ? 16 : 8;
    const int64_t m_full = x.m / mr * mr, n_full = x.n / nr * nr;
    strip_fn *const tile = wide ? tile_6x16 : tile_2x8;

    for (int64_t j = 0; j < n_full; j += nr)
        for (int64_t i = 0; i < m_full; i += mr)
            tile(&x, i, j);
    edge(&x, 0, m_full, n_full, x.n);
    edge(&x, m_full, x.m, 0, x.n);
    return AISP_OK;
}

AISP_DECLARE("idea: a 6x16 tile of c lives in registers while k runs\n"
             "expect: L1 loads and stores / 4");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
