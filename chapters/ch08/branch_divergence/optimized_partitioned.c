/* optimized_partitioned - in blocks of 1024: the short way for all, and a list of those that need the long way; then the long
 * way for the list, eight lanes at a time.
 * Expected: the long way is gone by one element in eight again, but by full vectors: 0.8 cycles an element instead of 6 to 7.
 * The list costs two stores, a comparison and an addition for each element, 2 to 3 cycles, without a branch: 1.6x to 2x over
 * optimized_predicated. Half as long a way would leave nothing of that.
 * Costs: AVX2, lists of 8 KiB. If nearly all go one way, or the long way is short, a selection is cheaper than a list. */
#include "partition.h"

__attribute__((target("avx2,popcnt"))) static void block(const float *x, const float *c, float *y, int64_t n)
{
    struct hard hard;
    int64_t i = 0, found = 0;

    for (; i + LANES <= n; i += LANES)
        _mm256_storeu_ps(y + i, short_way8(_mm256_loadu_ps(x + i), c));
    for (; i < n; i++)
        y[i] = short_way(x[i], c);
    for (i = 0; i < n; i++) {
        hard.x[found] = x[i];
        hard.at[found] = (int32_t)i;
        found += !(x[i] < HARD_FROM);
    }
    hard.n = found;
    hard_finish(&hard, c, y);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[X], *c = call->tensor[C];
    const int64_t n = call->param[N];
    float *y = call->tensor[Y];

    if (!has_avx2()) {
        both_portable(x, c, y, n);
        return AISP_OK;
    }
    for (int64_t i = 0; i < n; i += BLOCK)
        block(x + i, c, y + i, n - i < BLOCK ? n - i : BLOCK);
    return AISP_OK;
}

AISP_DECLARE("idea: the elements of the long way are brought together and go it in full vectors\n"
             "expect: floating operations / 6");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
