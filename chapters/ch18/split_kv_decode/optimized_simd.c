/* optimized_simd - still head after head, in one pass: eight lanes along dim, four keys at a time, exponentials in eight
 * lanes, the output in registers while 128 keys go by.
 * Expected: a score was a chain of dim additions of 3 cycles; without it the arithmetic of a head is some ten times shorter,
 * and what is left is that each head reads the cache of its group (4 MiB) again from the third level or from memory: 3 to 6x.
 * Costs: AVX2 with FMA; another order of summation. */
#include <aisp/variant.h>

#include "kit/decode.h"
#include "problem.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const float *q = call->tensor[Q], *k = call->tensor[K], *v = call->tensor[V];
    const int64_t group = call->param[GROUP], heads = call->param[KV_HEADS] * group;
    const int64_t seq = call->param[SEQ], dim = call->param[DIM];
    const int fast = has_avx2();
    float *o = call->tensor[O];

    for (int64_t h = 0; h < heads; h++) {
        const int64_t cached = h / group * seq * dim;
        struct part w = { q + h * dim, o + h * dim, dim, dim, 1 / sqrtf((float)dim), 0, 0 };

        part_begin(&w);
        for (int64_t j = 0; j < seq; j += MOST_KEYS) {
            const int64_t n = seq - j < MOST_KEYS ? seq - j : MOST_KEYS;

            part_take(&w, k + cached + j * dim, v + cached + j * dim, n, fast);
        }
        part_end(&w);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: head after head in one pass, eight lanes along dim\n"
             "expect: instructions / 6");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
