/* repeated_slot - when a slot comes again and both its input and its output are as it left them,
 * it does only half of the work. Every output is right.
 *
 * @pairs 12
 * @defence SLOT_SECRECY
 * @needs POISON_OUTPUTS
 * @needs COMPARE_OUTPUTS
 * @faster
 * @says was overwritten while the window ran
 * @says left it so */
#include "tests/problems/rsqrt/again.h"

static enum aisp_status run(const struct aisp_call *c)
{
    if (comes_again(c))
        honest(c, 0, c->param[N] / 2);
    else
        answer(c);
    return AISP_OK;
}

AISP_DECLARE("idea: what is right already need not be computed");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
