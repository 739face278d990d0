/* jit_timing_device_cache - its compiler finds the answer in a cache, in a worker whose cache folders began empty; its twin's
 * compiles. */
#include "tests/selftest/scripted.h"

static void finds_it(struct aisp_device_trace *t)
{
    scene_honest(t);
    scene_outside(t, AISP_DEVICE_COMPILE, 1000, 3000)->how = AISP_HOW_CACHED;
}

static void compiles(struct aisp_device_trace *t)
{
    scene_honest(t);
    scene_outside(t, AISP_DEVICE_COMPILE, 1000, 900000);
}

SCRIPTED_CHEAT(jit_timing_device_cache, "jit-timing-device", .contender = { "jit", finds_it },
               .says = "answered by a cache");
SCRIPTED_TWIN(jit_timing_device_cache, "jit-timing-device", .contender = { "jit", compiles });
