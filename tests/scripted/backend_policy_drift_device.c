/* backend_policy_drift_device - allows a narrower type inside its windows and forbids it again after; its twin leaves the policy
 * as it was. */
#include <string.h>

#include "tests/selftest/scripted.h"

static void flips(struct aisp_device_trace *t)
{
    scene_honest(t);
    for (size_t i = 0; i < t->n_policies; i++)
        if (t->policy[i].window == 2)
            strcpy(t->policy[i].value, "tf32");
}

SCRIPTED_CHEAT(backend_policy_drift_device, "backend-policy-drift-device",
               .contender = { "", flips }, .says = "is \"tf32\"");
SCRIPTED_TWIN(backend_policy_drift_device, "backend-policy-drift-device",
              .contender = { "", scene_honest });
