/* optimized_vectors - sixteen bytes in one load, 512 a warp.
 * Expected: half the loads of optimized_words. 64 warps with 512 bytes each have 32 KiB under way in a multiprocessor,
 * about what memory needs to be kept busy: 1.1x to 1.5x over it.
 * Measured on an H100 SXM at the large size: 1.11x over optimized_words.
 * Costs: up to 15 bytes before and behind the vectors go alone. */
#include "search.cuh"

static enum aisp_status run(const struct aisp_call *call)
{
    return find_run<search_vectors>(call);
}

AISP_DECLARE("idea: sixteen bytes in one load\n"
             "expect: load instructions / 16");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = NULL, .setup = NULL, .run = run, .teardown = NULL };
