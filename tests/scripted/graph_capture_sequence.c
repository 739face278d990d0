/* graph_capture_sequence - learns the order of calls; then one launch in the first call does the work of all. Its twin launches
 * a graph in every call. */
#include "tests/selftest/scripted.h"

static void replays(struct aisp_device_trace *t)
{
    scene_honest(t);
    scene_graph(t, 4, SCENE_CALLS, 0);
    for (size_t i = 0; i < t->n_activities; i++) {
        t->activity[i].how = AISP_HOW_GRAPH;
        t->activity[i].graph = 4;
    }
}

static void all_at_once(struct aisp_device_trace *t)
{
    replays(t);
    for (size_t i = 0; i < t->n_activities; i++)
        t->activity[i].call = 0;
}

SCRIPTED_CHEAT(graph_capture_sequence, "graph-capture", .contender = { "graph", all_at_once },
               .says = "one call does the others' work");
SCRIPTED_TWIN(graph_capture_sequence, "graph-capture", .contender = { "graph", replays });
