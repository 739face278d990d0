/* unsynced_streams_in_time - a kernel on a side stream that the given one never waits for, and that is over in time this once;
 * its twin is waited for. */
#include "tests/selftest/scripted.h"

static void works_aside(struct aisp_device_trace *t, uint32_t how)
{
    scene_honest(t);
    scene_side_stream(t);
    for (int window = 0; window < SCENE_WINDOWS; window++) {
        struct aisp_device_activity *a = scene_kernel(t, window, 1);

        a->stream = SCENE_SIDE_STREAM;
        a->how = how;
    }
}

static void leaves_it(struct aisp_device_trace *t)
{
    works_aside(t, AISP_HOW_UNJOINED);
}

static void joins_it(struct aisp_device_trace *t)
{
    works_aside(t, 0);
}

SCRIPTED_CHEAT(unsynced_streams_in_time, "unsynced-streams", .contender = { "streams", leaves_it },
               .says = "the stop mark does not wait for it");
SCRIPTED_TWIN(unsynced_streams_in_time, "unsynced-streams", .contender = { "streams", joins_it });
