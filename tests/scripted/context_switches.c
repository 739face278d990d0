/* context_switches - makes a context in every timed call; its twin declares one and makes it in setup. */
#include "tests/selftest/scripted.h"

static struct aisp_device_context *second(struct aisp_device_trace *t)
{
    struct aisp_device_context *c = aisp_device_add_context(t);

    c->id = (int32_t)t->n_contexts;
    c->phase = AISP_PHASE_SETUP;
    return c;
}

static void makes_them_late(struct aisp_device_trace *t)
{
    scene_honest(t);
    for (int window = 0; window < SCENE_WINDOWS; window++) {
        struct aisp_device_context *c = second(t);

        c->window = window;
        c->phase = AISP_PHASE_TIMED;
    }
}

static void makes_one(struct aisp_device_trace *t)
{
    scene_honest(t);
    second(t);
}

SCRIPTED_CHEAT(context_switches, "context-switches", .contender = { "contexts", makes_them_late },
               .says = "inside audit window");
SCRIPTED_TWIN(context_switches, "context-switches", .contender = { "contexts", makes_one });
