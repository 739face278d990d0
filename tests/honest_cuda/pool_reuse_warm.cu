/* pool_reuse_warm - fills its pool as well, in its setup: what it begins with is what every process does.
 *
 * @check pool-reuse
 * @problem card_pool */
#include "tests/problems/card_pool/scratch.cuh"

static enum aisp_status setup(const struct aisp_setup *s)
{
    (void)s;
    return fill_pool();
}

AISP_DECLARE("idea: memory that stays in the pool\n"
             "uses: allocates, synchronises\n");

VARIANT_WITH_SETUP(setup, run_scratch);
