/* spare_core - an honest variant, with one core for it and its supervisor.
 *
 * @publish
 * @cpus 1
 * @pairs 1
 * @shares
 * @root bare-metal
 * @says the supervisor had no core of its own (1 usable) */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N] / 2);
    honest(c, c->param[N] / 2, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: Newton's steps");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
