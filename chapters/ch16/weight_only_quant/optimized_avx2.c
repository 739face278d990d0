/* optimized_avx2 - 32 weights at a time: 16 bytes are cut into nibbles, a shuffle looks up nibble - 8, and they are widened
 * to eight lanes of f32.
 * Expected: about 24 instructions for 32 weights instead of some 6 for each: 5 to 8x over optimized_group_sums. That is 2 to
 * 3 bytes of weights a cycle, still below what a third-level cache delivers, near what memory gives to one core.
 * Costs: AVX2 with FMA. */
#include <aisp/variant.h>

#include "row_avx2.h"

static enum aisp_status run(const struct aisp_call *call)
{
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        rows_avx2(call);
    else
        rows_portable(call);
    return AISP_OK;
}

AISP_DECLARE("idea: 32 nibbles at a time through a shuffle and two widenings\n"
             "expect: instructions / 15");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
