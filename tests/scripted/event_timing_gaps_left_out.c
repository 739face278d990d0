/* event_timing_gaps_left_out - the host works before the first and after the last event: its device is as quick as the events
 * say, the window is not; its twin's window is longer by what a window costs. */
#include "tests/selftest/scripted.h"

static void works_outside(struct aisp_device_trace *t)
{
    scene_honest(t);
    for (int window = 0; window < SCENE_WINDOWS; window++)
        t->window[window].done_ns += 150000;
}

static void costs_a_window(struct aisp_device_trace *t)
{
    scene_honest(t);
    for (int window = 0; window < SCENE_WINDOWS; window++)
        t->window[window].done_ns += 8000;
}

SCRIPTED_CHEAT(event_timing_gaps_left_out, "event-timing-gaps", .contender = { "", works_outside },
               .says = "leave out a part of the window");
SCRIPTED_TWIN(event_timing_gaps_left_out, "event-timing-gaps",
              .contender = { "", costs_a_window });
