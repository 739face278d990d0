/* optimized_fp4_in_place - a 4-bit float is already a float: with its sign moved to the sign of an f32 and its three other
 * bits to the end of the exponent and the begin of the fraction it is the same number, only 2^126 times too small.
 * Expected: a lane is four bytes, eight columns; two shifts, a mask and a multiply-add are eight weights, with no table, no
 * widening and no conversion: 20 instructions for 32 weights instead of 40, 1.5 to 1.8x over optimized_fp4_lookup. x is 2^60
 * times larger and in the order of the lanes, once for all rows; the scales take the other 2^66 away.
 * Costs: AVX2 with FMA; a turned x in the workspace; +-0.5 is a subnormal f32, on which some cores are slow (Zen is not) and
 * which must not be flushed to zero; up to three last blocks go the other way. Powers of two are exact: products round as
 * before. */
#include <aisp/variant.h>

#include "lookup.h"

enum { NIBBLES = 8, AT_ONCE = LANES * NIBBLES };

static void turn(const float *x, float *to, int64_t cols)
{
    for (int64_t c = 0; c + AT_ONCE <= cols; c += AT_ONCE)
        for (int lane = 0; lane < LANES; lane++)
            for (int k = 0; k < NIBBLES; k++)
                to[c + k * LANES + lane] = 0x1p60f * x[c + lane * NIBBLES + k];
}

/* 64 weights without their scales. */
AVX2 __m256 sum_in_place(const uint8_t *w, const float *x)
{
    const __m256i words = _mm256_loadu_si256((const __m256i *)w), keep = _mm256_set1_epi32((int)0x81c00000);
    __m256 a = _mm256_setzero_ps(), b = a;

    for (int k = 0; k < NIBBLES; k += 2) {
        const __m256i low = _mm256_slli_epi32(words, 28 - 4 * k), high = _mm256_slli_epi32(words, 24 - 4 * k);
        const __m256i even = _mm256_and_si256(_mm256_srai_epi32(low, 6), keep);
        const __m256i odd = _mm256_and_si256(_mm256_srai_epi32(high, 6), keep);

        a = _mm256_fmadd_ps(_mm256_castsi256_ps(even), _mm256_loadu_ps(x + k * LANES), a);
        b = _mm256_fmadd_ps(_mm256_castsi256_ps(odd), _mm256_loadu_ps(x + (k + 1) * LANES), b);
    }
    return _mm256_add_ps(a, b);
}

/* Four scales, each for two lanes; 2^120 too small as in scale_of. They are not negative in what a checkpoint has, but may
 * be. */
AVX2 __m256 four_scales(const uint8_t *scale)
{
    int four;
    __m256i wide;

    memcpy(&four, scale, sizeof four);
    wide = _mm256_cvtepi8_epi32(_mm_unpacklo_epi8(_mm_cvtsi32_si128(four), _mm_cvtsi32_si128(four)));
    return _mm256_castsi256_ps(_mm256_and_si256(_mm256_slli_epi32(wide, 20), _mm256_set1_epi32((int)0x87f00000)));
}

/* Sums are 2^(60 - 126) of what they should be and scales 2^-120: 2^186 in all, in two steps, since one is more than f32
 * holds. */
__attribute__((target("avx2,fma"))) static float row_in_place(const uint8_t *w, const uint8_t *scale, const float *turned,
                                                              const float *x, int64_t cols)
{
    const __m256 step = _mm256_set1_ps(0x1p93f);
    __m256 s = _mm256_setzero_ps();
    int64_t c = 0;

    for (; c + AT_ONCE <= cols; c += AT_ONCE) {
        const __m256 scales = _mm256_mul_ps(_mm256_mul_ps(four_scales(scale + c / BLOCK), step), step);

        s = _mm256_fmadd_ps(sum_in_place(w + c / 2, turned + c), scales, s);
    }
    return lanes_sum(s) + (c < cols ? row_lookup(w + c / 2, scale + c / BLOCK, x + c, cols - c) : 0);
}

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)param[COLS] * sizeof(float);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t rows = call->param[ROWS], cols = call->param[COLS];
    const int fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const uint8_t *w = call->tensor[W], *scale = call->tensor[SCALE];
    const float *x = call->tensor[X];
    float *y = call->tensor[Y];

    if (fast)
        turn(x, call->workspace, cols);
    for (int64_t r = 0; r < rows; r++, w += cols / 2, scale += cols / BLOCK)
        y[r] = fast ? row_in_place(w, scale, call->workspace, x, cols) : row_portable(w, scale, x, cols);
    return AISP_OK;
}

AISP_DECLARE("idea: the bits of a 4-bit float, shifted to where an f32 has them, are that number\n"
             "expect: instructions / 2 of optimized_fp4_lookup");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
