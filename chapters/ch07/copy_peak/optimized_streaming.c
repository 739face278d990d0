/* optimized_streaming - stores past the caches: a line of y is written whole, so it need not be read.
 * Expected: 8 bytes move for an element instead of 12: up to 1.5x, and that is the roof: two further ideas cost more than they
 * brought on Zen 3. Prefetches a few KiB ahead, across the ends of pages, took a tenth more; four pages side by side, so that
 * more banks of memory work at once, took 3.5 times as long, because write-combining buffers are sent away half full.
 * Costs: y is in no cache afterwards, so a reader that follows at once pays; copies below 16 MiB, which a last cache may
 * hold, take the ordinary way. */
#include <immintrin.h>
#include <string.h>

#include <aisp/variant.h>

#include "problem.h"

enum { LANES = 8, LINE = 64, LINE_LANES = LINE / 4, SMALL = 4 << 20 };

/* y is aligned to a line. */
__attribute__((target("avx2"))) static int64_t copy_streaming(const float *x, float *y, int64_t n)
{
    int64_t i = 0;

    for (; i + LINE_LANES <= n; i += LINE_LANES) {
        const __m256 a = _mm256_loadu_ps(x + i), b = _mm256_loadu_ps(x + i + LANES);

        _mm256_stream_ps(y + i, a);
        _mm256_stream_ps(y + i + LANES, b);
    }
    _mm_sfence(); /* non-temporal stores are weakly ordered: done means visible */
    return i;
}

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[X];
    const int64_t n = call->param[N];
    float *y = call->tensor[Y];
    int64_t i = 0;

    if (n >= SMALL && __builtin_cpu_supports("avx2")) {
        for (; (uintptr_t)(y + i) % LINE; i++)
            y[i] = x[i];
        i += copy_streaming(x + i, y + i, n - i);
    }
    memcpy(y + i, x + i, (size_t)(n - i) * sizeof *y);
    return AISP_OK;
}

AISP_DECLARE("idea: stores past the caches, no line of the output is read\n"
             "expect: DRAM read bytes / 2");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
