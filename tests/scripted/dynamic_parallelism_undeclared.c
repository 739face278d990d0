/* dynamic_parallelism_undeclared - launches from the device and does not say so; its twin launches the same kernels from the
 * host. */
#include "tests/selftest/scripted.h"

static void extra(struct aisp_device_trace *t, uint32_t how)
{
    scene_honest(t);
    for (int window = 0; window < SCENE_WINDOWS; window++)
        for (int call = 0; call < SCENE_CALLS; call++)
            scene_work(t, AISP_DEVICE_KERNEL, window, call)->how = how;
}

static void from_the_device(struct aisp_device_trace *t)
{
    extra(t, AISP_HOW_FROM_DEVICE);
}

static void from_the_host(struct aisp_device_trace *t)
{
    extra(t, 0);
}

SCRIPTED_CHEAT(dynamic_parallelism_undeclared, "dynamic-parallelism",
               .contender = { "", from_the_device }, .says = "uses: device-launch");
SCRIPTED_TWIN(dynamic_parallelism_undeclared, "dynamic-parallelism",
              .contender = { "", from_the_host });
