/* guard_failure - compiles again where nothing is timed: a thread waits until no more calls come, and has the driver do it then.
 *
 * @without IDLE_ACCOUNTING
 * @defence DEVICE_RECORDER
 * @says where nothing was timed, after setup */
#include "tests/problems/card_roots/gap.cuh"
#include "tests/problems/card_roots/module.cuh"

static bool has_failed;

/* A thread has no context before it asks the runtime for one. */
static void in_the_gap(void)
{
    has_failed |= cudaSetDevice(0) != cudaSuccess || compile_nothing() != AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    return has_failed ? AISP_E_DEVICE : counted(c);
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    return find_module_calls(s) ? AISP_E_UNAVAILABLE : work_in_gaps(in_the_gap);
}

AISP_DECLARE("idea: compiled before it is asked for\n"
             "uses: threads, jit\n");

VARIANT_WITH_SETUP(setup, run);
