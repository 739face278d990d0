/* cooperative_launch_too_large - has more blocks waiting for each other than fit on the device; its twin has just as many as
 * fit. */
#include "tests/selftest/scripted.h"

static void cooperate(struct aisp_device_trace *t, int64_t n_blocks)
{
    scene_honest(t);
    for (size_t i = 0; i < t->n_activities; i++) {
        t->activity[i].how = AISP_HOW_COOPERATIVE;
        t->activity[i].n_resident = 264;
        t->activity[i].n_blocks = n_blocks;
    }
}

static void does_not_fit(struct aisp_device_trace *t)
{
    cooperate(t, 265);
}

static void fits(struct aisp_device_trace *t)
{
    cooperate(t, 264);
}

SCRIPTED_CHEAT(cooperative_launch_too_large, "cooperative-launch",
               .contender = { "cooperative", does_not_fit }, .says = "265 blocks");
SCRIPTED_TWIN(cooperative_launch_too_large, "cooperative-launch",
              .contender = { "cooperative", fits });
