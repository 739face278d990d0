/* long - some milliseconds a call: a window holds one or two, and the scheduler has time to take
 * the core away in it. */
#include "tests/problems/rsqrt/truth.h"

static const struct aisp_param params[] = {
    { "n", 4096, 4096, 0, 4096, 4096, 1 },
    { "steps", 4096, 256, 0, 256, 512, 1 },
    { 0 },
};

RSQRT_PROBLEM("One over the square root, very slowly");
