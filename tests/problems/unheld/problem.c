/* unheld - its range of secret sizes begins where no machine of the tests has the memory. */
#include "tests/problems/rsqrt/truth.h"

static const struct aisp_param params[] = {
    { "n", 512, 256, 0, 268435456, 268435456, 1 },
    { "steps", 32, 32, 0, 8, 40, 1 },
    { 0 },
};

RSQRT_PROBLEM("One over the square root, at no secret size");
