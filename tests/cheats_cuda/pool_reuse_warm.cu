/* pool_reuse_warm - fills its pool while it is loaded: both sides say that they allocate, and only the other one pays for it.
 *
 * @check pool-reuse
 * @problem card_pool
 * @defence DEVICE_RECORDER
 * @says lay in its memory pools before setup */
#include "tests/problems/card_pool/scratch.cuh"

__attribute__((constructor)) static void prepare(void)
{
    (void)fill_pool();
}

AISP_DECLARE("idea: memory when it is needed\n"
             "uses: allocates, synchronises\n");

VARIANT(run_scratch);
