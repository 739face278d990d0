/* cooperative_launch - launches cooperatively and does not say so; its twin does. */
#include "tests/selftest/scripted.h"

static void cooperates(struct aisp_device_trace *t)
{
    scene_honest(t);
    for (size_t i = 0; i < t->n_activities; i++)
        t->activity[i].how = AISP_HOW_COOPERATIVE;
}

SCRIPTED_CHEAT(cooperative_launch, "cooperative-launch", .contender = { "", cooperates },
               .says = "uses: cooperative");
SCRIPTED_TWIN(cooperative_launch, "cooperative-launch", .contender = { "cooperative", cooperates });
