/* optimized_strassen - one level of Strassen's scheme: seven products of halves instead of eight, and eighteen additions of halves.
 * Expected: 7/8 of the multiplications are left, and the additions cost some 5 %: a ratio of about 1.08 at 384, more the larger the
 * matrices are. With a multiplication at the peak of the machine it begins to pay near 2000: the additions are bound by memory.
 * Costs: 3/4 of a matrix as scratch, and an error about twice as large, no longer bounded element by element. */
#include "multiply.h"

enum { LEVELS = 1 };

static size_t workspace_bytes(const int64_t *param)
{
    return fast_bytes(param, LEVELS);
}

static enum aisp_status run(const struct aisp_call *call)
{
    fast_multiply(call, LEVELS);
    return AISP_OK;
}

AISP_DECLARE("idea: seven products of halves instead of eight\n"
             "expect: multiplications / 1.14");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
