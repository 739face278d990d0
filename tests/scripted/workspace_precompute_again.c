/* workspace_precompute_again - sees that its workspace was poisoned and computes again, which takes longer; its twin's kernels
 * take a quarter longer there, for the workspace is cold. */
#include "tests/selftest/scripted.h"

static void shorten(struct aisp_device_trace *t, int64_t kept_ns)
{
    scene_honest(t);
    for (size_t i = 0; i < t->n_activities; i++) {
        struct aisp_device_activity *a = &t->activity[i];

        if (!t->window[a->window].workspace_poisoned)
            a->end_ns = a->start_ns + kept_ns;
    }
}

static void computes_again(struct aisp_device_trace *t)
{
    shorten(t, 20000);
}

static void is_cold(struct aisp_device_trace *t)
{
    shorten(t, 64000);
}

SCRIPTED_CHEAT(workspace_precompute_again, "workspace-precompute",
               .contender = { "", computes_again }, .says = "work is kept there");
SCRIPTED_TWIN(workspace_precompute_again, "workspace-precompute", .contender = { "", is_cold });
