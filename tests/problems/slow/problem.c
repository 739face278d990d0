/* slow - a good tenth of a millisecond a call: what is left to a thread is late. */
#include "tests/problems/rsqrt/truth.h"

static const struct aisp_param params[] = {
    { "n", 4096, 4096, 0, 4096, 8192, 1 },
    { "steps", 256, 256, 0, 256, 256, 1 },
    { 0 },
};

RSQRT_PROBLEM("One over the square root, slowly");
