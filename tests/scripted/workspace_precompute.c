/* workspace_precompute - keeps its answers in the workspace; where that was poisoned it is wrong. Its twin is wrong nowhere. */
#include "tests/selftest/scripted.h"

static void is_wrong_without(struct aisp_device_trace *t)
{
    scene_honest(t);
    for (int window = 0; window < SCENE_WINDOWS; window++)
        if (t->window[window].workspace_poisoned)
            t->window[window].n_wrong = 2;
}

SCRIPTED_CHEAT(workspace_precompute, "workspace-precompute", .contender = { "", is_wrong_without },
               .says = "answers are kept there");
SCRIPTED_TWIN(workspace_precompute, "workspace-precompute", .contender = { "", scene_honest });
