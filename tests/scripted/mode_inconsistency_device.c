/* mode_inconsistency_device - launches three kernels a call while it is recorded and one while it is timed; its twin launches the
 * same number in both. */
#include "tests/selftest/scripted.h"

static void behaves(struct aisp_device_trace *t)
{
    scene_honest(t);
    t->audit_launches = 3 * t->audit_calls;
}

SCRIPTED_CHEAT(mode_inconsistency_device, "mode-inconsistency-device", .contender = { "", behaves },
               .says = "while it is watched");
SCRIPTED_TWIN(mode_inconsistency_device, "mode-inconsistency-device",
              .contender = { "", scene_honest });
