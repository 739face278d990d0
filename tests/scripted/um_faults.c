/* um_faults - both use managed memory; the contender's pages are brought over in setup, the baseline's by faults in timed
 * windows. In the twin both are brought over. */
#include "tests/selftest/scripted.h"

static void managed(struct aisp_device_trace *t)
{
    scene_honest(t);
    scene_outside(t, AISP_DEVICE_ALLOC, 1000, 2000)->to = AISP_AT_MANAGED;
}

static void faults(struct aisp_device_trace *t)
{
    managed(t);
    scene_work(t, AISP_DEVICE_FAULT, 2, 0)->bytes = 65536;
}

static void prefetches(struct aisp_device_trace *t)
{
    managed(t);
    scene_outside(t, AISP_DEVICE_PREFETCH, 3000, 90000)->bytes = 65536;
}

SCRIPTED_CHEAT(um_faults, "um-faults", .baseline = { "managed", faults },
               .contender = { "managed", prefetches }, .says = "prefetches that nobody timed");
SCRIPTED_TWIN(um_faults, "um-faults", .baseline = { "managed", prefetches },
              .contender = { "managed", prefetches });
