/* optimized_simd - the same in f32 with eight lanes and four sums.
 * Expected: the baseline waits 4 cycles for each addition; this reads 4 bytes a weight as fast as the third cache or memory
 * gives them to one core: 5 to 12x.
 * Costs: AVX2 with FMA. */
#include "layers.h"

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)padded(param[WIDTH]) * sizeof(float);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t width = call->param[WIDTH];
    const float *w = call->tensor[W], *gain = call->tensor[GAIN];
    const int fast = has_avx2();
    float *h = call->tensor[Y], *f = call->workspace;

    memcpy(h, call->tensor[X], (size_t)width * sizeof *h);
    for (int64_t l = 0; l < call->param[LAYERS]; l++) {
        squash(h, f, width);
        layer32(w + l * width * width, gain[l], f, h, width, fast);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: f32 in eight lanes, four sums under way\n"
             "expect: instructions / 10");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
