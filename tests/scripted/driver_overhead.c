/* driver_overhead - its window is shorter than the time that its host spent inside the driver for it; its twin makes ten thousand
 * tiny calls too, and pays for them in its window. */
#include "tests/selftest/scripted.h"

enum { N_API = 30000, API_NS = 20000000 };

static void calls_often(struct aisp_device_trace *t)
{
    scene_honest(t);
    for (int window = 0; window < SCENE_WINDOWS; window++) {
        t->window[window].n_api = N_API;
        t->window[window].api_ns = API_NS;
    }
}

static void pays(struct aisp_device_trace *t)
{
    calls_often(t);
    for (int window = 0; window < SCENE_WINDOWS; window++) {
        struct aisp_device_window *w = &t->window[window];

        w->go_ns = (int64_t)(window + 1) * 4 * API_NS;
        w->start_mark_ns = w->go_ns + 2000;
        w->done_ns = w->go_ns + API_NS + 300000;
        w->stop_mark_ns = w->done_ns - 6000;
        w->event_ns = w->stop_mark_ns - w->start_mark_ns;
    }
    for (size_t i = 0; i < t->n_activities; i++) {
        struct aisp_device_activity *a = &t->activity[i];

        a->start_ns = t->window[a->window].go_ns + 10000 + a->call * 90000;
        a->end_ns = a->start_ns + 80000;
    }
}

SCRIPTED_CHEAT(driver_overhead, "driver-overhead", .baseline = { "", calls_often },
               .contender = { "", calls_often }, .says = "leaves out what the host paid");
SCRIPTED_TWIN(driver_overhead, "driver-overhead", .baseline = { "", pays },
              .contender = { "", pays });
