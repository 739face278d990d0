/* optimized_simd - eight columns at a time, a row after the other, whatever the shape.
 * Expected: 11 columns are two vectors, so that 11 products and sums become two, and the sum stays in a register: 3x. Each
 * sum waits four cycles for itself, rows overlap as far as the core looks ahead, and for each product two numbers are
 * loaded.
 * Costs: AVX2 with FMA; of 16 lanes 5 compute what others have computed. */
#include "tile.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const struct shape s = shape_of(call->param);

    elements_any(&s, call->tensor[D], call->tensor[U], call->tensor[Y]);
    return AISP_OK;
}

AISP_DECLARE("idea: vectors for any shape\n"
             "expect: instructions / 4");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
