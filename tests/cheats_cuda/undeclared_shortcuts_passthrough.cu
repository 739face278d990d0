/* undeclared_shortcuts_passthrough - hands the input back.
 *
 * @check undeclared-shortcuts
 * @defence COMPARE_OUTPUTS
 * @says input x, byte for byte */
#include "tests/problems/card_roots/roots.cuh"

static enum aisp_status run(const struct aisp_call *c)
{
    return give(c, c->tensor[X]);
}

AISP_DECLARE("idea: what comes in goes out");

VARIANT(run);
