/* baseline - every thread copies another part in every pass, past L1, so that no pass is work that the one before has done. */
#include <aisp/kernel_kit.cuh>

#include "problem.h"

enum { THREADS = 256 };

/* copy_in_passes - y = x, `passes` times.
 * x, y (n): f32, device, no overlap; 1 <= n < 2^39; passes >= 1. Launch: block 256, grid ceil(n / 256), the call's stream.
 * Cost: 8n bytes a pass, out of L2 and into it where both fit. Error: none. */
__global__ static void __launch_bounds__(THREADS) copy_in_passes(const float *x, float *y, int64_t n, int64_t passes)
{
    const int64_t shift = n / 3 & ~(int64_t)31; /* below n; whole lines */
    int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; /* 0 .. n-1, may overhang */

    if (i >= n)
        return;
    for (int64_t pass = 0; pass < passes; pass++) {
        __stcg(y + i, __ldcg(x + i));
        i += shift;
        i -= i < n ? 0 : n;
    }
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t n = call->param[N];

    copy_in_passes<<<aisp_blocks(n, THREADS), THREADS, 0, aisp_stream(call)>>>((const float *)call->tensor[X],
                                                                              (float *)call->tensor[Y], n, call->param[PASSES]);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: many passes of one kernel over what L2 holds");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = NULL, .setup = NULL, .run = run, .teardown = NULL };
