/* device_mismatch_relabelled - a card of another family that calls itself an H100.
 *
 * @check device-mismatch
 * @nvml relabelled
 * @says which has compute capability 9.0, and has 7.5 */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: Newton's steps");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
