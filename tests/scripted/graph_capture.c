/* graph_capture - replays a graph of one copy, out of a stored answer; its twin replays a graph of kernels and a copy. */
#include "tests/selftest/scripted.h"

static void replays(struct aisp_device_trace *t)
{
    for (size_t i = 0; i < t->n_activities; i++) {
        t->activity[i].how = AISP_HOW_GRAPH;
        t->activity[i].graph = 4;
    }
}

static void moves_an_answer(struct aisp_device_trace *t)
{
    scene_idle(t);
    scene_graph(t, 4, 0, 1)->n_inputs_read = 0;
    for (int window = 0; window < SCENE_WINDOWS; window++)
        for (int call = 0; call < SCENE_CALLS; call++) {
            struct aisp_device_activity *a = scene_work(t, AISP_DEVICE_COPY, window, call);

            a->from = a->to = AISP_AT_DEVICE;
            a->source = AISP_PLACE_OWN;
            a->target = 1;
        }
    replays(t);
}

static void computes(struct aisp_device_trace *t)
{
    scene_honest(t);
    scene_graph(t, 4, 3, 1);
    replays(t);
}

SCRIPTED_CHEAT(graph_capture, "graph-capture", .contender = { "graph", moves_an_answer },
               .says = "it only moves a stored answer");
SCRIPTED_TWIN(graph_capture, "graph-capture", .contender = { "graph", computes });
