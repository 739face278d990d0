/* persistent_kernel_unrecorded - leaves no record, but the device is busy before every go; its twin's device is idle, and the judge
 * was put aside once. */
#include "tests/selftest/scripted.h"

static void is_busy(struct aisp_device_trace *t)
{
    scene_honest(t);
    for (int window = 0; window < SCENE_WINDOWS; window++)
        t->window[window].probe_before_ns = 2300000;
}

static void is_put_aside(struct aisp_device_trace *t)
{
    scene_honest(t);
    t->window[1].probe_before_ns = 2300000;
}

SCRIPTED_CHEAT(persistent_kernel_unrecorded, "persistent-kernel",
               .contender = { "persistent", is_busy }, .says = "something was running already");
SCRIPTED_TWIN(persistent_kernel_unrecorded, "persistent-kernel",
              .contender = { "persistent", is_put_aside });
