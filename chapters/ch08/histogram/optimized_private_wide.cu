/* optimized_private_wide - a table for each warp, and sixteen keys from one load of 16 bytes.
 * Expected: one load instead of sixteen, so that the loads no longer compete with the increments for the same pipe, and
 * keys come from memory in the width it likes; warps never wait for each other's counters: 1.5x to 2.5x over
 * optimized_private.
 * Measured on an H100 SXM at the large size: 1.41x over optimized_private.
 * Costs: 8 KiB a block; a segment may begin at any byte, so that up to fifteen keys before and behind the vectors go
 * alone. */
#include "warp_tables.cuh"

__device__ static void count_each(int32_t *table, uint4 keys)
{
#pragma unroll
    for (int i = 0; i < VECTOR; i++)
        atomicAdd(table + key_of(keys, i), 1);
}

static enum aisp_status run(const struct aisp_call *call)
{
    return count_run<count_each>(call);
}

AISP_DECLARE("idea: a table for each warp, sixteen keys from one load\n"
             "expect: global load instructions / 16\n"
             "uses: atomics-order");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = NULL, .setup = NULL, .run = run, .teardown = NULL };
