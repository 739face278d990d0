/* baseline - memory out of the driver's pool, as the driver sets it up. */
#include "tests/problems/card_pool/scratch.cuh"

AISP_DECLARE("idea: memory when it is needed\n"
             "uses: allocates, synchronises\n");

VARIANT(run_scratch);
