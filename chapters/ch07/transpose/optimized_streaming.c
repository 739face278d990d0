/* optimized_streaming - the blocks of optimized_avx2, stored past the caches.
 * Expected: a line of y is written whole, so it need not be read before: 8 bytes move per element
 * instead of 12, up to 1.5x where both matrices come from DRAM, nothing where they stay in L3.
 * Costs: y is in no cache afterwards; rows of y must be aligned to a line (rows a multiple of 16),
 * for other shapes and for small matrices it takes the ordinary stores.
 * The code is in streaming8.h. */
#include "streaming8.h"

AISP_DECLARE(
    "idea: blocks turned in registers and stored past the caches, no line of the output is read\n"
    "expect: DRAM read bytes / 2");

AISP_VARIANT = { .abi = AISP_ABI, .run = transpose_streaming8 };
