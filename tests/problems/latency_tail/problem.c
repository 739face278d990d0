/* latency_tail - 1 / sqrt(x), a call at a time: the tail of its calls is compared. */
#include "tests/problems/rsqrt/truth.h"

static const struct aisp_param params[] = {
    { "n", 2048, 256, 0, 256, 4096, 1 },
    { "steps", 32, 32, 0, 24, 40, 1 },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "One over the square root, at once",
    .teaches = "nothing: the proofs of the protections cheat at it",
    .goal = AISP_LATENCY,
    .param = params,
    .tensor = tensors,
    .bytes = "8*n",
    .flops = "~5*n*steps",
    .tolerance = { .ulps = 6, .why = "four roundings of the last step, and its start" },
    .reference = reference,
    .informational = "made for the proofs of the protections",
};
