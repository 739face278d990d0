/* optimized_in_place - a lane is four bytes, eight columns; a nibble is masked where it lies, so that as a whole number it is
 * 16^k times too large, and x is divided by 16^k and brought into the order of the lanes once for all rows.
 * Expected: three instructions for eight weights: mask, convert, multiply-add. Shuffles and widenings, some of which take two
 * slots, are gone: 15 instructions for 32 weights instead of 26, 2 to 3x over optimized_avx2. The offset of the nibbles goes
 * off the sum of a block, 8 times the sum of x.
 * Costs: AVX2 with FMA; a turned x in the workspace, read by all rows; sums that are twice as large before the offset is
 * taken off, so twice the rounding error; an odd last group goes the other way. Powers of two are exact, so the products
 * round as before. */
#include <aisp/variant.h>

#include "row_avx2.h"

enum { LANES = 8, NIBBLES = 8, BLOCK = LANES * NIBBLES };

/* Of each block of 64 columns: NIBBLES vectors of x, and one of 8 times their sum. */
enum { TURNED = BLOCK + LANES };

static void turn(const float *x, float *to, int64_t cols)
{
    for (int64_t c = 0; c + BLOCK <= cols; c += BLOCK, to += TURNED)
        for (int lane = 0; lane < LANES; lane++) {
            float sum = 0, power = 1;

            for (int k = 0; k < NIBBLES; k++) {
                to[k * LANES + lane] = x[c + lane * NIBBLES + k] * (k < NIBBLES - 1 ? power : 1);
                sum += x[c + lane * NIBBLES + k];
                power /= 16;
            }
            to[BLOCK + lane] = ZERO * sum;
        }
}

/* 64 weights without their scales. The last nibble is shifted down, for where it lies is the sign. */
AVX2 __m256 block_avx2(const uint8_t *w, const float *x)
{
    const __m256i words = _mm256_loadu_si256((const __m256i *)w);
    __m256 a = _mm256_setzero_ps(), b = _mm256_sub_ps(a, _mm256_loadu_ps(x + BLOCK));

    for (int k = 0; k < NIBBLES; k++) {
        const __m256i nibble =
            k < NIBBLES - 1 ? _mm256_and_si256(words, _mm256_set1_epi32(15 << 4 * k)) : _mm256_srli_epi32(words, 28);
        const __m256 number = _mm256_cvtepi32_ps(nibble), xs = _mm256_loadu_ps(x + k * LANES);

        if (k % 2)
            a = _mm256_fmadd_ps(number, xs, a);
        else
            b = _mm256_fmadd_ps(number, xs, b);
    }
    return _mm256_add_ps(a, b);
}

AVX2 float row_in_place(const uint8_t *w, const float *scale, const float *turned, const float *x, int64_t cols)
{
    __m256 s = _mm256_setzero_ps();
    int64_t c = 0;

    for (; c + BLOCK <= cols; c += BLOCK, turned += TURNED) {
        const float *two = scale + c / GROUP;
        const __m256 scales = _mm256_blend_ps(_mm256_broadcast_ss(two), _mm256_broadcast_ss(two + 1), 0xf0);

        s = _mm256_fmadd_ps(block_avx2(w + c / 2, turned), scales, s);
    }
    return lanes_sum(s) + (c < cols ? row_avx2(w + c / 2, scale + c / GROUP, x + c, cols - c) : 0);
}

__attribute__((target("avx2,fma"))) static void all_avx2(const struct aisp_call *call)
{
    const uint8_t *w = call->tensor[W];
    const float *scale = call->tensor[SCALE];
    const int64_t cols = call->param[COLS];
    float *y = call->tensor[Y];

    for (int64_t r = 0; r < call->param[ROWS]; r++)
        y[r] = row_in_place(w + r * cols / 2, scale + r * cols / GROUP, call->workspace, call->tensor[X], cols);
}

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)(param[COLS] / BLOCK * TURNED) * sizeof(float);
}

static enum aisp_status run(const struct aisp_call *call)
{
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        turn(call->tensor[X], call->workspace, call->param[COLS]);
        all_avx2(call);
        return AISP_OK;
    }
    rows_portable(call);
    return AISP_OK;
}

AISP_DECLARE("idea: nibbles are masked where they lie, and x is scaled and ordered to suit them\n"
             "expect: instructions / 25");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
