/* optimized_leaving - who has ended leaves the batch, which becomes smaller.
 * Expected: the longest of four answers is twice the average one, so that half of a static batch's products are for nothing;
 * here none is: 1.9 to 2.1x. That is all there is to gain as long as a request's products take the same time alone as in a
 * batch, which is so for this code: it is bound by its arithmetic.
 * Costs: requests move to other places, their states with them. */
#include "batch.h"

static enum aisp_status run(const struct aisp_call *call)
{
    serve_leaving(call, product_plain);
    return AISP_OK;
}

AISP_DECLARE("idea: who has ended leaves the batch\n"
             "expect: instructions / 2");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = batch_bytes, .run = run };
