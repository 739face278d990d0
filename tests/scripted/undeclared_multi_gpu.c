/* undeclared_multi_gpu - takes a second device and does not say so; its twin declares that it works on several. */
#include "tests/selftest/scripted.h"

enum { OTHER_DEVICE = 1, OTHER_CONTEXT = 2 };

static void takes_another(struct aisp_device_trace *t)
{
    struct aisp_device_context *c;
    struct aisp_device_activity *a;

    scene_honest(t);
    c = aisp_device_add_context(t);
    c->id = OTHER_CONTEXT;
    c->device = OTHER_DEVICE;
    c->phase = AISP_PHASE_SETUP;
    for (int window = 0; window < SCENE_WINDOWS; window++) {
        a = scene_work(t, AISP_DEVICE_KERNEL, window, 1);
        a->device = OTHER_DEVICE;
        a->context = OTHER_CONTEXT;
    }
}

SCRIPTED_CHEAT(undeclared_multi_gpu, "undeclared-multi-gpu", .contender = { "", takes_another },
               .says = "uses: devices", .lacks = "two CUDA devices with CUPTI");
SCRIPTED_TWIN(undeclared_multi_gpu, "undeclared-multi-gpu",
              .contender = { "devices", takes_another }, .lacks = "two CUDA devices with CUPTI");
