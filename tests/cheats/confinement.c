/* confinement - an honest variant, on a host without Landlock and without filters of system calls.
 *
 * @publish
 * @root bare-metal
 * @edit uncaged
 * @says workers were caged without a filter of system calls (seccomp), rules for files (Landlock) */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: Newton's steps");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
