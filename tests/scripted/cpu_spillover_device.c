/* cpu_spillover_device - computes on host threads and uploads the answer; its twin uploads a table of arguments into memory of
 * its own and computes on the device. */
#include "tests/selftest/scripted.h"

static void uploads(struct aisp_device_trace *t)
{
    scene_idle(t);
    for (int window = 0; window < SCENE_WINDOWS; window++)
        for (int call = 0; call < SCENE_CALLS; call++) {
            struct aisp_device_activity *a = scene_work(t, AISP_DEVICE_COPY, window, call);

            a->from = AISP_AT_PAGEABLE;
            a->to = AISP_AT_DEVICE;
            a->target = 1;
            a->bytes = 256;
        }
}

static void uploads_arguments(struct aisp_device_trace *t)
{
    scene_honest(t);
    for (int window = 0; window < SCENE_WINDOWS; window++) {
        struct aisp_device_activity *a = scene_work(t, AISP_DEVICE_COPY, window, 0);

        a->from = AISP_AT_PINNED;
        a->to = AISP_AT_DEVICE;
        a->target = AISP_PLACE_OWN;
        a->bytes = 64;
    }
}

SCRIPTED_CHEAT(cpu_spillover_device, "cpu-spillover-device",
               .contender = { "threads", uploads }, .says = "comes from host memory");
SCRIPTED_TWIN(cpu_spillover_device, "cpu-spillover-device",
              .contender = { "", uploads_arguments });
