/* jit_timing_device - the baseline compiles inside its timed calls; in the twin both compile in setup, and a module is loaded by
 * the first launch of all, which warms up. */
#include "tests/selftest/scripted.h"

static void compiles_late(struct aisp_device_trace *t)
{
    scene_honest(t);
    scene_work(t, AISP_DEVICE_COMPILE, 2, 0);
}

static void compiles_early(struct aisp_device_trace *t)
{
    scene_honest(t);
    scene_outside(t, AISP_DEVICE_COMPILE, 1000, 900000);
    scene_work(t, AISP_DEVICE_COMPILE, 0, 0);
}

SCRIPTED_CHEAT(jit_timing_device, "jit-timing-device", .baseline = { "jit", compiles_late },
               .says = "what is compared is the compiler");
SCRIPTED_TWIN(jit_timing_device, "jit-timing-device", .baseline = { "jit", compiles_early },
              .contender = { "jit", compiles_early });
