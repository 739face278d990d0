/* memory_small - 1 / sqrt(x) again; what is compared is how much memory that takes. */
#include "tests/problems/rsqrt/truth.h"

static const struct aisp_param params[] = {
    { "n", 196608, 1024, 0, 1024, 65536, 1 },
    { "steps", 8, 8, 0, 8, 12, 1 },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "One over the square root, in little memory",
    .teaches = "nothing: the proofs of the protections cheat at it",
    .goal = AISP_MEMORY,
    .param = params,
    .tensor = tensors,
    .bytes = "8*n",
    .flops = "~5*n*steps",
    .tolerance = { .ulps = 6, .why = "four roundings of the last step, and its start" },
    .reference = reference,
    .informational = "made for the proofs of the protections",
};
