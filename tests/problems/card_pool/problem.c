/* card_pool - the roots of card_roots, by way of memory that each call takes and gives back. */
#include "tests/problems/rsqrt/truth.h"

static const struct aisp_param params[] = {
    { "n", 65536, 4096, 0, 2048, 65536, 1 },
    { "steps", 4096, 4096, 0, 4096, 4096, 1 },
    { 0 },
};

RSQRT_PROBLEM("One over the square root, by way of memory out of a pool");
