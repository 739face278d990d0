/* card_pinned - card_roots, of which every variant gets the output in pinned memory of the host. */
#include "tests/problems/rsqrt/truth.h"

static const struct aisp_param params[] = {
    { "n", 1048576, 65536, 0, 65536, 1048576, 1 },
    { "steps", 64, 64, 0, 64, 64, 1 },
    { 0 },
};

RSQRT_PROBLEM("One over the square root, brought to the host");
