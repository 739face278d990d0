/* pool_reuse - the same, declared. */
#include "tests/problems/card_roots/pool.cuh"

AISP_DECLARE("idea: memory when it is needed\n"
             "uses: allocates\n");

VARIANT(run_pool);
