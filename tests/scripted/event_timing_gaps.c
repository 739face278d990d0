/* event_timing_gaps - records the harness's start event again, late, so that events count only the last kernel; its twin leaves
 * gaps between its kernels, which both clocks hold. */
#include "tests/selftest/scripted.h"

static void records_again(struct aisp_device_trace *t)
{
    scene_honest(t);
    for (int window = 0; window < SCENE_WINDOWS; window++)
        t->window[window].event_ns = 90000;
}

static void sleeps_between(struct aisp_device_trace *t)
{
    scene_honest(t);
    for (size_t i = 0; i < t->n_activities; i++)
        t->activity[i].end_ns = t->activity[i].start_ns + 4000;
}

SCRIPTED_CHEAT(event_timing_gaps, "event-timing-gaps", .contender = { "", records_again },
               .says = "the device worked for longer than the events say");
SCRIPTED_TWIN(event_timing_gaps, "event-timing-gaps", .contender = { "", sleeps_between });
