/* shape_mismatch - writes the output in an odd order: the second half backwards, beginning with
 * the element that lies flush with the guard, then the first half.
 *
 * @pairs 2 */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t n = c->param[N];

    for (int64_t i = n - 1; i >= n / 2; i--)
        honest(c, i, i + 1);
    honest(c, 0, n / 2);
    return AISP_OK;
}

AISP_DECLARE("idea: the last element first");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
