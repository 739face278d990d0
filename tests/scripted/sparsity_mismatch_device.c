/* sparsity_mismatch_device - prunes its weights to two of four and multiplies with the instructions for that; its twin declares
 * it, and the truth decides. */
#include "tests/selftest/scripted.h"

static void skips_half(struct aisp_device_trace *t)
{
    scene_honest(t);
    for (size_t i = 0; i < t->n_activities; i++)
        t->activity[i].how = AISP_HOW_SPARSE;
}

SCRIPTED_CHEAT(sparsity_mismatch_device, "sparsity-mismatch-device", .contender = { "", skips_half },
               .says = "uses: sparsity");
SCRIPTED_TWIN(sparsity_mismatch_device, "sparsity-mismatch-device",
              .contender = { "sparsity", skips_half });
