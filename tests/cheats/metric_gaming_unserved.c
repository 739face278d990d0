/* metric_gaming_unserved - answers only requests for few tokens; those that would take long are left out, and the rest is quick.
 *
 * @check metric-gaming
 * @problem serve_tiny
 * @defence EMISSION_RULES
 * @says ended without all their tokens */
#include "tests/problems/serve_tiny/tiny.h"

static enum aisp_status run(const struct aisp_call *c)
{
    struct stream s;

    for (int32_t r = 0; r < c->param[REQUESTS]; r++) {
        await(c, r);
        if (request_of(c, r)[1] % c->param[TOKENS] > 1)
            continue;
        begin(c, &s, r);
        while (advance(c, &s))
            ;
    }
    return AISP_OK;
}

AISP_DECLARE("idea: short requests only");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
