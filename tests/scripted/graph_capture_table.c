/* graph_capture_table - its graph names no input and its answers are wrong; its twin's kernels come to the inputs by a table of
 * pointers on the device, which no argument shows, and its answers to new contents are right. */
#include "tests/selftest/scripted.h"

static void names_no_input(struct aisp_device_trace *t)
{
    scene_honest(t);
    scene_graph(t, 9, 1, 0)->n_inputs_read = 0;
    for (size_t i = 0; i < t->n_activities; i++) {
        t->activity[i].how = AISP_HOW_GRAPH;
        t->activity[i].graph = 9;
    }
}

static void is_wrong_once(struct aisp_device_trace *t)
{
    names_no_input(t);
    t->window[2].n_wrong = 1;
    t->window[3].n_wrong = 1;
}

SCRIPTED_CHEAT(graph_capture_table, "graph-capture", .contender = { "graph, stable-pointers", is_wrong_once },
               .says = "fixed when it was captured");
SCRIPTED_TWIN(graph_capture_table, "graph-capture", .contender = { "graph, stable-pointers", names_no_input });
