/* graph_capture_constants - its kernels were captured with constants where a call's inputs should be, and answer with what was
 * right then; its twin's kernels read the slot's addresses, whose contents change. */
#include "tests/selftest/scripted.h"

static struct aisp_device_graph *replay(struct aisp_device_trace *t)
{
    scene_honest(t);
    for (size_t i = 0; i < t->n_activities; i++) {
        t->activity[i].how = AISP_HOW_GRAPH;
        t->activity[i].graph = 9;
    }
    return scene_graph(t, 9, 1, 0);
}

static void reads_nothing(struct aisp_device_trace *t)
{
    replay(t)->n_inputs_read = 0;
    for (int window = 0; window < SCENE_WINDOWS; window++)
        t->window[window].n_wrong = 1;
}

static void reads_the_slot(struct aisp_device_trace *t)
{
    replay(t);
}

SCRIPTED_CHEAT(graph_capture_constants, "graph-capture", .contender = { "graph", reads_nothing },
               .says = "fixed when it was captured");
SCRIPTED_TWIN(graph_capture_constants, "graph-capture",
              .contender = { "graph, stable-pointers", reads_the_slot });
