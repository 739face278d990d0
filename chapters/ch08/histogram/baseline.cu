/* baseline - one increment of a counter in memory for each key. Threads of a block take neighbouring keys in turn. */
#include "segments.cuh"

enum { THREADS = 256, SHARE = 8192 };

/* count_global - adds 1 to count[row][key] for each key of the row.
 * even, skewed (segments, n): u8  count (2*segments, 256): i32, device, no overlap, cleared before; fewer than 2^31 blocks.
 * Launch: block 256, grid 2*segments * ceil(n / 8192), the call's stream.
 * Cost: 2*segments*n bytes of global memory read, as many atomic additions in L2. Exact. */
__global__ static void __launch_bounds__(THREADS) count_global(struct keys keys)
{
    const struct share share = share_of_block(&keys, SHARE);

    for (int64_t i = threadIdx.x; i < share.n; i += THREADS)
        atomicAdd(share.count + share.key[i], 1);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const struct keys keys = keys_of_call(call);

    if (clear_counts(&keys, aisp_stream(call)))
        return AISP_E_DEVICE;
    count_global<<<blocks_of(&keys, SHARE), THREADS, 0, aisp_stream(call)>>>(keys);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: one atomic increment in memory for each key\n"
             "uses: atomics-order");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = NULL, .setup = NULL, .run = run, .teardown = NULL };
