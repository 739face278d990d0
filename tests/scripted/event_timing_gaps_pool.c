/* event_timing_gaps_pool - the window is longer than its events, and memory is given back in it; but the events say 60 us less
 * than what lay between the marks. The twin is the honest one of an H100, by its figures: a window of 364 us, events of 268 us
 * that agree with the marks, 110 us of work, and 80 us behind the mark in which the driver gives the pool's memory back. */
#include "tests/selftest/scripted.h"

static void takes_and_gives(struct aisp_device_trace *t)
{
    scene_honest(t);
    for (int window = 0; window < SCENE_WINDOWS; window++) {
        struct aisp_device_window *w = &t->window[window];

        w->done_ns = w->go_ns + 364100;
        w->stop_mark_ns = w->go_ns + 2000 + 267500;
        w->event_ns = 267500;
        for (int call = 0; call < SCENE_CALLS; call++) {
            scene_work(t, AISP_DEVICE_ALLOC, window, call)->how = AISP_HOW_POOL;
            scene_work(t, AISP_DEVICE_FREE, window, call)->how = AISP_HOW_POOL;
        }
    }
}

static void with_events_of_its_own(struct aisp_device_trace *t)
{
    takes_and_gives(t);
    for (int window = 0; window < SCENE_WINDOWS; window++)
        t->window[window].stop_mark_ns += 60000;
}

SCRIPTED_CHEAT(event_timing_gaps_pool, "event-timing-gaps", .contender = { "allocates", with_events_of_its_own },
               .says = "leave out a part of the window");
SCRIPTED_TWIN(event_timing_gaps_pool, "event-timing-gaps", .contender = { "allocates", takes_and_gives });
