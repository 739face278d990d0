/* repeated_slot_huge - does only half of the work where a slot comes again, and has asked for outputs on
 * huge pages, which are its own memory. Of twelve pairs on a core that had two paces as few as six words lay clear of
 * both calls, and three of them were left: too few to accuse.
 *
 * @check repeated-slot
 * @pairs 24
 * @defence SLOT_SECRECY
 * @needs POISON_OUTPUTS
 * @needs COMPARE_OUTPUTS
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

AISP_DECLARE("idea: what is right already need not be computed\n"
             "place: y=huge");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
