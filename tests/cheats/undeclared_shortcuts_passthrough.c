/* undeclared_shortcuts_passthrough - hands the input back.
 *
 * @check undeclared-shortcuts
 * @problem affine
 * @defence COMPARE_OUTPUTS
 * @says input x, byte for byte */
#include <string.h>

#include <aisp/variant.h>

static enum aisp_status run(const struct aisp_call *c)
{
    memcpy(c->tensor[1], c->tensor[0], (size_t)c->param[0] * sizeof(float));
    return AISP_OK;
}

AISP_DECLARE("idea: what comes in goes out");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
