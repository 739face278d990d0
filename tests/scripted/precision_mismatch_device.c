/* precision_mismatch_device - multiplies in TF32 where the problem asks for single precision; its twin says so, and the tolerance
 * decides. */
#include <string.h>

#include "tests/selftest/scripted.h"

static void multiplies_in_tf32(struct aisp_device_trace *t)
{
    scene_honest(t);
    for (size_t i = 0; i < t->n_activities; i++)
        strcpy(t->activity[i].math, "tf32");
}

SCRIPTED_CHEAT(precision_mismatch_device, "precision-mismatch-device",
               .contender = { "", multiplies_in_tf32 }, .says = "the problem asks for f32");
SCRIPTED_TWIN(precision_mismatch_device, "precision-mismatch-device",
              .contender = { "tf32", multiplies_in_tf32 });
