/* context_switches_undeclared - computes in a second context that nobody was told of; its twin in the given one. */
#include "tests/selftest/scripted.h"

static void computes_elsewhere(struct aisp_device_trace *t)
{
    struct aisp_device_context *c;

    scene_honest(t);
    c = aisp_device_add_context(t);
    c->id = 2;
    c->phase = AISP_PHASE_SETUP;
    for (size_t i = 0; i < t->n_activities; i++)
        t->activity[i].context = 2;
}

SCRIPTED_CHEAT(context_switches_undeclared, "context-switches",
               .contender = { "", computes_elsewhere }, .says = "did not declare it");
SCRIPTED_TWIN(context_switches_undeclared, "context-switches", .contender = { "", scene_honest });
