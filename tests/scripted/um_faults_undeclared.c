/* um_faults_undeclared - has managed memory and does not say so; its twin says so. */
#include "tests/selftest/scripted.h"

static void managed(struct aisp_device_trace *t)
{
    scene_honest(t);
    scene_outside(t, AISP_DEVICE_ALLOC, 1000, 2000)->to = AISP_AT_MANAGED;
}

SCRIPTED_CHEAT(um_faults_undeclared, "um-faults", .contender = { "", managed },
               .says = "uses: managed");
SCRIPTED_TWIN(um_faults_undeclared, "um-faults", .contender = { "managed", managed });
