/* backend_policy_drift_device_sides - the contender begins under a laxer policy than the baseline; in the twin both do. */
#include <string.h>

#include "tests/selftest/scripted.h"

static void is_lax(struct aisp_device_trace *t)
{
    scene_honest(t);
    for (size_t i = 0; i < t->n_policies; i++)
        strcpy(t->policy[i].value, "tf32");
}

SCRIPTED_CHEAT(backend_policy_drift_device_sides, "backend-policy-drift-device",
               .contender = { "", is_lax }, .says = "different rules");
SCRIPTED_TWIN(backend_policy_drift_device_sides, "backend-policy-drift-device",
              .baseline = { "", is_lax }, .contender = { "", is_lax });
