/* graph_capture_copy - computes in its first window, and replays a graph that copies from there; its twin's call is a copy of the
 * input, captured for its slot. */
#include "tests/selftest/scripted.h"

static void copies(struct aisp_device_trace *t, int n_inputs_read)
{
    scene_idle(t);
    scene_graph(t, 4, 0, 1)->n_inputs_read = n_inputs_read;
    for (int window = 0; window < SCENE_WINDOWS; window++)
        for (int call = 0; call < SCENE_CALLS; call++) {
            struct aisp_device_activity *a = scene_work(t, AISP_DEVICE_COPY, window, call);

            a->from = a->to = AISP_AT_DEVICE;
            a->source = n_inputs_read ? 0 : AISP_PLACE_OWN;
            a->target = 1;
            a->how = AISP_HOW_GRAPH;
            a->graph = 4;
        }
}

static void copies_what_it_kept(struct aisp_device_trace *t)
{
    copies(t, 0);
    for (int call = 0; call < SCENE_CALLS; call++)
        scene_work(t, AISP_DEVICE_KERNEL, 0, call);
}

static void copies_the_input(struct aisp_device_trace *t)
{
    copies(t, 1);
}

SCRIPTED_CHEAT(graph_capture_copy, "graph-capture", .contender = { "graph", copies_what_it_kept },
               .says = "it only moves a stored answer");
SCRIPTED_TWIN(graph_capture_copy, "graph-capture", .contender = { "graph, stable-pointers", copies_the_input });
