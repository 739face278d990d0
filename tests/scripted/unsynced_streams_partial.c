/* unsynced_streams_partial - of three streams only two are joined, so that most of the work is timed and the time looks
 * plausible; its twin joins all three. The window is long enough for all: only the stop mark is passed. */
#include "tests/selftest/scripted.h"

static void three_streams(struct aisp_device_trace *t)
{
    scene_honest(t);
    scene_side_stream(t);
    for (int window = 0; window < SCENE_WINDOWS; window++)
        scene_kernel(t, window, 1)->stream = SCENE_SIDE_STREAM;
}

static void forgets_one(struct aisp_device_trace *t)
{
    three_streams(t);
    scene_kernel(t, 2, 1)->end_ns = t->window[2].stop_mark_ns + 5000;
}

SCRIPTED_CHEAT(unsynced_streams_partial, "unsynced-streams",
               .contender = { "streams", forgets_one }, .says = "after the stop mark");
SCRIPTED_TWIN(unsynced_streams_partial, "unsynced-streams",
              .contender = { "streams", three_streams });
