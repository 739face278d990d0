/* autotune_variance_device - takes another kernel in every other call; its twin tries both in setup and the warm-up and then stays
 * with one. */
#include <string.h>

#include "tests/selftest/scripted.h"

static void alternates(struct aisp_device_trace *t)
{
    scene_honest(t);
    for (size_t i = 0; i < t->n_activities; i++)
        if (t->activity[i].call % 2)
            strcpy(t->activity[i].name, "rsqrt_rows_wide");
}

static void chooses(struct aisp_device_trace *t)
{
    scene_honest(t);
    strcpy(scene_outside(t, AISP_DEVICE_KERNEL, 1000, 40000)->name, "rsqrt_rows_wide");
    strcpy(scene_kernel(t, 0, 1)->name, "rsqrt_rows_wide");
}

SCRIPTED_CHEAT(autotune_variance_device, "autotune-variance-device", .contender = { "", alternates },
               .says = "the choice is not made in setup");
SCRIPTED_TWIN(autotune_variance_device, "autotune-variance-device", .contender = { "", chooses });
