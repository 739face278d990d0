/* optimized_widened - widen both operands once for many uses, and keep a 6 x 16 tile of sums in registers.
 * Expected: 3 to 5 times the baseline on a CPU with AVX2 and FMA: 12 multiply-adds of 8 for 8 loads and no conversion, where
 *   the baseline (4 wide) has a conversion, a load and a store of its sums for each; the rate of f32 multiply-adds is what
 *   is left.
 * Costs: f32 copies of 96 rows of a and 16 columns of b; half of what bf16 saves in bytes is given back in cache.
 * The kernel is in widened.h. */
#include "widened.h"

AISP_DECLARE("idea: both operands widened to f32 while they are packed, a 6 x 16 tile of sums in registers\n"
             "expect: instructions / 5");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = widened_workspace_bytes, .run = widened_run };
