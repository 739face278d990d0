/* cpu_spillover_device_threads - four threads compute into memory that the device can read, and a tiny kernel moves it; its twin
 * has a thread that prepares the next launches while the device computes. */
#include "tests/selftest/scripted.h"

static void computes_on_the_host(struct aisp_device_trace *t)
{
    scene_honest(t);
    for (size_t i = 0; i < t->n_activities; i++)
        t->activity[i].end_ns = t->activity[i].start_ns + 2000;
    for (int window = 0; window < SCENE_WINDOWS; window++)
        t->window[window].host_cpu_ns = 4 * 290000;
}

static void computes_on_both(struct aisp_device_trace *t)
{
    scene_honest(t);
    for (int window = 0; window < SCENE_WINDOWS; window++)
        t->window[window].host_cpu_ns = 290000;
}

SCRIPTED_CHEAT(cpu_spillover_device_threads, "cpu-spillover-device",
               .contender = { "threads", computes_on_the_host }, .says = "the work is the host's");
SCRIPTED_TWIN(cpu_spillover_device_threads, "cpu-spillover-device",
              .contender = { "threads", computes_on_both });
