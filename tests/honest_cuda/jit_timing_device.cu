/* jit_timing_device - has the driver compile a kernel in setup. */
#include "tests/problems/card_roots/module.cuh"

static enum aisp_status setup(const struct aisp_setup *s)
{
    return find_module_calls(s) ? AISP_E_UNAVAILABLE : compile_nothing();
}

AISP_DECLARE("idea: a kernel made to measure, once\n"
             "uses: jit\n");

VARIANT_WITH_SETUP(setup, honest);
