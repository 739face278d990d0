/* incomplete_async_device - says done while the last kernel of the given stream runs; its twin's kernel is as long, and waited
 * for. */
#include "tests/selftest/scripted.h"

static void says_done(struct aisp_device_trace *t)
{
    scene_honest(t);
    for (int window = 0; window < SCENE_WINDOWS; window++)
        scene_kernel(t, window, 2)->end_ns += 400000;
}

static void waits(struct aisp_device_trace *t)
{
    scene_honest(t);
    for (int window = 0; window < SCENE_WINDOWS; window++) {
        scene_kernel(t, window, 2)->end_ns += 400000;
        t->window[window].stop_mark_ns += 400000;
        t->window[window].done_ns += 400000;
        t->window[window].event_ns += 400000;
    }
}

SCRIPTED_CHEAT(incomplete_async_device, "incomplete-async-device", .contender = { "", says_done },
               .says = "before its device was");
SCRIPTED_TWIN(incomplete_async_device, "incomplete-async-device", .contender = { "", waits });
