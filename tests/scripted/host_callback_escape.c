/* host_callback_escape - a host function wakes a thread that launches between windows; its twin's host function is there in setup
 * alone, and needs no declaration. */
#include "tests/selftest/scripted.h"

static void escapes(struct aisp_device_trace *t)
{
    scene_honest(t);
    scene_work(t, AISP_DEVICE_CALLBACK, 1, 2);
    scene_outside(t, AISP_DEVICE_KERNEL, t->window[1].done_ns + 100000,
                  t->window[1].done_ns + 190000)
        ->how = AISP_HOW_FROM_CALLBACK;
}

static void in_setup(struct aisp_device_trace *t)
{
    scene_honest(t);
    scene_outside(t, AISP_DEVICE_CALLBACK, 1000, 2000);
}

SCRIPTED_CHEAT(host_callback_escape, "host-callback", .contender = { "host-callback", escapes },
               .says = "outside of every window");
SCRIPTED_TWIN(host_callback_escape, "host-callback", .contender = { "", in_setup });
