/* host_callback - a declared host function enqueues a kernel, which runs when the clock has stopped; its twin's host function
 * writes a line of a log and enqueues nothing. */
#include "tests/selftest/scripted.h"

static void logs(struct aisp_device_trace *t)
{
    scene_honest(t);
    for (int window = 0; window < SCENE_WINDOWS; window++)
        scene_work(t, AISP_DEVICE_CALLBACK, window, 2);
}

static void launches(struct aisp_device_trace *t)
{
    struct aisp_device_activity *a;

    logs(t);
    a = scene_work(t, AISP_DEVICE_KERNEL, 1, 2);
    a->how = AISP_HOW_FROM_CALLBACK;
    a->start_ns = t->window[1].done_ns + 20000;
    a->end_ns = a->start_ns + 90000;
}

SCRIPTED_CHEAT(host_callback, "host-callback", .contender = { "host-callback", launches },
               .says = "behind the clock");
SCRIPTED_TWIN(host_callback, "host-callback", .contender = { "host-callback", logs });
