/* optimized_simd - the copy as before, then a head in one pass: eight lanes along dim, four keys at a time, exponentials in
 * eight lanes, the output in registers.
 * Expected: a score was a chain of dim additions of 3 cycles; without it attention is some six times shorter, and what is
 * left is mostly the copy: 1.5 to 3x in all.
 * Costs: AVX2 with FMA; another order of summation. */
#include <aisp/variant.h>

#include "kit/decode.h"
#include "gather.h"

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)(2 * gathered_floats(param)) * sizeof(float);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t heads = call->param[HEADS], seq = call->param[SEQ], dim = call->param[DIM];
    float *k = call->workspace, *v = k + gathered_floats(call->param);
    struct part w = { call->tensor[Q], call->tensor[O], dim, dim, 1 / sqrtf((float)dim), 0, 0 };
    const int fast = has_avx2();

    for (int64_t b = 0; b < call->param[BATCH]; b++) {
        gather(call->tensor[K], call->tensor[TABLE], b, k, call->param);
        gather(call->tensor[V], call->tensor[TABLE], b, v, call->param);
        for (int64_t h = 0; h < heads; h++, w.q += dim, w.o += dim) {
            part_begin(&w);
            for (int64_t t = 0; t < seq; t += MOST_KEYS) {
                const int64_t n = seq - t < MOST_KEYS ? seq - t : MOST_KEYS, at = (h * seq + t) * dim;

                part_take(&w, k + at, v + at, n, fast);
            }
            part_end(&w);
        }
    }
    return AISP_OK;
}

AISP_DECLARE("idea: copied pages, a head in one pass with eight lanes along dim\n"
             "expect: instructions / 4");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
