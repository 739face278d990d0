/* context_switches - makes a context in every call and ends it.
 *
 * @defence DEVICE_RECORDER
 * @says inside audit window */
#include "tests/problems/card_roots/second_context.cuh"

static enum aisp_status setup(const struct aisp_setup *s)
{
    (void)s;
    return find_context_calls();
}

static enum aisp_status run(const struct aisp_call *c)
{
    AISP_DRIVER(second.create(&second.context, 0, 0)); /* it is the current one, until it is no more */
    AISP_DRIVER(second.destroy(second.context));
    return honest(c);
}

AISP_DECLARE("idea: a context for each call\n"
             "uses: contexts\n");

VARIANT_WITH_SETUP(setup, run);
