/* incomplete_async_early - writes past the caches, and is done when that is: a fence ends each call.
 *
 * @check incomplete-async
 * @problem slow
 * @pairs 2 */
#include <immintrin.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { BLOCK = 64 };

static enum aisp_status run(const struct aisp_call *c)
{
    const float *x = c->tensor[X];
    float *y = c->tensor[Y];
    const int64_t n = c->param[N];
    _Alignas(64) float answer[BLOCK];

    for (int64_t i = 0; i + BLOCK <= n; i += BLOCK) {
        newton(x + i, answer, BLOCK, c->param[STEPS]);
        for (int k = 0; k < BLOCK; k += 4)
            _mm_stream_ps(y + i + k, _mm_load_ps(answer + k));
    }
    honest(c, n - n % BLOCK, n);
    _mm_sfence();
    return AISP_OK;
}

AISP_DECLARE("idea: outputs need no cache");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
