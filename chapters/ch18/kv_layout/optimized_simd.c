/* optimized_simd - still head by head over keys and values as they come, with eight lanes along dim, four keys at a time,
 * exponentials in eight lanes, the output in registers.
 * Expected: a score was a chain of dim additions of 3 cycles; without it the arithmetic is some eight times shorter: 3 to 6x,
 * and how memory is read begins to count.
 * Costs: AVX2 with FMA; another order of summation. */
#include <aisp/variant.h>

#include "steps.h"

static void one_head(const struct step *s, int64_t h, struct part *w)
{
    const int64_t dim = s->param[DIM], tokens = s->param[TOKENS];

    w->apart = s->param[HEADS] * dim;
    for (int64_t t = 0; t < tokens; t += MOST_KEYS) {
        const int64_t at = t * w->apart + h * dim;

        part_take(w, s->k + at, s->v + at, tokens - t < MOST_KEYS ? tokens - t : MOST_KEYS, s->fast);
    }
}

static enum aisp_status run(const struct aisp_call *call)
{
    all_steps(call, call->tensor[K], call->tensor[V], one_head);
    return AISP_OK;
}

AISP_DECLARE("idea: head by head over keys and values as they come, eight lanes along dim\n"
             "expect: instructions / 5");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = query_bytes, .run = run };
