/* undeclared_multi_gpu_memory - no record shows it, but the driver lists its process on another GPU; its twin has a stranger for
 * a neighbour there. */
#include "tests/selftest/scripted.h"

static struct aisp_device_neighbour *neighbour(struct aisp_device_trace *t)
{
    struct aisp_device_neighbour *n;

    scene_honest(t);
    n = aisp_device_add_neighbour(t);
    n->device = 3;
    n->memory_bytes = 1 << 30;
    n->busy = 0.9;
    return n;
}

static void is_it(struct aisp_device_trace *t)
{
    neighbour(t)->is_worker = true;
}

static void is_a_stranger(struct aisp_device_trace *t)
{
    neighbour(t);
}

SCRIPTED_CHEAT(undeclared_multi_gpu_memory, "undeclared-multi-gpu", .contender = { "", is_it },
               .says = "on device 3", .lacks = "two CUDA devices with CUPTI");
SCRIPTED_TWIN(undeclared_multi_gpu_memory, "undeclared-multi-gpu",
              .contender = { "", is_a_stranger }, .lacks = "two CUDA devices with CUPTI");
