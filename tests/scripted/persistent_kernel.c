/* persistent_kernel - a kernel launched in setup stays and polls host memory, so that a call only flips a flag; its twin's
 * declared persistent kernel divides the work of its own call and ends with it. */
#include "tests/selftest/scripted.h"

static void stays(struct aisp_device_trace *t)
{
    scene_honest(t);
    scene_outside(t, AISP_DEVICE_KERNEL, 500000, -1);
}

SCRIPTED_CHEAT(persistent_kernel, "persistent-kernel", .contender = { "persistent", stays },
               .says = "was never seen to end");
SCRIPTED_TWIN(persistent_kernel, "persistent-kernel", .contender = { "persistent", scene_honest });
