/* async_memcpy - computes into memory of its own and leaves the copy to the output in flight on a side stream; its twin's copy is
 * joined. */
#include "tests/selftest/scripted.h"

static void copies(struct aisp_device_trace *t, int64_t later_ns)
{
    scene_honest(t);
    scene_side_stream(t);
    for (int window = 0; window < SCENE_WINDOWS; window++) {
        struct aisp_device_activity *a = scene_work(t, AISP_DEVICE_COPY, window, 2);

        a->stream = SCENE_SIDE_STREAM;
        a->from = a->to = AISP_AT_DEVICE;
        a->source = AISP_PLACE_OWN;
        a->target = 1;
        a->start_ns += later_ns;
        a->end_ns += later_ns;
    }
}

static void leaves_it(struct aisp_device_trace *t)
{
    copies(t, 200000);
}

static void joins_it(struct aisp_device_trace *t)
{
    copies(t, 0);
}

SCRIPTED_CHEAT(async_memcpy, "async-memcpy", .contender = { "streams", leaves_it },
               .says = "the copy was left in flight");
SCRIPTED_TWIN(async_memcpy, "async-memcpy", .contender = { "streams", joins_it });
