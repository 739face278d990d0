/* optimized_avx2 - the same polynomial in eight lanes with fused multiply-adds.
 * Expected: about 25 instructions for eight elements, and the fused ones take two for one: 3 to 4x over optimized_branchless,
 * which has half the lanes, has to emulate rounding and keeps the limits in passes of their own.
 * Costs: AVX2 with FMA; other bits than on a machine without. */
#include <aisp/variant.h>

#include "exp_avx2.h"
#include "problem.h"

__attribute__((target("avx2,fma"))) static void all_avx2(const float *x, float *y, int64_t n)
{
    exp_avx2(x, y, n);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[X];
    float *y = call->tensor[Y];
    const int64_t n = call->param[N];

    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        all_avx2(x, y, n);
        return AISP_OK;
    }
    exp_portable(x, y, n);
    return AISP_OK;
}

AISP_DECLARE("idea: the polynomial in eight lanes with fused multiply-adds\n"
             "expect: instructions / 8");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
