/* rsqrt - some microseconds a call, in the first cache. */
#include "tests/problems/rsqrt/truth.h"

static const struct aisp_param params[] = {
    { "n", 512, 256, 0, 64, 2048, 1 },
    { "steps", 32, 32, 0, 8, 40, 1 },
    { 0 },
};

RSQRT_PROBLEM("One over the square root");
