/* jit_timing_device - has the driver compile a kernel in every call.
 *
 * @defence DEVICE_RECORDER
 * @says what is compared is the compiler */
#include "tests/problems/card_roots/module.cuh"

static enum aisp_status run(const struct aisp_call *c)
{
    return compile_nothing() ? AISP_E_DEVICE : honest(c);
}

AISP_DECLARE("idea: a kernel made to measure\n"
             "uses: jit\n");

VARIANT_WITH_SETUP(find_module_calls, run);
