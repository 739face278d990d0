/* trace_reuse - replays the graph that was recorded for the first slot in calls on all slots; its twin has a graph for each. */
#include "tests/selftest/scripted.h"

static void replay(struct aisp_device_trace *t, bool own)
{
    scene_honest(t);
    for (int slot = 0; slot < SCENE_CALLS; slot++)
        scene_graph(t, 10 + slot, 1, 0)->slot = slot;
    for (size_t i = 0; i < t->n_activities; i++) {
        t->activity[i].how = AISP_HOW_GRAPH;
        t->activity[i].graph = own ? 10 + t->activity[i].slot : 10;
    }
}

static void reuses(struct aisp_device_trace *t)
{
    replay(t, false);
}

static void has_its_own(struct aisp_device_trace *t)
{
    replay(t, true);
}

SCRIPTED_CHEAT(trace_reuse, "trace-reuse", .contender = { "graph, stable-pointers", reuses },
               .says = "recorded for slot 0");
SCRIPTED_TWIN(trace_reuse, "trace-reuse", .contender = { "graph, stable-pointers", has_its_own });
