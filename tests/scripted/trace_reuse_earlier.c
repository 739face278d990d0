/* trace_reuse_earlier - its graph was there before setup, out of another run; its twin records one in setup and updates it for
 * every call. */
#include "tests/selftest/scripted.h"

static struct aisp_device_graph *replay(struct aisp_device_trace *t)
{
    scene_honest(t);
    for (size_t i = 0; i < t->n_activities; i++) {
        t->activity[i].how = AISP_HOW_GRAPH;
        t->activity[i].graph = 4;
    }
    return scene_graph(t, 4, 1, 0);
}

static void brings_one(struct aisp_device_trace *t)
{
    replay(t)->phase = AISP_PHASE_LOAD;
}

static void records_one(struct aisp_device_trace *t)
{
    replay(t);
}

SCRIPTED_CHEAT(trace_reuse_earlier, "trace-reuse", .contender = { "graph", brings_one },
               .says = "not of this run");
SCRIPTED_TWIN(trace_reuse_earlier, "trace-reuse", .contender = { "graph", records_one });
