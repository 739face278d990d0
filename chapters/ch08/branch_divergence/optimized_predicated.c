/* optimized_predicated - every element goes both ways, eight lanes at a time, and a mask selects.
 * Expected: the baseline spends 126 dependent operations, about 400 cycles of which little overlaps, on one element in eight,
 * and a wrong guess on nearly each of those: 30 to 40 cycles for every element. Both ways for all are 128 operations for eight
 * lanes, and 64 elements side by side hide that they depend on each other: 6 to 7 cycles an element, so 4x to 6x, although
 * seven in eight results of the long way are thrown away.
 * Costs: AVX2; the price of the long way for all. A way that may not be gone for others' arguments cannot be treated so. */
#include "ways.h"

AVX2 void select_groups(const float *x, const float *c, float *y)
{
    const __m256 from = _mm256_set1_ps(HARD_FROM);
    __m256 v[GROUPS], hard[GROUPS];

    for (int g = 0; g < GROUPS; g++)
        v[g] = _mm256_loadu_ps(x + g * LANES);
    long_way_groups(v, c, hard);
    for (int g = 0; g < GROUPS; g++) {
        const __m256 is_easy = _mm256_cmp_ps(v[g], from, _CMP_LT_OQ);

        _mm256_storeu_ps(y + g * LANES, _mm256_blendv_ps(hard[g], short_way8(v[g], c), is_easy));
    }
}

__attribute__((target("avx2,popcnt"))) static int64_t select_all(const float *x, const float *c, float *y, int64_t n)
{
    int64_t i = 0;

    for (; i + GROUPS * LANES <= n; i += GROUPS * LANES)
        select_groups(x + i, c, y + i);
    return i;
}

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[X], *c = call->tensor[C];
    const int64_t n = call->param[N];
    float *y = call->tensor[Y];
    const int64_t done = has_avx2() ? select_all(x, c, y, n) : 0;

    both_portable(x + done, c, y + done, n - done);
    return AISP_OK;
}

AISP_DECLARE("idea: both ways for all, eight lanes at a time, and a mask selects\n"
             "expect: branch misses / 50");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
