/* incomplete_async_device_probe - no record shows it, but a copy right after done takes fifty times as long as on an idle device,
 * in every window. Its twin's takes half as long again, which happens, and as long as the cheat's once: the judge was put aside. */
#include "tests/selftest/scripted.h"

static void is_busy(struct aisp_device_trace *t)
{
    scene_honest(t);
    for (int window = 0; window < SCENE_WINDOWS; window++)
        t->window[window].probe_after_ns = 2300000;
}

static void is_slow(struct aisp_device_trace *t)
{
    scene_honest(t);
    for (int window = 0; window < SCENE_WINDOWS; window++)
        t->window[window].probe_after_ns = window == 3 ? 2300000 : 70000;
}

SCRIPTED_CHEAT(incomplete_async_device_probe, "incomplete-async-device",
               .contender = { "", is_busy }, .says = "with work that no record shows");
SCRIPTED_TWIN(incomplete_async_device_probe, "incomplete-async-device",
              .contender = { "", is_slow });
