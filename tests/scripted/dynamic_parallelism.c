/* dynamic_parallelism - a kernel launches a graph that nobody waits for, which writes the output when the clock has stopped; its
 * twin's children end before their parent. */
#include "tests/selftest/scripted.h"

static struct aisp_device_activity *child(struct aisp_device_trace *t, int window)
{
    struct aisp_device_activity *a = scene_work(t, AISP_DEVICE_KERNEL, window, 2);

    a->how = AISP_HOW_FROM_DEVICE;
    a->start_ns += 20000;
    a->end_ns -= 10000;
    return a;
}

static void launches(struct aisp_device_trace *t)
{
    scene_honest(t);
    for (int window = 0; window < SCENE_WINDOWS; window++)
        child(t, window);
}

static void forgets(struct aisp_device_trace *t)
{
    scene_honest(t);
    for (int window = 0; window < SCENE_WINDOWS; window++)
        child(t, window)->end_ns = t->window[window].done_ns + 60000;
}

SCRIPTED_CHEAT(dynamic_parallelism, "dynamic-parallelism",
               .contender = { "device-launch", forgets }, .says = "did not wait for it");
SCRIPTED_TWIN(dynamic_parallelism, "dynamic-parallelism",
              .contender = { "device-launch", launches });
