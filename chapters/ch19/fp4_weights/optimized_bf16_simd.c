/* optimized_bf16_simd - eight lanes and four sums on the same bf16 copy: a bf16 is the upper half of an f32, so widening and
 * one shift are the conversion.
 * Expected: the baseline waits 4 cycles for each addition, this takes 3 instructions for 8 weights: 10x and more, until
 * reading two bytes a weight is the limit.
 * Costs: AVX2 with FMA; two bytes a weight, in memory and on the way. */
#include "bf16_copy.h"
#include "kit/lanes.h"

enum { LANES = 8, SUMS = 4 };

AVX2 __m256 widened(const uint16_t *w)
{
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)w)), 16));
}

/* Columns come in sixteens, so what the four sums leave over are whole pairs of vectors. */
__attribute__((target("avx2,fma"))) static float dot_avx2(const uint16_t *w, const float *x, int64_t cols)
{
    __m256 s[SUMS];
    int64_t c = 0;

    for (int k = 0; k < SUMS; k++)
        s[k] = _mm256_setzero_ps();
    for (; c + SUMS * LANES <= cols; c += SUMS * LANES)
        for (int k = 0; k < SUMS; k++)
            s[k] = _mm256_fmadd_ps(widened(w + c + k * LANES), _mm256_loadu_ps(x + c + k * LANES), s[k]);
    for (; c < cols; c += LANES)
        s[0] = _mm256_fmadd_ps(widened(w + c), _mm256_loadu_ps(x + c), s[0]);
    return lanes_sum(_mm256_add_ps(_mm256_add_ps(s[0], s[1]), _mm256_add_ps(s[2], s[3])));
}

static float dot_portable(const uint16_t *w, const float *x, int64_t cols)
{
    float s[4] = { 0 };

    for (int64_t c = 0; c < cols; c += 4)
        for (int k = 0; k < 4; k++)
            s[k] += float_of_bf16(w[c + k]) * x[c + k];
    return (s[0] + s[1]) + (s[2] + s[3]);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t rows = call->param[ROWS], cols = call->param[COLS];
    const int fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const uint16_t *w = call->state;
    float *y = call->tensor[Y];

    for (int64_t r = 0; r < rows; r++)
        y[r] = fast ? dot_avx2(w + r * cols, call->tensor[X], cols) : dot_portable(w + r * cols, call->tensor[X], cols);
    return AISP_OK;
}

AISP_DECLARE("idea: the bf16 copy eight at a time, four sums under way\n"
             "expect: instructions / 10\n"
             "uses: allocates");

AISP_VARIANT = { .abi = AISP_ABI, .setup = copy_setup, .run = run, .teardown = copy_teardown };
