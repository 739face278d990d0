/* optimized_streamed - the fused loop with stores that go past the caches: a line of y that is written whole need not be read
 * first.
 * Expected: 12 bytes an element instead of 16: up to 1.33x over the fused loop from memory, and no line of x or r is driven
 * out by y.
 * Costs: AVX2; the first and last elements of a row apart, until y is aligned; a fence at the end; a loss where the next step
 * would have found y in a cache. */
#include <immintrin.h>

#include <aisp/variant.h>

#include "problem.h"

enum { LANES = 8 };

static inline float one(float x, float scale, float bias, float r)
{
    const float t = x * scale + bias + r, low = t * 0.125f;

    return t > low ? t : low;
}

__attribute__((target("avx2"), always_inline)) static inline __m256 eight(const float *x, const float *scale, const float *bias,
                                                                          const float *r)
{
    __m256 t = _mm256_mul_ps(_mm256_loadu_ps(x), _mm256_loadu_ps(scale));

    t = _mm256_add_ps(_mm256_add_ps(t, _mm256_loadu_ps(bias)), _mm256_loadu_ps(r));
    return _mm256_max_ps(t, _mm256_mul_ps(t, _mm256_set1_ps(0.125f)));
}

struct row {
    const float *x, *scale, *bias, *r;
    float *y;
    int64_t cols;
};

static void some(const struct row *w, int64_t from, int64_t to)
{
    for (int64_t c = from; c < to; c++)
        w->y[c] = one(w->x[c], w->scale[c], w->bias[c], w->r[c]);
}

__attribute__((target("avx2"))) static void row_streamed(const struct row *w)
{
    const int64_t odd = (int64_t)(-((uintptr_t)w->y / sizeof(float)) % LANES);
    int64_t c = odd < w->cols ? odd : w->cols;

    some(w, 0, c);
    for (; c + 2 * LANES <= w->cols; c += 2 * LANES) {
        const __m256 a = eight(w->x + c, w->scale + c, w->bias + c, w->r + c);
        const __m256 b = eight(w->x + c + LANES, w->scale + c + LANES, w->bias + c + LANES, w->r + c + LANES);

        _mm256_stream_ps(w->y + c, a);
        _mm256_stream_ps(w->y + c + LANES, b);
    }
    some(w, c, w->cols);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t rows = call->param[ROWS], cols = call->param[COLS];
    const int fast = __builtin_cpu_supports("avx2");
    struct row w = { call->tensor[X], call->tensor[SCALE], call->tensor[BIAS], call->tensor[R], call->tensor[Y], cols };

    for (int64_t i = 0; i < rows; i++, w.x += cols, w.r += cols, w.y += cols) {
        if (fast)
            row_streamed(&w);
        else
            some(&w, 0, cols);
    }
    _mm_sfence();
    return AISP_OK;
}

AISP_DECLARE("idea: the fused pass with non-temporal stores, so that lines of y are not read before they are written\n"
             "expect: memory read bytes / 1.5");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
