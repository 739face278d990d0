/* dynamic_parallelism_code - launches from the device where no record shows it, and does not say so: its code has what
 * launches. Its twin says so. */
#include "tests/selftest/scripted.h"

static void may_launch(struct aisp_device_trace *t)
{
    scene_honest(t);
    for (size_t i = 0; i < t->n_activities; i++)
        t->activity[i].how |= AISP_HOW_LAUNCHES;
}

SCRIPTED_CHEAT(dynamic_parallelism_code, "dynamic-parallelism", .contender = { "", may_launch },
               .says = "was not declared (uses: device-launch)");
SCRIPTED_TWIN(dynamic_parallelism_code, "dynamic-parallelism", .contender = { "device-launch", may_launch });
