/* optimized_string - rep movsb: the processor is told what to copy instead of how.
 * Expected: the microcode knows the length, and with it that whole lines will be written, which then need not be read (a
 * protocol without ownership): 8 bytes an element instead of 12, up to 1.5x. One instruction, no tail, no alignment, no SIMD.
 * Costs: tens of cycles to begin, so that short copies lose; how good it is differs from processor to processor. */
#include <aisp/variant.h>

#include "problem.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const void *from = call->tensor[X];
    void *to = call->tensor[Y];
    uint64_t left = (uint64_t)call->param[N] * sizeof(float);

    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(left) : : "memory");
    return AISP_OK;
}

AISP_DECLARE("idea: rep movsb, whole lines are written without being read\n"
             "expect: DRAM read bytes / 2");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
