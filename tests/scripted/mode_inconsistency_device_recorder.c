/* mode_inconsistency_device_recorder - takes the recorder away; its twin leaves it. */
#include "tests/selftest/scripted.h"

static void unsubscribes(struct aisp_device_trace *t)
{
    scene_honest(t);
    t->alive = false;
}

SCRIPTED_CHEAT(mode_inconsistency_device_recorder, "mode-inconsistency-device",
               .contender = { "", unsubscribes }, .says = "took the recorder away");
SCRIPTED_TWIN(mode_inconsistency_device_recorder, "mode-inconsistency-device",
              .contender = { "", scene_honest });
