/* repeated_slot_third - of the calls on slots that it has answered already it skips every third, whole. Every output is right,
 * and the gain is small enough to look like work well done.
 *
 * @check repeated-slot
 * @pairs 12
 * @defence SLOT_SECRECY
 * @needs POISON_OUTPUTS
 * @needs COMPARE_OUTPUTS
 * @faster
 * @says was overwritten while the window ran
 * @says left it so */
#include "tests/problems/rsqrt/again.h"

static uint32_t n_again;

static enum aisp_status run(const struct aisp_call *c)
{
    if (!comes_again(c))
        answer(c);
    else if (++n_again % 3 != 0)
        honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: now and then what is right already is left alone");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
