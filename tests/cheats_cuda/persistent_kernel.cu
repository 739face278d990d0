/* persistent_kernel - keeps a kernel in a second context, where nobody waits for it: it polls a flag in host memory, and a call only
 * raises that and waits for the answer.
 *
 * @defence DEVICE_RECORDER
 * @says may be there before go or stay after done */
#include "tests/problems/card_roots/second_context.cuh"
#include "tests/problems/card_roots/resident.cuh"

static enum aisp_status setup(const struct aisp_setup *s)
{
    if (open_second(s) || enter_second() || start_resident(second.stream))
        return AISP_E_UNAVAILABLE;
    return leave_second();
}

AISP_DECLARE("idea: a kernel that is there already\n"
             "uses: persistent, contexts, streams\n");

VARIANT_WITH_SETUP(setup, ask_resident);
