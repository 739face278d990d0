/* optimized_streamed - 2 MiB pages, and stores that go past the caches: a line of y that is written whole need not be read
 * first.
 * Expected: 5 bytes a sample instead of 9: up to 1.8x where memory is all that counts, less where one core cannot ask for more.
 * Costs: the first and last samples apart, until y lies on a line; a fence at the end; a loss where the next step would have
 * found y in a cache. */
#include <emmintrin.h>

#include <aisp/variant.h>

#include "convert.h"

enum { LANES = 16 };

/* Four samples, each in the upper byte of a word: shifted down they are whole numbers with their sign. */
static inline __m128 four(__m128i words)
{
    return _mm_mul_ps(_mm_cvtepi32_ps(_mm_srai_epi32(words, 24)), _mm_set1_ps(STEP));
}

/* 16 samples to a line of y, which lies on 64 bytes. */
static inline void line(const int8_t *x, float *y)
{
    const __m128i zero = _mm_setzero_si128(), v = _mm_loadu_si128((const __m128i *)x);
    const __m128i low = _mm_unpacklo_epi8(zero, v), high = _mm_unpackhi_epi8(zero, v);

    _mm_stream_ps(y, four(_mm_unpacklo_epi16(zero, low)));
    _mm_stream_ps(y + 4, four(_mm_unpackhi_epi16(zero, low)));
    _mm_stream_ps(y + 8, four(_mm_unpacklo_epi16(zero, high)));
    _mm_stream_ps(y + 12, four(_mm_unpackhi_epi16(zero, high)));
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int8_t *x = call->tensor[X];
    float *y = call->tensor[Y];
    const int64_t n = call->param[N], odd = (int64_t)(-((uintptr_t)y / sizeof(float)) % LANES);
    int64_t i = odd < n ? odd : n;

    convert(x, y, i);
    for (; i + LANES <= n; i += LANES)
        line(x + i, y + i);
    convert(x + i, y + i, n - i);
    _mm_sfence();
    return AISP_OK;
}

AISP_DECLARE("idea: 2 MiB pages and non-temporal stores, so that lines of y are not read before they are written\n"
             "expect: memory read bytes / 5\n"
             "place: x=huge, y=huge");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
