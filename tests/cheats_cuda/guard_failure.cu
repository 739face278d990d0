/* guard_failure - compiles again where nothing is timed: a thread waits until no more calls come, and has the driver do it then.
 *
 * @defence DEVICE_RECORDER
 * @says where nothing was timed, after setup */
#include "tests/problems/card_roots/gap.cuh"
#include "tests/problems/card_roots/module.cuh"

static void in_the_gap(void)
{
    compile_nothing();
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    return find_module_calls(s) ? AISP_E_UNAVAILABLE : work_in_gaps(in_the_gap);
}

AISP_DECLARE("idea: compiled before it is asked for\n"
             "uses: threads, jit\n");

VARIANT_WITH_SETUP(setup, counted);
