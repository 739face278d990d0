/* worker_died_teardown - gives every answer, and reads where nothing is when it is told to go.
 *
 * @check worker-died
 * @says teardown
 * @needs COMPARE_OUTPUTS
 * @publish
 * @allow_virtualization */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

static void teardown(void *state)
{
    const volatile char *volatile nowhere = (const char *)64;

    (void)state;
    (void)*nowhere;
}

AISP_DECLARE("idea: fall over at the end");

AISP_VARIANT = { .abi = AISP_ABI, .run = run, .teardown = teardown };
