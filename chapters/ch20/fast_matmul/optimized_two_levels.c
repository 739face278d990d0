/* optimized_two_levels - Strassen's scheme for the seven products as well: 49 products of quarters instead of 64.
 * Expected: 49/64 of the multiplications; each level adds its additions, which weigh more the smaller the matrices are: about 1.15 over
 * the definition at 384 and, one level further, less again.
 * Costs: a little more scratch, and an error about four times as large as the definition's. */
#include "multiply.h"

enum { LEVELS = 2 };

static size_t workspace_bytes(const int64_t *param)
{
    return fast_bytes(param, LEVELS);
}

static enum aisp_status run(const struct aisp_call *call)
{
    fast_multiply(call, LEVELS);
    return AISP_OK;
}

AISP_DECLARE("idea: 49 products of quarters instead of 64\n"
             "expect: multiplications / 1.31");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
