/* optimized_blocked - the same loops over tiles of b that stay in the L1 cache while all rows of a
 * pass by.
 * Expected: b comes from L1 instead of the level that holds all of it, so the loop runs at the L1
 * load and store rate whatever n and k are; little at sizes where b fits L2, a factor where it does
 * not.
 * Costs: two more loops and c read and written k / TILE_K times.
 * Contract: a (m,k)  b (k,n)  c (m,n): f32, row-major, no overlap.
 * Cost: 2mnk flop; 12 bytes of L1 traffic for each multiply-add; 4 (mnk/TILE_K*2 + mk*n/TILE_N +
 * kn) bytes beyond L1.
 * Error: |c - c64| <= g |A||B| elementwise, g = k u/(1 - k u), u = 2^-24. Source: Higham 2002,
 * section 3.5. */
#include <aisp/variant.h>

#include "problem.h"

/* A tile of b is 64 x 96 floats = 24 KiB of a 32 KiB L1, the rest is for a row of c and a. */
enum { TILE_K = 64, TILE_N = 96 };

static int64_t at_most(int64_t a, int64_t limit)
{
    return a < limit ? a : limit;
}

static void tile(const float *restrict a, const float *restrict b, float *restrict c, int64_t m,
                 int64_t n, int64_t k, int64_t j0, int64_t p0)
{
    const int64_t j1 = at_most(j0 + TILE_N, n), p1 = at_most(p0 + TILE_K, k);

    for (int64_t i = 0; i < m; i++) {
        if (p0 == 0)
            for (int64_t j = j0; j < j1; j++)
                c[i * n + j] = 0;
        for (int64_t p = p0; p < p1; p++)
            for (int64_t j = j0; j < j1; j++)
                c[i * n + j] += a[i * k + p] * b[p * n + j];
    }
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t m = call->param[M], n = call->param[N], k = call->param[K];

    for (int64_t j0 = 0; j0 < n; j0 += TILE_N)
        for (int64_t p0 = 0; p0 < k; p0 += TILE_K)
            tile(call->tensor[A], call->tensor[B], call->tensor[C], m, n, k, j0, p0);
    return AISP_OK;
}

AISP_DECLARE("idea: 64x96 tiles of b stay in L1 while every row of a passes by\n"
             "expect: L2 reads of b / 8");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
