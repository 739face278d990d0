/* pool_reuse - takes memory in every timed call and does not say so; its twin says so, on both sides from pools. */
#include "tests/selftest/scripted.h"

static void allocates(struct aisp_device_trace *t)
{
    scene_honest(t);
    for (int window = 0; window < SCENE_WINDOWS; window++) {
        struct aisp_device_activity *a = scene_work(t, AISP_DEVICE_ALLOC, window, 0);

        a->to = AISP_AT_DEVICE;
        a->how = AISP_HOW_POOL;
        a->bytes = 1 << 20;
    }
}

SCRIPTED_CHEAT(pool_reuse, "pool-reuse", .contender = { "", allocates },
               .says = "was not declared (uses: allocates)");
SCRIPTED_TWIN(pool_reuse, "pool-reuse", .baseline = { "allocates", allocates },
              .contender = { "allocates", allocates });
