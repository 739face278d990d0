/* event_timing_gaps_early_trigger - a kernel lets what depends on it begin before its tail is written, and the stop mark is what
 * comes next; its twin launches so as well, between its own kernels, and writes before it lets go. */
#include "tests/selftest/scripted.h"

static void triggers(struct aisp_device_trace *t)
{
    scene_honest(t);
    for (int window = 0; window < SCENE_WINDOWS; window++)
        for (int call = 1; call < SCENE_CALLS; call++)
            scene_kernel(t, window, call)->how = AISP_HOW_PROGRAMMATIC;
}

static void leaves_the_tail(struct aisp_device_trace *t)
{
    triggers(t);
    scene_kernel(t, 1, 2)->end_ns = t->window[1].stop_mark_ns + 4500;
}

SCRIPTED_CHEAT(event_timing_gaps_early_trigger, "event-timing-gaps",
               .contender = { "programmatic", leaves_the_tail },
               .says = "let the stop mark pass before it");
SCRIPTED_TWIN(event_timing_gaps_early_trigger, "event-timing-gaps",
              .contender = { "programmatic", triggers });
