/* pool_reuse_warm - its pools were full before setup: it is no fresh process; its twin fills its pool in setup. */
#include "tests/selftest/scripted.h"

static void is_warm(struct aisp_device_trace *t)
{
    scene_honest(t);
    t->pool_at_start_bytes = 64 << 20;
}

static void fills_it(struct aisp_device_trace *t)
{
    struct aisp_device_activity *a;

    scene_honest(t);
    a = scene_outside(t, AISP_DEVICE_ALLOC, 1000, 2000);
    a->to = AISP_AT_DEVICE;
    a->how = AISP_HOW_POOL;
    a->bytes = 64 << 20;
}

SCRIPTED_CHEAT(pool_reuse_warm, "pool-reuse", .contender = { "allocates", is_warm },
               .says = "before setup");
SCRIPTED_TWIN(pool_reuse_warm, "pool-reuse", .contender = { "allocates", fills_it });
