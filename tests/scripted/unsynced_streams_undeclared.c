/* unsynced_streams_undeclared - has a stream of its own and does not say so; its twin takes the given one, where a graph's
 * nodes run side by side. */
#include "tests/selftest/scripted.h"

static void own_stream(struct aisp_device_trace *t)
{
    scene_honest(t);
    scene_side_stream(t);
    for (size_t i = 0; i < t->n_activities; i++)
        t->activity[i].stream = SCENE_SIDE_STREAM;
}

static void graph_branches(struct aisp_device_trace *t)
{
    own_stream(t);
    scene_graph(t, 4, 2, 0);
    for (size_t i = 0; i < t->n_activities; i++) {
        t->activity[i].how = AISP_HOW_GRAPH;
        t->activity[i].graph = 4;
    }
}

SCRIPTED_CHEAT(unsynced_streams_undeclared, "unsynced-streams", .contender = { "", own_stream },
               .says = "was not declared (uses: streams)");
SCRIPTED_TWIN(unsynced_streams_undeclared, "unsynced-streams",
              .contender = { "graph", graph_branches });
