/* optimized_grouped_gemm - four tokens of an expert together, sixteen columns of each in registers: a small matrix product for each
 * expert.
 * Expected: an element of the matrix is loaded once for four tokens, and sums stay in registers: eight multiply-adds for each
 * six loads instead of one for three accesses. 3 to 5x over the grouped loop.
 * Costs: AVX2 and FMA; tokens that are no whole four, and columns that are no whole sixteen, take slower paths. */
#include <immintrin.h>

#include "group.h"

enum { ROWS = 4, LANES = 8, COLUMNS = 2 * LANES };

/* x[0..3] (width)  w (width, width) from column c  y[0..3]: sixteen columns of four tokens */
__attribute__((target("avx2,fma"))) static void tile(const float *const *x, const float *w, float *const *y, int64_t c, int64_t width)
{
    __m256 s[ROWS][2];

    for (int r = 0; r < ROWS; r++)
        s[r][0] = s[r][1] = _mm256_setzero_ps();
    for (int64_t k = 0; k < width; k++) {
        const __m256 low = _mm256_loadu_ps(w + k * width + c), high = _mm256_loadu_ps(w + k * width + c + LANES);

        for (int r = 0; r < ROWS; r++) {
            const __m256 by = _mm256_broadcast_ss(x[r] + k);

            s[r][0] = _mm256_fmadd_ps(by, low, s[r][0]);
            s[r][1] = _mm256_fmadd_ps(by, high, s[r][1]);
        }
    }
    for (int r = 0; r < ROWS; r++) {
        _mm256_storeu_ps(y[r] + c, s[r][0]);
        _mm256_storeu_ps(y[r] + c + LANES, s[r][1]);
    }
}

static void columns(const float *x, const float *w, float *y, int64_t from, int64_t width)
{
    for (int64_t c = from; c < width; c++) {
        float sum = 0;

        for (int64_t k = 0; k < width; k++)
            sum += x[k] * w[k * width + c];
        y[c] = sum;
    }
}

static void one_expert(const struct aisp_call *call, const float *w, const int32_t *token, int32_t n, int fast)
{
    const int64_t width = call->param[WIDTH];

    for (int32_t i = 0; i < n; i += ROWS) {
        const float *x[ROWS];
        float *y[ROWS];
        int64_t c = 0;

        for (int r = 0; r < ROWS; r++) { /* the last four may name a token twice: the same answer twice */
            const int64_t t = token[i + r < n ? i + r : n - 1];

            x[r] = (const float *)call->tensor[X] + t * width;
            y[r] = (float *)call->tensor[Y] + t * width;
        }
        for (; fast && c + COLUMNS <= width; c += COLUMNS)
            tile(x, w, y, c, width);
        for (int r = 0; r < ROWS && i + r < n; r++)
            columns(x[r], w, y[r], c, width);
    }
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t width = call->param[WIDTH];
    const int fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const struct groups g = group_tokens(call);

    for (int64_t e = 0; e < call->param[EXPERTS]; e++)
        one_expert(call, (const float *)call->tensor[WEIGHTS] + e * width * width, g.token + g.first[e], g.first[e + 1] - g.first[e],
                   fast);
    return AISP_OK;
}

AISP_DECLARE("idea: a small matrix product for each expert\n"
             "expect: loads / 4");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = groups_bytes, .run = run };
