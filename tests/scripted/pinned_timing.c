/* pinned_timing - copies its output to pinned host memory and returns while the copy runs; its twin waits for the copy. */
#include "tests/selftest/scripted.h"

static void copy_out(struct aisp_device_trace *t, int64_t later_ns)
{
    scene_honest(t);
    for (int window = 0; window < SCENE_WINDOWS; window++) {
        struct aisp_device_activity *a = scene_work(t, AISP_DEVICE_COPY, window, 2);

        a->from = AISP_AT_DEVICE;
        a->to = AISP_AT_PINNED;
        a->target = 1;
        a->start_ns += later_ns;
        a->end_ns += later_ns;
    }
}

static void returns_early(struct aisp_device_trace *t)
{
    copy_out(t, 120000);
}

static void waits(struct aisp_device_trace *t)
{
    copy_out(t, 0);
}

SCRIPTED_CHEAT(pinned_timing, "pinned-timing", .contender = { "", returns_early },
               .says = "the copy to the host was left in flight");
SCRIPTED_TWIN(pinned_timing, "pinned-timing", .contender = { "", waits });
