/* driver_version_migrated - a virtual machine that is moved to another host meanwhile.
 *
 * @check driver-version
 * @root migrated
 * @says the microcode was "0xa101148" before and "0xa20102b" after */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: Newton's steps");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
