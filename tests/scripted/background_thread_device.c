/* background_thread_device - a call only takes notes; a timer thread launches the work in the gap between windows, where no clock
 * runs. Its twin does its preparation in setup. */
#include "tests/selftest/scripted.h"

static void works_in_the_gap(struct aisp_device_trace *t)
{
    scene_honest(t);
    scene_outside(t, AISP_DEVICE_KERNEL, t->window[1].done_ns + 200000,
                  t->window[1].done_ns + 500000);
}

static void works_in_setup(struct aisp_device_trace *t)
{
    scene_honest(t);
    scene_outside(t, AISP_DEVICE_KERNEL, 100000, 600000);
}

SCRIPTED_CHEAT(background_thread_device, "background-thread-device",
               .contender = { "threads", works_in_the_gap },
               .says = "while nothing was asked of it");
SCRIPTED_TWIN(background_thread_device, "background-thread-device",
              .contender = { "threads", works_in_setup });
