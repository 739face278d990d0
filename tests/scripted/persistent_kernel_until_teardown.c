/* persistent_kernel_until_teardown - the same, but teardown lets it end, so that it leaves a proper record; its twin's kernel of
 * setup is a long one and ends before the first window. */
#include "tests/selftest/scripted.h"

static void ends_in_teardown(struct aisp_device_trace *t)
{
    scene_honest(t);
    scene_outside(t, AISP_DEVICE_KERNEL, 500000, 9000000);
}

static void packs_weights(struct aisp_device_trace *t)
{
    scene_honest(t);
    scene_outside(t, AISP_DEVICE_KERNEL, 10000, 990000);
}

SCRIPTED_CHEAT(persistent_kernel_until_teardown, "persistent-kernel",
               .contender = { "persistent", ends_in_teardown }, .says = "through the windows");
SCRIPTED_TWIN(persistent_kernel_until_teardown, "persistent-kernel",
              .contender = { "persistent", packs_weights });
