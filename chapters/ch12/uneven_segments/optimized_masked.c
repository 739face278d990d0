/* optimized_masked - eight elements at a time, and the last eight with a mask of those that count.
 * Expected: a loop of at most four turns instead of up to 32, and its last turn needs no loop of its own: the branch that is missed
 * is one of four and no longer one of 32, and the additions overlap by eight. 2 to 4x.
 * Costs: AVX2; a sum across a vector for each segment; elements behind the end are loaded, as zeros, but never touched. */
#include <immintrin.h>

#include <aisp/variant.h>

#include "problem.h"

enum { LANES = 8 };

static float sum_portable(const float *x, int64_t n)
{
    float t = 0;

    for (int64_t i = 0; i < n; i++)
        t += x[i];
    return t;
}

__attribute__((target("avx2"))) static float sum_avx2(const float *x, int64_t n)
{
    static const int32_t ones[2 * LANES] = { -1, -1, -1, -1, -1, -1, -1, -1 };
    __m256 t = _mm256_setzero_ps();
    __m128 half;
    int64_t i = 0;

    for (; i + LANES <= n; i += LANES)
        t = _mm256_add_ps(t, _mm256_loadu_ps(x + i));
    t = _mm256_add_ps(t, _mm256_maskload_ps(x + i, _mm256_loadu_si256((const __m256i *)(ones + LANES - (n - i)))));
    half = _mm_add_ps(_mm256_castps256_ps128(t), _mm256_extractf128_ps(t, 1));
    half = _mm_add_ps(half, _mm_movehl_ps(half, half));
    return _mm_cvtss_f32(_mm_add_ss(half, _mm_movehdup_ps(half)));
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t segments = call->param[SEGMENTS], room = call->param[ROOM];
    const int32_t *length = call->tensor[LENGTH];
    const float *x = call->tensor[X];
    const int fast = __builtin_cpu_supports("avx2");
    float *sum = call->tensor[SUM];

    for (int64_t s = 0; s < segments; s++) {
        const int64_t n = length[s] < 0 ? 0 : length[s] < room ? length[s] : room;

        sum[s] = fast ? sum_avx2(x + s * room, n) : sum_portable(x + s * room, n);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: eight elements at a time, the last eight with a mask\n"
             "expect: branches / 6");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
