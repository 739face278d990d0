/* guard_failure - a guard fails in every other call, and the new code is compiled between windows; its twin compiles one form for
 * each shape in setup. */
#include "tests/selftest/scripted.h"

static void compiles_between(struct aisp_device_trace *t)
{
    scene_honest(t);
    for (int window = 1; window + 1 < SCENE_WINDOWS; window++)
        scene_outside(t, AISP_DEVICE_COMPILE, t->window[window].done_ns + 50000,
                      t->window[window].done_ns + 600000);
}

static void compiles_in_setup(struct aisp_device_trace *t)
{
    scene_honest(t);
    scene_outside(t, AISP_DEVICE_COMPILE, 1000, 400000);
    scene_outside(t, AISP_DEVICE_COMPILE, 400000, 900000);
}

SCRIPTED_CHEAT(guard_failure, "guard-failure", .contender = { "jit", compiles_between },
               .says = "where nothing was timed");
SCRIPTED_TWIN(guard_failure, "guard-failure", .contender = { "jit", compiles_in_setup });
