/* baseline - one request after another, in the order in which they come. */
#include "tests/problems/serve_tiny/tiny.h"

static enum aisp_status run(const struct aisp_call *c)
{
    struct stream s;

    for (int32_t r = 0; r < c->param[REQUESTS]; r++) {
        await(c, r);
        begin(c, &s, r);
        while (advance(c, &s))
            ;
    }
    return AISP_OK;
}

AISP_DECLARE("idea: first come, first served");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
