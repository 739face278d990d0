/* event_timing_gaps_changed - outputs read in stream order behind the stop mark are not those read after a wait, although every
 * record ends in time; its twin's are the same. */
#include "tests/selftest/scripted.h"

static void changes(struct aisp_device_trace *t)
{
    scene_honest(t);
    t->window[2].late_bytes = 64;
}

SCRIPTED_CHEAT(event_timing_gaps_changed, "event-timing-gaps", .contender = { "", changes },
               .says = "64 bytes changed behind the stop mark");
SCRIPTED_TWIN(event_timing_gaps_changed, "event-timing-gaps", .contender = { "", scene_honest });
