/* unsynced_streams - launches on a non-blocking stream and returns; its twin joins that stream.
 * A public case: all work on a side stream while the timed stream stays empty. */
#include "tests/selftest/scripted.h"

static void on_the_side(struct aisp_device_trace *t, int64_t later_ns)
{
    scene_honest(t);
    scene_side_stream(t);
    for (size_t i = 0; i < t->n_activities; i++) {
        t->activity[i].stream = SCENE_SIDE_STREAM;
        t->activity[i].start_ns += later_ns;
        t->activity[i].end_ns += later_ns;
    }
}

static void leaves_it(struct aisp_device_trace *t)
{
    on_the_side(t, 250000);
}

static void joins_it(struct aisp_device_trace *t)
{
    on_the_side(t, 0);
}

SCRIPTED_CHEAT(unsynced_streams, "unsynced-streams", .contender = { "streams", leaves_it },
               .says = "the given stream does not wait for this one");
SCRIPTED_TWIN(unsynced_streams, "unsynced-streams", .contender = { "streams", joins_it });
