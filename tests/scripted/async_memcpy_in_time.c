/* async_memcpy_in_time - leaves the copy to the output to a side stream that the given one never waits for; this once it is
 * over before the stop mark. Its twin's copy takes as long and is waited for. */
#include "tests/selftest/scripted.h"

static void copies(struct aisp_device_trace *t, uint32_t how)
{
    scene_honest(t);
    scene_side_stream(t);
    for (int window = 0; window < SCENE_WINDOWS; window++) {
        struct aisp_device_activity *a = scene_work(t, AISP_DEVICE_COPY, window, 2);

        a->stream = SCENE_SIDE_STREAM;
        a->from = a->to = AISP_AT_DEVICE;
        a->source = AISP_PLACE_OWN;
        a->target = 1;
        a->how = how;
    }
}

static void leaves_it(struct aisp_device_trace *t)
{
    copies(t, AISP_HOW_UNJOINED);
}

static void joins_it(struct aisp_device_trace *t)
{
    copies(t, 0);
}

SCRIPTED_CHEAT(async_memcpy_in_time, "async-memcpy", .contender = { "streams", leaves_it },
               .says = "the stop mark does not wait for it, whenever it ends; the copy was left in flight");
SCRIPTED_TWIN(async_memcpy_in_time, "async-memcpy", .contender = { "streams", joins_it });
